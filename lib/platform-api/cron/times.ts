/**
 * Computes when a five-field cron expression fires in a time zone (decisions, "Actions"). If daylight saving time skips
 * a local time, the expression fires at the first instant after the gap. If a local time occurs twice, it fires only
 * the first time.
 */
import { parseCron, timezoneProblem, type CronFields } from './expression.ts';

export interface ScheduledTime {
  at: Date;
  /** `skipped`: the local time doesn’t exist on that day. `repeated`: the local time occurs twice on that day. */
  flag: 'skipped' | 'repeated' | null;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The longest wait for a February 29, from 2096 to 2104, in days. */
const MAX_DAYS = 8 * 366 + 2;

/** The first time after `after`, or null if the expression or zone is invalid or the expression never fires. */
export function nextRun(frequency: string, timezone: string, after: Date): Date | null {
  return nextRuns(frequency, timezone, after, 1)[0]?.at ?? null;
}

export function nextRuns(frequency: string, timezone: string, after: Date, count: number): ScheduledTime[] {
  const fields = parseCron(frequency);
  if ('problem' in fields || timezoneProblem(timezone) !== null) return [];
  const offsetAt = offsets(timezone);
  const found: ScheduledTime[] = [];
  const from = after.getTime();
  // Start a day early, because skipped local times move forward by up to the length of the gap.
  let day = Math.floor((from + offsetAt(from)) / DAY) * DAY - DAY;
  const hours = sorted(fields.hours);
  const minutes = sorted(fields.minutes);
  for (let days = 0; days <= MAX_DAYS && found.length < count; days += 1, day += DAY) {
    if (!dayMatches(fields, new Date(day))) continue;
    for (const hour of hours) {
      for (const minute of minutes) {
        const { at, flag } = instantOf(day + hour * HOUR + minute * MINUTE, offsetAt);
        // Several skipped times can end up at the same instant, which might also be scheduled itself.
        const last = found.at(-1)?.at.getTime() ?? from;
        if (at <= last) continue;
        found.push({ at: new Date(at), flag });
        if (found.length === count) return found;
      }
    }
  }
  return found;
}

/** @param day a local date, represented as if it were UTC */
function dayMatches(fields: CronFields, day: Date): boolean {
  if (!fields.months.has(day.getUTCMonth() + 1)) return false;
  const inMonth = fields.days.has(day.getUTCDate());
  const inWeek = fields.weekdays.has(day.getUTCDay());
  return fields.daysRestricted && fields.weekdaysRestricted ? inMonth || inWeek : inMonth && inWeek;
}

type OffsetAt = (instant: number) => number;

/** @param local a local time in milliseconds, represented as if it were UTC */
function instantOf(local: number, offsetAt: OffsetAt): { at: number; flag: ScheduledTime['flag'] } {
  const before = offsetAt(local - DAY);
  const later = offsetAt(local + DAY);
  if (before === later && offsetAt(local - before) === before) return { at: local - before, flag: null };
  const candidates = [...new Set([before, later, offsetAt(local - before), offsetAt(local - later)])]
    .map((offset) => local - offset)
    .filter((at) => at + offsetAt(at) === local)
    .sort((a, b) => a - b);
  const [first] = candidates;
  if (first !== undefined) return { at: first, flag: candidates.length > 1 ? 'repeated' : null };
  return { at: gapEnd(local - Math.max(before, later), local - Math.min(before, later), offsetAt), flag: 'skipped' };
}

/** Finds the first instant with the same offset as `to` by bisection. Offsets only change at whole seconds. */
function gapEnd(from: number, to: number, offsetAt: OffsetAt): number {
  const target = offsetAt(to);
  let low = from;
  let high = to;
  while (high - low > 1000) {
    const middle = low + Math.floor((high - low) / 2000) * 1000;
    if (offsetAt(middle) === target) high = middle;
    else low = middle;
  }
  return high;
}

const sorted = (values: Set<number>): number[] => [...values].sort((a, b) => a - b);

const known = new Map<string, OffsetAt>();
const MAX_ZONES = 500;

/** Returns the zone’s offset from UTC at an instant, in milliseconds. Cached per minute. */
function offsets(timezone: string): OffsetAt {
  const cached = known.get(timezone);
  if (cached) return cached;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    era: 'short',
  });
  const read: OffsetAt = (instant) => {
    const whole = Math.floor(instant / 1000) * 1000;
    const parts = Object.fromEntries(format.formatToParts(whole).map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(parts.year!, parts.month! - 1, parts.day, parts.hour, parts.minute, parts.second) - whole;
  };
  const cache = new Map<number, number>();
  const offsetAt: OffsetAt =
    timezone === 'UTC'
      ? () => 0
      : (instant) => {
          // All current zones change their offsets at whole minutes.
          const minute = Math.floor(instant / MINUTE);
          let offset = cache.get(minute);
          if (offset === undefined) {
            offset = read(minute * MINUTE);
            if (cache.size > 2_000) cache.clear();
            cache.set(minute, offset);
          }
          return offset;
        };
  if (known.size >= MAX_ZONES) known.clear();
  known.set(timezone, offsetAt);
  return offsetAt;
}
