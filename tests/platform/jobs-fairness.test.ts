/** Apps share the slots of the queue: one app’s backlog doesn’t delay another app’s runs. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { sql } from '../../lib/local-platform/db/drizzle.ts';
import type { OpenedDatabase } from '../../lib/local-platform/db/open.ts';
import type { StartedJobs } from '../../lib/local-platform/jobs/index.ts';
import type { RunRequest } from '../../lib/local-platform/jobs/types.ts';
import { runRequest } from '../support/run-request.ts';
import { onDatabase } from './support/databases.ts';
import { jobsOn } from './support/jobs-on.ts';
import { pooledDatabase } from './support/pooled-database.ts';

const [BUSY, QUIET] = [103, 101];
const BACKLOG = 200;

const request = (appId: number, actionName = `of-${appId}`): RunRequest => runRequest({ appId, actionName });
const backlogOf = (appId: number): RunRequest[] => Array.from({ length: BACKLOG }, () => request(appId));

const jobsOf = (database: OpenedDatabase, execute: (run: RunRequest) => unknown, concurrency = 2): StartedJobs =>
  jobsOn(database, async (run) => void (await execute(run)), { concurrency, writeRunLog: async () => {} });

const settled = { timeout: 30_000, interval: 10 };

onDatabase(({ open: openNew, kind }) => {
  let shared: OpenedDatabase;
  beforeAll(async () => {
    if (kind === 'PGlite') shared = await pooledDatabase();
  });
  afterAll(() => shared?.close());
  /** An embedded database is shared: creating one takes longer than most tests. */
  async function open(): Promise<OpenedDatabase> {
    if (kind === 'Postgres') return openNew();
    await shared.db.execute(sql`delete from queue.job`);
    return shared;
  }

  it('starts the runs of a second app in turn with the backlog of the first', async () => {
    const order: number[] = [];
    const gate = Promise.withResolvers<void>();
    const jobs = jobsOf(await open(), async ({ appId }) => {
      order.push(appId);
      await gate.promise;
    });
    await jobs.start();
    await jobs.enqueueAll(backlogOf(BUSY));
    await vi.waitFor(() => expect(order).toHaveLength(2), settled);
    for (let n = 0; n < 10; n += 1) await jobs.enqueue(request(QUIET));
    gate.resolve();
    await vi.waitFor(() => expect(order).toHaveLength(BACKLOG + 10), settled);
    // Two runs were there before. Then, in turn.
    expect(order.lastIndexOf(QUIET)).toBeLessThan(2 + 2 * 10 + 2);
  });

  it('keeps a slot for a second app although the runs of the first take long', async () => {
    const order: number[] = [];
    const ends: (() => void)[] = [];
    const jobs = jobsOf(await open(), ({ appId }) => {
      order.push(appId);
      return appId === BUSY ? new Promise<void>((resolve) => ends.push(resolve)) : undefined;
    });
    await jobs.start();
    await jobs.enqueueAll(backlogOf(BUSY));
    await vi.waitFor(() => expect(ends).toHaveLength(2), settled);
    await jobs.enqueueAll(Array.from({ length: 10 }, () => request(QUIET)));
    ends.shift()!();
    await vi.waitFor(() => expect(order.filter((app) => app === QUIET)).toHaveLength(10), settled);
    expect(order.slice(0, 12)).toEqual([BUSY, BUSY, ...Array<number>(10).fill(QUIET)]);
    void jobs.close();
    await vi.waitFor(() => expect(ends.length).toBeGreaterThan(0), settled);
    for (const end of ends) end();
  });

  it('starts each app’s runs in the order in which they were queued', async () => {
    const order: string[] = [];
    const database = await open();
    const before = jobsOf(database, () => {}, 0);
    const names = Array.from({ length: 15 }, (_, n) => [`a${n}`, `b${n}`]).flat();
    for (const name of names) await before.enqueue(request(name.startsWith('a') ? BUSY : QUIET, name));
    const jobs = jobsOf(database, ({ actionName }) => void order.push(actionName), 1);
    await jobs.start();
    await vi.waitFor(() => expect(order).toHaveLength(names.length), settled);
    for (const app of ['a', 'b'])
      expect(order.filter((name) => name.startsWith(app))).toEqual(names.filter((name) => name.startsWith(app)));
  });

  it('is fair after a restart, too', async () => {
    const order: number[] = [];
    const database = await open();
    const before = jobsOf(database, () => {}, 0);
    await before.enqueueAll(backlogOf(BUSY));
    for (let n = 0; n < 10; n += 1) await before.enqueue(request(QUIET));
    await before.close();
    const jobs = jobsOf(database, ({ appId }) => void order.push(appId));
    await jobs.start();
    await vi.waitFor(() => expect(order).toHaveLength(BACKLOG + 10), settled);
    expect(order.lastIndexOf(QUIET)).toBeLessThan(2 + 2 * 10 + 2);
  });

  it('runs what an older version queued, which has no app in its priority', async () => {
    const database = await open();
    const order: string[] = [];
    const before = jobsOf(database, () => {}, 0);
    for (let n = 0; n < 5; n += 1) await before.enqueue(request(QUIET, 'old'));
    await database.db.execute(sql`update queue.job set priority = 0`);
    await before.enqueueAll(backlogOf(BUSY));
    await before.close();
    const jobs = jobsOf(database, ({ actionName }) => void order.push(actionName));
    await jobs.start();
    await vi.waitFor(() => expect(order).toHaveLength(BACKLOG + 5), settled);
    expect(order.lastIndexOf('old')).toBeLessThan(2 + 2 * 5 + 2);
  });

  it('leaves no slot empty when many apps have a single run each', async () => {
    const database = await open();
    const seen = new Set<string>();
    const before = jobsOf(database, () => {}, 0);
    const names = Array.from({ length: 90 }, () => randomUUID());
    await before.enqueueAll(names.map((name, app) => request(1_000 + app, name)));
    await before.close();
    const jobs = jobsOf(database, ({ actionName }) => void seen.add(actionName), 4);
    await jobs.start();
    await vi.waitFor(() => expect(seen.size).toBe(names.length), settled);
    expect(await jobs.count()).toBeLessThanOrEqual(4);
  });

  it('completes the runs that it claims while it is closed, and starts no others', async () => {
    const database = await open();
    const started: string[] = [];
    const before = jobsOf(database, () => {}, 0);
    const names = Array.from({ length: 60 }, (_, n) => `run-${n}`);
    await before.enqueueAll(names.map((name, n) => request(n % 2 ? BUSY : QUIET, name)));
    await before.close();
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const jobs = jobsOf(database, ({ actionName }) => void started.push(actionName), 4);
      await jobs.start();
      await jobs.close();
      const { rows } = await database.db.execute<{ state: string }>(
        sql`select distinct state from queue.job where state = 'active'`,
      );
      expect(rows).toEqual([]);
    }
    expect(new Set(started).size).toBe(started.length);
  });

  if (kind === 'Postgres')
    it('is fair with two processes, and runs each run once', async () => {
      const database = await open();
      const order: number[] = [];
      const names: string[] = [];
      const before = jobsOf(database, () => {}, 0);
      await before.enqueueAll(backlogOf(BUSY).map((run, n) => ({ ...run, actionName: `busy-${n}` })));
      for (let n = 0; n < 10; n += 1) await before.enqueue(request(QUIET, `quiet-${n}`));
      const execute = ({ appId, actionName }: RunRequest): void => {
        order.push(appId);
        names.push(actionName);
      };
      await Promise.all([jobsOf(database, execute).start(), jobsOf(database, execute).start()]);
      await vi.waitFor(() => expect(order).toHaveLength(BACKLOG + 10), settled);
      expect(new Set(names).size).toBe(BACKLOG + 10);
      expect(order.lastIndexOf(QUIET)).toBeLessThan(2 * (2 + 2 * 10 + 2));
    });
});
