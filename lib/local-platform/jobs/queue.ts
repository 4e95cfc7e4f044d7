/** The queue of runs: pg-boss on PGlite and on Postgres, behind a common interface. Apps share its slots fairly. */
import type { Db as BossDatabase, fromDrizzle, JobWithMetadata, PgBoss } from 'pg-boss';
import type { Database } from '../db/database.ts';
import { statementName, type Driver } from '../db/driver.ts';
import { sql } from '../db/drizzle.ts';
import { bossDatabase, RUNS, startBoss } from './boss.ts';
import { fairShares } from './fair-shares.ts';
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
  /**
   * Claims up to `limit` runs for this process. If more are waiting, those of the apps with the fewest running runs.
   * @param running how many runs of each app this process is running
   */
  claim(limit: number, running: ReadonlyMap<number, number>): Promise<QueuedRun[]>;
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
  /** How many runs of the app are waiting. Doesn’t count beyond `limit`. */
  waiting(appId: number, limit: number, tx?: Db): Promise<number>;
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

const ENDED = 'platform_run_ended';

/**
 * A run’s priority is the ID of its app, so that pg-boss’s index of waiting jobs holds each app’s runs together, in the
 * order in which they were queued. Runs that older versions queued have the priority 0.
 */
const WAITING = `queue.job where name = '${RUNS}' and state < 'active' and not blocked`;
/** The next apps that have waiting runs, after the app $1, in a circle. Takes one look at the index for each. */
const NEXT_APPS = `
  with recursive turn(app, number) as (
    select $1::int, 0
    union all
    select coalesce(
      (select priority from ${WAITING} and priority < turn.app order by priority desc limit 1),
      (select priority from ${WAITING} order by priority desc limit 1)), number + 1
    from turn where number < $2 and app is not null)
  select app from turn where number > 0 and app is not null group by app order by min(number)`;

/** In milliseconds. Usually, a notification comes before. */
const APPS_LIFETIME = 500;

/** A job’s data. Strings, since `jsonb` preserves neither key order nor every character. */
interface Data {
  request: string;
  waiter: string | null;
}

export async function openQueue({ db, driver, onQueued, onEnded, log }: QueueOptions): Promise<Queue> {
  const own = await bossDatabase(driver);
  let queue: BossQueue | undefined;
  const boss = await startBoss(driver, own, () => (queue?.forgetApps(), onQueued()), log);
  const unlisten = await driver.listen(ENDED, onEnded, () => {});
  // Loaded late, once the server is listening.
  const { fromDrizzle } = await import('pg-boss');
  return (queue = new BossQueue({ db, driver, own, boss, fromDrizzle, unlisten }));
}

interface BossParts {
  db: Database;
  driver: Driver;
  own: BossDatabase;
  boss: PgBoss;
  fromDrizzle: typeof fromDrizzle;
  unlisten: () => Promise<void>;
}

class BossQueue implements Queue {
  readonly #db: Database;
  readonly #driver: Driver;
  readonly #own: BossDatabase;
  readonly #boss: PgBoss;
  readonly #fromDrizzle: typeof fromDrizzle;
  readonly #unlisten: () => Promise<void>;
  /** Whether the last claim might have left runs waiting. Then the next one chooses between apps. */
  #hasBacklog = false;
  /** The app that got the last slot while there was a backlog. */
  #lastApp = 0;
  /** All apps with waiting runs, those that got a slot last at the end. Empty if they have to be searched for. */
  #apps: number[] = [];
  #appsUntil = 0;

  constructor({ db, driver, own, boss, fromDrizzle: adapter, unlisten }: BossParts) {
    this.#fromDrizzle = adapter;
    this.#db = db;
    this.#driver = driver;
    this.#own = own;
    this.#boss = boss;
    this.#unlisten = unlisten;
  }

  async send(runs: QueuedRun[], tx?: Db): Promise<void> {
    const jobs = runs.map(({ runId, request, waiter }) => ({
      id: runId,
      data: { request: JSON.stringify(request), waiter } satisfies Data,
      priority: request.appId,
    }));
    const [first] = jobs;
    if (!first) return;
    const { data, ...options } = first;
    if (jobs.length === 1) await this.#boss.send(RUNS, data, { ...options, ...this.#within(tx) });
    else await this.#boss.insert(RUNS, jobs, this.#within(tx));
  }

  async claim(limit: number, running: ReadonlyMap<number, number>): Promise<QueuedRun[]> {
    const runs: QueuedRun[] = [];
    try {
      if (this.#hasBacklog)
        for (const [app, slots] of await this.#shares(limit, running)) {
          const found = await this.#fetch(slots, app);
          runs.push(...found);
          if (found.length < slots) this.#apps = this.#apps.filter((each) => each !== app);
        }
      // Also finds what the search above missed, since other processes claim at the same time.
      if (runs.length < limit) runs.push(...(await this.#fetch(limit - runs.length)));
      this.#hasBacklog = runs.length >= limit;
    } catch (error) {
      // What was claimed before must run. The next claim meets the same fault, if it persists.
      if (runs.length === 0) throw error;
    }
    return runs;
  }

  /** Call it when runs of other apps might have been queued. */
  forgetApps(): void {
    this.#apps = [];
  }

  /** How many of the slots each app gets. */
  async #shares(slots: number, running: ReadonlyMap<number, number>): Promise<Map<number, number>> {
    const isKnown = this.#apps.length > 0 && performance.now() < this.#appsUntil;
    const apps = isKnown ? this.#apps : await this.#waitingApps(slots + running.size);
    const shares = fairShares(apps, running, slots);
    this.#lastApp = apps.findLast((app) => shares.has(app)) ?? 0;
    if (this.#apps.length > 0)
      this.#apps = [...apps.filter((app) => !shares.has(app)), ...apps.filter((app) => shares.has(app))];
    return shares;
  }

  /** Looks at no more apps than could get a slot. Remembers them if those were all. */
  async #waitingApps(most: number): Promise<number[]> {
    const { rows } = await this.#own.executeSql(NEXT_APPS, [this.#lastApp, most]);
    const apps = (rows as { app: number }[]).map(({ app }) => app);
    this.#apps = apps.length < most ? apps : [];
    this.#appsUntil = performance.now() + APPS_LIFETIME;
    return apps;
  }

  async #fetch(limit: number, app?: number): Promise<QueuedRun[]> {
    // A started run is locked before other processes see it, so if a started run has no lock, its process has died.
    const jobs: { id: string; data: Data; locked?: boolean }[] = await this.#boss.fetch<Data>(RUNS, {
      batchSize: limit,
      ...(app !== undefined && { minPriority: app, maxPriority: app }),
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

  async waiting(appId: number, limit: number, tx: Db = this.#db): Promise<number> {
    const { rows } = await tx.execute<{ count: string }>(
      sql`select count(*) as count from (select from ${sql.raw(WAITING)} and priority = ${appId} limit ${limit}) as found`,
    );
    return Number(rows[0]!.count);
  }

  async close(): Promise<void> {
    // Without the database, too, what happens periodically must stop.
    await this.#unlisten().finally(() => this.#boss.stop({ graceful: false, close: false }));
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
