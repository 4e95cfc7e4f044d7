/** Runs on the server over HTTP, and what fires them; `actions-rules.test.ts` has the rules (decisions, "Platform endpoints"). */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Action, LogList, PipelineStep } from '../../lib/platform-api/index.ts';
import { openAppPage } from './support/app-page.ts';
import { step } from './support/page.ts';
import { onDatabase } from './support/databases.ts';
import { start, type TestPlatform } from './support/platform.ts';

interface Ended {
  result: unknown;
  error: string;
  message: string;
  details: { errorType: string; errorMessage: string; trace: string[] };
}

onDatabase(({ url }) => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await start({ databaseUrl: await url() });
  });
  afterAll(() => platform.close());

  const APP = '/v1/apps/103';
  const say = (message: string): PipelineStep[] => [step('return-string', { message })];
  let made = 0;
  async function fresh(functions: PipelineStep[], properties: object = {}): Promise<Action> {
    const { status, body } = await platform.ask<{ action: Action; message: string }>(`${APP}/actions`, {
      body: { name: `run-${(made += 1)}`, functions, ...properties },
    });
    expect({ status, message: body.message }).toEqual({ status: 201, message: undefined });
    return body.action;
  }
  const publish = (id: number, to: boolean) => platform.ask(`${APP}/actions/${id}/publish`, { body: { publish: to } });
  const run = (which: string | number, body: object = {}) =>
    platform.ask<{ runId: string }>(`${APP}/actions/${which}/run`, { body });
  const logsOf = async (id: number): Promise<LogList> => (await platform.ask<LogList>(`${APP}/logs?id=${id}`)).body;
  const logged = (id: number, count: number): Promise<LogList['logs']> =>
    vi.waitFor(
      async () => {
        const list = await logsOf(id);
        expect(list.count).toBe(count);
        return list.logs;
      },
      { timeout: 20_000, interval: 50 },
    );

  describe('run', () => {
    it('responds with 202 and the ID of the run, which its log record has', async () => {
      const { id } = await fresh(say('x'));
      const { status, body } = await run(id, { payload: { a: 1 } });
      expect({ status, body }).toEqual({ status: 202, body: { runId: expect.any(String) } });
      const [record] = await logged(id, 1);
      expect(record).toMatchObject({ appId: 103, organizationId: 21, data: { actionId: id, runId: body.runId } });
    });
  });

  describe('run-with-result', () => {
    it('responds with null for a run without a result', async () => {
      const { id } = await fresh([]);
      expect((await platform.ask(`${APP}/actions/${id}/run-with-result`, { body: {} })).text).toBe('{"result":null}');
    });

    describe('with Prefer: respond-async', () => {
      const order = (id: number, prefer: string) =>
        platform.ask<Ended & { runId: string }>(`${APP}/actions/${id}/run-with-result`, {
          body: { payload: {} },
          headers: { Prefer: prefer },
        });
      const poll = (path: string, prefer?: string) =>
        platform.ask<Ended & { runId: string }>(path, prefer === undefined ? {} : { headers: { Prefer: prefer } });

      it('responds with 202 and the URL of the run, which returns its result once it has one', async () => {
        const { id } = await fresh([step('wait', { ms: 500 }), ...say('late')]);
        const { status, body, headers } = await order(id, 'respond-async');
        expect({ status, location: headers.get('location') }).toEqual({
          status: 202,
          location: `${APP}/runs/${body.runId}`,
        });
        const location = headers.get('location')!;
        expect(await poll(location)).toMatchObject({
          status: 202,
          body: { runId: body.runId },
          headers: expect.anything(),
        });
        const both = await Promise.all([
          poll(location, 'respond-async, wait=20'),
          poll(location, 'respond-async; wait="20"'),
        ]);
        for (const response of both) expect(response).toMatchObject({ status: 200, body: { result: 'late' } });
        expect(await poll(location)).toMatchObject({ status: 200, body: { result: 'late' } });
        expect((await logged(id, 1))[0]).toMatchObject({ data: { runId: body.runId } });
      });

      it('responds with the result when the run ends within the time to wait', async () => {
        const { id } = await fresh(say('soon'));
        expect(await order(id, 'respond-async, wait=20')).toMatchObject({ status: 200, body: { result: 'soon' } });
      });

      it('reports a failure at that URL as run-with-result does', async () => {
        const { id } = await fresh([step('wait', { ms: 100 }), step('fail', { message: 'Broken' })]);
        const location = (await order(id, 'respond-async')).headers.get('location')!;
        expect(await poll(location, 'respond-async, wait=20')).toMatchObject({
          status: 424,
          body: {
            error: 'ACTION_FAILED',
            details: { errorType: 'Error', trace: expect.arrayContaining([expect.stringMatching(/^\/1 /)]) },
          },
        });
      });

      it('has no URL for runs of another app, runs without respond-async, and unknown runs', async () => {
        const { id } = await fresh(say('x'));
        const location = (await order(id, 'respond-async')).headers.get('location')!;
        expect((await poll(location.replace('/103/', '/101/'))).status).toBe(404);
        const { runId } = (await run(id)).body;
        for (const other of [runId, crypto.randomUUID(), 'x'])
          expect((await poll(`${APP}/runs/${other}`)).status).toBe(404);
        await logged(id, 2);
      });
    });
  });

  describe('a run', () => {
    it('of a page belongs to that page’s copy, and can’t request the other copy', async () => {
      const { body } = await platform.ask<{ action: Action }>('/v1/apps/101/actions', { body: { name: 'copy' } });
      const { ENV } = await openAppPage(platform, '/v1/apps/101/live');
      expect(
        await platform.ask(`/v1/apps/101/actions/${body.action.id}/run`, {
          token: ENV.token as string,
          body: { mode: 'preview' },
        }),
      ).toMatchObject({ status: 422, body: { details: [{ path: '/mode' }] } });
    });

    it('continues when its caller disconnects', async () => {
      const { id } = await fresh([step('wait', { ms: 300 }), ...say('done')]);
      const gone = new AbortController();
      const request = fetch(`${platform.baseUrl}${APP}/actions/${id}/run-with-result`, {
        method: 'POST',
        headers: { 'Auth-token': platform.authToken, 'Content-Type': 'application/json' },
        body: '{}',
        signal: gone.signal,
      });
      setTimeout(() => gone.abort(), 150);
      await expect(request).rejects.toThrow();
      await logged(id, 1);
    });
  });

  describe('log triggers', () => {
    const listening = async (functions: PipelineStep[], where: object, properties: object = {}): Promise<Action> => {
      const action = await fresh(functions, { triggers: [{ trigger: 'log', where }], ...properties });
      await publish(action.id, true);
      return action;
    };

    it('fire on a new entry of a data source', async () => {
      const { id } = await listening(say('{{log.dataSourceEntryId}}'), {
        type: 'dataSource.entry.create',
        dataSourceId: 521,
      });
      const { body } = await platform.ask<{ entries: { id: number }[] }>('/v1/data-sources/521/entries', {
        body: { entries: [{ name: 'A' }, { name: 'B' }] },
      });
      const results = (await logged(id, 2)).map(({ data }) => data!.result);
      expect(results.sort()).toEqual(body.entries.map((entry) => String(entry.id)).sort());
    });

    it('do not fire an action of another app', async () => {
      const triggers = [{ trigger: 'log', where: { type: 'no.trigger' } }];
      const { body } = await platform.ask<{ action: Action }>('/v1/apps/102/actions', {
        body: { name: 'elsewhere', triggers },
      });
      await platform.ask(`/v1/apps/102/actions/${body.action.id}/publish`, { body: { publish: true } });
      const received = await listening([], triggers[0]!.where);
      await platform.ask(`${APP}/logs`, { body: { type: 'no.trigger' } });
      await logged(received.id, 1);
      expect((await platform.ask<LogList>(`/v1/apps/102/logs?id=${body.action.id}`)).body.count).toBe(0);
    });

    it('count the depth of runs through what a run writes, too', async () => {
      const action = await fresh([step('write-datasource', { dataSourceId: 521, entries: [{ name: 'again' }] })], {
        triggers: [
          {
            trigger: 'log',
            where: { type: 'dataSource.entry.create', dataSourceId: 521, data: { columns: ['name', 'loop'] } },
          },
        ],
      });
      await platform.ask(`${APP}/actions/${action.id}`, {
        method: 'PUT',
        body: {
          functions: [step('write-datasource', { dataSourceId: 521, entries: [{ name: 'again', loop: true }] })],
        },
      });
      await publish(action.id, true);
      await platform.ask('/v1/data-sources/521/entries', { body: { entries: [{ name: 'first', loop: true }] } });
      const types = (await logged(action.id, 7)).map(({ type }) => type);
      expect(types.filter((type) => type === 'app.task.failed')).toHaveLength(1);
      await publish(action.id, false);
    });
  });
});
