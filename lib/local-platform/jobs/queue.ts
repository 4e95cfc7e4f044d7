/** The queue of runs: pg-boss on PGlite and on Postgres, behind a common interface. */
import type { Db as BossDatabase, fromDrizzle, JobWithMetadata, PgBoss } from 'pg-boss';
import type { QueryConfig } from 'pg';
import type { Database } from '../db/database.ts';
import { statementName, type Driver } from '../db/driver.ts';
import { sql } from '../db/drizzle.ts';
import type { Db, RunOutcome, RunRequest } from './types.ts';

/** A queued run, and the ID of the process that awaits its outcome, if any. */
export interface QueuedRun {
  runId: string;
  request: RunRequest;
  waiter: string | null;
}
export interface Orphan extends QueuedRun {
  /** Milliseconds since the run was started. */
  since: number;
}

export interface Queue {
  /** The runs are durable once this resolves, or, with `tx`, once that transaction commits. */
  send(runs: QueuedRun[], tx?: Db): Promise<void>;
  /** Claims up to `limit` runs for this process. */
  claim(limit: number): Promise<QueuedRun[]>;
  /** Ends a run in `tx`. Resolves with false if the run has already ended. */
  end(run: QueuedRun, outcome: RunOutcome, tx: Db): Promise<boolean>;
  /** Notifies the process that awaits the run. Call this once the transaction that ended the run has committed. */
  release(run: QueuedRun): void;
  /** The outcome of a run that another process ended. Undefined until then. */
  outcome(runId: string): Promise<RunOutcome | undefined>;
  /** Claims the runs that a crashed process had started. `active` contains this process’s runs. */
  orphans(active: { has(runId: string): boolean }): Promise<Orphan[]>;
  /** A run with an awaited outcome. Undefined for other runs, and once an hour has passed since the run ended. */
  awaitedRun(runId: string): Promise<RunRequest | undefined>;
  /** How many runs are queued or running. */
  count(): Promise<number>;
  close(): Promise<void>;
}

export interface QueueOptions {
  db: Database;
  driver: Driver;
  /** Called when runs might have been queued. */
  onQueued: () => void;
  /** Called when an awaited run has ended. */
  onEnded: (runId: string) => void;
  log: (error: unknown) => void;
}

const SCHEMA = 'queue';
const RUNS = 'runs';
const ENDED = 'platform_run_ended';
const DAY = 86_400;
/** Keeps pg-boss from failing, retrying, or dropping runs, since every end of a run must also write a log record. */
const POLICY = {
  retryLimit: 0,
  expireInSeconds: DAY - 1,
  retentionSeconds: 3_650 * DAY,
  deleteAfterSeconds: 3_600,
  notify: true,
};

/** A job’s data. Strings, since `jsonb` preserves neither key order nor every character. */
interface Data {
  request: string;
  waiter: string | null;
}

/** Creates the queue’s tables, for the snapshot that new databases start from. */
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
  // Loaded late, once the server is listening.
  const { fromDrizzle } = await import('pg-boss');
  return new BossQueue(db, driver, boss, fromDrizzle, unlisten);
}

class BossQueue implements Queue {
  readonly #db: Database;
  readonly #driver: Driver;
  readonly #boss: PgBoss;
  readonly #fromDrizzle: typeof fromDrizzle;
  readonly #unlisten: () => Promise<void>;

  constructor(db: Database, driver: Driver, boss: PgBoss, adapter: typeof fromDrizzle, unlisten: () => Promise<void>) {
    this.#fromDrizzle = adapter;
    this.#db = db;
    this.#driver = driver;
    this.#boss = boss;
    this.#unlisten = unlisten;
  }

  async send(runs: QueuedRun[], tx?: Db): Promise<void> {
    const jobs = runs.map(({ runId, request, waiter }) => ({
      id: runId,
      data: { request: JSON.stringify(request), waiter } satisfies Data,
    }));
    if (jobs.length === 1) await this.#boss.send(RUNS, jobs[0]!.data, { id: jobs[0]!.id, ...this.#within(tx) });
    else if (jobs.length > 1) await this.#boss.insert(RUNS, jobs, this.#within(tx));
  }

  async claim(limit: number): Promise<QueuedRun[]> {
    // A started run is locked before other processes see it, so if a started run has no lock, its process has died.
    const jobs: { id: string; data: Data; locked?: boolean }[] = await this.#boss.fetch<Data>(RUNS, {
      batchSize: limit,
      ...(this.#driver.kind === 'postgres' && { db: { executeSql: this.#driver.locking } }),
    });
    return jobs.filter(({ locked }) => locked !== false).map(queued);
  }

  async end({ runId, waiter }: QueuedRun, outcome: RunOutcome, tx: Db): Promise<boolean> {
    const output = waiter === null ? null : { outcome: JSON.stringify(outcome) };
    const { affected } = (await this.#boss.complete(RUNS, runId, output, this.#within(tx))) as { affected: number };
    return affected > 0;
  }

  release({ runId, waiter }: QueuedRun): void {
    this.#driver.unlock(runId, waiter === null ? null : ENDED);
  }

  async outcome(runId: string): Promise<RunOutcome | undefined> {
    const job = await this.#find(runId);
    if (job?.state !== 'completed') return undefined;
    const { outcome } = (job.output ?? {}) as { outcome?: string };
    return outcome === undefined ? undefined : (JSON.parse(outcome) as RunOutcome);
  }

  async awaitedRun(runId: string): Promise<RunRequest | undefined> {
    const data = (await this.#find(runId))?.data;
    return data?.waiter == null ? undefined : (JSON.parse(data.request) as RunRequest);
  }

  async orphans(active: { has(runId: string): boolean }): Promise<Orphan[]> {
    const { rows } = await this.#db.execute<{ id: string; data: Data; since: number }>(sql`
      select id, data, (extract(epoch from now() - started_on) * 1000)::float8 as since
      from queue.job where name = ${RUNS} and state = 'active'`);
    const found = rows.filter(({ id }) => !active.has(id));
    const free = new Set(found.length > 0 ? await this.#driver.lock(found.map(({ id }) => id)) : []);
    // Unlock runs that this process claimed in the meantime, since they are now locked twice.
    for (const id of free) if (active.has(id)) this.#driver.unlock(id, null);
    return found
      .filter(({ id }) => free.has(id) && !active.has(id))
      .map((row) => ({ ...queued(row), since: row.since }));
  }

  async count(): Promise<number> {
    const { rows } = await this.#db.execute<{ count: string }>(
      sql`select count(*) as count from queue.job where name = ${RUNS} and state in ('created', 'retry', 'active')`,
    );
    return Number(rows[0]!.count);
  }

  async close(): Promise<void> {
    await this.#unlisten();
    await this.#boss.stop({ graceful: false, close: false });
  }

  async #find(runId: string): Promise<JobWithMetadata<Data> | undefined> {
    const [job] = await this.#boss.findJobs<Data>(RUNS, { id: runId });
    return job;
  }

  /** On Postgres, prepares the transaction’s statements, which pg-boss’s Drizzle adapter doesn’t do. */
  #within(tx: Db | undefined): { db?: BossDatabase } {
    if (!tx) return {};
    if (this.#driver.kind === 'pglite') return { db: this.#fromDrizzle(tx, sql) };
    return {
      db: {
        async executeSql(text, params = []) {
          const query = tx._.session.prepareQuery({ sql: text, params }, undefined, statementName(text), false);
          return (await query.execute()) as { rows: unknown[] };
        },
      },
    };
  }
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
      : { executeSql: (text, values) => driver.pool.query(queryOf(text, values)) };
  // Doesn’t use pg-boss’s workers: a run is claimed only when a slot is free.
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
  // Makes pg-boss load the queue’s settings, which it does on first use. If that happened in a transaction on PGlite’s
  // only connection, it would deadlock.
  await boss.findJobs(RUNS, { id: '00000000-0000-0000-0000-000000000000' });
  return boss;
}

/** Statements with values are prepared once per connection. Text that contains several statements can’t be prepared. */
const queryOf = (text: string, values: unknown[] = []): QueryConfig =>
  values.length === 0 ? { text } : { name: statementName(text), text, values };
