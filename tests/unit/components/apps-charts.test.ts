/** Owns the proof that what charts say in words is what they show. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  adoptionSays,
  dayText,
  lastAccessSays,
  percentText,
  sharesSay,
  versionsSay,
} from '../../../components/panel/apps/charts/summaries.ts';
import type { SessionCharts } from '../../../lib/extension/panel/apps/types.ts';

// A day of another year is told with it.
beforeAll(() => void vi.useFakeTimers({ now: new Date(2026, 10, 21) }));
afterAll(() => void vi.useRealTimers());

const DAY = 86_400;
const midnight = (day: number): number => new Date(2026, 10, day).getTime() / 1000;
const charts = (change: Partial<SessionCharts> = {}): SessionCharts => ({
  versions: {
    days: [midnight(1), midnight(2), midnight(3)],
    series: [
      { label: 'Version 13', values: [0, 10, 120] },
      { label: 'Version 12', values: [50, 60, 60] },
      { label: 'Version 11', values: [9, 9, 9] },
      { label: 'Version 10', values: [8, 8, 8] },
      { label: 'Older versions', values: [3, 3, 3] },
    ],
  },
  adoption: { days: [midnight(1), midnight(2), midnight(3)], version: 13, percent: [0, 5, 60] },
  lastAccess: {
    days: Array.from({ length: 9 }, (_, day) => midnight(1) + day * DAY),
    counts: [10, 10, 0, 0, 0, 0, 40, 0, 40],
  },
  devices: [
    { label: 'iPhone', count: 30 },
    { label: '', count: 10 },
  ],
  browsers: [],
  undated: { updated: 0, lastAccess: 0 },
  ...change,
});
const none = { days: [], series: [] };

describe('the sentence of a chart', () => {
  it('names the newest versions, counts the rest, and says what is left out', () => {
    expect(versionsSay(charts())).toBe(
      'By Tue 3 Nov, of 200 sessions 120 to version 13, 60 to version 12, 9 to version 11, the rest to 2 others had come.',
    );
    expect(versionsSay(charts({ undated: { updated: 1, lastAccess: 0 } }))).toContain(
      'Left out: 1 session with no date or one in the future.',
    );
    expect(versionsSay(charts({ versions: none }))).toBe('No session tells when it came to its version.');
  });
  it('says how far the newest version is, and since when half have it', () => {
    expect(adoptionSays(charts())).toBe('60 % of the sessions had version 13 by Tue 3 Nov; half of them by Tue 3 Nov.');
    expect(adoptionSays(charts({ adoption: { days: [midnight(1), midnight(2)], version: 13, percent: [0, 5] } }))).toBe(
      '5 % of the sessions had version 13 by Mon 2 Nov; the first by Mon 2 Nov.',
    );
    expect(adoptionSays(charts({ adoption: { days: [midnight(1)], version: 13, percent: [0] } }))).toBe(
      '0 % of the sessions had version 13 by Sun 1 Nov.',
    );
    expect(adoptionSays(charts({ undated: { updated: 2, lastAccess: 0 } }))).toContain(
      'Left out: 2 sessions with no date or one in the future.',
    );
    expect(adoptionSays(charts({ adoption: { days: [], version: null, percent: [] } }))).toBe(
      'No session tells a version.',
    );
  });
  it('says when most were used last, the earlier day of two', () => {
    expect(lastAccessSays(charts())).toBe(
      '80 of 100 sessions (80 %) were used in the last 7 days; Sat 7 Nov has most: 40.',
    );
    expect(
      lastAccessSays(charts({ lastAccess: { days: [], counts: [] }, undated: { updated: 0, lastAccess: 3 } })),
    ).toBe(
      'No session tells when it was used last. Left out: 3 sessions with no date, one in the future or one more than 400 days ago.',
    );
  });
  it('names the most frequent, and what was not told as such', () => {
    expect(sharesSay(charts().devices)).toBe('iPhone: 30 of 40 sessions (75 %), then not told 25 %.');
    expect(sharesSay([{ label: 'x'.repeat(10_000), count: 1 }]).length).toBeLessThan(120);
    expect(sharesSay([{ label: '', count: 1 }])).toBe('not told: 1 of 1 session (100 %).');
    expect(sharesSay([])).toBe('No session tells.');
  });
});

it('never rounds something to nothing, nor almost all to all', () => {
  expect(
    [
      [0, 10],
      [1, 1000],
      [1, 100],
      [999, 1000],
      [10, 10],
      [0, 0],
    ].map(([part, whole]) => percentText(part!, whole!)),
  ).toEqual(['0 %', '<1 %', '1 %', '99 %', '100 %', '0 %']);
});

it('tells the year of a day in another one', () => {
  expect(dayText(midnight(21))).toBe('Sat 21 Nov');
  expect(dayText(new Date(2025, 11, 31).getTime() / 1000)).toBe('Wed 31 Dec 2025');
});
