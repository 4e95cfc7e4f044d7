/** Reads the `Prefer` header (RFC 7240) of callers that don’t want to wait long for a result. */
import type { Context } from 'hono';

/**
 * How many seconds the caller waits for an outcome: `respond-async, wait=20`. Null: as long as it takes.
 * `respond-async` without `wait` doesn’t wait at all.
 */
export function patience(c: Context): number | null {
  const preferences = (c.req.header('prefer') ?? '').split(/[,;]/).map((part) => part.trim().toLowerCase());
  if (!preferences.includes('respond-async')) return null;
  const wait = preferences
    .map((part) => /^wait\s*=\s*"?(\d{1,4})"?$/.exec(part)?.[1])
    .find((seconds) => seconds !== undefined);
  return Number(wait ?? 0);
}
