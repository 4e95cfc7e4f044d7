/** A block of an `if`: its condition with values, what is missing, and its parts as a tree. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import {
  type ConditionWhy,
  type ExplainedRow,
  missingTexts,
  openParts,
  valueOf,
  type WhyBlock,
} from '../../../../lib/extension/panel/run/why/why-blocks.ts';
import { isComposite } from '../../../../lib/extension/panel/shared/remote-value.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { plural } from '../../../../lib/shared/format.ts';
import { Badge } from '../../../ui/index.ts';
import { VirtualTree } from '../../../ui/virtual-tree.tsx';
import { ValueText, ValueTree } from '../../shared/value-tree.tsx';
import { Segments } from './segments.tsx';

export interface BlockProps {
  panel: Pick<Panel, 'expand' | 'copy'>;
  block: WhyBlock;
  /** Whether the block's steps ran. */
  hasRun: boolean;
}

export function Block({ panel, block, hasRun }: BlockProps): JSX.Element {
  const { label, why, source, result } = block;
  return (
    <section class={hasRun ? 'why-block ran' : 'why-block'} aria-label={`${label} ${source ?? ''}`} data-why-block="">
      <p class="why-head">
        <span class="muted">{label}</span>{' '}
        {source === null ? null : <code class={why ? 'untrusted' : 'untrusted not-evaluated'}>{source}</code>}{' '}
        <Badge tone={result.tone}>{result.text}</Badge> {hasRun ? <Badge tone="success">ran</Badge> : null}
      </p>
      {why ? <Explained panel={panel} why={why} /> : null}
    </section>
  );
}

/** The parts of a condition that was evaluated. */
export function Explained({ panel, why }: { panel: BlockProps['panel']; why: ConditionWhy }): JSX.Element | null {
  if (why.state === 'function') return <p class="muted">The condition is a function, which has no parts to show.</p>;
  if (why.state === 'invalid')
    return (
      <p class="problem untrusted">
        Column {why.column}: {why.message}
      </p>
    );
  const missing = missingTexts(why);
  return (
    <>
      <p class="why-line mono">
        <Segments segments={why.segments} />
      </p>
      {missing.length > 0 ? (
        <ul class="why-missing" aria-label="What is missing">
          {missing.map((text) => (
            <li key={text} class="untrusted" data-missing="">
              {text}
            </li>
          ))}
        </ul>
      ) : null}
      <Parts panel={panel} rows={why.rows} />
    </>
  );
}

/** What wasn’t evaluated has no values to show. */
const unevaluated = (rows: readonly ExplainedRow[]): ReadonlySet<number> =>
  new Set(rows.flatMap(({ id, state }) => (state === 'not-evaluated' ? id : [])));

function Parts({ panel, rows }: { panel: BlockProps['panel']; rows: readonly ExplainedRow[] }): JSX.Element {
  const [collapsed, setCollapsed] = useState(() => unevaluated(rows));
  const [selected, setSelected] = useState<number | null>(null);
  const open = useMemo(() => openParts(rows, collapsed), [rows, collapsed]);
  const chosen = rows.find(({ id }) => id === selected);
  const toggle = (row: ExplainedRow, isExpanded: boolean): void => {
    const next = new Set(collapsed);
    if (isExpanded) next.delete(row.id);
    else next.add(row.id);
    setCollapsed(next);
  };
  const value = chosen && chosen.state === 'evaluated' ? valueOf(chosen) : null;
  return (
    <>
      <VirtualTree
        label="Parts of the condition"
        rows={open}
        shape={(row) => ({
          key: String(row.id),
          level: row.level,
          expanded: (rows[row.id + 1]?.level ?? 0) > row.level ? !collapsed.has(row.id) : null,
        })}
        attributes={({ state }) => ({ 'data-part': state })}
        selected={selected === null ? null : String(selected)}
        onSelect={({ id }) => setSelected(id)}
        onToggle={toggle}
        render={(row) => <Part row={row} />}
        maxHeight={220}
      />
      {value && isComposite(value) ? (
        <ValueTree
          key={selected}
          label={`Value of ${chosen?.text ?? ''}`}
          value={value}
          expand={panel.expand}
          copy={panel.copy}
          maxHeight={160}
          bare
        />
      ) : null}
    </>
  );
}

function Part({ row }: { row: ExplainedRow }): JSX.Element {
  const { text, state, times, reason, error } = row;
  return (
    <span class={`why-part ${state}`} title={[text, error ?? reason].filter(Boolean).join(': ')}>
      <code class="untrusted">{text}</code>
      {state === 'evaluated' ? (
        <span class="why-value">
          <ValueText value={valueOf(row)} room={120} />
        </span>
      ) : null}
      {error ? <span class="problem untrusted">{error}</span> : null}
      {state === 'failed' && !error ? <span class="problem">failed</span> : null}
      {state === 'not-evaluated' ? (
        <span class="muted untrusted">not evaluated{reason ? `: ${reason}` : ''}</span>
      ) : null}
      {times > 1 ? <span class="muted">{plural(times, 'time')}, last value</span> : null}
    </span>
  );
}
