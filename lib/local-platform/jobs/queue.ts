/** Owns the queue of runs: pg-boss on PGlite and on Postgres, in one form. */
import type { IDatabase as BossDatabase } from 'pg-boss/dist/types.js';
import type { PgBoss } from 'pg-boss';
import type { Database } from '../db/database.ts';
import type { Driver } from '../db/driver.ts';
import { sql } from '../db/drizzle.ts';
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
  /** Told once the transaction that ended it is through. */
  release(runId: string): void;
  /** How a run ended that another process ended; undefined while it has not. */
  outcome(runId: string): Promise<RunOutcome | undefined>;
  /** Runs that a process had begun which is gone; claimed by the answer. */
  orphans(mine: ReadonlySet<string>): Promise<Orphan[]>;
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
const POLICY = { retryLimit: 0, expireInSeconds: DAY - 1, retentionSeconds: 3_650 * DAY, deleteAfterSeconds: 3_600, notify: true };
/** Between taking a run and locking it a living process needs less than this, in seconds. */
const CLAIMED_WITHIN = 3;

/** What a job holds: texts, since the database's JSON keeps neither the order of keys nor every character. */
interface Data {
  request: string;
  waiter: string | null;
}

/** Makes the queue's tables; for the image that new databases start from. */
export async function installQueue(driver: Driver): Promise<void> {
  const boss = await startBoss(driver, () => {}, () => {});
  await boss.stop({ graceful: false, close: false });
}

export async function openQueue({ db, driver, onQueued, onEnded, log }: QueueOptions): Promise<Queue> {
  const { fromDrizzle } = await import('pg-boss');
  const boss = await startBoss(driver, onQueued, log);
  const unlisten = await driver.listen(ENDED, onEnded, () => {});
  const within = (tx: Db | undefined) => (tx ? { db: fromDrizzle(tx, sql) } : {});
  const { shared } = driver;

  return {
    async send(runs, tx) {
      const jobs = runs.map(({ runId, request, waiter }) => ({ id: runId, data: { request: JSON.stringify(request), waiter } satisfies Data }));
      if (jobs.length === 1) await boss.send(RUNS, jobs[0]!.data, { id: jobs[0]!.id, ...within(tx) });
      else if (jobs.length > 1) await boss.insert(RUNS, jobs, within(tx));
    },
    async claim(limit) {
      const jobs = await boss.fetch<Data>(RUNS, { batchSize: limit });
      if (!shared || jobs.length === 0) return jobs.map(queued);
      const locked = new Set(await driver.lock(jobs.map(({ id }) => id)));
      // Whoever took this process for gone meanwhile has ended the run.
      const { rows } = await db.execute<{ id: string }>(sql`select id from queue.job where name = ${RUNS} and state = 'active' and id = any(${ids(locked)}::uuid[])`);
      const still = new Set(rows.map(({ id }) => id));
      for (const id of locked) if (!still.has(id)) driver.unlock(id);
      return jobs.filter(({ id }) => still.has(id)).map(queued);
    },
    async end({ runId, waiter }, outcome, tx) {
      const { affected } = (await boss.complete(RUNS, runId, waiter === null ? null : { outcome: JSON.stringify(outcome) }, within(tx))) as { affected: number };
      if (affected === 0) return false;
      if (shared && waiter !== null) await tx.execute(sql`select pg_notify(${ENDED}, ${runId})`);
      return true;
    },
    release(runId) {
      if (shared) driver.unlock(runId);
    },
    async outcome(runId) {
      const { rows } = await db.execute<{ output: { outcome: string } | null }>(sql`select output from queue.job where name = ${RUNS} and id = ${runId}::uuid and state = 'completed'`);
      const text = rows[0]?.output?.outcome;
      return text === undefined ? undefined : (JSON.parse(text) as RunOutcome);
    },
    async orphans(mine) {
      const { rows } = await db.execute<{ id: string; data: Data; since: number }>(sql`
        select id, data, (extract(epoch from now() - started_on) * 1000)::float8 as since from queue.job
        where name = ${RUNS} and state = 'active' and started_on <= now() - make_interval(secs => ${shared ? CLAIMED_WITHIN : 0})`);
      const found = rows.filter(({ id }) => !mine.has(id));
      const free = shared && found.length > 0 ? new Set(await driver.lock(found.map(({ id }) => id))) : null;
      return found.filter(({ id }) => free?.has(id) ?? true).map((row) => ({ ...queued(row), since: row.since }));
    },
    async count() {
      const { rows } = await db.execute<{ count: string }>(sql`select count(*) as count from queue.job where name = ${RUNS} and state in ('created', 'retry', 'active')`);
      return Number(rows[0]!.count);
    },
    async close() {
      await unlisten();
      await boss.stop({ graceful: false, close: false });
    },
  };
}

const queued = ({ id, data }: { id: string; data: Data }): QueuedRun => ({ runId: id, request: JSON.parse(data.request) as RunRequest, waiter: data.waiter });

/** Identifiers of runs are UUIDs: nothing in them needs quoting. */
const ids = (all: Iterable<string>): string => `{${[...all].join(',')}}`;

async function startBoss(driver: Driver, onQueued: () => void, log: (error: unknown) => void): Promise<PgBoss> {
  const { PgBoss, fromPglite } = await import('pg-boss');
  const own: BossDatabase = driver.kind === 'pglite' ? fromPglite(driver.pglite) : { executeSql: (text, values) => driver.pool.query(text, values) };
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
  const boss = new PgBoss({ db: { ...own, listen }, backend: driver.kind, schema: SCHEMA, useListenNotify: true, schedule: false, monitorVacuum: false, reindex: false });
  boss.on('error', log);
  await boss.start();
  await boss.createQueue(RUNS, POLICY);
  // pg-boss reads about the queue at the first use: within a transaction of PGlite, whose only connection is taken, it would wait for ever.
  await boss.findJobs(RUNS, { id: '00000000-0000-0000-0000-000000000000' });
  return boss;
}
