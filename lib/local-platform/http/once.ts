/**
 * Makes a change at most once per `Idempotency-Key`: a repeated request gets the first one’s result. The change and its
 * key are committed together, so a crash never separates them.
 */
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { Database, Transaction } from '../db/database.ts';
import { and, eq, sql } from '../db/drizzle.ts';
import { requestKeys } from '../db/schema.ts';
import type { Access } from './auth.ts';
import { HttpError, malformed } from './errors.ts';
import type { Services } from './services.ts';

/** How many keys of one token are kept, for at most a day. */
const MAX_KEYS = 1_000;
/** In milliseconds. */
const SWEEP_INTERVAL = 60_000;

export interface Made<T> {
  result: T;
  /** Whether the request repeats one that has already made the change. */
  isRepeated: boolean;
}

/**
 * Runs `change` in a transaction, unless the request’s key has been used. A request whose key is in use waits for the
 * first one to end. If `change` throws, nothing is stored, and the key can be used again.
 * @param change must use `tx` for every query, and return JSON
 * @throws HttpError 400; 422 `IDEMPOTENCY_KEY_USED` when the key was used for another request
 */
export async function once<T>(
  { db, jobs }: Pick<Services, 'db' | 'jobs'>,
  c: Context,
  access: Access,
  change: (tx: Transaction) => Promise<T>,
): Promise<Made<T>> {
  const key = keyOf(c);
  // Opening the queue within a transaction would deadlock on PGlite’s only connection.
  await jobs.ready().catch(() => {});
  if (key === undefined) return { result: await db.transaction(change), isRepeated: false };
  const request = await fingerprintOf(c);
  const owner = ownerOf(access);
  const sameKey = and(eq(requestKeys.owner, owner), eq(requestKeys.key, key));
  return db.transaction(async (tx) => {
    // Waits for a transaction that has inserted the same key.
    const [fresh] = await tx
      .insert(requestKeys)
      .values({ owner, key, request })
      .onConflictDoNothing()
      .returning({ key: requestKeys.key });
    if (!fresh) {
      const [first] = await tx.select().from(requestKeys).where(sameKey);
      if (first?.request !== request)
        throw new HttpError(
          422,
          'IDEMPOTENCY_KEY_USED',
          'This Idempotency-Key was already used for a different request.',
        );
      return { result: first.result as T, isRepeated: true };
    }
    const result = await change(tx);
    await tx
      .update(requestKeys)
      .set({ result: result ?? null })
      .where(sameKey);
    return { result, isRepeated: false };
  });
}

function keyOf(c: Context): string | undefined {
  const key = c.req.header('idempotency-key');
  if (key !== undefined && !/^[\x20-\x7e]{1,255}$/.test(key))
    throw malformed('Idempotency-Key must be 1 to 255 printable characters.', 'Send a different Idempotency-Key.');
  return key;
}

async function fingerprintOf(c: Context): Promise<string> {
  const { pathname, search } = new URL(c.req.url);
  const parts = [c.req.method, pathname + search, c.req.header('if-match') ?? null, await c.req.text()];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Keys belong to a token. Runs have no token of their own, so theirs belong to the app. */
const ownerOf = ({ tokenId, appId }: Access): string => `${tokenId} ${appId ?? ''}`;

/** Removes keys that are older than a day, and all but the newest of each token. */
export async function removeOldKeys(db: Database, limit = MAX_KEYS): Promise<void> {
  await db.execute(sql`
    delete from request_keys using (
      select owner as of, key as old, row_number() over (partition by owner order by created_at desc) as place
      from request_keys
    ) as known
    where owner = of and key = old and (place > ${limit} or created_at < now() - interval '1 day')`);
}

/** Periodically removes old keys. Returns a function that stops it. */
export function watchKeys(db: Database, log: (error: unknown) => void): () => Promise<void> {
  let sweep: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    sweep = removeOldKeys(db).catch(log);
  }, SWEEP_INTERVAL).unref();
  return () => {
    clearInterval(timer);
    return sweep;
  };
}
