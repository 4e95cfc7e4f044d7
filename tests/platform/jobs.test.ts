/**
 * Runs on a queue that survives: each is run once, and ends in one log record, on PGlite and on Postgres (issue, "Runs
 * on the server").
 */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OpenedDatabase } from '../../lib/local-platform/db/open.ts';
import type { StartedJobs } from '../../lib/local-platform/jobs/index.ts';
import type { RunRequest } from '../../lib/local-platform/jobs/types.ts';
import { logs } from '../../lib/local-platform/db/schema.ts';
import { eq, sql } from '../../lib/local-platform/db/drizzle.ts';
import { ORGANIZATION } from '../../lib/local-platform/db/seed/apps.ts';
import { onBothDatabases } from './support/databases.ts';
import { ended, jobsOn, request, TYPE } from './support/jobs-on.ts';
import { pooledDatabase } from './support/pooled-database.ts';

onBothDatabases(({ kind, url, open: openNew }) => {
  let embedded: OpenedDatabase | undefined;
  beforeAll(async () => {
    if (kind === 'PGlite') embedded = await pooledDatabase();
  });
  afterAll(() => embedded?.close());

  /** Removes queued runs and records of other tests. Creating an embedded database takes a second, so it is shared. */
  async function open(address?: string): Promise<OpenedDatabase> {
    if (!embedded) return openNew(address);
    await embedded.db.execute(sql`delete from queue.job`);
    await embedded.db.delete(logs).where(eq(logs.type, TYPE));
    return embedded;
  }

  it('runs a queued job, and writes one log record', async () => {
    const database = await open();
    const ran: string[] = [];
    const jobs = jobsOn(database, async ({ actionName }) => void ran.push(actionName));
    for (const name of ['a', 'b', 'c']) await jobs.enqueue(request(name));
    await vi.waitFor(async () => expect(await ended(database)).toHaveLength(3), { timeout: 20_000 });
    expect(ran.sort()).toEqual(['a', 'b', 'c']);
    expect(await jobs.count()).toBe(0);
  });

  it('runs an action as it was when it was fired: keys in order, with any characters', async () => {
    const database = await open();
    const pipeline = [
      { functionPackage: 'x', settings: { assign: { zebra: '1', apple: '2', 10: '3', text: '\0 ä \ud800' } } },
    ];
    let found: RunRequest | undefined;
    const jobs = jobsOn(database, async (run) => void (found = run));
    await jobs.runAndWait(request('order', { pipeline, payload: { nul: '\0' } }));
    expect(JSON.stringify(found!.pipeline)).toBe(JSON.stringify(pipeline));
    expect(found!.payload).toEqual({ nul: '\0' });
  });

  it('reports what another process has recorded, which took the run for one of a crashed process', async () => {
    const database = await open();
    const started = Promise.withResolvers<void>();
    const resumed = Promise.withResolvers<string>();
    const suspended = jobsOn(database, () => (started.resolve(), resumed.promise));
    const outcome = suspended.runAndWait(request('taken'));
    await started.promise;
    await jobsOn(database, async () => 'never').start();
    await expect.poll(() => ended(database)).toMatchObject([{ name: 'taken', state: 'failed' }]);
    resumed.resolve('done');
    expect(await outcome).toMatchObject({ state: 'failed', failure: { errorType: 'Interrupted' } });
    expect(await ended(database)).toHaveLength(1);
  });

  it('records a run as failed when its outcome can’t be stored', async () => {
    const database = await open();
    const states: string[] = [];
    const jobs = jobsOn(database, async () => 'cursed', {
      writeRunLog: async (tx, { appId }, outcome) => {
        states.push(outcome.state);
        if (outcome.state === 'completed') throw new RangeError('Maximum call stack size exceeded');
        const { id: organizationId } = ORGANIZATION;
        await tx.insert(logs).values({ appId, organizationId, type: TYPE, data: { ...outcome.failure } });
      },
    });
    const failure = {
      errorType: 'RESULT_NOT_STORED',
      errorMessage: 'Couldn’t store the outcome of the run: Maximum call stack size exceeded.',
      trace: [],
    };
    expect(await jobs.runAndWait(request('cursed'))).toMatchObject({ state: 'failed', failure });
    expect(await ended(database)).toEqual([failure]);
    expect(states).toEqual(['completed', 'completed', 'completed', 'failed']);
  });

  it('returns the outcome to the caller that waits, for any content', async () => {
    const jobs = jobsOn(await open(), async ({ payload }) => payload.give);
    const waited = (give: unknown) => jobs.runAndWait(request('wait', { payload: { give } }));
    expect(await waited({ a: ['\0', 'ä', null] })).toEqual({
      state: 'completed',
      result: { a: ['\0', 'ä', null] },
      milliseconds: 1,
    });
    expect(await waited(undefined)).toEqual({ state: 'completed', result: undefined, milliseconds: 1 });
  });

  it('lets a waiting caller disconnect, and completes the run', async () => {
    const database = await open();
    const gate = Promise.withResolvers<void>();
    const jobs = jobsOn(database, () => gate.promise);
    const leave = new AbortController();
    const waiting = jobs.runAndWait(request('left'), leave.signal);
    await vi.waitFor(async () => expect(await jobs.count()).toBe(1), { timeout: 20_000 });
    leave.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    gate.resolve();
    await vi.waitFor(async () => expect(await ended(database)).toHaveLength(1), { timeout: 20_000 });
  });

  it('queues within a transaction, if and only if it commits', async () => {
    const database = await open();
    const ran: string[] = [];
    const jobs = jobsOn(database, async ({ actionName }) => void ran.push(actionName));
    await jobs.start();
    await database.db.transaction((tx) => jobs.enqueue(request('kept'), tx));
    const undone = database.db.transaction(async (tx) => {
      await jobs.enqueue(request('undone'), tx);
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    await jobs.runAndWait(request('last'));
    await vi.waitFor(() => expect(ran.sort()).toEqual(['kept', 'last']), { timeout: 20_000 });
  });

  it('runs no more jobs at once than configured', async () => {
    let now = 0;
    let most = 0;
    const three = Promise.withResolvers<void>();
    const jobs = jobsOn(
      await open(),
      async () => {
        most = Math.max(most, (now += 1));
        if (now === 3) three.resolve();
        await three.promise;
        await pause(5);
        now -= 1;
      },
      { concurrency: 3 },
    );
    await Promise.all(Array.from({ length: 20 }, (_, n) => jobs.runAndWait(request(`n${n}`))));
    expect(most).toBe(3);
  });

  it('keeps runs queued while no job may run', async () => {
    const database = await open();
    const server = jobsOn(database, async () => expect.unreachable(), { concurrency: 0 });
    await server.enqueue(request('later'));
    expect(await server.count()).toBe(1);
    expect(await ended(database)).toEqual([]);
  });

  it('starts a queued run within 15 ms', async () => {
    let startedAt = 0;
    const jobs = jobsOn(await open(), async () => void (startedAt = performance.now()));
    await jobs.start();
    const latencies: number[] = [];
    for (let n = 0; n < 40; n += 1) {
      const queuedAt = performance.now();
      await jobs.runAndWait(request('quick'));
      latencies.push(startedAt - queuedAt);
    }
    // Other programs may delay any of them, but not all.
    expect(Math.min(...latencies)).toBeLessThan(15);
  });

  it('completes running jobs when it is closed, and starts no others', async () => {
    const database = await open();
    const gate = Promise.withResolvers<void>();
    const started: string[] = [];
    const jobs = jobsOn(
      database,
      ({ actionName }) => {
        started.push(actionName);
        return gate.promise;
      },
      { concurrency: 1 },
    );
    await jobs.enqueue(request('first'));
    await vi.waitFor(() => expect(started).toEqual(['first']), { timeout: 20_000 });
    await jobs.enqueue(request('second'));
    const closing = jobs.close();
    setTimeout(gate.resolve, 20);
    await closing;
    expect((await ended(database)).map(({ name }) => name)).toEqual(['first']);
    await expect(jobs.enqueue(request('late'))).rejects.toThrow('stopping');
    const next = jobsOn(database, async () => null);
    await next.start();
    await vi.waitFor(async () => expect((await ended(database)).map(({ name }) => name)).toEqual(['first', 'second']), {
      timeout: 20_000,
    });
    expect(started).toEqual(['first']);
  });

  it('queues what a run fires when it ends during the close, for the next start', async () => {
    const database = await open();
    const gate = Promise.withResolvers<void>();
    const jobs: StartedJobs = jobsOn(database, () => gate.promise, {
      writeRunLog: (tx) => jobs.enqueueAll([request('fired')], tx),
    });
    await jobs.enqueue(request('last'));
    await vi.waitFor(
      async () =>
        expect((await database.db.execute(sql`select from queue.job where state = 'active'`)).rows).toHaveLength(1),
      { timeout: 20_000 },
    );
    const closing = jobs.close();
    gate.resolve();
    await closing;
    const ran: string[] = [];
    await jobsOn(database, async ({ actionName }) => void ran.push(actionName)).start();
    await vi.waitFor(() => expect(ran).toEqual(['fired']), { timeout: 20_000 });
  });

  describe('a process that is gone', () => {
    it('has its runs recorded as failed, never run again, with one log record each', async () => {
      const database = await open();
      const ran: string[] = [];
      const gate = Promise.withResolvers<void>();
      // The first process claims two runs and then disappears, without a lock that another process could see.
      const first = jobsOn(
        { ...database, driver: { ...database.driver, lock: async (names) => [...names] } },
        ({ actionName }) => {
          ran.push(actionName);
          return gate.promise;
        },
        { concurrency: 2 },
      );
      for (const name of ['a', 'b', 'c']) await first.enqueue(request(name));
      await vi.waitFor(() => expect(ran).toHaveLength(2), { timeout: 20_000 });
      const second = jobsOn(database, async ({ actionName }) => void ran.push(actionName));
      await second.start();
      await vi.waitFor(async () => expect(await ended(database)).toHaveLength(3), { timeout: 20_000 });
      const states = Object.fromEntries((await ended(database)).map(({ name, state }) => [name, state]));
      expect(states).toEqual({ a: 'failed', b: 'failed', c: 'completed' });
      expect(ran.sort()).toEqual(['a', 'b', 'c']);
      // If the first process does report an outcome, it is too late.
      gate.resolve();
      await first.close();
      expect(await ended(database)).toHaveLength(3);
    });

    it('has its runs recorded although the end of one of them can’t be', async () => {
      const database = await open();
      const gate = Promise.withResolvers<void>();
      const ran: string[] = [];
      const first = jobsOn(
        { ...database, driver: { ...database.driver, lock: async (names) => [...names] } },
        ({ actionName }) => {
          ran.push(actionName);
          return gate.promise;
        },
      );
      for (const name of ['a', 'b']) await first.enqueue(request(name));
      await vi.waitFor(() => expect(ran).toHaveLength(2), { timeout: 20_000 });
      let cursed: string | undefined;
      const recorded: string[] = [];
      const second = jobsOn(database, async () => null, {
        log: () => {},
        writeRunLog: async (_, { actionName }) => {
          cursed ??= actionName;
          if (actionName === cursed) throw new Error('It can’t be stored.');
          recorded.push(actionName);
        },
      });
      await second.start();
      gate.resolve();
      expect(recorded).toEqual(['a', 'b'].filter((name) => name !== cursed));
    });
  });

  if (kind === 'Postgres') {
    it('starts the next run when one is done, while its end is being recorded', async () => {
      const database = await open();
      const recording = Promise.withResolvers<void>();
      const ran: string[] = [];
      const jobs = jobsOn(database, async ({ actionName }) => void ran.push(actionName), {
        concurrency: 1,
        writeRunLog: () => recording.promise,
      });
      await jobs.start();
      await database.db.transaction((tx) =>
        jobs.enqueueAll(
          ['first', 'second'].map((name) => request(name)),
          tx,
        ),
      );
      await vi.waitFor(() => expect(ran).toEqual(['first', 'second']), { timeout: 20_000 });
      expect(await jobs.count()).toBe(2);
      recording.resolve();
      await vi.waitFor(async () => expect(await jobs.count()).toBe(0), { timeout: 20_000 });
    });

    it('continues when its connections break: waits for, listens for, and runs queued jobs', async () => {
      const address = await url();
      const database = await open(address);
      const server = jobsOn(database, async () => expect.unreachable(), { concurrency: 0, log: () => {} });
      const worker = jobsOn(await open(address), async ({ actionName }) => actionName, { log: () => {} });
      await Promise.all([server.start(), worker.start()]);
      await server.runAndWait(request('before'));
      await database.db.execute(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
      const after = await vi.waitFor(() => server.runAndWait(request('after')), { timeout: 20_000 });
      expect(after).toMatchObject({ state: 'completed', result: 'after' });
    });

    it('shares runs with another process, each exactly once, and notifies callers that wait elsewhere', async () => {
      const address = await url();
      const database = await open(address);
      const ran = { one: [] as string[], two: [] as string[] };
      const work =
        (worker: 'one' | 'two') =>
        async ({ actionName }: RunRequest) => {
          ran[worker].push(actionName);
          await pause(1);
          return worker;
        };
      const server = jobsOn(database, async () => expect.unreachable(), { concurrency: 0 });
      const one = jobsOn(await open(address), work('one'));
      const two = jobsOn(await open(address), work('two'));
      await Promise.all([one.start(), two.start()]);
      const all = await Promise.all(Array.from({ length: 200 }, (_, n) => server.runAndWait(request(`n${n}`))));
      expect(all.every(({ state }) => state === 'completed')).toBe(true);
      expect([...ran.one, ...ran.two].sort()).toEqual(Array.from({ length: 200 }, (_, n) => `n${n}`).sort());
      expect(Math.min(ran.one.length, ran.two.length)).toBeGreaterThan(20);
      expect(await ended(database)).toHaveLength(200);
    });
  }
});
