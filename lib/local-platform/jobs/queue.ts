/** Owns the queue of runs: pg-boss on PGlite and on Postgres, in one form. */
import type { IDatabase as BossDatabase } from 'pg-boss/dist/types.js';
import type { PgBoss } from 'pg-boss';
import type { Database } from '../db/database.ts';
import type { Driver } from '../db/driver.ts';
import { sql } from '../db/drizzle.ts';
import { createStatements } from './statements.ts';
import type { Db, RunOutcome, RunRequest } from './types.ts';

/** A queued run, and which process waits for its outcome. */
export interface QueuedRun {
  runId: string;
  request: RunRequest;
  waiter: string | null;
}
export interface Orphan extends QueuedRun {
  /** Milliseconds since it was begun. */
  since: number;
}

export interface Queue {
  /** Durable when it answers; within `tx`, when that commits. */
  send(runs: QueuedRun[], tx?: Db): Promise<void>;
  /** Takes up to `limit` runs, which are then this process's alone. */
  claim(limit: number): Promise<QueuedRun[]>;
  /** Ends a run in `tx`; false when it has ended already. */
  end(run: QueuedRun, outcome: RunOutcome, tx: Db): Promise<boolean>;
  /** Told once the transaction that ended it is through; tells whoever waits in another process. */
  release(run: QueuedRun): void;
  /** How a run ended that another process ended; undefined while it has not. */
  outcome(runId: string): Promise<RunOutcome | undefined>;
  /** Runs that a process had begun which is gone; claimed by the answer. */
  orphans(mine: { has(runId: string): boolean }): Promise<Orphan[]>;
  /** How many wait or run. */
  count(): Promise<number>;
  close(): Promise<void>;
}

export interface QueueOptions {
  db: Database;
  driver: Driver;
  /** Something may be there to claim. */
  onQueued: () => void;
  /** A run that another process waits for has ended. */
  onEnded: (runId: string) => void;
  log: (error: unknown) => void;
}

const SCHEMA = 'queue';
const RUNS = 'runs';
const ENDED = 'platform_run_ended';
const DAY = 86_400;
/** pg-boss neither fails nor repeats nor drops a run by itself: whatever ends one also writes its log record. */
const POLICY = {
  retryLimit: 0,
  expireInSeconds: DAY - 1,
  retentionSeconds: 3_650 * DAY,
  deleteAfterSeconds: 3_600,
  notify: true,
};

/** What a job holds: texts, since the database's JSON keeps neither the order of keys nor every character. */
interface Data {
  request: string;
  waiter: string | null;
}

/** Makes the queue's tables; for the image that new databases start from. */
export async function installQueue(driver: Driver): Promise<void> {
  const boss = await startBoss(
    driver,
    () => {},
    () => {},
  );
  await boss.stop({ graceful: false, close: false });
}

export async function openQueue({ db, driver, onQueued, onEnded, log }: QueueOptions): Promise<Queue> {
  const boss = await startBoss(driver, onQueued, log);
  const unlisten = await driver.listen(ENDED, onEnded, () => {});
  const statements = createStatements(driver);
  const within = (tx: Db | undefined) => ({ db: tx ? statements.within(tx) : statements.alone });
  const claiming: BossDatabase = driver.kind === 'postgres' ? { executeSql: driver.locking } : statements.alone;

  return {
    async send(runs, tx) {
      const jobs = runs.map(({ runId, request, waiter }) => ({
        id: runId,
        data: { request: JSON.stringify(request), waiter } satisfies Data,
      }));
      if (jobs.length === 1) await boss.send(RUNS, jobs[0]!.data, { id: jobs[0]!.id, ...within(tx) });
      else if (jobs.length > 1) await boss.insert(RUNS, jobs, within(tx));
    },
    async claim(limit) {
      // A run that others see as begun is locked already: what they find begun without a lock belongs to nobody.
      const jobs: { id: string; data: Data; locked?: boolean }[] = await boss.fetch<Data>(RUNS, {
        batchSize: limit,
        db: claiming,
      });
      return jobs.filter(({ locked }) => locked !== false).map(queued);
    },
    async end({ runId, waiter }, outcome, tx) {
      const { affected } = (await boss.complete(
        RUNS,
        runId,
        waiter === null ? null : { outcome: JSON.stringify(outcome) },
        within(tx),
      )) as { affected: number };
      return affected > 0;
    },
    release({ runId, waiter }) {
      driver.unlock(runId, waiter === null ? null : ENDED);
    },
    async outcome(runId) {
      const { rows } = await db.execute<{ output: { outcome: string } | null }>(
        sql`select output from queue.job where name = ${RUNS} and id = ${runId}::uuid and state = 'completed'`,
      );
      const text = rows[0]?.output?.outcome;
      return text === undefined ? undefined : (JSON.parse(text) as RunOutcome);
    },
    async orphans(mine) {
      const { rows } = await db.execute<{ id: string; data: Data; since: number }>(sql`
        select id, data, (extract(epoch from now() - started_on) * 1000)::float8 as since from queue.job where name = ${RUNS} and state = 'active'`);
      const found = rows.filter(({ id }) => !mine.has(id));
      const free = new Set(found.length > 0 ? await driver.lock(found.map(({ id }) => id)) : []);
      // One that this process claimed meanwhile was its own to lock once more.
      for (const id of free) if (mine.has(id)) driver.unlock(id, null);
      return found
        .filter(({ id }) => free.has(id) && !mine.has(id))
        .map((row) => ({ ...queued(row), since: row.since }));
    },
    async count() {
      const { rows } = await db.execute<{ count: string }>(
        sql`select count(*) as count from queue.job where name = ${RUNS} and state in ('created', 'retry', 'active')`,
      );
      return Number(rows[0]!.count);
    },
    async close() {
      await unlisten();
      await boss.stop({ graceful: false, close: false });
    },
  };
}

const queued = ({ id, data }: { id: string; data: Data }): QueuedRun => ({
  runId: id,
  request: JSON.parse(data.request) as RunRequest,
  waiter: data.waiter,
});

async function startBoss(driver: Driver, onQueued: () => void, log: (error: unknown) => void): Promise<PgBoss> {
  const { PgBoss, fromPglite } = await import('pg-boss');
  const own: BossDatabase =
    driver.kind === 'pglite'
      ? fromPglite(driver.pglite)
      : { executeSql: (text, values) => driver.pool.query(text, values) };
  // pg-boss says when a run was queued; its own workers are not used, since a run is claimed only when a process is free for it.
  const listen: BossDatabase['listen'] = async (channel, onNotification, onReconnect) => {
    const stop = await driver.listen(
      channel,
      (payload) => {
        onNotification(payload);
        onQueued();
      },
      onQueued,
    );
    onReconnect();
    return { close: stop };
  };
  const boss = new PgBoss({
    db: { ...own, listen },
    backend: driver.kind,
    schema: SCHEMA,
    useListenNotify: true,
    schedule: false,
    monitorVacuum: false,
    reindex: false,
  });
  boss.on('error', log);
  await boss.start();
  await boss.createQueue(RUNS, POLICY);
  // pg-boss reads about the queue at the first use: within a transaction of PGlite, whose only connection is taken, it would wait for ever.
  await boss.findJobs(RUNS, { id: '00000000-0000-0000-0000-000000000000' });
  return boss;
}
