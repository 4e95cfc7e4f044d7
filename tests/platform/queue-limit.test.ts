/** The limit of an app’s waiting runs: requests are refused, and what fires by itself ends as failed, with a record. */
import { expect, it, vi } from 'vitest';
import type { LogList } from '../../lib/platform-api/index.ts';
import { onDatabase } from './support/databases.ts';
import { startForTest, type TestPlatform } from './support/platform.ts';

const LIMIT = 5;
const APP = '/v1/apps/101';

/** Nothing starts: runs wait for workers, of which there are none. */
const idle = (databaseUrl: string | undefined, more: object = {}): Promise<TestPlatform> =>
  startForTest({ databaseUrl, concurrency: 0, limits: { queue: LIMIT }, ...more });

const run = (platform: TestPlatform, headers: Record<string, string> = {}) =>
  platform.ask(`${APP}/actions/queued/run`, { body: {}, headers });
const created = async (platform: TestPlatform, more: object = {}): Promise<number> => {
  const body = { name: 'queued', environment: 'server', ...more };
  return (await platform.ask<{ action: { id: number } }>(`${APP}/actions`, { body })).body.action.id;
};
const failures = async (platform: TestPlatform, id: number): Promise<unknown[]> =>
  (await platform.ask<LogList>(`${APP}/logs?id=${id}&outcome=failed`)).body.logs.map(
    ({ data }) => (data!.result as { errorType: string }).errorType,
  );

onDatabase(({ url, kind }) => {
  it('a run beyond it is refused with a code and the time to wait, and leaves no record', async () => {
    const platform = await idle(await url());
    const id = await created(platform);
    for (let n = 0; n < LIMIT; n += 1) expect((await run(platform)).status).toBe(202);
    const { status, body, headers } = await run(platform);
    expect({ status, body, after: headers.get('retry-after') }).toEqual({
      status: 429,
      body: {
        error: 'QUEUE_FULL',
        message: 'Couldn’t queue the run: an app is limited to 5 waiting runs.',
        hint: 'Try again in 5 s, when some of them have started.',
      },
      after: '5',
    });
    expect(await platform.ask(`${APP}/actions/queued/run-with-result`, { body: {} })).toMatchObject({
      status: 429,
      body: { error: 'QUEUE_FULL' },
    });
    expect(await failures(platform, id)).toEqual([]);
    // Another app has its own limit.
    await platform.ask('/v1/apps/103/actions', { body: { name: 'queued', environment: 'server' } });
    expect((await platform.ask('/v1/apps/103/actions/queued/run', { body: {} })).status).toBe(202);
  });

  it('a repeated request gets the run that its key has queued, although the queue is full', async () => {
    const platform = await idle(await url());
    await created(platform);
    const first = await run(platform, { 'Idempotency-Key': 'one' });
    for (let n = 1; n < LIMIT; n += 1) await run(platform);
    expect((await run(platform, { 'Idempotency-Key': 'two' })).status).toBe(429);
    expect(await run(platform, { 'Idempotency-Key': 'one' })).toMatchObject({ status: 202, body: first.body });
  });

  it('concurrent requests exceed it by less than the connections of the process', async () => {
    const platform = await idle(await url());
    await created(platform);
    const statuses = (await Promise.all(Array.from({ length: 60 }, () => run(platform)))).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([202, 429]));
    const queued = statuses.filter((status) => status === 202).length;
    expect(queued).toBeGreaterThanOrEqual(LIMIT);
    expect(queued).toBeLessThanOrEqual(kind === 'PGlite' ? LIMIT : LIMIT + 9);
  });

  it('a schedule that comes due beyond it ends as failed, and fires again at its next time', async () => {
    const platform = await idle(await url(), { clock: new Date('2026-03-02T00:00:00Z') });
    const id = await created(platform, { frequency: '0 * * * *' });
    await platform.ask(`${APP}/actions/${id}/publish`, { body: { publish: true } });
    await created(platform, { name: 'filler' });
    for (let n = 0; n < LIMIT; n += 1) await platform.ask(`${APP}/actions/filler/run`, { body: {} });
    for (let hour = 1; hour <= 2; hour += 1)
      await platform.ask('/v1/clock', { body: { to: `2026-03-02T0${hour}:00:00Z` } });
    expect(await failures(platform, id)).toEqual(['QUEUE_FULL', 'QUEUE_FULL']);
  });

  it('what a log record fires beyond it ends as failed, and the record is stored', async () => {
    const platform = await idle(await url());
    const id = await created(platform, { triggers: [{ trigger: 'log', where: { type: 'often' } }] });
    await platform.ask(`${APP}/actions/${id}/publish`, { body: { publish: true } });
    for (let n = 0; n < LIMIT + 3; n += 1)
      expect((await platform.ask(`${APP}/logs`, { body: { type: 'often', data: { n } } })).status).toBe(201);
    expect(await failures(platform, id)).toEqual(['QUEUE_FULL', 'QUEUE_FULL', 'QUEUE_FULL']);
    expect((await platform.ask<LogList>(`${APP}/logs?type=often`)).body.count).toBe(LIMIT + 3);
  });

  it('an action that its own refusals fire doesn’t write records without end', async () => {
    const platform = await idle(await url());
    const id = await created(platform, { triggers: [{ trigger: 'log', where: { type: 'app.task.failed' } }] });
    await platform.ask(`${APP}/actions/${id}/publish`, { body: { publish: true } });
    for (let n = 0; n < LIMIT; n += 1) await platform.ask(`${APP}/logs`, { body: { type: 'app.task.failed' } });
    await platform.ask(`${APP}/logs`, { body: { type: 'app.task.failed' } });
    const found = await failures(platform, id);
    expect(found.at(0)).toBe('DEPTH_LIMIT');
    expect(found.length).toBeLessThan(10);
  });

  it('runs are queued again once some have started', async () => {
    const databaseUrl = await url();
    const platform = await startForTest({ databaseUrl, concurrency: 1, limits: { queue: 1 } });
    await created(platform);
    // A platform can start one run as fast as a busy machine requests it, but not many at once.
    const requestMany = async (): Promise<number[]> =>
      (await Promise.all(Array.from({ length: 20 }, () => run(platform)))).map(({ status }) => status);
    await vi.waitFor(async () => expect(await requestMany()).toContain(429), { timeout: 30_000, interval: 1 });
    await vi.waitFor(async () => expect((await run(platform)).status).toBe(202), { timeout: 30_000 });
  });

  if (kind === 'Postgres')
    it('two platforms on one database share it', async () => {
      const databaseUrl = await url();
      const authToken = 'a-token-of-both';
      const [one, two] = [await idle(databaseUrl, { authToken }), await idle(databaseUrl, { authToken })];
      await created(one);
      for (let n = 0; n < LIMIT; n += 1) expect((await run(n % 2 ? one : two)).status).toBe(202);
      expect([(await run(one)).status, (await run(two)).status]).toEqual([429, 429]);
    });
});
