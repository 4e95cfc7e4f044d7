/** Summarizes each chart in one sentence, and formats days and percentages. */
import type { SessionCharts, Share } from '../../../../lib/extension/panel/apps/types.ts';
import { formatCount, plural, truncate } from '../../../../lib/shared/format.ts';

const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
const DAY_AND_YEAR = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** Formats epoch seconds as `Sat 21 Nov` in the local time zone, with the year if it isn't the current one. */
export function dayText(seconds: number): string {
  const date = new Date(seconds * 1000);
  return (date.getFullYear() === new Date().getFullYear() ? DAY : DAY_AND_YEAR).format(date).replaceAll(',', '');
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

export function versionsText({ versions: { days, series }, undated }: SessionCharts): string {
  const end = days.at(-1);
  const counts = series
    .map(({ label, values }) => ({ label, count: values.at(-1) ?? 0 }))
    .filter(({ count }) => count > 0);
  if (end === undefined || counts.length === 0)
    return `No sessions report an update time.${omittedText(undated.updated)}`;
  const named = counts.slice(0, NAMED).map(({ label, count }) => `${formatCount(count)} on ${label.toLowerCase()}`);
  const rest = counts.length - named.length;
  const others = rest > 0 ? `, and ${plural(rest, 'other version')}` : '';
  const total = plural(sum(counts.map(({ count }) => count)), 'session');
  return `${total} by ${dayText(end)}: ${named.join(', ')}${others}.${omittedText(undated.updated)}`;
}

export function adoptionText({ adoption: { days, version, percent }, undated }: SessionCharts): string {
  const end = days.at(-1);
  if (version === null || end === undefined) return 'No sessions report a version.';
  const half = percent.findIndex((each) => each >= 50);
  const first = percent.findIndex((each) => each > 0);
  const start = first >= 0 ? ` The first had it by ${dayText(days[first] ?? end)}.` : '';
  const progress = half >= 0 ? ` Half had it by ${dayText(days[half] ?? end)}.` : start;
  const current = `${percentText(percent.at(-1) ?? 0, 100)} of sessions had version ${version} by ${dayText(end)}.`;
  return `${current}${progress}${omittedText(undated.updated)}`;
}

export function lastAccessText({ lastAccess: { days, counts }, undated }: SessionCharts): string {
  const total = sum(counts);
  const end = days.at(-1);
  const omitted = omittedText(undated.lastAccess, 'whose date is missing, in the future, or more than 400 days old');
  if (end === undefined || total === 0) return `No sessions report a last access time.${omitted}`;
  const busiest = counts.indexOf(Math.max(...counts));
  const used = sum(counts.slice(-7));
  const recent = `${shareOf(used, total)} ${used === 1 ? 'was' : 'were'} used in the last 7 days.`;
  return `${recent} The busiest day was ${dayText(days[busiest] ?? end)}: ${formatCount(counts[busiest] ?? 0)}.${omitted}`;
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
