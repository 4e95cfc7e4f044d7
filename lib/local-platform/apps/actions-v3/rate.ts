/** Limits how often the V3 actions of an app run within a minute (actions-v3, "Triggers, limits, logs"). */
import { randomUUID } from 'node:crypto';
import { sql } from '../../db/drizzle.ts';
import { runRates } from '../../db/schema.ts';
import { HttpError } from '../../http/errors.ts';
import type { Db, RunRequest, WriteRunLog } from '../../jobs/types.ts';

const MINUTE = 60_000;

export interface RateV3 {
  /** Runs of an app in a minute. */
  limit: number;
  clock: () => Date;
}

/** Counts a manual run. @throws HttpError 429 `TOO_MANY_RUNS` with `Retry-After` in seconds */
export async function requireRate(db: Db, rate: RateV3, appId: number): Promise<void> {
  if (await isWithinRate(db, rate, appId)) return;
  const seconds = Math.ceil((MINUTE - (rate.clock().getTime() % MINUTE)) / 1000);
  throw new HttpError(429, 'TOO_MANY_RUNS', messageOf(rate.limit), {
    hint: `Try again in ${seconds} s.`,
    headers: { 'Retry-After': String(seconds) },
  });
}

/** Counts runs that schedules and log records fire. Returns those to queue. The others end as failed. */
export async function admit(
  db: Db,
  rate: RateV3,
  writeRunLog: WriteRunLog,
  runs: readonly RunRequest[],
): Promise<RunRequest[]> {
  const admitted: RunRequest[] = [];
  for (const run of runs) {
    if (!run.v3 || (await isWithinRate(db, rate, run.appId))) {
      admitted.push(run);
      continue;
    }
    const failure = { errorType: 'TOO_MANY_RUNS', errorMessage: messageOf(rate.limit), trace: [] };
    const outcome = { state: 'failed', code: 'ACTION_FAILED', failure, milliseconds: 0 } as const;
    await writeRunLog(db, { ...run, runId: randomUUID() }, outcome);
  }
  return admitted;
}

const messageOf = (limit: number): string => `The V3 actions of an app are limited to ${limit} runs in a minute.`;

async function isWithinRate(db: Db, { limit, clock }: RateV3, appId: number): Promise<boolean> {
  const minute = new Date(Math.floor(clock().getTime() / MINUTE) * MINUTE);
  const [row] = await db
    .insert(runRates)
    .values({ appId, minute, runs: 1 })
    .onConflictDoUpdate({
      target: runRates.appId,
      set: {
        minute: sql`excluded.minute`,
        runs: sql`case when ${runRates.minute} = excluded.minute then ${runRates.runs} + 1 else 1 end`,
      },
    })
    .returning({ runs: runRates.runs });
  return row!.runs <= limit;
}
