/**
 * Computes when a five-field cron expression fires in a time zone (decisions, "Actions"). An interval, with a `*` in
 * minute or hour, follows elapsed time. With fixed times, a local time that daylight saving skips fires at the first
 * instant after the gap, and one that occurs twice fires only the first time.
 */
import { parseCron, timezoneProblem, type CronFields } from './expression.ts';

export interface ScheduledTime {
  at: Date;
  /**
   * `skipped`: a fixed local time that doesn’t exist on that day. `repeated`: a fixed local time that occurs twice, and
   * fires only now. `both`: a local time of an interval that occurs twice, and fires each time.
   */
  flag: 'skipped' | 'repeated' | 'both' | null;
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

/** The first `count` times after `after`, in order. Fewer if the expression or zone is invalid or it never fires. */
export function nextRuns(frequency: string, timezone: string, after: Date, count: number): ScheduledTime[] {
  const fields = parseCron(frequency);
  if ('problem' in fields || timezoneProblem(timezone) !== null) return [];
  const found: ScheduledTime[] = [];
  for (const time of timesAfter(after.getTime(), fields, offsets(timezone))) {
    if (found.push(time) >= count) break;
  }
  return found;
}

function* timesAfter(after: number, fields: CronFields, offsetAt: OffsetAt): Generator<ScheduledTime> {
  const { isInterval } = fields;
  // Start a day early, because a local time can already have occurred before the clocks were set back.
  let window = Math.floor(after / DAY) * DAY - DAY;
  /** The latest local time so far. */
  let reached = -Infinity;
  for (let days = 0; days <= MAX_DAYS; days += 1, window += DAY) {
    // Zones are less than a day ahead of UTC or behind it.
    if (![-DAY, 0, DAY].some((distance) => dayMatches(fields, window + distance))) continue;
    for (const { from, to, offset, before } of constantOffsets(window, window + DAY, offsetAt)) {
      reached = Math.max(reached, from + before);
      const skipped = localTimes(fields, from + before, from + offset);
      if (!isInterval && from > after && !skipped.next().done) {
        days = 0;
        yield { at: new Date(from), flag: 'skipped' };
        after = from;
      }
      const first = Math.max(from, after + 1) + offset;
      for (const local of localTimes(fields, isInterval ? first : Math.max(first, reached), to + offset)) {
        days = 0;
        const at = local - offset;
        yield { at: new Date(at), flag: !occursTwice(at, offsetAt) ? null : isInterval ? 'both' : 'repeated' };
      }
    }
  }
}

/** The parts of a period that have a constant offset. `before` is the offset just before the part. */
function constantOffsets(
  from: number,
  to: number,
  offsetAt: OffsetAt,
): { from: number; to: number; offset: number; before: number }[] {
  const before = offsetAt(from);
  const offset = offsetAt(to);
  if (before === offset) return [{ from, to, offset, before }];
  const change = changeBetween(from, to, offsetAt);
  return [
    { from, to: change, offset: before, before },
    { from: change, to, offset, before },
  ];
}

/** Finds the first minute with the same offset as `to` by bisection. */
function changeBetween(from: number, to: number, offsetAt: OffsetAt): number {
  const target = offsetAt(to);
  let [low, high] = [from, to];
  while (high - low > MINUTE) {
    const middle = low + Math.floor((high - low) / 2 / MINUTE) * MINUTE;
    if (offsetAt(middle) === target) high = middle;
    else low = middle;
  }
  return high;
}

/** Local times that the expression matches, from `from` to before `to`. All of them are represented as if they were UTC. */
function* localTimes(fields: CronFields, from: number, to: number): Generator<number, undefined> {
  for (let day = Math.floor(from / DAY) * DAY; day < to; day += DAY) {
    if (!dayMatches(fields, day)) continue;
    for (const hour of fields.hours) {
      const start = day + hour * HOUR;
      if (start + HOUR <= from) continue;
      if (start >= to) return;
      for (const minute of fields.minutes) {
        const time = start + minute * MINUTE;
        if (time >= from && time < to) yield time;
      }
    }
  }
}

/** @param day a local date, represented as if it were UTC */
function dayMatches(fields: CronFields, day: number): boolean {
  const date = new Date(day);
  if (!fields.months.has(date.getUTCMonth() + 1)) return false;
  const inMonth = fields.days.has(date.getUTCDate());
  const inWeek = fields.weekdays.has(date.getUTCDay());
  return fields.daysRestricted && fields.weekdaysRestricted ? inMonth || inWeek : inMonth && inWeek;
}

/** Whether the clocks show the same local time a second time, earlier or later. */
function occursTwice(at: number, offsetAt: OffsetAt): boolean {
  const offset = offsetAt(at);
  const midnight = Math.floor(at / DAY) * DAY;
  return [midnight - DAY, midnight + 2 * DAY].some((near) => {
    const other = offsetAt(near);
    return other !== offset && offsetAt(at + offset - other) === other;
  });
}

type OffsetAt = (instant: number) => number;

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
