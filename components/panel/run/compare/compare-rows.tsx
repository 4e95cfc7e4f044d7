/** Owns the rows of a comparison: each step once, with its state and time in both runs and how it differs in words. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Compare } from '../../../../lib/extension/panel/run/compare/compare.ts';
import { isOpen } from '../../../../lib/extension/panel/run/compare/compare-rows.ts';
import type { ComparedRow, Comparison } from '../../../../lib/extension/panel/run/compare/compare-runs.ts';
import { durationWords, rowWords } from '../../../../lib/extension/panel/run/compare/compare-words.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { shortName } from '../../../../lib/extension/panel/shared/short-name.ts';
import { markOf } from '../../../../lib/extension/panel/run/timeline-rows.ts';
import type { TraceStep } from '../../../../lib/extension/panel/run/trace.ts';
import { EmptyState } from '../../../ui/index.ts';
import { Twist, VirtualTree } from '../../../ui/virtual-tree.tsx';
import { StateIcon } from '../state-icon.tsx';

export function CompareRows({
  panel,
  compare,
  comparison,
  onActivate,
}: {
  panel: Panel;
  compare: Compare;
  comparison: Comparison;
  onActivate: () => void;
}): JSX.Element {
  const rows = compare.rows.value;
  const folded = compare.folded.value;
  const selected = compare.selected.value;
  const nodes = panel.page.nodes.value;
  const labels = useMemo(() => new Map(nodes.map((node) => [node.path, node.label])), [nodes]);
  if (rows.length === 0) {
    return (
      <EmptyState title="Nothing differs">
        <p>
          Payload, steps, context, requests and result are the same. Switch off “Only differences” to see every step of
          both.
        </p>
      </EmptyState>
    );
  }
  return (
    <div class="compare-rows" data-compare-rows="">
      <VirtualTree
        label="Both runs, step by step"
        role="treegrid"
        rows={rows}
        shape={(row) => ({ key: String(row.id), level: row.level, expanded: isOpen(row, folded) })}
        attributes={(row) => ({
          'data-row': String(row.id),
          'data-path': (row.now ?? row.before)?.path ?? row.what,
          'data-how': howOf(row),
          'data-first': comparison.firsts.includes(row.id) ? '' : undefined,
        })}
        selected={selected === null ? null : String(selected)}
        onSelect={(row) => compare.select(row.id)}
        onToggle={(row, expanded) => compare.fold(row.id, !expanded)}
        onActivate={onActivate}
        render={(row) => (
          <Row
            comparison={comparison}
            row={row}
            expanded={isOpen(row, folded)}
            label={labels.get((row.now ?? row.before)?.path ?? '')}
            onToggle={(open) => compare.fold(row.id, !open)}
          />
        )}
      />
    </div>
  );
}

const howOf = ({ kinds, isUnknown }: ComparedRow): string =>
  kinds.length > 0 ? 'differs' : isUnknown ? 'unknown' : 'same';

function Row({
  comparison,
  row,
  expanded,
  label,
  onToggle,
}: {
  comparison: Comparison;
  row: ComparedRow;
  expanded: boolean | null;
  label: string | undefined;
  onToggle: (open: boolean) => void;
}): JSX.Element {
  const step = row.now ?? row.before;
  const mark = step && markOf(step);
  const words = rowWords(comparison, row).join(' · ');
  const { before, now } = comparison;
  return (
    <>
      <span role="gridcell" class="name-cell">
        <Twist expanded={expanded} onToggle={() => onToggle(!expanded)} />
        {mark ? <span class="iteration">{mark}</span> : null}
        <span class="mono untrusted name" title={step?.name}>
          {step
            ? step.kind === 'function'
              ? shortName(step.name)
              : (label ?? step.name)
            : row.what === 'payload'
              ? 'Payload'
              : 'Outcome'}
        </span>
      </span>
      <SideCell
        word="before"
        step={row.before}
        state={row.what === 'end' ? before.trace.state : undefined}
        isStep={row.what === 'step'}
      />
      <SideCell
        word="now"
        step={row.now}
        state={row.what === 'end' ? now.trace.state : undefined}
        isStep={row.what === 'step'}
      />
      <span role="gridcell" class="words-cell untrusted" title={words}>
        {comparison.firsts.includes(row.id) ? (
          <span class="first-mark">
            {row.id === comparison.firsts[0] ? 'first' : 'then'}
            <span class="visually-hidden"> difference</span>
          </span>
        ) : null}
        {words || <span class="visually-hidden">the same</span>}
      </span>
    </>
  );
}

function SideCell({
  word,
  step,
  state,
  isStep,
}: {
  word: string;
  step: TraceStep | null;
  state: string | undefined;
  isStep: boolean;
}): JSX.Element {
  return (
    <span role="gridcell" class="side-cell">
      <span class="visually-hidden">{word} </span>
      {step || state ? (
        <StateIcon state={step?.state ?? state ?? ''} />
      ) : isStep ? (
        <span class="muted">
          —<span class="visually-hidden">none</span>
        </span>
      ) : null}
      {step ? <span class="time">{durationWords(step)}</span> : null}
    </span>
  );
}
