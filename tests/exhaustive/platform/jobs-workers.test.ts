/**
 * Tests two workers, each its own process, on one Postgres: each run is done exactly once, by either, and a stop under
 * load loses none (issue, "Show").
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { LogList } from '../../../lib/platform-api/index.ts';
import { startPostgres, type PostgresServer } from '../../support/servers/postgres.ts';
import { temporaryFolder } from '../../platform/support/platform.ts';
import { ask, command, end, type Running } from '../../platform/support/processes.ts';

/** The full test has WORKER_RUNS=1000. Each run needs a new process, about 80 ms of one core. */
const RUNS = Number(process.env.WORKER_RUNS ?? 120);
/** Its last step writes an entry that names its worker. */
const signed = (who: string): string => `
/** The function sign: adds an entry. */
Platform.Functions.register('test.sign', function (settings, context) {
  return Platform.request('data-sources/502/entries', { method: 'POST', body: { entries: [{ n: context.n, who: '${who}' }] } });
});
globalThis.WORKER = '${who}';`;

let server: PostgresServer;
beforeAll(async () => void (server = await startPostgres()), 180_000);
afterAll(() => server.close());

it(
  `${RUNS} runs`,
  async () => {
    const env = { DATABASE_URL: await server.database() };
    const start = async (who: string, args: string[]): Promise<Running> => {
      const folder = await temporaryFolder();
      await writeFile(join(folder, 'sign.js'), signed(who));
      return command([...args, '--functions', folder], env);
    };
    const { baseUrl } = await start('nobody', ['--port', '0', '--json', '--concurrency', '0']);
    const workers = await Promise.all(
      ['one', 'two'].map((who) => start(who, ['--role', 'worker', '--concurrency', '2'])),
    );
    await ask(baseUrl, 'apps/101/actions', {
      name: 'sign',
      environment: 'server',
      functions: [{ functionPackage: 'test.sign' }],
    });
    const logs = async (limit: number): Promise<LogList> =>
      ask(baseUrl, `apps/101/logs?type=app.action.completed&limit=${limit}`);
    const { count: before } = await logs(1);

    const queued: string[] = [];
    const numbers = Array.from({ length: RUNS }, (_, n) => n);
    const left = numbers.values();
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (const n of left)
          queued.push((await ask<{ runId: string }>(baseUrl, 'apps/101/actions/sign/run', { payload: { n } })).runId);
      }),
    );

    // A worker that is stopped completes its running jobs, and leaves the rest to others.
    await vi.waitFor(async () => expect((await logs(1)).count).toBeGreaterThan(before + RUNS / 2), {
      timeout: RUNS * 300,
      interval: 50,
    });
    expect(await end(workers[1]!, 'SIGTERM')).toBe(0);
    workers.push(await start('three', ['--role', 'worker', '--concurrency', '2']));
    await vi.waitFor(async () => expect((await logs(1)).count).toBe(before + RUNS), {
      timeout: RUNS * 300,
      interval: 50,
    });

    const records = (await logs(1_000)).logs.flatMap(({ data }) =>
      data?.runId === undefined ? [] : [data.runId as string],
    );
    expect(records.sort()).toEqual(queued.sort());
    const { entries } = await ask<{ entries: { data: { n?: number; who?: string } }[] }>(
      baseUrl,
      'data-sources/502/entries',
    );
    const deeds = entries.flatMap(({ data: { n, who } }) => (n === undefined ? [] : [{ n, who }]));
    expect(deeds.map(({ n }) => n).sort((a, b) => a - b)).toEqual(numbers);
    const share = (who: string): number => deeds.filter((deed) => deed.who === who).length / RUNS;
    expect(share('nobody')).toBe(0);
    expect(share('one')).toBeGreaterThan(0.25);
    expect(share('two') + share('three')).toBeGreaterThan(0.25);
    expect(await end(workers[0]!, 'SIGTERM')).toBe(0);
  },
  60_000 + RUNS * 600,
);

/** Below the limit of an app’s V3 runs in a minute. */
const EVENTS = 24;
const CODE = `async function execute(context) {
  const source = await Platform.DataSources.connect(502);
  await source.insert({ event: context.payload.log.data.n, who: WORKER });
}`;

it(`${EVENTS} events that V3 code handles`, async () => {
  const env = { DATABASE_URL: await server.database() };
  const start = async (who: string, args: string[]): Promise<Running> => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'sign.js'), signed(who));
    return command([...args, '--functions', folder], env);
  };
  const { baseUrl } = await start('nobody', ['--port', '0', '--json', '--concurrency', '0']);
  await Promise.all(['one', 'two'].map((who) => start(who, ['--role', 'worker', '--concurrency', '2'])));
  await ask(baseUrl, 'apps/101/publish', { release: { type: 'silent', changelog: 'First.' } });
  const { action } = await ask<{ action: { id: number } }>(baseUrl, '../v3/apps/101/actions', {
    name: 'handles',
    code: CODE,
    active: true,
    triggers: [{ trigger: 'log', where: { type: 'happened' } }],
    dependencies: ['platform-datasources', 'test.sign'],
  });
  await ask(baseUrl, `../v3/apps/101/actions/${action.id}/publish`, {});

  const events = Array.from({ length: EVENTS }, (_, n) => n);
  await Promise.all(events.map((n) => ask(baseUrl, 'apps/101/logs', { type: 'happened', data: { n } })));
  const logs = (): Promise<LogList> => ask(baseUrl, `apps/101/logs?id=${action.id}&limit=100`);
  await vi.waitFor(async () => expect((await logs()).count).toBe(EVENTS), { timeout: 120_000, interval: 50 });

  expect((await logs()).logs.map(({ type }) => type)).toEqual(events.map(() => 'app.task.completed'));
  const { entries } = await ask<{ entries: { data: { event?: number; who?: string } }[] }>(
    baseUrl,
    'data-sources/502/entries',
  );
  const handled = entries.flatMap(({ data: { event, who } }) => (event === undefined ? [] : [{ event, who }]));
  expect(handled.map(({ event }) => event).sort((a, b) => a - b)).toEqual(events);
  expect(new Set(handled.map(({ who }) => who))).toEqual(new Set(['one', 'two']));
}, 300_000);
