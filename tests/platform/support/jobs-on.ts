/** Jobs of the queue whose runs are functions of a test. */
import { expect, onTestFinished } from 'vitest';
import type { OpenedDatabase } from '../../../lib/local-platform/db/open.ts';
import { asc, eq } from '../../../lib/local-platform/db/drizzle.ts';
import { logs } from '../../../lib/local-platform/db/schema.ts';
import { ORGANIZATION } from '../../../lib/local-platform/db/seed/apps.ts';
import { RunJobs, type JobsOptions, type StartedJobs } from '../../../lib/local-platform/jobs/index.ts';
import type { RunOutcome, RunRequest } from '../../../lib/local-platform/jobs/types.ts';
import { runRequest } from '../../support/run-request.ts';

export const TYPE = 'test.ended';

export const request = (actionName: string, more: Partial<RunRequest> = {}): RunRequest =>
  runRequest({ actionName, ...more });
const completed = (result: unknown): { outcome: RunOutcome; console: string[] } => ({
  outcome: { state: 'completed', result, milliseconds: 1 },
  console: [],
});

/** Jobs whose runs are functions of the test instead of processes; their log records hold the run's name. */
export function jobsOn(
  { db, driver }: OpenedDatabase,
  execute: (run: RunRequest & { runId: string }, signal: AbortSignal) => Promise<unknown>,
  more: Partial<JobsOptions> = {},
): StartedJobs {
  const jobs = new RunJobs({
    db,
    driver,
    execute: async (run, signal) => completed(await execute(run, signal)),
    runner: { warm: async () => {}, close: async () => {} },
    writeRunLog: async (tx, run, outcome) => {
      await tx.insert(logs).values({
        appId: run.appId,
        organizationId: ORGANIZATION.id,
        type: TYPE,
        data: { name: run.actionName, runId: run.runId, state: outcome.state },
      });
    },
    concurrency: 4,
    log: (error) => void errors.push(error),
    ...more,
  });
  const errors: unknown[] = [];
  onTestFinished(async () => {
    await jobs.close();
    expect(errors).toEqual([]);
  });
  return jobs;
}

export async function ended({ db }: OpenedDatabase): Promise<{ name: string; state: string }[]> {
  const rows = await db.select().from(logs).where(eq(logs.type, TYPE)).orderBy(asc(logs.id));
  return rows.map(({ data }) => data as { name: string; state: string });
}
