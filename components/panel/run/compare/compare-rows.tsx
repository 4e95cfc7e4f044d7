/** The rows of a comparison: each step's state and duration in both runs, and how they differ. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { isExpanded } from '../../../../lib/extension/panel/run/compare/compare-rows.ts';
import type { ComparedRow, Comparison } from '../../../../lib/extension/panel/run/compare/compare-runs.ts';
import type { WholeDetails } from '../../../../lib/extension/panel/run/compare/whole/whole-details.ts';
import type { Compare } from '../../../../lib/extension/panel/run/compare/compare.ts';
import { comparedText } from '../../../../lib/extension/panel/run/compare/describe-comparison.ts';
import { differenceTexts, durationText } from '../../../../lib/extension/panel/run/compare/describe-differences.ts';
import { markOf } from '../../../../lib/extension/panel/run/timeline/rows.ts';
import type { TraceStep } from '../../../../lib/extension/panel/run/trace.ts';
import { shortName } from '../../../../lib/extension/panel/shared/short-name.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { EmptyState } from '../../../ui/index.ts';
import { Twist, VirtualTree } from '../../../ui/virtual-tree.tsx';
import { StateIcon } from '../state-icon.tsx';

export interface CompareRowsProps {
  panel: Panel;
  compare: Compare;
  comparison: Comparison;
  onActivate: () => void;
}

export function CompareRows({ panel, compare, comparison, onActivate }: CompareRowsProps): JSX.Element {
  const rows = compare.rows.value;
  const collapsed = compare.collapsed.value;
  const selected = compare.selected.value;
  const details = compare.details.value;
  const nodes = panel.page.nodes.value;
  const labels = useMemo(() => new Map(nodes.map((node) => [node.path, node.label])), [nodes]);
  if (rows.length === 0) return <NoDifferences comparison={comparison} />;
  return (
    <div class="compare-rows" data-compare-rows="">
      <VirtualTree
        label="Steps of both runs"
        role="treegrid"
        rows={rows}
        shape={(row) => ({ key: String(row.id), level: row.level, expanded: isExpanded(row, collapsed) })}
        attributes={(row) => ({
          'data-row': String(row.id),
          'data-path': (row.now ?? row.before)?.path ?? row.what,
          'data-how': howOf(row),
          'data-first': comparison.firsts.includes(row.id) ? '' : undefined,
        })}
        selected={selected === null ? null : String(selected)}
        onSelect={(row) => compare.select(row.id)}
        onToggle={(row, expanded) => compare.setCollapsed(row.id, !expanded)}
        onActivate={onActivate}
        render={(row) => (
          <>
            <NameCell
              row={row}
              expanded={isExpanded(row, collapsed)}
              label={labels.get((row.now ?? row.before)?.path ?? '')}
              onToggle={(expanded) => compare.setCollapsed(row.id, !expanded)}
            />
            <SideCell label="before" step={row.before} row={row} outcome={comparison.before.trace.state} />
            <SideCell label="now" step={row.now} row={row} outcome={comparison.now.trace.state} />
            <DifferenceCell comparison={comparison} row={row} whole={details.get(row.id)} />
          </>
        )}
      />
    </div>
  );
}

function NoDifferences({ comparison }: Pick<CompareRowsProps, 'comparison'>): JSX.Element {
  return (
    <EmptyState title="No differences in what both runs recorded">
      <p>{comparedText(comparison)} Turn off “Only differences” to see all recorded steps.</p>
    </EmptyState>
  );
}

const howOf = ({ kinds, unknown }: ComparedRow): string =>
  kinds.length > 0 ? 'differs' : unknown.length > 0 ? 'unknown' : 'same';

interface NameCellProps {
  row: ComparedRow;
  expanded: boolean | null;
  label: string | undefined;
  onToggle: (expanded: boolean) => void;
}

function NameCell({ row, expanded, label, onToggle }: NameCellProps): JSX.Element {
  const step = row.now ?? row.before;
  const mark = step && markOf({ step, opens: step.opensIteration });
  const earlier = row.before && markOf({ step: row.before, opens: row.before.opensIteration });
  return (
    <span role="gridcell" class="name-cell">
      <Twist expanded={expanded} onToggle={() => onToggle(!expanded)} />
      {mark ? (
        <span class="iteration" title={earlier && earlier !== mark ? `${earlier} before, ${mark} now` : undefined}>
          {earlier && earlier !== mark ? `${earlier}→${mark}` : mark}
        </span>
      ) : null}
      <span class="mono untrusted name" title={step?.name}>
        {step ? stepName(step, label) : row.what === 'payload' ? 'Payload' : 'Outcome'}
      </span>
    </span>
  );
}

const stepName = (step: TraceStep, label: string | undefined): string =>
  step.kind === 'function' ? shortName(step.name) : (label ?? step.name);

interface SideCellProps {
  label: string;
  step: TraceStep | null;
  row: ComparedRow;
  outcome: string;
}

function SideCell({ label, step, row, outcome }: SideCellProps): JSX.Element {
  const state = row.what === 'end' ? outcome : step?.state;
  return (
    <span role="gridcell" class="side-cell">
      <span class="visually-hidden">{label} </span>
      {state ? <StateIcon state={state} /> : null}
      {row.what === 'step' && !step ? (
        <span class="muted">
          —<span class="visually-hidden">none</span>
        </span>
      ) : null}
      {step ? <span class="time">{durationText(step)}</span> : null}
    </span>
  );
}

interface DifferenceCellProps {
  comparison: Comparison;
  row: ComparedRow;
  whole: WholeDetails | undefined;
}

function DifferenceCell({ comparison, row, whole }: DifferenceCellProps): JSX.Element {
  const text = differenceTexts(comparison, row, whole).join(' · ');
  return (
    <span role="gridcell" class="difference-cell untrusted" title={text}>
      {comparison.firsts.includes(row.id) ? (
        <span class="first-mark">
          {row.id === comparison.firsts[0] ? 'first' : 'then'}
          <span class="visually-hidden"> difference</span>
        </span>
      ) : null}
      {text || <span class="visually-hidden">same</span>}
    </span>
  );
}
