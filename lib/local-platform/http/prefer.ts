/** Owns the header `Prefer` (RFC 7240) of whoever would rather hear "not yet" than wait for long. */
import type { Context } from 'hono';

/**
 * How many seconds the caller wants to wait for an outcome: `respond-async, wait=20`. Null: until it is there, as long as it takes.
 * `respond-async` without `wait` waits for nothing.
 */
export function patience(c: Context): number | null {
  const preferences = (c.req.header('prefer') ?? '').split(/[,;]/).map((part) => part.trim().toLowerCase());
  if (!preferences.includes('respond-async')) return null;
  const wait = preferences
    .map((part) => /^wait\s*=\s*"?(\d{1,4})"?$/.exec(part)?.[1])
    .find((seconds) => seconds !== undefined);
  return Number(wait ?? 0);
}
