/** Summarizes each chart in one sentence, and formats periods and percentages. */
import type { ChartTimes, SessionCharts, Share } from '../../../../lib/extension/panel/apps/types.ts';
import { formatClock, formatCount, formatDate, formatTime, plural, truncate } from '../../../../lib/shared/format.ts';

const HOUR = 3_600_000;

/** Names a period by its start in epoch seconds: `Sat 21 Nov`, or `Sat 21 Nov 14:00–15:00`. */
export function periodText(seconds: number, unit: ChartTimes['unit']): string {
  const start = seconds * 1000;
  return unit === 'day' ? formatDate(start) : `${formatTime(start)}–${formatClock(start + HOUR)}`;
}

/** Formats a share, such as `35%`. Returns `0%` only for zero, and `100%` only for the whole. */
export function percentText(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0%';
  const percent = (100 * part) / whole;
  if (percent < 1) return '<1%';
  return `${percent >= 100 ? 100 : Math.min(99, Math.round(percent))}%`;
}

const shareOf = (part: number, whole: number): string =>
  `${formatCount(part)} of ${plural(whole, 'session')} (${percentText(part, whole)})`;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** How many values a sentence lists, and the maximum length of each, in characters. */
const NAMED = 3;
const NAME_LENGTH = 60;

export function versionsText({ versions: { times, unit, series }, undated }: SessionCharts): string {
  const end = times.at(-1);
  const counts = series
    .map(({ label, values }) => ({ label, count: values.at(-1) ?? 0 }))
    .filter(({ count }) => count > 0);
  if (end === undefined || counts.length === 0)
    return `No sessions report an update time.${omittedText(undated.updated)}`;
  const named = counts.slice(0, NAMED).map(({ label, count }) => `${formatCount(count)} on ${label.toLowerCase()}`);
  const rest = counts.length - named.length;
  const others = rest > 0 ? `, and ${plural(rest, 'other version')}` : '';
  const total = plural(sum(counts.map(({ count }) => count)), 'session');
  return `${total} by ${periodText(end, unit)}: ${named.join(', ')}${others}.${omittedText(undated.updated)}`;
}

export function adoptionText({ adoption: { times, unit, version, percent }, undated }: SessionCharts): string {
  const end = times.at(-1);
  if (version === null || end === undefined) return 'No sessions report a version.';
  const half = percent.findIndex((each) => each >= 50);
  const first = percent.findIndex((each) => each > 0);
  const start = first >= 0 ? ` The first had it by ${periodText(times[first] ?? end, unit)}.` : '';
  const progress = half >= 0 ? ` Half had it by ${periodText(times[half] ?? end, unit)}.` : start;
  const current = `${percentText(percent.at(-1) ?? 0, 100)} of sessions had version ${version} by ${periodText(end, unit)}.`;
  return `${current}${progress}${omittedText(undated.updated)}`;
}

export function lastAccessText({ lastAccess: { times, unit, counts }, undated }: SessionCharts): string {
  const total = sum(counts);
  const end = times.at(-1);
  const omitted = omittedText(undated.lastAccess, 'whose date is missing, in the future, or more than 400 days old');
  if (end === undefined || total === 0) return `No sessions report a last access time.${omitted}`;
  const busiest = counts.indexOf(Math.max(...counts));
  const used = sum(counts.slice(unit === 'day' ? -7 : -24));
  const span = unit === 'day' ? '7 days' : '24 hours';
  const recent = `${shareOf(used, total)} ${used === 1 ? 'was' : 'were'} used in the last ${span}.`;
  const peak = `The busiest ${unit} was ${periodText(times[busiest] ?? end, unit)}: ${formatCount(counts[busiest] ?? 0)}.`;
  return `${recent} ${peak}${omitted}`;
}

export function sharesText(shares: readonly Share[]): string {
  const total = sum(shares.map(({ count }) => count));
  const [first, ...others] = shares
    .slice(0, NAMED)
    .map(({ label, count }) => ({ name: label === '' ? 'unknown' : truncate(label, NAME_LENGTH), count }));
  if (!first) return 'No sessions.';
  const rest = others.map(({ name, count }) => `, ${name} ${percentText(count, total)}`).join('');
  return `${first.name}: ${shareOf(first.count, total)}${rest}.`;
}

const omittedText = (count: number, reason = 'whose date is missing or in the future'): string =>
  count > 0 ? ` Omitted: ${plural(count, 'session')} ${reason}.` : '';
