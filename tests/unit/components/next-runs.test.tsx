// @vitest-environment happy-dom
/** Owns the proof of what is said of a schedule's next runs (decisions, "Actions": daylight saving). */
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
  it('stand in their zone and from now, with the frequency in words; a skipped local time runs after the gap', () => {
    render(<NextRuns frequency="30 2 * * *" timezone="Europe/Amsterdam" />);
    expect(screen.getByText('At 02:30 every day, Europe/Amsterdam')).toBeTruthy();
    expect(rows()).toEqual([
      'Sat 28 Mar 02:30in 13 h 30 min',
      'Sun 29 Mar 03:00in 1 d 13 hskipped by DST, runs at 03:00 Daylight saving skips the local time on that day: it runs at the first moment after the gap.',
      'Mon 30 Mar 02:30in 2 d 12 h',
      'Tue 31 Mar 02:30in 3 d 12 h',
      'Wed 1 Apr 02:30in 4 d 12 h',
    ]);
  });

  it('that occur twice run at the first', () => {
    render(<NextRuns frequency="30 2 25 10 *" timezone="Europe/Amsterdam" />);
    expect(rows()[0]).toContain('Sun 25 Oct 02:30');
    expect(rows()[0]).toContain('occurs twice, runs at the first');
  });

  it.each([
    ['0 0 31 2 *', 'UTC', /would never fire/],
    ['* * * *', 'UTC', /five fields/],
    ['0 7 * * *', 'Mars/Base', /timezone must be/],
  ])('of %s in %s are none, and it says why', (frequency, timezone, why) => {
    render(<NextRuns frequency={frequency} timezone={timezone} />);
    expect(screen.getByText(why)).toBeTruthy();
  });
});
