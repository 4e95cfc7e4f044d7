/**
 * A Postgres server that stops under a running platform: each response reports the problem, and everything works again
 * once the server is back.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { LogList } from '../../../lib/platform-api/index.ts';
import { startPostgres, type PostgresServer } from '../../support/servers/postgres.ts';
import { startForTest } from '../../platform/support/platform.ts';

let server: PostgresServer;
beforeAll(async () => void (server = await startPostgres()), 180_000);
afterAll(() => server.close());

it('reports the outage, and recovers without a restart: what was queued before is run', async () => {
  const logged: unknown[] = [];
  const platform = await startForTest({
    databaseUrl: await server.database(),
    log: (error) => void logged.push(error),
  });
  const action = {
    name: 'hello',
    environment: 'server',
    functions: [{ functionPackage: 'com.platform.function.wait', settings: { ms: 50 } }],
  };
  expect((await platform.ask('/v1/apps/101/actions', { body: action })).status).toBe(201);
  const run = () => platform.ask<{ runId: string }>('/v1/apps/101/actions/hello/run', { body: { payload: {} } });
  const before = await Promise.all(Array.from({ length: 12 }, run));
  expect(before.map(({ status }) => status)).toEqual(before.map(() => 202));

  await server.stop();
  for (const ask of [() => platform.ask('/v1/apps'), () => platform.ask('/v1/apps/101/actions'), run]) {
    const { status, headers, body } = await ask();
    expect({ status, retryAfter: headers.get('retry-after'), body }).toEqual({
      status: 503,
      retryAfter: '1',
      body: {
        error: 'DATABASE_UNAVAILABLE',
        message: 'Couldn’t reach the platform’s database.',
        hint: 'Check that the Postgres server is running.',
      },
    });
  }

  await server.again();
  await vi.waitFor(async () => expect((await platform.ask('/v1/apps')).status).toBe(200), { timeout: 20_000 });
  const after = await run();
  expect(after.status).toBe(202);
  const queued = [...before, after].map(({ body }) => body.runId);
  await vi.waitFor(
    async () => {
      const { logs } = (await platform.ask<LogList>('/v1/apps/101/logs?limit=200')).body;
      // Each run has one record: completed, or interrupted if its claim was lost with the server.
      const ended = logs.flatMap(({ data }) => (data?.runId === undefined ? [] : [data.runId as string]));
      expect(ended.filter((runId) => queued.includes(runId)).sort()).toEqual(queued.toSorted());
    },
    { timeout: 20_000, interval: 100 },
  );
  expect(
    logged.filter((each) => typeof each === 'string' && each.startsWith('Couldn’t reach the database')).length,
  ).toBeGreaterThan(0);
  // A few messages, not one for each failure.
  expect(logged.length).toBeLessThan(15);
});
