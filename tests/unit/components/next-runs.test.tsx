// @vitest-environment happy-dom
/** Tests the next runs of a schedule (decisions, "Actions": daylight saving). */
import { cleanup, render, screen } from '@testing-library/preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NextRuns } from '../../../components/panel/actions/next-runs.tsx';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-03-27T12:00:00Z') }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});
const rows = () => screen.getAllByRole('listitem').map((row) => row.textContent);

describe('the next five runs', () => {
  it('show the time in their zone and relative to now, and run a skipped local time after the gap', () => {
    render(<NextRuns frequency="30 2 * * *" timezone="Europe/Amsterdam" />);
    expect(screen.getByText('At 02:30 every day, Europe/Amsterdam')).toBeTruthy();
    expect(rows()).toEqual([
      'Sat 28 Mar 02:30in 14 hours',
      'Sun 29 Mar 03:00in 2 daysskipped by DST, runs at 03:00 Because of daylight saving time, this local time doesn’t occur that day. The action runs right after the clocks change.',
      'Mon 30 Mar 02:30in 3 days',
      'Tue 31 Mar 02:30in 4 days',
      'Wed 1 Apr 02:30in 5 days',
    ]);
  });

  it('run only the first time when a local time occurs twice', () => {
    render(<NextRuns frequency="30 2 25 10 *" timezone="Europe/Amsterdam" />);
    expect(rows()[0]).toContain('Sun 25 Oct 02:30');
    expect(rows()[0]).toContain('occurs twice, runs the first time');
  });

  it('run each time when a local time of an interval occurs twice', () => {
    render(<NextRuns frequency="*/30 2 25 10 *" timezone="Europe/Amsterdam" />);
    const times = rows().map((text) => /\d\d:\d\d/.exec(text!)?.[0]);
    expect(times).toEqual(['02:00', '02:30', '02:00', '02:30', '02:00']);
    expect(rows().map((text) => text!.includes('occurs twice, runs each time'))).toEqual([
      true,
      true,
      true,
      true,
      false,
    ]);
  });

  it.each([
    ['0 0 31 2 *', 'UTC', /never fires/],
    ['* * * *', 'UTC', /five fields/],
    ['0 7 * * *', 'Mars/Base', /timezone must be/],
  ])('of the invalid schedule %s in %s are replaced by the reason', (frequency, timezone, why) => {
    render(<NextRuns frequency={frequency} timezone={timezone} />);
    expect(screen.getByText(why)).toBeTruthy();
  });
});
