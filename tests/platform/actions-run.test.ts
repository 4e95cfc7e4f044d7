/** Running actions on the server, by hand and by log records (decisions, "Actions"), over HTTP and from pages. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Action, LogList, LogRecord, PipelineStep } from '../../lib/contract/index.ts';
import { openAppPage, type AppPage } from './support/app-page.ts';
import { step } from './support/page.ts';
import { onBothDatabases } from './support/databases.ts';
import { start, type TestPlatform } from './support/platform.ts';

interface Ended {
  result: unknown;
  error: string;
  message: string;
  details: { errorType: string; errorMessage: string; trace: string[] };
}

onBothDatabases(({ url }) => {
  let platform: TestPlatform;
  let preview: AppPage;
  let live: AppPage;
  beforeAll(async () => {
    platform = await start({ databaseUrl: await url(), limits: { time: 2_000, result: 2_000 } });
    await platform.ask('/v1/apps/103/publish', { body: { release: { type: 'silent', changelog: 'First' } } });
    preview = await openAppPage(platform, '/v1/apps/103/preview');
    live = await openAppPage(platform, '/v1/apps/103/live');
  });
  afterAll(() => platform.close());

  const APP = '/v1/apps/103';
  const say = (message: string): PipelineStep[] => [step('return-string', { message })];
  let made = 0;
  async function fresh(functions: PipelineStep[], properties: object = {}): Promise<Action> {
    const { status, body } = await platform.ask<{ action: Action; message: string }>(`${APP}/actions`, { body: { name: `run-${(made += 1)}`, functions, ...properties } });
    expect([status, body.message]).toEqual([201, undefined]);
    return body.action;
  }
  const publish = (id: number, to = true) => platform.ask(`${APP}/actions/${id}/publish`, { body: { publish: to } });
  const run = (which: string | number, body: object = {}) => platform.ask<{ runId: string }>(`${APP}/actions/${which}/run`, { body });
  const runWithResult = (which: string | number, payload: unknown = {}, more: object = {}) => platform.ask<Ended>(`${APP}/actions/${which}/run-with-result`, { body: { payload, ...more } });
  const logsOf = async (id: number): Promise<LogList> => (await platform.ask<LogList>(`${APP}/logs?id=${id}`)).body;
  const log = (entry: object) => platform.ask<{ log: LogRecord }>(`${APP}/logs`, { body: entry });
  const logged = (id: number, count: number): Promise<LogList['logs']> =>
    vi.waitFor(
      async () => {
        const list = await logsOf(id);
        expect(list.count).toBe(count);
        return list.logs;
      },
      { timeout: 15_000, interval: 50 },
    );

  describe('run', () => {
    it('answers 202 when the run is queued, and the run is logged when it ends', async () => {
      const { id } = await fresh(say('x'));
      const { status, body } = await run(id, { payload: { a: 1 } });
      expect([status, body]).toEqual([202, { runId: expect.any(String) }]);
      const [record] = await logged(id, 1);
      expect(record).toMatchObject({ type: 'app.action.completed', appId: 103, organizationId: 21, data: { mode: 'on-demand', duration: expect.any(Number), actionId: id } });
      expect(Object.keys(record!.data!)).not.toContain('result');
      expect((await platform.ask<{ action: Action }>(`${APP}/actions/${id}`)).body.action.lastRunAt).toMatch(/Z$/);
    });

    it('from a page resolves without a result', async () => {
      const { id, name } = await fresh(say('x'));
      expect(await preview.Platform.App.Actions.run(name)).toBeUndefined();
      await logged(id, 1);
    });
  });

  describe('run-with-result', () => {
    it('waits for the result', async () => {
      const { name } = await fresh(say('Hello {{who}}'));
      expect(await runWithResult(name, { who: 'you' })).toMatchObject({ status: 200, body: { result: 'Hello you' } });
      expect(await preview.Platform.App.Actions.runWithResult(name, { who: 'page' })).toBe('Hello page');
    });

    it('answers null for a run without result', async () => {
      const { id } = await fresh([]);
      expect((await runWithResult(id)).text).toBe('{"result":null}');
    });

    it('answers 424 ACTION_FAILED with errorType, errorMessage and trace, which the log keeps', async () => {
      const { id, name } = await fresh([{ type: 'loop', range: { from: 1, to: 2 }, functions: [step('fail', { message: 'Broken' })] }]);
      const { status, body } = await runWithResult(id, { seen: true });
      expect([status, body.error]).toEqual([424, 'ACTION_FAILED']);
      expect(body.message).toContain(name);
      expect(body.details).toEqual({ errorType: 'Error', errorMessage: expect.stringContaining('Broken'), trace: expect.any(Array) });
      expect(body.details.trace[0]).toContain('/0/functions/0');
      const [record] = await logged(id, 1);
      expect(record).toMatchObject({ type: 'app.task.failed', data: { mode: 'on-demand', actionId: id, result: body.details, payload: { seen: true } } });
      const told = await preview.Platform.App.Actions.runWithResult(name, { seen: true }).catch((error: unknown) => error);
      expect(told).toMatchObject({ code: 'ACTION_FAILED', status: 424, message: body.message, details: { errorType: 'Error' } });
    });

    it('answers 504 TIMEOUT when the run is killed at the limit, whatever it does, and the log says so', async () => {
      const { id } = await fresh([{ functionPackage: 'com.example.function.never-settles' }]);
      expect(await runWithResult(id)).toMatchObject({ status: 504, body: { error: 'TIMEOUT' } });
      const [record] = await logged(id, 1);
      expect(record).toMatchObject({ type: 'app.task.failed', data: { actionId: id } });
      expect(record!.data!.duration).toBeGreaterThanOrEqual(1_900);
    });

    it('answers RESULT_TOO_LARGE for more than the limit of bytes', async () => {
      const { id } = await fresh(say('é'.repeat(1_100)));
      expect(await runWithResult(id)).toMatchObject({ status: 424, body: { error: 'RESULT_TOO_LARGE' } });
      expect((await runWithResult((await fresh(say('e'.repeat(1_100)))).id)).status).toBe(200);
    });

    it('takes a payload of 2,048 characters as JSON, and answers 413 PAYLOAD_TOO_LARGE to one more, queueing nothing', async () => {
      const { id } = await fresh(say('{{text.length}}'));
      const payload = (length: number) => ({ text: 'x'.repeat(length - '{"text":""}'.length) });
      expect((await runWithResult(id, payload(2048))).status).toBe(200);
      for (const way of [run(id, { payload: payload(2049) }), runWithResult(id, payload(2049))]) {
        expect(await way).toMatchObject({ status: 413, body: { error: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining('2049') } });
      }
      expect((await logsOf(id)).count).toBe(1);
    });

    it.each([[[]], ['x'], [7], [null]])('answers 422 to the payload %j', async (payload) => {
      const { id } = await fresh([]);
      expect(await runWithResult(id, payload)).toMatchObject({ status: 422, body: { details: [{ path: '/payload', message: 'payload must be an object.' }] } });
    });
  });

  describe('409', () => {
    it('to an inactive action', async () => {
      const { id } = await fresh([], { active: false });
      for (const answer of [run(id), runWithResult(id)]) expect(await answer).toMatchObject({ status: 409, body: { error: 'ACTION_INACTIVE' } });
    });

    it('to one without the manual trigger', async () => {
      const { id } = await fresh([], { triggers: [{ trigger: 'log' }] });
      for (const answer of [run(id), runWithResult(id)]) expect(await answer).toMatchObject({ status: 409, body: { error: 'TRIGGER_MISSING' } });
    });

    it('to an unpublished one in the live app', async () => {
      const { id } = await fresh([]);
      expect(await runWithResult(id, {}, { mode: 'live' })).toMatchObject({ status: 409, body: { error: 'ACTION_UNPUBLISHED' } });
    });
  });

  describe('working and published copies', () => {
    it('a preview runs the working copy, the live app the published one', async () => {
      const { id, name } = await fresh(say('first'));
      await publish(id);
      await platform.ask(`${APP}/actions/${id}`, { method: 'PUT', body: { functions: say('second') } });
      const inPage = (page: AppPage) => page.Platform.App.Actions.runWithResult(name);
      expect([await inPage(live), await inPage(preview)]).toEqual(['first', 'second']);
      expect((await runWithResult(id, {}, { mode: 'live' })).body.result).toBe('first');
      expect((await runWithResult(id, {}, { mode: 'preview' })).body.result).toBe('second');
    });

    it('a page cannot run the copy of the other', async () => {
      const { id } = await fresh([]);
      const token = live.ENV.token as string;
      expect(await platform.ask(`${APP}/actions/${id}/run`, { token, body: { mode: 'preview' } })).toMatchObject({ status: 422, body: { details: [{ path: '/mode' }] } });
    });

    it('unpublishing stops it in the live app', async () => {
      const { id, name } = await fresh(say('x'));
      await publish(id);
      await publish(id, false);
      await expect(live.Platform.App.Actions.run(name)).rejects.toMatchObject({ code: 'ACTION_UNPUBLISHED', status: 409 });
    });

    it('inactive counts in the live app once it is published', async () => {
      const { id, name } = await fresh(say('x'));
      await publish(id);
      await platform.ask(`${APP}/actions/${id}`, { method: 'PUT', body: { active: false } });
      expect(await live.Platform.App.Actions.runWithResult(name)).toBe('x');
      await publish(id);
      await expect(live.Platform.App.Actions.runWithResult(name)).rejects.toMatchObject({ code: 'ACTION_INACTIVE' });
    });
  });

  describe('a run', () => {
    it('whose action is removed meanwhile goes on to its end and is logged', async () => {
      const { id } = await fresh([step('wait', { ms: 300 }), ...say('done')]);
      expect((await run(id)).status).toBe(202);
      expect((await platform.ask(`${APP}/actions/${id}`, { method: 'DELETE' })).status).toBe(204);
      expect((await logsOf(id)).count).toBe(0);
      expect((await logged(id, 1))[0]).toMatchObject({ type: 'app.action.completed', data: { actionId: id } });
      expect((await run(id)).status).toBe(404);
    });

    it('goes on when whoever waited for it is gone', async () => {
      const { id } = await fresh([step('wait', { ms: 300 }), ...say('done')]);
      const gone = new AbortController();
      const asked = fetch(`${platform.baseUrl}${APP}/actions/${id}/run-with-result`, { method: 'POST', headers: { 'Auth-token': platform.authToken, 'Content-Type': 'application/json' }, body: '{}', signal: gone.signal });
      setTimeout(() => gone.abort(), 150);
      await expect(asked).rejects.toThrow();
      await logged(id, 1);
    });

    it('is what the action was when it was fired: a later change is the next run\'s', async () => {
      const { id } = await fresh([step('wait', { ms: 200 }), ...say('before')]);
      expect((await run(id)).status).toBe(202);
      await platform.ask(`${APP}/actions/${id}`, { method: 'PUT', body: { functions: [step('fail', { message: 'after' })] } });
      expect((await logged(id, 1))[0]!.type).toBe('app.action.completed');
    });

    it('leaves nothing for another: __proto__ in a payload or in settings stays in its own run', async () => {
      const { id } = await fresh([step('set-context', { assign: { seen: 'polluted' } }), ...say('{{seen ?? "clean"}}')]);
      expect((await platform.ask<Ended>(`${APP}/actions/${id}/run-with-result`, { body: '{"payload":{"__proto__":{"polluted":"yes"}}}' })).body.result).toBe('clean');
      expect((await runWithResult(id)).body.result).toBe('clean');
      const constructor = await runWithResult(id, { constructor: { prototype: { polluted: 'yes' } } });
      expect(constructor.body.result).toBe('clean');
    });

    it('of a screen runs the handler that it gave to Platform.Page.onRemoteExecution', async () => {
      const { body } = await platform.ask<Ended>('/v1/apps/101/actions/count-open-visits/run-with-result', { body: { payload: { technician: 'Nobody' } } });
      expect(body.result).toEqual({ open: 0 });
    });
  });

  describe('log triggers', () => {
    const listening = async (functions: PipelineStep[], where: object, properties: object = {}): Promise<Action> => {
      const action = await fresh(functions, { triggers: [{ trigger: 'log', where }], ...properties });
      await publish(action.id);
      return action;
    };

    it('fire the action when a record is created that matches, with the context {trigger, log}, as a scheduled run', async () => {
      const { id } = await listening(say('{{trigger}} {{log.id}} {{log.data.columns[1]}}'), { type: 'visit.started', dataSourceId: 521, data: { kind: { urgent: true } } });
      await log({ type: 'visit.started', dataSourceId: 521, data: { kind: { urgent: false } } });
      await log({ type: 'visit.started', data: { kind: { urgent: true } } });
      await log({ type: 'visit.ended', dataSourceId: 521, data: { kind: { urgent: true } } });
      const { body } = await log({ type: 'visit.started', dataSourceId: 521, data: { kind: { urgent: true, more: 1 }, columns: ['a', 'b'] } });
      const [record] = await logged(id, 1);
      expect(record).toMatchObject({ type: 'app.task.completed', data: { mode: 'scheduled', actionId: id, result: `log ${body.log.id} b` } });
    });

    it('fire on a new entry of a data source', async () => {
      const { id } = await listening(say('{{log.dataSourceEntryId}}'), { type: 'dataSource.entry.create', dataSourceId: 521 });
      const { body } = await platform.ask<{ entries: { id: number }[] }>('/v1/data-sources/521/entries', { body: { entries: [{ name: 'A' }, { name: 'B' }] } });
      const results = (await logged(id, 2)).map(({ data }) => data!.result);
      expect(results.sort()).toEqual(body.entries.map((entry) => String(entry.id)).sort());
    });

    it('of another app, unpublished, inactive, or only in the working copy, do not fire', async () => {
      const where = { type: 'nobody.hears' };
      const elsewhere = await platform.ask<{ action: Action }>('/v1/apps/102/actions', { body: { name: 'elsewhere', triggers: [{ trigger: 'log', where }] } });
      await platform.ask(`/v1/apps/102/actions/${elsewhere.body.action.id}/publish`, { body: { publish: true } });
      const unpublished = await fresh([], { triggers: [{ trigger: 'log', where }] });
      const inactive = await listening([], where, { active: false });
      const later = await listening([], { type: 'other' });
      await platform.ask(`${APP}/actions/${later.id}`, { method: 'PUT', body: { triggers: [{ trigger: 'log', where }] } });
      const heard = await listening([], where);
      await log({ type: 'nobody.hears' });
      await logged(heard.id, 1);
      for (const { id } of [unpublished, inactive, later]) expect((await logsOf(id)).count).toBe(0);
      expect((await platform.ask<LogList>(`/v1/apps/102/logs?id=${elsewhere.body.action.id}`)).body.count).toBe(0);
    });

    it('that fire one another by their records stop at a depth of 5, with a failed log that says so', async () => {
      const action = await fresh([], { triggers: [{ trigger: 'manual' }, { trigger: 'log', where: { type: 'app.task.completed' } }] });
      // It listens to what it causes itself, and to nothing else.
      await platform.ask(`${APP}/actions/${action.id}`, { method: 'PUT', body: { triggers: [{ trigger: 'log', where: { type: 'app.task.completed', data: { actionId: action.id } } }, { trigger: 'log', where: { type: 'chain.begin' } }] } });
      await publish(action.id);
      await log({ type: 'chain.begin' });
      const [last, ...runs] = await logged(action.id, 7);
      expect(runs.map(({ type }) => type)).toEqual(Array.from({ length: 6 }, () => 'app.task.completed'));
      expect(last).toMatchObject({ type: 'app.task.failed', data: { mode: 'scheduled', result: { errorType: 'DEPTH_LIMIT', errorMessage: expect.stringContaining('5 runs') } } });
      await publish(action.id, false);
    });

    it('count the depth through what a run writes as well', async () => {
      const action = await fresh([step('write-datasource', { dataSourceId: 521, entries: [{ name: 'again' }] })], { triggers: [{ trigger: 'log', where: { type: 'dataSource.entry.create', dataSourceId: 521, data: { columns: ['name', 'loop'] } } }] });
      await platform.ask(`${APP}/actions/${action.id}`, { method: 'PUT', body: { functions: [step('write-datasource', { dataSourceId: 521, entries: [{ name: 'again', loop: true }] })] } });
      await publish(action.id);
      await platform.ask('/v1/data-sources/521/entries', { body: { entries: [{ name: 'first', loop: true }] } });
      const types = (await logged(action.id, 7)).map(({ type }) => type);
      expect(types.filter((type) => type === 'app.task.failed')).toHaveLength(1);
      await publish(action.id, false);
    });
  });
});
