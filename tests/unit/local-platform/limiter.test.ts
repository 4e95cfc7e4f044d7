import { expect, it } from 'vitest';
import { createLimiter } from '../../../lib/local-platform/http/limiter.ts';

it('limits the requests of each caller per minute, and returns how long to wait', () => {
  let now = 0;
  const limit = createLimiter(2, () => now);
  limit('a');
  limit('a');
  now = 45_500;
  expect(() => limit('a')).toThrow(expect.objectContaining({ status: 429, headers: { 'Retry-After': '15' } }));
  limit('b');
  now = 60_000;
  limit('a');
});

it('allows every request when no limit is set', () => {
  const limit = createLimiter(undefined);
  for (let i = 0; i < 10_000; i += 1) limit('a');
});
