/** A step's or run's context: what changed, and the full context before and after. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import {
  contextsOf,
  differencesOf,
  type ContextDifference,
} from '../../../../lib/extension/panel/run/context-changes.ts';
import { noChangesText } from '../../../../lib/extension/panel/run/describe-steps.ts';
import { changeRows, type ChangeRow } from '../../../../lib/extension/panel/run/item-changes.ts';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import type { FailedAttempt, Trace, TraceStep } from '../../../../lib/extension/panel/run/trace.ts';
import { pointerAsPath, UNDEFINED } from '../../../../lib/extension/panel/shared/remote-value.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { plural, truncate } from '../../../../lib/shared/format.ts';
import { Alert, Button, EmptyState } from '../../../ui/index.ts';
import { late } from '../../shared/late.tsx';
import { ValueText, ValueTree, type ValueTreeProps } from '../../shared/value-tree.tsx';
import { VirtualTree } from '../../../ui/virtual-tree.tsx';

type View = 'changes' | 'before' | 'after';
const VIEWS: [View, string][] = [
  ['changes', 'Changes'],
  ['before', 'Before'],
  ['after', 'After'],
];
const SIGNS = { added: '+', removed: '−', changed: '~' };

export interface ContextViewProps {
  panel: Panel;
  run: ShownRun;
  step: TraceStep | null;
  differences: ContextDifference[];
}

const ContextEditor = late(() => import('../debug/context-editor.tsx').then((module) => module.ContextEditor));

export function ContextView(props: ContextViewProps): JSX.Element {
  const { trace } = props.run;
  const { debug } = props.panel;
  const pausedRun = debug.pause.current.value?.run;
  // What was typed stays after the pause, too.
  const open = pausedRun === undefined || pausedRun === props.run ? debug.context.open.value : null;
  if (trace.tracing === 'bare')
    return (
      <EmptyState title="No context">
        <p>This page’s runtime reports only the start and end of a run.</p>
      </EmptyState>
    );
  return <div class="context">{open ? <ContextEditor debug={debug} open={open} /> : <Views {...props} />}</div>;
}

function Views({ panel, run, step, differences }: ContextViewProps): JSX.Element {
  const { trace } = run;
  const isPaused = step !== null && trace.paused?.step === step.id && trace.paused.reason !== 'failure';
  const [chosen, setView] = useState<View | null>(null);
  // Before a step that hasn’t run, there are no changes.
  const view = chosen ?? (isPaused ? 'before' : 'changes');
  const edit = editOf(panel, run, step, view);
  const { travel } = panel.recordings;
  const contexts = useMemo(
    () => (view === 'changes' ? null : (travel.contextsOf(run, step) ?? contextsOf(trace, step))),
    [view, run, step, panel.runs.version.value, travel.version.value],
  );
  return (
    <>
      <div class="view-buttons" role="group" aria-label="Context view">
        {VIEWS.map(([id, label]) => (
          <Button key={id} kind="quiet" pressed={view === id} onClick={() => setView(id)}>
            {label}
          </Button>
        ))}
        <EditButton panel={panel} run={run} />
        {edit ? <span class="muted">Double-click a value to edit it</span> : null}
        <Remarks trace={trace} step={step} />
      </div>
      <Edits panel={panel} step={step} />
      <div class="fill">
        {contexts && view !== 'changes' ? (
          <ValueTree
            label={`Context ${view}`}
            value={contexts[view]}
            expand={panel.expand}
            copy={panel.copy}
            edit={edit}
            onDraft={(hasDraft) => (panel.debug.context.hasDraft.value = hasDraft)}
          />
        ) : (
          <Changes trace={trace} step={step} differences={differences} />
        )}
      </div>
    </>
  );
}

/** What isn’t known of the context. */
function Remarks({ trace, step }: { trace: Trace; step: TraceStep | null }): JSX.Element {
  return (
    <>
      {trace.omitted.changes > 0 ? (
        <span class="muted">
          {plural(trace.omitted.changes, 'change')} not recorded. Later steps show the last recorded context.
        </span>
      ) : null}
      {step?.shallow ? (
        <span class="muted">
          The context was too large to compare all of it. Other changes of this step are unknown.
        </span>
      ) : null}
    </>
  );
}

/** Edits a value of the view, if that’s the context of the run while it’s paused at the step. */
function editOf({ debug }: Panel, run: ShownRun, step: TraceStep | null, view: View): ValueTreeProps['edit'] {
  const { paused } = run.trace;
  if (debug.pause.current.value?.run !== run || paused === null || paused.step !== step?.id) return undefined;
  // After a failure, the step has already changed it.
  if (view !== (paused.reason === 'failure' ? 'after' : 'before')) return undefined;
  return (pointer, json) => debug.context.setValue(pointer, json);
}

/** Edits the whole context of the run while it’s paused. */
function EditButton({ panel: { debug }, run }: Pick<ContextViewProps, 'panel' | 'run'>): JSX.Element | null {
  if (debug.pause.current.value?.run !== run) return null;
  return (
    <Button
      kind="quiet"
      title="Edit the whole context as JSON before the run resumes"
      unavailable={debug.context.isBusy.value ? 'Loading the context…' : debug.pause.cannotResume.value}
      onClick={() => void debug.context.start()}
    >
      Edit
    </Button>
  );
}

/** What was changed by hand before the step. */
function Edits({ panel: { debug }, step }: Pick<ContextViewProps, 'panel' | 'step'>): JSX.Element | null {
  const error = debug.context.error.value;
  const edits = step?.edits ?? [];
  const attempts = step?.attempts ?? [];
  return (
    <>
      {error ? <Alert error={error} /> : null}
      {edits.length > 0 ? (
        <section class="edits" aria-label="Edited before this step" data-edits={edits.length}>
          <p class="muted">You edited the context before this step:</p>
          <Lines changes={edits} />
        </section>
      ) : null}
      {attempts.map((attempt, index) => (
        <Attempt key={index} attempt={attempt} number={index + 1} />
      ))}
    </>
  );
}

/** An attempt of the step that failed, and what was edited after it. */
function Attempt({ attempt, number }: { attempt: FailedAttempt; number: number }): JSX.Element {
  const { error, changes, edits } = attempt;
  return (
    <section class="edits" aria-label={`Attempt ${number}`} data-attempt={number} data-edits={edits.length}>
      <p class="muted untrusted">
        Attempt {number} failed{error ? `: ${truncate(error.errorMessage, 300)}` : ''}
      </p>
      {changes.length > 0 ? <p class="muted">The attempt had changed:</p> : null}
      <Lines changes={changes} />
      {edits.length > 0 ? <p class="muted">Then you edited the context:</p> : null}
      <Lines changes={edits} />
    </section>
  );
}

function Lines({ changes }: { changes: TraceStep['edits'] }): JSX.Element {
  return (
    <>
      {linesOf(changes).map((row) => (
        <ChangeLine key={row.path} row={row} />
      ))}
      {changes.length > MAX_EDITS ? <p class="muted">{plural(changes.length - MAX_EDITS, 'more change')}</p> : null}
    </>
  );
}

const MAX_EDITS = 20;

const linesOf = (changes: TraceStep['edits']): ChangeRow[] =>
  changeRows(differencesOf(changes.slice(0, MAX_EDITS)), () => ({ before: UNDEFINED, after: UNDEFINED }));

type ChangesProps = Omit<ContextViewProps, 'panel' | 'run'> & { trace: Trace };

function Changes({ trace, step, differences }: ChangesProps): JSX.Element {
  const [selected, setSelected] = useState<string | null>(null);
  const rows = useMemo(() => changeRows(differences, () => contextsOf(trace, step)), [differences]);
  if (differences.length === 0)
    return (
      <EmptyState title="No context changes recorded">
        <p>{noChangesText(trace, step)}</p>
      </EmptyState>
    );
  return (
    <VirtualTree
      label={plural(differences.length, 'change')}
      rows={rows}
      shape={({ key, level }) => ({ key, level, expanded: null })}
      attributes={({ kind }) => ({ 'data-change': kind })}
      selected={selected}
      onSelect={({ key }) => setSelected(key)}
      onToggle={() => {}}
      rowHeight={18}
      render={(row) => <ChangeLine row={row} />}
    />
  );
}

function ChangeLine({ row: { path, kind, before, after, summary } }: { row: ChangeRow }): JSX.Element {
  if (kind === 'items')
    return (
      <span class="change mono untrusted">
        <span class="sign" aria-hidden="true" />
        <span class="value-name">{pointerAsPath(path) || 'context'}</span>: <span class="muted">{summary}</span>
      </span>
    );
  return (
    <span class={`change ${kind} mono untrusted`}>
      <span class="sign" role="img" aria-label={kind}>
        {SIGNS[kind]}
      </span>
      <span class="value-name">{pointerAsPath(path) || 'context'}</span>
      {': '}
      {before ? (
        <del>
          <ValueText value={before} />
        </del>
      ) : null}
      {before && after ? ' → ' : null}
      {after ? (
        <ins>
          <ValueText value={after} />
        </ins>
      ) : null}
    </span>
  );
}
