/** Tests the summaries of charts. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  adoptionText,
  lastAccessText,
  percentText,
  periodText,
  sharesText,
  versionsText,
} from '../../../components/panel/apps/charts/summaries.ts';
import { timeLabels } from '../../../components/panel/apps/charts/plot-options.ts';
import type { SessionCharts } from '../../../lib/extension/panel/apps/types.ts';

// A day of another year is shown with its year. A faked Intl would stay in the formatter’s cache.
beforeAll(() => void vi.useFakeTimers({ now: new Date(2026, 10, 21), toFake: ['Date'] }));
afterAll(() => void vi.useRealTimers());

const DAY = 86_400;
const midnight = (day: number): number => new Date(2026, 10, day).getTime() / 1000;
const charts = (change: Partial<SessionCharts> = {}): SessionCharts => ({
  versions: {
    unit: 'day',
    times: [midnight(1), midnight(2), midnight(3)],
    series: [
      { label: 'Version 13', values: [0, 10, 120] },
      { label: 'Version 12', values: [50, 60, 60] },
      { label: 'Version 11', values: [9, 9, 9] },
      { label: 'Version 10', values: [8, 8, 8] },
      { label: 'Older versions', values: [3, 3, 3] },
    ],
  },
  adoption: { unit: 'day' as const, times: [midnight(1), midnight(2), midnight(3)], version: 13, percent: [0, 5, 60] },
  lastAccess: {
    unit: 'day',
    times: Array.from({ length: 9 }, (_, day) => midnight(1) + day * DAY),
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
const none = { unit: 'day' as const, times: [], series: [] };

describe('the summary of a chart', () => {
  it('names the newest versions and counts the others', () => {
    expect(versionsText(charts())).toBe(
      '200 sessions by Tue 3 Nov: 120 on version 13, 60 on version 12, 9 on version 11, and 2 other versions.',
    );
  });
  it('says how many sessions are omitted, and why', () => {
    const omitted = 'Omitted: 2 sessions whose date is missing or in the future.';
    expect(versionsText(charts({ undated: { updated: 2, lastAccess: 0 } }))).toContain(omitted);
    expect(adoptionText(charts({ undated: { updated: 2, lastAccess: 0 } }))).toContain(omitted);
  });
  it('says that no session reports when it was updated', () => {
    expect(versionsText(charts({ versions: none }))).toBe('No sessions report an update time.');
  });
  it('says how many sessions have the newest version, and when half of them had it', () => {
    expect(adoptionText(charts())).toBe('60% of sessions had version 13 by Tue 3 Nov. Half had it by Tue 3 Nov.');
  });
  it('says when the first session had the newest version while fewer than half have it', () => {
    const adoption = { unit: 'day' as const, times: [midnight(1), midnight(2)], version: 13, percent: [0, 5] };
    expect(adoptionText(charts({ adoption }))).toBe(
      '5% of sessions had version 13 by Mon 2 Nov. The first had it by Mon 2 Nov.',
    );
  });
  it('says that no session has the newest version yet', () => {
    const adoption = { unit: 'day' as const, times: [midnight(1)], version: 13, percent: [0] };
    expect(adoptionText(charts({ adoption }))).toBe('0% of sessions had version 13 by Sun 1 Nov.');
  });
  it('says that no session reports a version', () => {
    const adoption = { unit: 'day' as const, times: [], version: null, percent: [] };
    expect(adoptionText(charts({ adoption }))).toBe('No sessions report a version.');
  });
  it('counts the sessions of the last 7 days, and names the earlier of two busiest days', () => {
    expect(lastAccessText(charts())).toBe(
      '80 of 100 sessions (80%) were used in the last 7 days. The busiest day was Sat 7 Nov: 40.',
    );
  });
  it('says that no session reports its last access, and how many are omitted', () => {
    const change = {
      lastAccess: { unit: 'day' as const, times: [], counts: [] },
      undated: { updated: 0, lastAccess: 3 },
    };
    expect(lastAccessText(charts(change))).toBe(
      'No sessions report a last access time. Omitted: 3 sessions whose date is missing, in the future, or more than 400 days old.',
    );
  });
  it('names the most frequent shares, and unknown ones as such', () => {
    expect(sharesText(charts().devices)).toBe('iPhone: 30 of 40 sessions (75%), unknown 25%.');
    expect(sharesText([{ label: '', count: 1 }])).toBe('unknown: 1 of 1 session (100%).');
  });
  it('cuts long names', () => {
    expect(sharesText([{ label: 'x'.repeat(10_000), count: 1 }]).length).toBeLessThan(120);
  });
  it('says that there are no sessions', () => {
    expect(sharesText([])).toBe('No sessions.');
  });
});

it.each([
  [0, 10, '0%'],
  [1, 1000, '<1%'],
  [1, 100, '1%'],
  [999, 1000, '99%'],
  [10, 10, '100%'],
  [0, 0, '0%'],
])('never rounds a share to nothing or everything: %i of %i is %s', (part, whole, text) => {
  expect(percentText(part, whole)).toBe(text);
});

it('names the hours of young data', () => {
  const start = new Date(2026, 10, 20, 23).getTime() / 1000;
  const lastAccess = { unit: 'hour' as const, times: [start, start + 3_600], counts: [4, 1] };
  expect(lastAccessText(charts({ lastAccess }))).toBe(
    '5 of 5 sessions (100%) were used in the last 24 hours. The busiest hour was Fri 20 Nov 23:00–00:00: 4.',
  );
});

it('labels an axis of hours with times, and a new day with its date', () => {
  const start = new Date(2026, 11, 31, 18).getTime() / 1000;
  const every6Hours = [0, 6, 12].map((hours) => start + hours * 3_600);
  expect(timeLabels(every6Hours, 'hour')).toEqual(['18:00', '1 Jan 2027', '06:00']);
  expect(timeLabels([start, start + DAY], 'day')).toEqual(['31 Dec', '1 Jan 2027']);
  expect(timeLabels([start, start + 10], 'time')).toEqual(['18:00:00', '18:00:10']);
});

it('shows the year of a day only in another year', () => {
  expect(periodText(midnight(21), 'day')).toBe('Sat 21 Nov');
  expect(periodText(new Date(2025, 11, 31).getTime() / 1000, 'day')).toBe('Wed 31 Dec 2025');
});
