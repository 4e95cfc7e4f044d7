/**
 * Limits the size of each app’s log: the oldest records are removed, and a record says how many. Refusing new records
 * instead would lose the ends of runs.
 */
import type { Database, Transaction } from '../db/database.ts';
import { and, asc, desc, eq, inArray, sql } from '../db/drizzle.ts';
import { apps, logs, logUsage } from '../db/schema.ts';
import type { Logs } from './write.ts';

/** The type of the record that says what was removed. */
export const REMOVED = 'app.logs.removed';
/** How often logs that have grown are checked, in milliseconds. */
const CHECK_INTERVAL = 1_000;
/** Then this share of the limit is kept, or a batch is removed, so that not every new record removes another one. */
const KEPT = 0.9;
/** Records per transaction, so that others don’t wait long. */
const BATCH = 2_000;
/** With the ID of an app, the name of the lock of the process that removes its records. */
const LOCK = 7_404_401;

export interface LogLimits {
  /** How many records an app can have. */
  logs: number;
  /** Their size, in bytes of JSON. */
  logData: number;
}

/** Knows which logs have grown since the last check. */
export class GrownLogs {
  #apps = new Set<number>();

  add(appId: number): void {
    this.#apps.add(appId);
  }

  take(): Set<number> {
    const taken = this.#apps;
    this.#apps = new Set();
    return taken;
  }
}

export interface RetentionOptions {
  db: Database;
  limits: LogLimits;
  logs: Pick<Logs, 'write'>;
}

/** Removes the app’s oldest records if its log exceeds a limit. Returns how many it removed. */
export async function trimLog({ db, limits, logs: { write } }: RetentionOptions, appId: number): Promise<number> {
  if (excessOf(await usageOf(db, appId), limits, 1) === null) return 0;
  return db.transaction(async (tx) => {
    // Another process may be removing them.
    const { rows } = await tx.execute<{ got: boolean }>(
      sql`select pg_try_advisory_xact_lock(${LOCK}, ${appId}) as got`,
    );
    if (!rows[0]!.got) return 0;
    const usage = await usageOf(tx, appId);
    if (excessOf(usage, limits, 1) === null) return 0;
    const oldest = await oldestRecords(tx, appId, excessOf(usage, limits, KEPT)!);
    if (oldest.length === 0) return 0;
    // Read before it is removed itself.
    const total = (await removedBefore(tx, appId)) + oldest.length;
    const ids = oldest.map(({ id }) => id);
    await tx.delete(logs).where(inArray(logs.id, ids));
    const [app] = await tx.select({ organizationId: apps.organizationId }).from(apps).where(eq(apps.id, appId));
    const data = {
      code: 'LOGS_REMOVED',
      removed: ids.length,
      total,
      until: oldest.at(-1)!.createdAt.toISOString(),
      limits: { records: limits.logs, bytes: limits.logData },
    };
    await write(tx, [{ appId, organizationId: app!.organizationId, type: REMOVED, data }], 1);
    return ids.length;
  });
}

async function removedBefore(tx: Transaction, appId: number): Promise<number> {
  const [last] = await tx
    .select({ data: logs.data })
    .from(logs)
    .where(and(eq(logs.appId, appId), eq(logs.type, REMOVED)))
    .orderBy(desc(logs.id))
    .limit(1);
  return typeof last?.data.total === 'number' ? last.data.total : 0;
}

interface Usage {
  records: number;
  bytes: number;
}

async function usageOf(db: Database | Transaction, appId: number): Promise<Usage> {
  const [row] = await db
    .select({
      records: sql<string>`coalesce(sum(${logUsage.records}), 0)`,
      bytes: sql<string>`coalesce(sum(${logUsage.bytes}), 0)`,
    })
    .from(logUsage)
    .where(eq(logUsage.appId, appId));
  return { records: Number(row!.records), bytes: Number(row!.bytes) };
}

/** How much must go so that this share of the limits is used. Null if the log is smaller. */
function excessOf({ records, bytes }: Usage, { logs: most, logData }: LogLimits, share: number): Usage | null {
  const excess = { records: records - Math.floor(most * share), bytes: bytes - Math.floor(logData * share) };
  return excess.records > 0 || excess.bytes > 0 ? excess : null;
}

/** The oldest records, until there are enough or a transaction has as many as it should. */
async function oldestRecords(
  tx: Transaction,
  appId: number,
  { records, bytes }: Usage,
): Promise<{ id: number; createdAt: Date }[]> {
  const rows = await tx
    .select({ id: logs.id, createdAt: logs.createdAt, size: sql<number>`octet_length(data::text)` })
    .from(logs)
    .where(eq(logs.appId, appId))
    .orderBy(asc(logs.createdAt), asc(logs.id))
    .limit(BATCH);
  let freed = 0;
  return rows.filter(({ size }, index) => {
    const isNeeded = index < records || freed < bytes;
    if (isNeeded) freed += Number(size);
    return isNeeded;
  });
}

/** Checks the logs that have grown, periodically. Returns a function that stops it. */
export function watchLogs(
  options: RetentionOptions,
  grown: GrownLogs,
  log: (error: unknown) => void,
): () => Promise<void> {
  let sweep: Promise<void> = Promise.resolve();
  let isBusy = false;
  const check = async (): Promise<void> => {
    for (const appId of grown.take()) while ((await trimLog(options, appId)) === BATCH);
  };
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    sweep = check()
      .catch(log)
      .finally(() => (isBusy = false));
  }, CHECK_INTERVAL).unref();
  return async () => {
    clearInterval(timer);
    await sweep;
  };
}
