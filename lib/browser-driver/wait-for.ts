/** Waits for a condition with a time limit, for code that drives a browser. */
import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds between checks: more and more, because each one takes time from what it waits for. */
const INTERVALS = { first: 20, last: 200, growth: 1.5 };
/** Milliseconds for one check. In a document that is being replaced, it can hang forever, but the next one doesn’t. */
const CHECK = 15_000;
/** Milliseconds after which a condition counts as one that never becomes true, not as a slow one. */
export const LIMIT = 180_000;

/**
 * Repeats the check until it returns something other than false, null, or undefined, and resolves with that value.
 * Errors count as “not yet”.
 * @param what completes the sentence “Waited for …”
 * @param limit in milliseconds
 * @param checkLimit of one check, in milliseconds; a check that takes longer is repeated
 * @throws Error after the limit, with the last error as its cause
 */
export async function waitFor<T>(
  what: string,
  check: () => Promise<T> | T,
  limit = LIMIT,
  checkLimit = CHECK,
): Promise<NonNullable<Exclude<T, false>>> {
  const end = performance.now() + limit;
  let last: unknown;
  let interval = INTERVALS.first;
  for (;;) {
    try {
      const left = Math.max(end - performance.now(), INTERVALS.last);
      const value = await withLimit(what, check, Math.min(left, checkLimit));
      if (value !== false && value !== null && value !== undefined) return value as NonNullable<Exclude<T, false>>;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (performance.now() >= end) {
      const reason = last instanceof Error ? ` Last error: ${last.message}` : '';
      throw new Error(`Waited ${limit / 1000} s for ${what}.${reason}`, { cause: last });
    }
    await pause(interval);
    interval = Math.min(interval * INTERVALS.growth, INTERVALS.last);
  }
}

/** Runs one check, for at most `limit` milliseconds, so that a hanging browser doesn’t hang its driver. */
async function withLimit<T>(what: string, check: () => Promise<T> | T, limit: number): Promise<T> {
  const abort = new AbortController();
  const timeout = pause(limit, undefined, { signal: abort.signal }).then(() => {
    throw new Error(`The check for ${what} didn’t finish.`);
  });
  timeout.catch(() => undefined);
  try {
    return await Promise.race([check(), timeout]);
  } finally {
    abort.abort();
  }
}
