/** Owns the context around a step: what changed, and the whole of it before and after. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { plural } from '../../../lib/shared/format.ts';
import { pointerAsPath } from '../../../lib/extension/panel/shared/remote-value.ts';
import { contextsOf, type ContextDifference } from '../../../lib/extension/panel/run/step-changes.ts';
import type { Trace, TraceStep } from '../../../lib/extension/panel/run/trace.ts';
import { Button, EmptyState } from '../../ui/index.ts';
import { ValueText, ValueTree } from '../../ui/value-tree.tsx';
import { VirtualTree } from '../../ui/virtual-tree.tsx';

type Look = 'changes' | 'before' | 'after';
const LOOKS: [Look, string][] = [
  ['changes', 'Changes'],
  ['before', 'Before'],
  ['after', 'After'],
];

export function ContextView({
  panel,
  trace,
  step,
  differences,
}: {
  panel: Panel;
  trace: Trace;
  step: TraceStep | null;
  differences: ContextDifference[];
}): JSX.Element {
  const [look, setLook] = useState<Look>('changes');
  const contexts = useMemo(
    () => (look === 'changes' ? null : contextsOf(trace, step)),
    [look, trace, step, panel.runs.version.value],
  );
  if (trace.tracing === 'bare')
    return (
      <EmptyState title="No context was told">
        <p>Without an observer or wrapped functions, the context can’t be seen.</p>
      </EmptyState>
    );
  return (
    <div class="context">
      <div class="looks" role="group" aria-label="Which context">
        {LOOKS.map(([id, label]) => (
          <Button key={id} kind="quiet" pressed={look === id} onClick={() => setLook(id)}>
            {label}
          </Button>
        ))}
        {trace.leftOut.changes > 0 ? (
          <span class="muted">
            The last {plural(trace.leftOut.changes, 'change')} of the run {trace.leftOut.changes === 1 ? 'is' : 'are'}{' '}
            left out: later steps show the context as it was before.
          </span>
        ) : null}
        {step?.shallow ? (
          <span class="muted">The context was too large to compare in depth: only its own properties are.</span>
        ) : null}
      </div>
      <div class="fill">
        {contexts && look !== 'changes' ? (
          <ValueTree label={`Context ${look}`} value={contexts[look]} expand={panel.expand} copy={panel.copy} />
        ) : (
          <Changes differences={differences} whole={step === null} />
        )}
      </div>
    </div>
  );
}

function Changes({ differences, whole }: { differences: ContextDifference[]; whole: boolean }): JSX.Element {
  const [selected, setSelected] = useState<string | null>(null);
  if (differences.length === 0)
    return (
      <EmptyState title="The context did not change">
        <p>
          {whole ? 'No step of this run' : 'This step did not'}{' '}
          {whole ? 'added, changed or removed' : 'add, change or remove'} a property of the context.
        </p>
      </EmptyState>
    );
  return (
    <VirtualTree
      label={plural(differences.length, 'change')}
      rows={differences}
      shape={(one) => ({ key: one.path, level: 0, expanded: null })}
      attributes={(one) => ({ 'data-change': one.kind })}
      selected={selected}
      onSelect={(one) => setSelected(one.path)}
      onToggle={() => {}}
      rowHeight={18}
      render={(one) => (
        <span class={`change ${one.kind} mono untrusted`}>
          <span class="sign" role="img" aria-label={one.kind}>
            {one.kind === 'added' ? '+' : one.kind === 'removed' ? '−' : '~'}
          </span>
          <span class="value-name">{pointerAsPath(one.path) || 'the whole context'}</span>
          {': '}
          {one.before ? (
            <del>
              <ValueText value={one.before} />
            </del>
          ) : null}
          {one.before && one.after ? ' → ' : null}
          {one.after ? (
            <ins>
              <ValueText value={one.after} />
            </ins>
          ) : null}
        </span>
      )}
    />
  );
}
