/**
 * When schedules fire: daylight saving, both day fields, and a plain minute-by-minute reference (decisions, "Actions").
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  frequencyProblem,
  parseCron,
  timezoneProblem,
  type CronFields,
} from '../../../lib/platform-api/cron/expression.ts';
import { nextRun, nextRuns } from '../../../lib/platform-api/cron/times.ts';
import { casesOf } from '../../support/exhaustive.ts';

const times = (frequency: string, timezone: string, after: string, count: number) =>
  nextRuns(frequency, timezone, new Date(after), count).map(({ at, flag }) => [
    at.toISOString().replace(':00.000Z', 'Z'),
    flag,
  ]);

describe('nextRuns', () => {
  it('is strictly after the given time', () => {
    expect(times('0 0 * * *', 'UTC', '2026-01-01T00:00:00Z', 1)).toEqual([['2026-01-02T00:00Z', null]]);
    expect(times('0 0 * * *', 'UTC', '2025-12-31T23:59:59.999Z', 1)).toEqual([['2026-01-01T00:00Z', null]]);
    // The first instant after a gap.
    expect(times('30 2 * * *', 'Europe/Amsterdam', '2026-03-29T01:00:00Z', 1)).toEqual([['2026-03-30T00:30Z', null]]);
  });
  it('fires a local time that is skipped at the first instant after the gap', () => {
    expect(times('30 2 * * *', 'Europe/Amsterdam', '2026-03-28T12:00:00Z', 2)).toEqual([
      ['2026-03-29T01:00Z', 'skipped'],
      ['2026-03-30T00:30Z', null],
    ]);
    expect(times('0,15,30-59 2-3 * * *', 'America/New_York', '2026-03-08T00:00:00Z', 2)).toEqual([
      ['2026-03-08T07:00Z', 'skipped'],
      ['2026-03-08T07:15Z', null],
    ]);
    expect(times('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00:00Z', 1)).toEqual([
      ['2026-10-03T15:30Z', 'skipped'],
    ]);
  });
  it('fires a local time that occurs twice once, at the first', () => {
    expect(times('30 2 * * *', 'Europe/Amsterdam', '2026-10-24T12:00:00Z', 2)).toEqual([
      ['2026-10-25T00:30Z', 'repeated'],
      ['2026-10-26T01:30Z', null],
    ]);
    expect(times('0,30 0-23 * * *', 'America/New_York', '2026-11-01T04:45:00Z', 4)).toEqual([
      ['2026-11-01T05:00Z', 'repeated'],
      ['2026-11-01T05:30Z', 'repeated'],
      ['2026-11-01T07:00Z', null],
      ['2026-11-01T07:30Z', null],
    ]);
    expect(times('30 2 * * *', 'Europe/Amsterdam', '2026-10-25T01:00:00Z', 1)).toEqual([['2026-10-26T01:30Z', null]]);
  });
  it.each([
    ['*/30 * * * *', 'Europe/Amsterdam', '2026-10-25T00:15:00Z', 30],
    ['*/30 * * * *', 'Europe/Amsterdam', '2026-03-29T00:15:00Z', 30],
    ['0 * * * *', 'America/New_York', '2026-11-01T04:30:00Z', 60],
    ['* * * * *', 'Europe/London', '2026-10-25T00:58:00Z', 1],
    ['0,30 * * * *', 'Australia/Lord_Howe', '2026-04-04T13:45:00Z', 30],
    ['*/15 0-23 * * *', 'America/Santiago', '2026-09-06T03:00:00Z', 15],
  ])(
    'follows elapsed time if %s has a * in minute or hour, also when clocks change in %s',
    (text, zone, from, minutes) => {
      const found = nextRuns(text, zone, new Date(from), 12).map(({ at }) => at.getTime());
      expect(found.slice(1).map((at, index) => (at - found[index]!) / 60_000)).toEqual(Array(11).fill(minutes));
    },
  );
  it('runs an interval again in a repeated hour, and adds nothing for a skipped one', () => {
    expect(times('*/30 2 * * *', 'Europe/Amsterdam', '2026-10-24T12:00:00Z', 5)).toEqual([
      ['2026-10-25T00:00Z', 'both'],
      ['2026-10-25T00:30Z', 'both'],
      ['2026-10-25T01:00Z', 'both'],
      ['2026-10-25T01:30Z', 'both'],
      ['2026-10-26T01:00Z', null],
    ]);
    expect(times('* 2 * * *', 'Europe/Amsterdam', '2026-03-28T12:00:00Z', 1)).toEqual([['2026-03-30T00:00Z', null]]);
    expect(times('*/30 0 * * *', 'Africa/Cairo', '2026-04-23T12:00:00Z', 1)).toEqual([['2026-04-24T21:00Z', null]]);
  });
  it('skips a day that a time zone omits', () => {
    expect(times('0 12 * * *', 'Pacific/Apia', '2011-12-29T23:00:00Z', 2)).toEqual([
      ['2011-12-30T10:00Z', 'skipped'],
      ['2011-12-30T22:00Z', null],
    ]);
  });
  it('matches either day field when both are restricted', () => {
    expect(times('0 0 13 * FRI', 'UTC', '2026-02-01T00:00:00Z', 5).map(([at]) => (at as string).slice(0, 10))).toEqual([
      '2026-02-06',
      '2026-02-13',
      '2026-02-20',
      '2026-02-27',
      '2026-03-06',
    ]);
  });
  it.each([
    ['0 0 */10 * MON', '0 0 1-31/10 * MON'],
    ['0 0 13 * */3', '0 0 13 * 0-6/3'],
  ])('treats a step over all days as restricted, like the same days as a range: %j as %j', (stepped, ranged) => {
    expect(times(stepped, 'UTC', '2026-02-01T00:00:00Z', 20)).toEqual(times(ranged, 'UTC', '2026-02-01T00:00:00Z', 20));
  });
  it('accepts Sunday as 0 and as 7', () => {
    expect(times('0 0 * * 7', 'UTC', '2026-02-01T12:00:00Z', 1)).toEqual(
      times('0 0 * * 0', 'UTC', '2026-02-01T12:00:00Z', 1),
    );
  });
  it('finds 29 February, even across a century without one', () => {
    expect(times('0 0 29 2 *', 'UTC', '2096-03-01T00:00:00Z', 1)).toEqual([['2104-02-29T00:00Z', null]]);
    expect(times('0 0 29 2 *', 'Europe/Amsterdam', '2026-01-01T00:00:00Z', 5).map(([at]) => at)).toEqual(
      [2028, 2032, 2036, 2040, 2044].map((year) => `${year}-02-28T23:00Z`),
    );
    expect(times('0 0 29 2 *', 'UTC', '2096-01-01T00:00:00Z', 3)).toHaveLength(3);
  });
  it.each([
    '* * * *',
    '* * * * * *',
    '',
    '0 0 31 2 *',
    '60 * * * *',
    '* 24 * * *',
    '* * 0 * *',
    '* * * 13 *',
    '* * * * 8',
    '*/0 * * * *',
    '5-1 * * * *',
    'a * * * *',
    '@daily',
  ])('finds no run for %j, which is refused with a reason', (frequency) => {
    expect(nextRun(frequency, 'UTC', new Date())).toBeNull();
    expect(frequencyProblem(frequency)).toMatch(/^frequency.*\.$/);
  });
  it('finds no run in a time zone that doesn’t exist', () => {
    expect(nextRun('* * * * *', 'Europe/Atlantis', new Date())).toBeNull();
    expect(timezoneProblem('Europe/Atlantis')).toMatch(/is unknown\.$/);
  });
});

const HOUR = 3_600_000;

/**
 * Walks real minutes. An interval fires at each minute whose local time matches. With fixed times, a minute fires when
 * its local time matches for the first time, or when it ends a gap that contained a match.
 */
function reference(frequency: string, timezone: string, after: Date, until: Date): string[] {
  const fields = parseCron(frequency) as CronFields;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  const offset = (at: number): number => {
    const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(part.year!, part.month! - 1, part.day, part.hour, part.minute) - at;
  };
  // Clocks change at full quarters of an hour, and formatting takes long.
  const offsets = new Map<number, number>();
  const local = (at: number): number => {
    const quarter = at - (at % 900_000);
    if (!offsets.has(quarter)) offsets.set(quarter, offset(quarter));
    return at + offsets.get(quarter)!;
  };
  const matches = (time: number): boolean => {
    const date = new Date(time);
    const [inMonth, inWeek] = [fields.days.has(date.getUTCDate()), fields.weekdays.has(date.getUTCDay())];
    const day = fields.daysRestricted && fields.weekdaysRestricted ? inMonth || inWeek : inMonth && inWeek;
    return (
      fields.minutes.has(date.getUTCMinutes()) &&
      fields.hours.has(date.getUTCHours()) &&
      fields.months.has(date.getUTCMonth() + 1) &&
      day
    );
  };
  const found: string[] = [];
  let latest = -Infinity;
  for (let at = Math.floor(after.getTime() / 60_000) * 60_000 - 3 * HOUR; at <= until.getTime(); at += 60_000) {
    const time = local(at);
    let fires = fields.isInterval && matches(time);
    // All local minutes up to this one that haven't occurred yet: this one, and those that a gap skipped.
    for (let each = latest === -Infinity ? time : latest + 60_000; each <= time; each += 60_000)
      fires ||= !fields.isInterval && matches(each);
    latest = Math.max(latest, time);
    if (fires && at > after.getTime()) found.push(new Date(at).toISOString());
  }
  return found;
}

describe('a plain minute-by-minute reference agrees', () => {
  const field = (from: number, to: number): fc.Arbitrary<string> =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant('*') },
      { weight: 2, arbitrary: fc.integer({ min: from, max: to }).map(String) },
      fc.integer({ min: 2, max: 20 }).map((step) => `*/${Math.min(step, to)}`),
      fc
        .tuple(fc.integer({ min: from, max: to }), fc.integer({ min: from, max: to }))
        .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
      fc.uniqueArray(fc.integer({ min: from, max: to }), { minLength: 2, maxLength: 4 }).map((all) => all.join(',')),
    );
  const frequency = fc
    .tuple(field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7))
    .map((all) => all.join(' '))
    .filter((text) => frequencyProblem(text) === null);
  const zone = fc.constantFrom(
    'UTC',
    'Europe/Amsterdam',
    'America/New_York',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'America/St_Johns',
    'Africa/Casablanca',
    'Africa/Cairo',
    'America/Santiago',
    'Pacific/Apia',
  );
  // Days on which clocks change in one of the zones, and any other.
  const start = fc.oneof(
    fc
      .constantFrom(
        '2026-03-28T20:00:00Z',
        '2026-10-24T20:00:00Z',
        '2026-03-08T02:00:00Z',
        '2026-11-01T02:00:00Z',
        '2026-10-03T12:00:00Z',
        '2026-04-04T12:00:00Z',
        '2026-02-14T22:00:00Z',
        '2026-03-21T22:00:00Z',
        '2026-04-23T12:00:00Z',
        '2026-10-29T12:00:00Z',
        '2026-09-05T20:00:00Z',
        '2026-04-04T20:00:00Z',
        '2011-12-29T22:00:00Z',
      )
      .map((text) => new Date(text)),
    fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2027, 0, 1) }).map((at) => new Date(at)),
  );
  it('for any expression, in time zones with changes of an hour and of half an hour', () => {
    fc.assert(
      fc.property(frequency, zone, start, (text, timezone, after) => {
        const until = new Date(after.getTime() + 20 * HOUR);
        const ours = nextRuns(text, timezone, after, 1_300)
          .map(({ at }) => at)
          .filter((at) => at <= until)
          .map((at) => at.toISOString());
        expect(ours).toEqual(reference(text, timezone, after, until));
      }),
      casesOf(30, 120),
    );
  }, 60_000);
});
