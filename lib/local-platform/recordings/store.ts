/** Stores recordings with their log records, up to a limit per app, for 7 days by the platform’s clock. */
import type { Database } from '../db/database.ts';
import { and, eq, gt, inArray, isNotNull, lte, sql } from '../db/drizzle.ts';
import { recordings } from '../db/schema.ts';
import type { Clock } from '../jobs/clock.ts';
import type { Db } from '../jobs/types.ts';
import type { LogRow } from '../logs/write.ts';
import type { MissingRecording } from '../runner/recording.ts';

/** A compressed recording, or why there is none. */
export type StoredRecording = { content: Uint8Array } | { missing: MissingRecording };

/** How long recordings are stored, in milliseconds. */
export const RECORDING_LIFETIME = 7 * 86_400_000;
/** The most recordings of an app, and their most bytes. The oldest are removed first. */
export const KEPT_RECORDINGS = { count: 100, bytes: 50 * 1024 * 1024 };
/** In milliseconds. */
const SWEEP_INTERVAL = 60_000;

/** Stores the recording of a log record’s run, in the transaction that writes the record. */
export async function storeRecording(
  tx: Db,
  { id: logId, appId, createdAt }: LogRow,
  recording: StoredRecording,
  kept = KEPT_RECORDINGS,
): Promise<void> {
  const expiresAt = new Date(createdAt.getTime() + RECORDING_LIFETIME);
  const size = 'content' in recording ? recording.content.length : 0;
  await tx.insert(recordings).values({ ...recording, logId, appId, size, expiresAt });
  // Rows that another transaction is removing are skipped, so that two of them never wait for each other.
  await tx.execute(sql`
    delete from recordings where log_id in (
      select log_id from recordings where log_id in (
        select log_id from (
          select log_id, row_number() over newest as place, sum(size) over newest as bytes
          from recordings where app_id = ${appId} window newest as (order by log_id desc)
        ) as known
        where log_id <> ${logId} and (place > ${kept.count} or bytes > ${kept.bytes})
      ) for update skip locked)`);
}

export interface FoundRecording {
  content: Uint8Array | null;
  missing: MissingRecording | null;
}

/** The stored recording of a log record’s run. Undefined if there never was one, or if it has been removed. */
export async function findRecording(
  db: Db,
  appId: number,
  logId: number,
  now: Date,
): Promise<FoundRecording | undefined> {
  const [row] = await db
    .select({ content: recordings.content, missing: recordings.missing })
    .from(recordings)
    .where(and(eq(recordings.logId, logId), eq(recordings.appId, appId), gt(recordings.expiresAt, now)));
  return row;
}

/** Those of the log records that have a recording. */
export async function recordedAmong(db: Db, logIds: number[], now: Date): Promise<Set<number>> {
  if (logIds.length === 0) return new Set();
  const rows = await db
    .select({ logId: recordings.logId })
    .from(recordings)
    .where(and(inArray(recordings.logId, logIds), isNotNull(recordings.content), gt(recordings.expiresAt, now)));
  return new Set(rows.map(({ logId }) => logId));
}

/** Removes expired recordings periodically. Returns a function that stops it. */
export function watchRecordings(db: Database, clock: Clock, log: (error: unknown) => void): () => Promise<void> {
  let sweep: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    sweep = removeExpired(db, clock.now()).catch(log);
  }, SWEEP_INTERVAL).unref();
  return async () => {
    clearInterval(timer);
    await sweep;
  };
}

export async function removeExpired(db: Database, now: Date): Promise<void> {
  await db.delete(recordings).where(lte(recordings.expiresAt, now));
}
