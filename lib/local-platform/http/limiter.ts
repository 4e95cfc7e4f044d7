/** Limits each token’s requests per minute. Off by default. */
import { createHash } from 'node:crypto';
import { HttpError } from './errors.ts';

/** @throws HttpError 429 with `Retry-After` in seconds */
export type Limiter = (token: string) => void;

const MINUTE = 60_000;

export function createLimiter(perMinute: number | undefined, now: () => number = Date.now): Limiter {
  if (perMinute === undefined) return () => {};
  let windowStart = now();
  const counts = new Map<string, number>();
  return (token) => {
    // Digests all have the same length, so huge fake tokens can’t fill up memory.
    const caller = createHash('sha256').update(token).digest('base64');
    if (now() - windowStart >= MINUTE) {
      windowStart = now();
      counts.clear();
    }
    const count = (counts.get(caller) ?? 0) + 1;
    counts.set(caller, count);
    if (count > perMinute) {
      const seconds = Math.max(1, Math.ceil((windowStart + MINUTE - now()) / 1000));
      throw new HttpError(429, 'TOO_MANY_REQUESTS', `Requests are limited to ${perMinute} per token per minute.`, {
        hint: `Try again in ${seconds} s.`,
        headers: { 'Retry-After': String(seconds) },
      });
    }
  };
}
