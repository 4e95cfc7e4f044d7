// @vitest-environment happy-dom
/** Tests how reported times are shown. */
import { cleanup, render } from '@testing-library/preact';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { PastTime, PlatformTime } from '../../../components/panel/apps/platform-time.tsx';
import { DateTime } from '../../../components/ui/small.tsx';
import { LoadedAt } from '../../../components/panel/shared/loading.tsx';
import { ActionTime } from '../../../components/panel/shared/time.tsx';

const NOW = Date.parse('2026-11-20T12:00:00Z');
afterEach(cleanup);

const textOf = (at: number) => render(<PastTime at={at} now={NOW} />).container.textContent;

it('shows a past time relative to now', () => {
  expect(textOf(NOW - 7_200_000)).toBe('2 hours ago');
});

it('shows a time slightly in the future, within the difference of clocks, as now', () => {
  expect(textOf(NOW + 240_000)).toBe('now');
});

it('shows a time of an action in the future, as a virtual clock gives, relative to now', () => {
  const actionTextOf = (at: number) => render(<ActionTime at={at} now={NOW} />).container.textContent;
  expect([-7_200_000, 240_000, 3 * 3_600_000].map((distance) => actionTextOf(NOW + distance))).toEqual([
    '2 hours ago',
    'now',
    'in 3 hours',
  ]);
});

it('shows that a list was loaded now, even right after the computer slept', () => {
  vi.useFakeTimers({ now: NOW });
  onTestFinished(() => void vi.useRealTimers());
  const { container, rerender } = render(<LoadedAt at={NOW} />);
  vi.setSystemTime(NOW + 3_600_000);
  rerender(<LoadedAt at={NOW + 3_600_000} />);
  expect(container.textContent).toBe('Updated now');
});

it('marks a time in the future as ignored, and keeps its date', () => {
  const { container } = render(<PastTime at={NOW + 86_400_000} now={NOW} />);
  const time = container.querySelector('time')!;
  expect(time).toMatchObject({
    textContent: 'in the future',
    className: 'ahead',
    dateTime: '2026-11-21T12:00:00.000Z',
  });
  expect(time.title).toMatch(/^2026-11-2\dT\d\d:\d\d:00\.000\S+ \(.+\), in 1 day \(ignored\)$/);
  expect(render(<PlatformTime text="2099-01-01T00:00:00Z" now={NOW} />).container.textContent).toBe(
    '2099-01-01T00:00:00Z (in the future, ignored)',
  );
});

it('shows text that isn’t a date unchanged, and a missing one as unknown', () => {
  expect(render(<PlatformTime text="yesterday" now={NOW} />).container.textContent).toBe('yesterday (not a date)');
  expect(
    render(<PlatformTime text={null} now={NOW} />).container.querySelector('[aria-label="unknown"]'),
  ).not.toBeNull();
});

it('shows a date with its exact time and zone in the tooltip, and an invalid one as unknown', () => {
  const at = (time: number) =>
    render(<DateTime at={time} timeZone="Asia/Kolkata" now={NOW} />).container.firstElementChild;
  expect(at(NOW)).toMatchObject({
    textContent: 'Fri 20 Nov 17:30',
    title: '2026-11-20T17:30:00.000+05:30 (Asia/Kolkata)',
    dateTime: '2026-11-20T12:00:00.000Z',
  });
  expect(at(NaN)).toMatchObject({ textContent: 'unknown', title: 'unknown' });
});
