/** Computes the data for an app's session charts. */
import { isAhead } from '../../../platform-api/sessions/timestamp.ts';
import { sharesOf } from './session-filter.ts';
import type { FamilyField } from './session-rows.ts';
import type { ChartTimes, SessionCharts, SessionRow, Share } from './types.ts';

/** Time charts go back this many days. Cumulative charts count older sessions on the first day; others omit them. */
const DAY_LIMIT = 400;
/** The maximum number of series that people can tell apart. */
const SERIES_LIMIT = 8;
const DAY = 86_400_000;
const HOUR = 3_600_000;
/** Data that is younger than this is shown by the hour, in milliseconds. */
const YOUNG = 2 * DAY;

/**
 * @param rows the filtered rows
 * @param latest the app's newest known version
 * @param now epoch milliseconds; later times are omitted
 */
export function chartsOf(rows: readonly SessionRow[], latest: number | null, now: number): SessionCharts {
  const updated = calendar(rows, ({ updated }) => updated, now, true);
  // A young release’s first hours would be one step at the end of an old app’s chart.
  const adopters = calendar(rows, (row) => (isAdopter(row, latest) ? row.updated : null), now, true);
  const since = adopters.unit === 'hour' ? adopters : updated;
  const accessed = calendar(rows, ({ lastAccess }) => lastAccess, now, false);
  const lastAccess = accessed.zeros();
  for (const period of accessed.periodOf) if (period >= 0) lastAccess[period]!++;
  return {
    versions: { ...timesOf(updated), series: versionSeries(rows, updated) },
    adoption: { ...timesOf(since), version: latest, percent: adopted(rows, latest, updated, since) },
    lastAccess: { ...timesOf(accessed), counts: lastAccess },
    devices: topShares(rows, 'device'),
    browsers: topShares(rows, 'browser'),
    undated: { updated: updated.undated, lastAccess: accessed.undated },
  };
}

const timesOf = ({ unit, times }: Calendar): ChartTimes => ({ unit, times });

interface Calendar extends ChartTimes {
  /** For each row, the index of its period; -1 if none. */
  periodOf: Int32Array;
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
  const isYoung = !isAhead(earliest, now) && now - earliest < YOUNG;
  const starts = isYoung ? hourStarts(earliest, now) : dayStarts(earliest, now);
  const first = starts[0] ?? Infinity;
  const isDated = (time: number | null): time is number =>
    time !== null && !isAhead(time, now) && (time >= first || (withOlder && starts.length > 0));
  const length = isYoung ? HOUR : DAY;
  const periodOf = Int32Array.from(times, (time) => (isDated(time) ? periodIndex(starts, length, time) : -1));
  return {
    unit: isYoung ? 'hour' : 'day',
    times: starts.map((time) => time / 1000),
    periodOf,
    undated: periodOf.reduce((count, period) => (period < 0 ? count + 1 : count), 0),
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

/** The local hours from that of `first` to the current one. */
function hourStarts(first: number, now: number): number[] {
  const start = new Date(Math.min(first, now)).setMinutes(0, 0, 0);
  const count = Math.floor((now - start) / HOUR) + 1;
  return Array.from({ length: count }, (_, index) => start + index * HOUR);
}

/** Days have 23 to 25 hours, so the estimate can be off by one. Times slightly in the future count as now. */
function periodIndex(starts: readonly number[], length: number, time: number): number {
  const period = Math.min(starts.length - 1, Math.max(0, Math.floor((time - starts[0]!) / length)));
  if (period + 1 < starts.length && time >= starts[period + 1]!) return period + 1;
  return period > 0 && time < starts[period]! ? period - 1 : period;
}

function versionSeries(
  rows: readonly SessionRow[],
  { periodOf, zeros }: Calendar,
): { label: string; values: number[] }[] {
  const dated = rows.flatMap(({ version }, index) =>
    version === null || periodOf[index]! < 0 ? [] : [{ version, period: periodOf[index]! }],
  );
  const newestFirst = [...new Set(dated.map(({ version }) => version))].sort((a, b) => b - a);
  const seriesOf = new Map(newestFirst.map((version, index) => [version, Math.min(index, SERIES_LIMIT)]));
  const counts = newestFirst.slice(0, SERIES_LIMIT + 1).map(zeros);
  for (const { version, period } of dated) counts[seriesOf.get(version)!]![period]!++;
  return counts.map((values, index) => ({
    label: index < SERIES_LIMIT ? `Version ${newestFirst[index]}` : 'Older versions',
    values: cumulative(values),
  }));
}

const isAdopter = ({ version }: SessionRow, latest: number | null): boolean =>
  version !== null && latest !== null && version >= latest;

function adopted(rows: readonly SessionRow[], latest: number | null, updated: Calendar, since: Calendar): number[] {
  const values = since.zeros();
  let known = 0;
  for (const [index, row] of rows.entries()) {
    if (row.version === null || updated.periodOf[index]! < 0) continue;
    known++;
    const period = since.periodOf[index]!;
    if (period >= 0 && isAdopter(row, latest)) values[period]!++;
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
