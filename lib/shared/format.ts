/** Formats times, durations, sizes, counts, and long text for display. */
import { localZone, type TimeZone, zoneOf } from './time-zone.ts';

export interface TimeOptions {
  /** IANA time zone. Defaults to the browser’s. Times of an unknown zone are in UTC, and say so. */
  timeZone?: string | undefined;
  /** Epoch milliseconds. Times in a different year than this one are shown with their year. */
  now?: number;
  seconds?: boolean;
}

/** Shown for invalid times from a page or platform, which `Date` can’t represent. */
const UNKNOWN = 'unknown';
/** Stays one day within the limits of `Date`, since adding the zone’s offset must not exceed them either. */
const isDate = (epoch: number): boolean => Math.abs(epoch) <= 8_640_000_000_000_000 - 86_400_000;

/** `Mon 23 Nov 14:03`; with `seconds`, `Mon 23 Nov 14:03:27`; in another year, `Mon 23 Nov 2026 14:03`. */
export function formatTime(epoch: number, { timeZone, now = Date.now(), seconds = false }: TimeOptions = {}): string {
  if (!isDate(epoch)) return UNKNOWN;
  const zone = timeZone === undefined ? localZone() : zoneOf(timeZone);
  const { hour, minute, second } = timeParts(epoch, zone);
  return `${dateText(epoch, now, zone)} ${hour}:${minute}${seconds ? `:${second}` : ''}${zone.unknown === null ? '' : ' UTC'}`;
}

/** `Mon 23 Nov`; in another year, `Mon 23 Nov 2026`. */
export function formatDate(epoch: number, options: Omit<TimeOptions, 'seconds'> = {}): string {
  const { timeZone, now = Date.now() } = options;
  return isDate(epoch) ? dateText(epoch, now, timeZone === undefined ? localZone() : zoneOf(timeZone)) : UNKNOWN;
}

function dateText(epoch: number, now: number, zone: TimeZone): string {
  const { weekday, day, month, year } = timeParts(epoch, zone);
  return `${weekday} ${day} ${month}${isDate(now) && year === timeParts(now, zone).year ? '' : ` ${year}`}`;
}

/** Without the date, where it’s known, such as on an axis: `14:03`; with `seconds`, `14:03:27`. */
export function formatClock(epoch: number, { timeZone, seconds = false }: Omit<TimeOptions, 'now'> = {}): string {
  if (!isDate(epoch)) return UNKNOWN;
  const { hour, minute, second } = timeParts(epoch, timeZone === undefined ? localZone() : zoneOf(timeZone));
  return `${hour}:${minute}${seconds ? `:${second}` : ''}`;
}

/** For the `datetime` attribute; undefined for a time that `Date` can’t represent. */
export const isoTime = (epoch: number): string | undefined =>
  isDate(epoch) ? new Date(epoch).toISOString() : undefined;

/** ISO 8601 with the zone’s offset and name, for tooltips: `2026-11-23T14:03:27.120+01:00 (Europe/Berlin)`. */
export function formatExactTime(epoch: number, timeZone?: string): string {
  if (!isDate(epoch)) return UNKNOWN;
  const { name, unknown } = timeZone === undefined ? localZone() : zoneOf(timeZone);
  const offset = formatterOf(OFFSET, name)
    .formatToParts(epoch)
    .find(({ type }) => type === 'timeZoneName')
    ?.value.replace('GMT', '');
  const shift = offset ? offsetMilliseconds(offset) : 0;
  const zone =
    unknown === null ? name : `UTC, because the browser doesn’t know the time zone ${truncate(unknown, 60) || '“”'}`;
  return `${new Date(epoch + shift).toISOString().slice(0, -1)}${shift === 0 ? 'Z' : offset} (${zone})`;
}

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always' });
const UNITS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Infinity],
] as const;

/** `5 minutes ago`, `in 3 hours`, `now`. */
export function formatRelativeTime(epoch: number, now = Date.now()): string {
  if (!isDate(epoch)) return UNKNOWN;
  let amount = (epoch - now) / 1000;
  if (Math.abs(amount) < 1) return 'now';
  for (const [unit, next] of UNITS) {
    if (Math.abs(Math.round(amount)) < next) return RELATIVE.format(Math.round(amount), unit);
    amount /= next;
  }
  return '';
}

/** Milliseconds by which a time can be ahead of `now`, which surfaces read from time to time. */
const TICK = 60_000;

/** As `formatRelativeTime`, for a past time. Once the clock was set back, the age of what happened before is unknown. */
export function formatAge(epoch: number, now: number): string {
  return epoch - now > TICK ? 'at an unknown time' : formatRelativeTime(epoch, Math.max(now, epoch));
}

/** Whether something that happened at `epoch` is no older than `limit`, in milliseconds: not if the clock was set back. */
export const isRecent = (epoch: number, limit: number, now: number): boolean => Math.abs(now - epoch) < limit;

/** `84 ms`, `1.24 s`, `2 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1) return milliseconds <= 0 ? '0 ms' : '<1 ms';
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(2)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** `512 B`, `1.5 kB`, `6.0 MB`. A kilobyte has 1,024 bytes, as in the specification’s 6 MB limit. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

const COUNT = new Intl.NumberFormat('en');

/** `12,345`. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** `3 requests`, `1 request`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${COUNT.format(count)} ${count === 1 ? one : many}`;
}

/** Truncates text to `length` characters and adds `…`, without splitting a surrogate pair. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  const end = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return `${text.slice(0, end)}…`;
}

const PARTS: Intl.DateTimeFormatOptions = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
};
const OFFSET: Intl.DateTimeFormatOptions = { timeZoneName: 'longOffset' };

function timeParts(epoch: number, { name }: TimeZone): Record<string, string> {
  const parts = formatterOf(PARTS, name).formatToParts(epoch);
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
}

const formatters = new Map<Intl.DateTimeFormatOptions, Map<string, Intl.DateTimeFormat>>();

/** Cached, because creating a formatter is too slow for every cell of a scrolling table. */
function formatterOf(options: Intl.DateTimeFormatOptions, timeZone: string): Intl.DateTimeFormat {
  let zones = formatters.get(options);
  if (!zones) formatters.set(options, (zones = new Map()));
  let formatter = zones.get(timeZone);
  if (!formatter) zones.set(timeZone, (formatter = new Intl.DateTimeFormat('en', { ...options, timeZone })));
  return formatter;
}

function offsetMilliseconds(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number);
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
