/** Both sides of a compared row: each aspect, its differences, and the full selected value. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Compare } from '../../../../lib/extension/panel/run/compare/compare.ts';
import { aspectsOf, detailRows, type DetailRow } from '../../../../lib/extension/panel/run/compare/compare-details.ts';
import type { ComparedRow, Comparison } from '../../../../lib/extension/panel/run/compare/compare-runs.ts';
import { locationMark, locationText } from '../../../../lib/extension/panel/run/compare/describe-differences.ts';
import { offeredPatterns } from '../../../../lib/extension/panel/run/compare/volatile/volatility.ts';
import type { WholeDetails } from '../../../../lib/extension/panel/run/compare/whole/whole-details.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { isComposite, type RemoteValue } from '../../../../lib/extension/panel/shared/remote-value.ts';
import { ValueText, ValueTree } from '../../shared/value-tree.tsx';
import { Button } from '../../../ui/index.ts';
import { Twist, VirtualTree } from '../../../ui/virtual-tree.tsx';

const SIGNS: Record<DetailRow['how'], { sign: string; label: string }> = {
  same: { sign: '=', label: 'same' },
  added: { sign: '+', label: 'only now' },
  removed: { sign: '−', label: 'only before' },
  changed: { sign: '~', label: 'differs' },
  moved: { sign: '↕', label: 'at another place' },
  unknown: { sign: '≈', label: 'same as far as recorded' },
};

export interface CompareDetailsProps {
  panel: Panel;
  compare: Compare;
  comparison: Comparison;
  row: ComparedRow;
}

export function CompareDetails({ panel, compare, comparison, row }: CompareDetailsProps): JSX.Element {
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const [selected, setSelected] = useState<string | null>(null);
  const whole = useWholeDetails(compare, row);
  const aspects = useMemo(() => aspectsOf(comparison, row, whole), [comparison, row, whole]);
  const rows = useMemo(() => detailRows(aspects, toggled), [aspects, toggled]);
  const chosen = rows.find(({ key }) => key === selected);
  const toggle = (one: DetailRow): void => {
    const next = new Set(toggled);
    if (!next.delete(one.key)) next.add(one.key);
    setToggled(next);
  };
  return (
    <section
      class="compare-details"
      aria-label="Comparison details"
      data-compare-detail={row.id}
      data-whole={whole ? '' : undefined}
    >
      <header class="step-head compare-columns">
        <strong class="mono untrusted" title={locationText(row)}>
          {locationMark(row)}
        </strong>
        <span>
          Before <span class="muted">run {comparison.before.record.number}</span>
        </span>
        <span>
          Now <span class="muted">run {comparison.now.record.number}</span>
        </span>
      </header>
      <div class="fill">
        <VirtualTree
          label="Values in both runs"
          role="treegrid"
          rows={rows}
          shape={(one) => one}
          attributes={(one) => ({ 'data-aspect': one.key, 'data-how': one.how })}
          selected={selected}
          onSelect={(one) => setSelected(one.key)}
          onToggle={toggle}
          rowHeight={18}
          render={(one) => <AspectRow row={one} onToggle={() => toggle(one)} />}
        />
      </div>
      {chosen ? <IgnoreButtons compare={compare} row={chosen} /> : null}
      {chosen && (isLarge(chosen.before) || isLarge(chosen.now)) ? (
        <div class="both-values">
          <WholeValue panel={panel} label={`${chosen.name}, before`} value={chosen.before} />
          <WholeValue panel={panel} label={`${chosen.name}, now`} value={chosen.now} />
        </div>
      ) : null}
    </section>
  );
}

/** What the recordings have. Null until it's loaded, and without recordings. */
function useWholeDetails(compare: Compare, row: ComparedRow): WholeDetails | null {
  const wholeness = compare.wholeness.value;
  useEffect(() => {
    if (wholeness === 'whole') void compare.loadDetails(row);
  }, [compare, row, wholeness]);
  return compare.details.value.get(row.id) ?? null;
}

/** Marks the selected difference as volatile. */
function IgnoreButtons({ compare, row: { path, scope } }: { compare: Compare; row: DetailRow }): JSX.Element | null {
  const offered = path === null || scope === null ? [] : offeredPatterns(scope, path);
  if (offered.length === 0) return null;
  return (
    <div class="ignore-buttons" role="group" aria-label="Ignore this difference">
      {offered.map(({ pattern, label }) => (
        <Button
          key={pattern}
          title={`Ignore ${pattern} in comparisons of this action`}
          unavailable={compare.volatile.unreadable.value ? 'Open “Ignored” and start over' : null}
          onClick={() => void compare.setIgnored(pattern, true)}
        >
          {label}
        </Button>
      ))}
      <code class="muted untrusted">{offered[0]?.pattern}</code>
    </div>
  );
}

function AspectRow({ row, onToggle }: { row: DetailRow; onToggle: () => void }): JSX.Element {
  const { how, level, name, expanded, before, now } = row;
  const { sign, label } = SIGNS[how];
  return (
    <>
      <span role="gridcell" class="name-cell">
        <Twist expanded={expanded} onToggle={onToggle} />
        <span class={`sign ${how}`} role="img" aria-label={label}>
          {sign}
        </span>
        <span class={level === 0 ? 'name' : 'name mono value-name untrusted'}>{name}</span>
      </span>
      <Side label="before" value={before} how={how} />
      <Side label="now" value={now} how={how} />
    </>
  );
}

const isLarge = (value: RemoteValue | undefined): boolean =>
  value !== undefined && (isComposite(value) || (value.t === 'string' && value.length > 30));

interface SideProps {
  label: string;
  value: RemoteValue | undefined;
  how: DetailRow['how'];
}

function Side({ label, value, how }: SideProps): JSX.Element {
  return (
    <span role="gridcell" class="side-value mono">
      <span class="visually-hidden">{label} </span>
      {value ? (
        <ValueText value={value} room={160} />
      ) : how === 'unknown' ? (
        <span class="muted">not recorded</span>
      ) : (
        <span class="muted">
          —<span class="visually-hidden">none</span>
        </span>
      )}
    </span>
  );
}

interface WholeValueProps {
  panel: Panel;
  label: string;
  value: RemoteValue | undefined;
}

function WholeValue({ panel, label, value }: WholeValueProps): JSX.Element {
  return value ? (
    <ValueTree label={label} value={value} expand={panel.expand} copy={panel.copy} maxHeight={140} bare />
  ) : (
    <p class="remark">None</p>
  );
}
