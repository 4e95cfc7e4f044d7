/** Owns waiting in what drives a browser: for a condition, with a limit, and a sentence when it does not come. */
import { setTimeout as pause } from 'node:timers/promises';

/** How often a condition is asked for, in milliseconds. */
const INTERVAL = 50;

/**
 * Asks until the answer is neither false, null nor undefined, and gives that answer. An error counts as "not yet".
 * @param what completes the sentence "Waited in vain for …"
 * @throws Error after `limit` milliseconds, with the last error as its cause
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T> | T,
  limit = 15_000,
): Promise<NonNullable<Exclude<T, false>>> {
  const end = performance.now() + limit;
  let last: unknown;
  for (;;) {
    try {
      const answer = await withLimit(what, ask, Math.max(end - performance.now(), INTERVAL));
      if (answer !== false && answer !== null && answer !== undefined) return answer as NonNullable<Exclude<T, false>>;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (performance.now() >= end)
      throw new Error(
        `Waited in vain for ${what} (${limit / 1000} s).${last instanceof Error ? ` Last: ${last.message}` : ''}`,
        { cause: last },
      );
    await pause(INTERVAL);
  }
}

/** One answer within `limit` milliseconds: a browser that hangs must not hang its driver. */
async function withLimit<T>(what: string, ask: () => Promise<T> | T, limit: number): Promise<T> {
  const clock = new AbortController();
  const late = pause(limit, undefined, { signal: clock.signal }).then(() => {
    throw new Error(`No answer about ${what}.`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([ask(), late]);
  } finally {
    clock.abort();
  }
}
