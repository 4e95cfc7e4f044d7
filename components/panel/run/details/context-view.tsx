/** A step's or run's context: what changed, and the full context before and after. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { contextsOf, type ContextDifference } from '../../../../lib/extension/panel/run/context-changes.ts';
import { changeRows, type ChangeRow } from '../../../../lib/extension/panel/run/item-changes.ts';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import type { Trace, TraceStep } from '../../../../lib/extension/panel/run/trace.ts';
import { pointerAsPath } from '../../../../lib/extension/panel/shared/remote-value.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { plural } from '../../../../lib/shared/format.ts';
import { Button, EmptyState } from '../../../ui/index.ts';
import { ValueText, ValueTree } from '../../shared/value-tree.tsx';
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

export function ContextView({ panel, run, step, differences }: ContextViewProps): JSX.Element {
  const { trace } = run;
  const [view, setView] = useState<View>('changes');
  const { travel } = panel.recordings;
  const contexts = useMemo(
    () => (view === 'changes' ? null : (travel.contextsOf(run, step) ?? contextsOf(trace, step))),
    [view, run, step, panel.runs.version.value, travel.version.value],
  );
  if (trace.tracing === 'bare')
    return (
      <EmptyState title="No context">
        <p>This page’s runtime reports only the start and end of a run.</p>
      </EmptyState>
    );
  return (
    <div class="context">
      <div class="view-buttons" role="group" aria-label="Context view">
        {VIEWS.map(([id, label]) => (
          <Button key={id} kind="quiet" pressed={view === id} onClick={() => setView(id)}>
            {label}
          </Button>
        ))}
        {trace.omitted.changes > 0 ? (
          <span class="muted">
            {plural(trace.omitted.changes, 'change')} not recorded. Later steps show the last recorded context.
          </span>
        ) : null}
        {step?.shallow ? (
          <span class="muted">The context was too large. Only its top-level properties were compared.</span>
        ) : null}
      </div>
      <div class="fill">
        {contexts && view !== 'changes' ? (
          <ValueTree label={`Context ${view}`} value={contexts[view]} expand={panel.expand} copy={panel.copy} />
        ) : (
          <Changes trace={trace} step={step} differences={differences} />
        )}
      </div>
    </div>
  );
}

type ChangesProps = Omit<ContextViewProps, 'panel' | 'run'> & { trace: Trace };

function Changes({ trace, step, differences }: ChangesProps): JSX.Element {
  const [selected, setSelected] = useState<string | null>(null);
  const rows = useMemo(() => changeRows(differences, () => contextsOf(trace, step)), [differences]);
  const isWholeRun = step === null;
  if (differences.length === 0)
    return (
      <EmptyState title="No context changes">
        <p>{isWholeRun ? 'No step in this run changed the context.' : 'This step didn’t change the context.'}</p>
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
