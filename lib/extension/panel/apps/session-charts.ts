/** Computes the data for an app's session charts. */
import { isAhead } from '../../../platform-api/sessions/timestamp.ts';
import { sharesOf } from './session-filter.ts';
import type { FamilyField } from './session-rows.ts';
import type { SessionCharts, SessionRow, Share } from './types.ts';

/** Time charts go back this many days. Cumulative charts count older sessions on the first day; others omit them. */
const DAY_LIMIT = 400;
/** The maximum number of series that people can tell apart. */
const SERIES_LIMIT = 8;
const DAY = 86_400_000;

/**
 * @param rows the filtered rows
 * @param latest the app's newest known version
 * @param now epoch milliseconds; later times are omitted
 */
export function chartsOf(rows: readonly SessionRow[], latest: number | null, now: number): SessionCharts {
  const updated = calendar(rows, ({ updated }) => updated, now, true);
  const accessed = calendar(rows, ({ lastAccess }) => lastAccess, now, false);
  const lastAccess = accessed.zeros();
  for (const day of accessed.dayOf) if (day >= 0) lastAccess[day]!++;
  return {
    versions: { days: updated.days, series: versionSeries(rows, updated) },
    adoption: { days: updated.days, version: latest, percent: adopted(rows, latest, updated) },
    lastAccess: { days: accessed.days, counts: lastAccess },
    devices: topShares(rows, 'device'),
    browsers: topShares(rows, 'browser'),
    undated: { updated: updated.undated, lastAccess: accessed.undated },
  };
}

interface Calendar {
  /** Local midnights in epoch seconds, ending with today's. */
  days: number[];
  /** For each row, the index of its day; -1 if none. */
  dayOf: Int32Array;
  undated: number;
  zeros(): number[];
}

function calendar(
  rows: readonly SessionRow[],
  timeOf: (row: SessionRow) => number | null,
  now: number,
  withOlder: boolean,
): Calendar {
  const times = rows.map(timeOf);
  const earliest = times.reduce<number>((min, time) => Math.min(min, time ?? min), Infinity);
  const starts = dayStarts(earliest, now);
  const first = starts[0] ?? Infinity;
  const isDated = (time: number | null): time is number =>
    time !== null && !isAhead(time, now) && (time >= first || (withOlder && starts.length > 0));
  const dayOf = Int32Array.from(times, (time) => (isDated(time) ? dayIndex(starts, time) : -1));
  return {
    days: starts.map((time) => time / 1000),
    dayOf,
    undated: dayOf.reduce((count, day) => (day < 0 ? count + 1 : count), 0),
    zeros: () => Array.from<number>({ length: starts.length }).fill(0),
  };
}

/** The midnights from the day of `first` to today, up to `DAY_LIMIT`. Empty if `first` is after today. */
function dayStarts(first: number, now: number): number[] {
  const today = new Date(now);
  const midnight = (daysAgo: number): number =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - daysAgo).getTime();
  const end = midnight(-1);
  const count = first >= end ? 0 : Math.min(DAY_LIMIT, Math.ceil((end - first) / DAY) + 1);
  const starts = Array.from({ length: count }, (_, index) => midnight(count - 1 - index));
  while (starts.length > 1 && starts[1]! <= first) starts.shift();
  return starts;
}

/** Days have 23 to 25 hours, so the estimate can be off by one. Times slightly in the future count as today. */
function dayIndex(starts: readonly number[], time: number): number {
  const day = Math.min(starts.length - 1, Math.max(0, Math.floor((time - starts[0]!) / DAY)));
  if (day + 1 < starts.length && time >= starts[day + 1]!) return day + 1;
  return day > 0 && time < starts[day]! ? day - 1 : day;
}

function versionSeries(rows: readonly SessionRow[], { dayOf, zeros }: Calendar): { label: string; values: number[] }[] {
  const dated = rows.flatMap(({ version }, index) =>
    version === null || dayOf[index]! < 0 ? [] : [{ version, day: dayOf[index]! }],
  );
  const newestFirst = [...new Set(dated.map(({ version }) => version))].sort((a, b) => b - a);
  const seriesOf = new Map(newestFirst.map((version, index) => [version, Math.min(index, SERIES_LIMIT)]));
  const counts = newestFirst.slice(0, SERIES_LIMIT + 1).map(zeros);
  for (const { version, day } of dated) counts[seriesOf.get(version)!]![day]!++;
  return counts.map((values, index) => ({
    label: index < SERIES_LIMIT ? `Version ${newestFirst[index]}` : 'Older versions',
    values: cumulative(values),
  }));
}

function adopted(rows: readonly SessionRow[], latest: number | null, { dayOf, zeros }: Calendar): number[] {
  const values = zeros();
  let known = 0;
  for (const [index, { version }] of rows.entries()) {
    const day = dayOf[index]!;
    if (version === null || day < 0) continue;
    known++;
    if (latest !== null && version >= latest) values[day]!++;
  }
  return cumulative(values).map((value) => (known === 0 ? 0 : (100 * value) / known));
}

/** Running totals. */
function cumulative(values: readonly number[]): number[] {
  let sum = 0;
  return values.map((value) => (sum += value));
}

function topShares(rows: readonly SessionRow[], field: FamilyField): Share[] {
  const shares = sharesOf(rows, field);
  const others = shares.slice(SERIES_LIMIT);
  if (others.length === 0) return shares;
  return [
    ...shares.slice(0, SERIES_LIMIT),
    { label: 'Others', count: others.reduce((sum, { count }) => sum + count, 0) },
  ];
}
