import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  formatAge,
  formatClock,
  formatDate,
  formatExactTime,
  formatRelativeTime,
  formatTime,
  isRecent,
  truncate,
} from '../../../lib/shared/format.ts';
import { restoreLocalZone, setLocalZone } from '../../support/local-zone.ts';

const MIDNIGHT = Date.UTC(2026, 10, 23, 0, 5, 9);
const now = MIDNIGHT;

describe('formatTime', () => {
  test('shows five past midnight as 00:05, not 24:05', () =>
    expect(formatTime(MIDNIGHT, { timeZone: 'UTC', now })).toBe('Mon 23 Nov 00:05'));
  test('shows the time of the given zone', () =>
    expect(formatTime(MIDNIGHT, { timeZone: 'America/New_York', now })).toBe('Sun 22 Nov 19:05'));
  test('shows seconds on request', () =>
    expect(formatTime(MIDNIGHT, { timeZone: 'UTC', now, seconds: true })).toBe('Mon 23 Nov 00:05:09'));
  test('shows the year when it is not this year', () =>
    expect(formatTime(MIDNIGHT, { timeZone: 'UTC', now: 0 })).toBe('Mon 23 Nov 2026 00:05'));
});

describe('formatDate', () => {
  test('leaves out the time, and the year if it is this one', () => {
    expect(formatDate(MIDNIGHT, { timeZone: 'UTC', now: MIDNIGHT })).toBe('Mon 23 Nov');
    expect(formatDate(MIDNIGHT, { timeZone: 'UTC', now: 0 })).toBe('Mon 23 Nov 2026');
  });
});

describe('formatClock', () => {
  test('leaves out the date', () => {
    expect(formatClock(MIDNIGHT, { timeZone: 'UTC' })).toBe('00:05');
    expect(formatClock(MIDNIGHT, { timeZone: 'UTC', seconds: true })).toBe('00:05:09');
    expect(formatClock(Infinity)).toBe('unknown');
  });
});

describe('formatExactTime', () => {
  test('gives the offset and the name of the zone', () =>
    expect(formatExactTime(MIDNIGHT, 'Asia/Kolkata')).toBe('2026-11-23T05:35:09.000+05:30 (Asia/Kolkata)'));
  test('gives UTC as Z', () => expect(formatExactTime(MIDNIGHT, 'UTC')).toBe('2026-11-23T00:05:09.000Z (UTC)'));
});

describe('formatRelativeTime', () => {
  test.each([
    [0, 'now'],
    [-5_000, '5 seconds ago'],
    [90 * 60_000, 'in 2 hours'],
    [-59.6 * 60_000, '1 hour ago'],
    [-40 * 86_400_000, '1 month ago'],
  ])('%d ms from now is "%s"', (distance, text) => expect(formatRelativeTime(now + distance, now)).toBe(text));
});

describe('the age of what happened', () => {
  test.each([
    [-5_000, '5 seconds ago'],
    [30_000, 'now'],
    [90 * 60_000, 'at an unknown time'],
  ])('%d ms from now is "%s", because a clock can be set back', (distance, text) =>
    expect(formatAge(now + distance, now)).toBe(text),
  );
  test('is recent only within a limit, also ahead of now', () => {
    expect([-999, 0, 999].map((distance) => isRecent(now + distance, 1_000, now))).toEqual([true, true, true]);
    expect([-1_000, 1_000].map((distance) => isRecent(now + distance, 1_000, now))).toEqual([false, false]);
  });
});

test('truncate does not split a surrogate pair', () => expect(truncate('ab😀', 3)).toBe('ab…'));

describe('a time that isn’t a valid date', () => {
  test.each([Number.NaN, Infinity, 1e300, -8_640_000_000_000_001])('is shown as unknown: %d', (epoch) => {
    expect(formatTime(epoch)).toBe('unknown');
    expect(formatExactTime(epoch, 'Asia/Kolkata')).toBe('unknown');
    expect(formatRelativeTime(epoch)).toBe('unknown');
  });
});

describe('a time zone that the browser doesn’t know', () => {
  afterEach(restoreLocalZone);

  test('is replaced by UTC, which every time says', () => {
    setLocalZone('Etc/Unknown');
    expect(formatTime(MIDNIGHT, { now })).toBe('Mon 23 Nov 00:05 UTC');
    expect(formatDate(MIDNIGHT, { now })).toBe('Mon 23 Nov');
    expect(formatClock(MIDNIGHT)).toBe('00:05');
    expect(formatExactTime(MIDNIGHT)).toBe(
      '2026-11-23T00:05:09.000Z (UTC, because the browser doesn’t know the time zone Etc/Unknown)',
    );
  });

  test('can be one that a platform names', () => {
    expect(formatTime(MIDNIGHT, { timeZone: 'Mars/Olympus', now })).toBe('Mon 23 Nov 00:05 UTC');
    expect(formatExactTime(MIDNIGHT, 'Mars/Olympus')).toContain('doesn’t know the time zone Mars/Olympus');
    expect(formatTime(MIDNIGHT, { timeZone: '', now })).toBe('Mon 23 Nov 00:05 UTC');
    expect(formatExactTime(MIDNIGHT, '')).toContain('doesn’t know the time zone “”');
  });
});

test('a time zone that changes while the page is open is used from then on', () => {
  setLocalZone('Asia/Kolkata');
  expect(formatTime(MIDNIGHT, { now })).toBe('Mon 23 Nov 05:35');
  setLocalZone('America/New_York');
  expect(formatTime(MIDNIGHT, { now })).toBe('Sun 22 Nov 19:05');
  restoreLocalZone();
});

test('the name of the zone is asked for at most once a second', () => {
  setLocalZone('Asia/Kolkata');
  const asked = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions');
  for (let time = 0; time < 100; time++) formatTime(MIDNIGHT, { now });
  expect(asked.mock.calls.length).toBeLessThan(3);
  restoreLocalZone();
});
