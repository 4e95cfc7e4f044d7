// @vitest-environment happy-dom
/** Owns the proof that a time in a cell says where it lies, in words. */
import { cleanup, render } from '@testing-library/preact';
import { afterEach, expect, it } from 'vitest';
import { Moment, PlatformTime } from '../../../components/panel/apps/moment.tsx';

const NOW = Date.parse('2026-11-20T12:00:00Z');
afterEach(cleanup);

it('is told from now, up to a clock’s difference', () => {
  expect(
    [-7_200_000, 240_000].map((ahead) => render(<Moment at={NOW + ahead} now={NOW} />).container.textContent),
  ).toEqual(['2 h ago', 'now']);
});

it('in the future is called that, and that it does not count; its date stays to be read', () => {
  const { container } = render(<Moment at={NOW + 86_400_000} now={NOW} />);
  const time = container.querySelector('time')!;
  expect([time.textContent, time.className, time.dateTime]).toEqual([
    'in the future',
    'ahead',
    '2026-11-21T12:00:00.000Z',
  ]);
  expect(time.title).toMatch(/^2026-11-2\d \d\d:00:00, in 1 d: it does not count$/);
  expect(render(<PlatformTime text="2099-01-01T00:00:00Z" now={NOW} />).container.textContent).toBe(
    '2099-01-01T00:00:00Z is in the future and does not count',
  );
});

it('that is none stands as it came', () => {
  expect(render(<PlatformTime text="yesterday" now={NOW} />).container.textContent).toBe('yesterday is no date');
  expect(
    render(<PlatformTime text={null} now={NOW} />).container.querySelector('[aria-label="not told"]'),
  ).not.toBeNull();
});
