/** Owns what the charts say in words: the sentence that stands for each, and how days, counts and shares are written. */
import { plural, truncate } from '../../../../lib/shared/format.ts';
import type { SessionCharts, Share } from '../../../../lib/extension/panel/apps/types.ts';

const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
const DAY_OF_YEAR = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** `Sat 21 Nov` of epoch seconds, in the person's zone; with the year when it is another than this. */
export function dayText(seconds: number): string {
  const date = new Date(seconds * 1000);
  return (date.getFullYear() === new Date().getFullYear() ? DAY : DAY_OF_YEAR).format(date).replaceAll(',', '');
}

/** `35 %`; a part that is there is never `0 %`, and one that is not whole never `100 %`. */
export function percentText(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0 %';
  const percent = (100 * part) / whole;
  if (percent < 1) return '<1 %';
  return `${percent >= 100 ? 100 : Math.min(99, Math.round(percent))} %`;
}

const of = (part: number, whole: number): string =>
  `${part.toLocaleString('en')} of ${plural(whole, 'session')} (${percentText(part, whole)})`;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const last = <T>(values: readonly T[]): T | undefined => values.at(-1);

/** As many as a sentence holds, and characters of each. */
const NAMED = 3;
const NAME = 60;

export function versionsSay({ versions: { days, series }, undated }: SessionCharts): string {
  const end = last(days);
  const counts = series.map(({ label, values }) => ({ label, count: last(values) ?? 0 }));
  const total = sum(counts.map(({ count }) => count));
  if (end === undefined || total === 0)
    return `No session tells when it came to its version.${leftOut(undated.updated)}`;
  const named = counts
    .filter(({ count }) => count > 0)
    .slice(0, NAMED)
    .map(({ label, count }) => `${count.toLocaleString('en')} to ${label.toLowerCase()}`);
  const rest = counts.filter(({ count }) => count > 0).length - named.length;
  return `By ${dayText(end)}, of ${plural(total, 'session')} ${named.join(', ')}${rest > 0 ? `, the rest to ${plural(rest, 'other')}` : ''} had come.${leftOut(undated.updated)}`;
}

export function adoptionSays({ adoption: { days, version, percent }, undated }: SessionCharts): string {
  const end = last(days);
  if (version === null || end === undefined) return 'No session tells a version.';
  const now = last(percent) ?? 0;
  const half = percent.findIndex((each) => each >= 50);
  const first = percent.findIndex((each) => each > 0);
  const path =
    half >= 0
      ? `; half of them by ${dayText(days[half] ?? end)}`
      : first >= 0
        ? `; the first by ${dayText(days[first] ?? end)}`
        : '';
  return `${percentText(now, 100)} of the sessions had version ${version} by ${dayText(end)}${path}.${leftOut(undated.updated)}`;
}

export function lastAccessSays({ lastAccess: { days, counts }, undated }: SessionCharts): string {
  const total = sum(counts);
  const end = last(days);
  if (end === undefined || total === 0)
    return `No session tells when it was used last.${leftOut(undated.lastAccess, LONG_AGO)}`;
  const most = counts.indexOf(Math.max(...counts));
  return `${of(sum(counts.slice(-7)), total)} were used in the last 7 days; ${dayText(days[most] ?? end)} has most: ${(counts[most] ?? 0).toLocaleString('en')}.${leftOut(undated.lastAccess, LONG_AGO)}`;
}

export function sharesSay(shares: readonly Share[]): string {
  const total = sum(shares.map(({ count }) => count));
  const [first, ...others] = shares
    .slice(0, NAMED)
    .map(({ label, count }) => ({ name: label === '' ? 'not told' : truncate(label, NAME), count }));
  if (!first) return 'No session tells.';
  return `${first.name}: ${of(first.count, total)}${others.length > 0 ? `, then ${others.map(({ name, count }) => `${name} ${percentText(count, total)}`).join(', ')}` : ''}.`;
}

const leftOut = (count: number, why = 'with no date or one in the future'): string =>
  count > 0 ? ` Left out: ${plural(count, 'session')} ${why}.` : '';
const LONG_AGO = 'with no date, one in the future or one more than 400 days ago';
