/** The rows of an app’s migrations: their statuses in words, filtered, sorted, and counted. */
import { STATUSES } from '../../../../migrate/index.ts';
import type { Action } from '../../../../platform-api/action.ts';
import { sortBy } from '../../shared/sort-by.ts';
import { STATUS_TEXTS, type StatusText } from '../describe-proof.ts';
import type { Checked } from './checked.ts';

export type OverviewStatus = Checked['status'] | 'changed' | 'unchecked';

export interface OverviewRow {
  action: Action;
  status: OverviewStatus;
  /** The last check, which can be of an earlier version. Null if there was none. */
  checked: Checked | null;
  isChecking: boolean;
}

export interface OverviewFilter {
  query: string;
  /** Null for any. */
  status: OverviewStatus | null;
}

export const NO_FILTER: OverviewFilter = { query: '', status: null };

export type OverviewColumn = 'name' | 'status' | 'coverage' | 'runs' | 'strength' | 'checkedAt';

export interface OverviewSort {
  by: OverviewColumn;
  descending: boolean;
}

/** From best to worst. What isn’t known is worse than what works, and better than what doesn’t. */
export const OVERVIEW_STATUSES: readonly OverviewStatus[] = [
  ...STATUSES.slice(0, STATUSES.indexOf('faithful') + 1),
  'unchecked',
  'changed',
  'unproved',
  ...STATUSES.slice(STATUSES.indexOf('faithful') + 1, -1),
  'failed',
  'unreadable',
  'differs',
];

export const OVERVIEW_TEXTS: Record<OverviewStatus, StatusText> = {
  ...STATUS_TEXTS,
  unchecked: {
    label: 'Not checked yet',
    icon: '·',
    tone: 'plain',
    explanation: 'The action wasn’t migrated and compared yet.',
  },
  changed: {
    label: 'Changed since',
    icon: '↻',
    tone: 'plain',
    explanation: 'The action or its V3 code has changed since the last check, so the result counts no more.',
  },
  unreadable: {
    label: 'Can’t be read',
    icon: '✕',
    tone: 'danger',
    explanation: 'Our engine can’t read the pipeline. Correct it in V2 first.',
  },
  failed: {
    label: 'Couldn’t check',
    icon: '✕',
    tone: 'danger',
    explanation: 'The code couldn’t be compared. Open the action to see why.',
  },
};

/** In the summary, for one action and for several. */
const COUNTED: Partial<Record<OverviewStatus, readonly [one: string, several: string]>> = {
  'needs-person': ['needs a person', 'need a person'],
  differs: ['differs', 'differ'],
  unchecked: ['not checked', 'not checked'],
};

/** Such as “3 proved, 2 equal so far, 1 blocked, 4 not checked”. */
export function summaryOf(rows: readonly OverviewRow[]): string {
  const counts = countsOf(rows);
  const changed = counts.get('changed') ?? 0;
  counts.delete('changed');
  const unchecked = (counts.get('unchecked') ?? 0) + changed;
  counts.delete('unchecked');
  const known = OVERVIEW_STATUSES.filter((status) => counts.has(status)).map((status) =>
    countText(status, counts.get(status) ?? 0),
  );
  return [...known, ...(unchecked > 0 ? [countText('unchecked', unchecked)] : [])].join(', ');
}

function countText(status: OverviewStatus, count: number): string {
  const [one, several] = COUNTED[status] ?? [];
  const text = (count === 1 ? one : several) ?? lowerFirst(OVERVIEW_TEXTS[status].label);
  return `${count} ${text}`;
}

const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

export function countsOf(rows: readonly OverviewRow[]): Map<OverviewStatus, number> {
  const counts = new Map<OverviewStatus, number>();
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
}

const VALUES: Record<OverviewColumn, (row: OverviewRow) => string | number | null> = {
  name: ({ action }) => action.name.toLowerCase(),
  status: ({ status }) => OVERVIEW_STATUSES.indexOf(status),
  coverage: ({ checked }) =>
    shareOf(checked?.coverage && { part: checked.coverage.ran, total: checked.coverage.total }),
  runs: ({ checked }) => checked && checked.runs.recorded,
  strength: ({ checked }) =>
    shareOf(checked?.strength && { part: checked.strength.caught, total: checked.strength.total }),
  checkedAt: ({ checked }) => checked && checked.at,
};

/** Of nothing, everything. */
const shareOf = (of: { part: number; total: number } | null | undefined): number | null =>
  of ? (of.total === 0 ? 1 : of.part / of.total) : null;

/** Those that match the filter, sorted. Ties are sorted by name. */
export function shownRows(
  rows: readonly OverviewRow[],
  { query, status }: OverviewFilter,
  { by, descending }: OverviewSort,
): OverviewRow[] {
  const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = rows.filter(
    (row) =>
      (status === null || row.status === status) && terms.every((term) => row.action.name.toLowerCase().includes(term)),
  );
  return sortBy(sortBy(matching, VALUES.name, false), VALUES[by], descending);
}

/** Such as “9 of 11 branches ran”, or what is missing. */
export function coverageCell({ checked }: OverviewRow): string {
  if (!checked) return '';
  const { error, reason, coverage } = checked;
  if (error) return error.message;
  if (reason !== null || !coverage) return reason ?? '';
  return coverage.total === 0 ? 'No branches' : `${coverage.ran} of ${coverage.total} branches ran`;
}

/** Such as “3”, or “3 + 2 generated”. */
export function runsCell({ checked }: OverviewRow): string {
  if (!checked || checked.error) return '';
  const { recorded, generated } = checked.runs;
  return generated > 0 ? `${recorded} + ${generated} generated` : `${recorded}`;
}

/** Such as “18 of 20”. */
export function strengthCell({ checked }: OverviewRow): string {
  const strength = checked?.strength;
  if (!strength) return '';
  return strength.total === 0 ? 'none tried' : `${strength.caught} of ${strength.total}`;
}
