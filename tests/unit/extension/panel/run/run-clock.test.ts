/** The clock of a run in progress. */
import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { RunClock, silentSeconds } from '../../../../../lib/extension/panel/run/run-clock.ts';

beforeEach(() => void vi.useFakeTimers({ now: 50_000 }));
afterEach(() => void vi.useRealTimers());

it('the clock of a run follows the page’s clock while the run is in progress, and has no timer otherwise', () => {
  const startedAt = signal<number | null>(null);
  // The page's computer is an hour ahead.
  const clock = new RunClock(startedAt, () => Date.now() + 3_600_000);
  expect(vi.getTimerCount()).toBe(0);
  startedAt.value = 3_600_000 + 48_000;
  expect(clock.elapsed.value).toBe(2_000);
  vi.advanceTimersByTime(6_000);
  expect(clock.elapsed.value).toBe(8_000);
  startedAt.value = null;
  expect(vi.getTimerCount()).toBe(0);
  startedAt.value = 3_600_000 + 56_000;
  expect(vi.getTimerCount()).toBe(1);
  clock.dispose();
  expect(vi.getTimerCount()).toBe(0);
});

it('a run that has reported nothing for 5 seconds is silent', () => {
  expect(silentSeconds(18, 5_000)).toBeNull();
  expect(silentSeconds(18, 6_500)).toBe(6);
});
