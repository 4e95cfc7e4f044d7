/** Owns finding a run whose outcome was asked for, in whatever process. */
import type { Database } from '../db/database.ts';
import { sql } from '../db/drizzle.ts';
import type { RunRequest } from './types.ts';

/** The run as it was ordered; undefined when nobody waits for such a run, or it ended more than an hour ago. */
export async function findAwaitedRun(db: Database, runId: string): Promise<RunRequest | undefined> {
  const { rows } = await db.execute<{ data: { request: string; waiter: string | null } }>(
    sql`select data from queue.job where name = 'runs' and id = ${runId}::uuid`,
  );
  const data = rows[0]?.data;
  return data?.waiter == null ? undefined : (JSON.parse(data.request) as RunRequest);
}
