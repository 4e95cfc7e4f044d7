/** The pipeline section of the form: the step tree, and the form of the selected step. */
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ActionEditor } from '../../../../lib/extension/panel/actions/edit/editor.ts';
import {
  addStep,
  type Changed,
  type Direction,
  isBranch,
  moveStep,
  removeStep,
  type StepKind,
} from '../../../../lib/extension/panel/actions/edit/steps.ts';
import { valueAt } from '../../../../lib/extension/panel/actions/edit/draft-value.ts';
import { shortName } from '../../../../lib/extension/panel/shared/short-name.ts';
import { openNodes, pipelineNodes, type PipelineNode } from '../../../../lib/extension/panel/run/pipeline-tree.ts';
import { unreadableOf } from '../../../../lib/platform-api/lists/unreadable.ts';
import { Button } from '../../../ui/index.ts';
import { VirtualTree } from '../../../ui/virtual-tree.tsx';
import { UnreadableNote } from '../../shared/unreadable-note.tsx';
import type { PartProps, TryCondition } from './part.ts';
import { FormTarget, problemAt } from './form-target.tsx';
import { StepForm } from './step-form.tsx';

const ARROWS: Record<string, Direction> = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'out', ArrowRight: 'in' };
const MOVES: { direction: Direction; sign: string; label: string }[] = [
  { direction: 'up', sign: '↑', label: 'Move up' },
  { direction: 'down', sign: '↓', label: 'Move down' },
  { direction: 'out', sign: '←', label: 'Move out of the parent step' },
  { direction: 'in', sign: '→', label: 'Move into the previous step' },
];

export interface PipelineFormProps extends PartProps {
  editor: ActionEditor;
  tryCondition: TryCondition;
}

export function PipelineForm({ value, problems, set, onSave, editor, tryCondition }: PipelineFormProps): JSX.Element {
  const { functions } = value;
  const [selected, setSelected] = useState<string | null>(null);
  const nodes = useMemo(() => pipelineNodes(functions), [functions]);
  const chosen = nodes.find((node) => `/functions${node.path}` === selected) ?? null;
  const path = chosen ? selected : null;
  const stepProblems = useMemo(() => problems.filter((one) => one.path.startsWith('/functions')), [problems]);

  // Select the rejected step only once per error, so that editing doesn't move the selection.
  const { value: error } = editor.error;
  useEffect(() => {
    const first = error?.details?.find((one) => one.path.startsWith('/functions/'));
    if (first) setSelected(stepAt(nodes, first.path));
  }, [error]);

  const apply = (changed: Changed | null): void => {
    if (!changed) return;
    editor.replace(changed.draft);
    setSelected(changed.path);
  };
  const found = { problems: stepProblems, warnings: editor.warnings.value };
  const draft = { ...(editor.draft.value?.value as object), functions };
  return (
    <FormTarget
      path="/functions"
      problems={stepProblems.filter((one) => one.path === '/functions')}
      class="edit-functions"
    >
      <fieldset class="edit-part">
        <legend>Functions</legend>
        {Array.isArray(functions) ? null : <p class="problem">{problemAt(problems, '/functions')}</p>}
        <UnreadableNote list={unreadableOf(editor.completions.packages.value)} what="function package" />
        <StepTools draft={draft} path={path} apply={apply} />
        {nodes.length === 0 ? (
          <p class="remark">No steps yet. Add a step to build the pipeline.</p>
        ) : (
          <StepTree nodes={nodes} {...found} draft={draft} path={path} onSelect={setSelected} apply={apply} />
        )}
        {path !== null && chosen ? (
          <StepForm
            key={path}
            path={path}
            kind={isBranch(path) ? 'branch' : chosen.kind}
            step={valueAt(draft, path)}
            draft={draft}
            packages={editor.completions.packages.value ?? []}
            {...found}
            set={set}
            onSave={onSave}
            apply={apply}
            tryCondition={tryCondition}
          />
        ) : nodes.length > 0 ? (
          <p class="remark">Select a step to edit it. Press Alt and an arrow key to move it.</p>
        ) : null}
      </fieldset>
    </FormTarget>
  );
}

interface StepToolsProps {
  draft: object;
  path: string | null;
  apply: (changed: Changed | null) => void;
}

function StepTools({ draft, path, apply }: StepToolsProps): JSX.Element {
  const [isInside, setInside] = useState(false);
  const add = (kind: StepKind): void => apply(addStep(draft, path, kind, isInside && path !== null));
  return (
    <div class="edit-tools" role="group" aria-label="Steps">
      <span class="muted">Add</span>
      <Button onClick={() => add('function')}>Function</Button>
      <Button onClick={() => add('loop')}>Loop</Button>
      <Button onClick={() => add('if')}>If</Button>
      <Button
        kind="quiet"
        pressed={isInside}
        title="Add steps inside the selected step instead of after it"
        unavailable={path === null ? 'Select a step' : null}
        onClick={() => setInside(!isInside)}
      >
        Inside
      </Button>
      <span class="grow" />
      {MOVES.map(({ direction, sign, label }) => (
        <Button
          key={direction}
          kind="quiet"
          label={label}
          title={`${label} (Alt+${sign})`}
          unavailable={
            path === null || !moveStep(draft, path, direction) ? 'Select a step that can move in this direction' : null
          }
          onClick={() => path !== null && apply(moveStep(draft, path, direction))}
        >
          {sign}
        </Button>
      ))}
      <Button
        kind="quiet"
        label="Remove step"
        title="Remove the step and everything inside it (Delete)"
        unavailable={path === null ? 'Select a step' : null}
        onClick={() => path !== null && apply(removeStep(draft, path))}
      >
        ✕
      </Button>
    </div>
  );
}

interface StepTreeProps extends StepToolsProps {
  nodes: readonly PipelineNode[];
  problems: PartProps['problems'];
  warnings: PartProps['problems'];
  onSelect: (path: string) => void;
}

function StepTree({ nodes, problems, warnings, draft, path, onSelect, apply }: StepTreeProps): JSX.Element {
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => openNodes(nodes, collapsed), [nodes, collapsed]);
  const tree = useRef<HTMLDivElement>(null);
  const takesFocus = useRef(false);
  useLayoutEffect(() => {
    if (takesFocus.current) tree.current?.querySelector<HTMLElement>('[aria-selected=true], [role=treeitem]')?.focus();
    takesFocus.current = false;
  });
  const onKeyDown = (event: KeyboardEvent): void => {
    const direction = event.altKey ? ARROWS[event.key] : undefined;
    if (path === null || (!direction && event.key !== 'Delete')) return;
    event.preventDefault();
    event.stopPropagation();
    takesFocus.current = true;
    apply(direction ? moveStep(draft, path, direction) : removeStep(draft, path));
  };
  return (
    <div class="edit-tree" ref={tree} onKeyDownCapture={onKeyDown}>
      <VirtualTree
        label="Steps"
        rows={rows}
        maxHeight={240}
        shape={(node) => ({
          key: `/functions${node.path}`,
          level: node.depth,
          expanded: node.hasChildren ? !collapsed.has(node.path) : null,
        })}
        attributes={(node) => ({
          'data-step-path': `/functions${node.path}`,
          'data-failing': hasProblem(problems, node) ? '' : undefined,
          'aria-invalid': hasProblem(problems, node) ? 'true' : undefined,
        })}
        selected={path}
        onSelect={(node) => onSelect(`/functions${node.path}`)}
        onToggle={(node, expanded) =>
          setCollapsed((old) => new Set(expanded ? [...old].filter((one) => one !== node.path) : [...old, node.path]))
        }
        render={(node) => (
          <>
            <span class={`node-label mono untrusted ${node.kind}`} title={node.package ?? node.label}>
              {node.package ? shortName(node.package) : node.label}
            </span>
            {hasProblem(problems, node) ? <span class="problem"> ✗</span> : null}
            {hasProblem(warnings, node) ? (
              <span class="warning" role="img" aria-label="Has warnings">
                {' '}
                ⚠
              </span>
            ) : null}
          </>
        )}
      />
    </div>
  );
}

/** Whether the step itself has a problem, not just a step inside it. */
function hasProblem(problems: PartProps['problems'], node: PipelineNode): boolean {
  const own = `/functions${node.path}`;
  return problems.some(
    ({ path }) =>
      path === own ||
      (path.startsWith(`${own}/`) &&
        !/^\/(functions|conditions\/\d+|elseFunctions)(\/|$)/.test(path.slice(own.length))) ||
      (path.startsWith(`${own}/condition`) && node.branch !== undefined && !path.startsWith(`${own}/conditions`)),
  );
}

/** The innermost step or branch that contains the path. */
function stepAt(nodes: readonly PipelineNode[], target: string): string | null {
  const enclosing = nodes
    .map((node) => `/functions${node.path}`)
    .filter((path) => target === path || target.startsWith(`${path}/`));
  return enclosing.toSorted((a, b) => b.length - a.length)[0] ?? null;
}
