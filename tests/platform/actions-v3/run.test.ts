/** Runs of V3 actions, what fires them, and their log records (actions-v3, "Code", "Triggers, limits, logs"). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogList } from '../../../lib/platform-api/index.ts';
import { isExhaustive } from '../../support/exhaustive.ts';
import { onDatabase } from '../support/databases.ts';
import { start, startForTest, type TestPlatform } from '../support/platform.ts';
import { BLOCKS } from '../support/runner.ts';
import { APP, create, execute, fresh, logged, V3 } from './support.ts';

interface Ended {
  result: unknown;
  error: string;
  message: string;
  details: { errorType: string; errorMessage: string; trace: string[] };
}

const resultOf = (platform: TestPlatform, which: string | number, payload?: unknown, more: object = {}) =>
  platform.ask<Ended>(`${V3}/${which}/run-with-result`, {
    body: { ...(payload !== undefined && { payload }), ...more },
  });
/** A process that doesn’t respond is awaited for five more seconds. */
const ENDLESS = [
  'await new Promise(() => {});',
  'for (;;) await new Promise((resolve) => setTimeout(resolve, 50));',
  ...(isExhaustive() ? [BLOCKS] : []),
];

const failure = async (response: ReturnType<typeof resultOf>): Promise<string> => {
  const { status, body } = await response;
  return `${status} ${body.error}`;
};

onDatabase(({ url }) => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await start({ databaseUrl: await url(), v3RunLimit: 1_000 });
  });
  afterAll(() => platform.close());

  describe('run', () => {
    it('responds with 202, and the run ends in one log record with everything that plain logs', async () => {
      const { id } = await fresh(platform, 'console.log("hi"); return context.payload.n + 1;');
      const { status, body } = await platform.ask<{ runId: string }>(`${V3}/${id}/run`, {
        body: { payload: { n: 1 } },
      });
      expect({ status, body }).toEqual({ status: 202, body: { runId: expect.any(String) } });
      const [record] = await logged(platform, id, 1);
      expect(record).toMatchObject({ appId: APP, type: 'app.task.completed' });
      expect(record!.data).toEqual({
        taskId: id,
        mode: 'on-demand',
        runOn: 'server',
        duration: expect.any(Number),
        actionVersion: 'v3',
        runId: body.runId,
        payload: { n: 1 },
        result: 2,
        console: ['log: hi'],
      });
      const { body: read } = await platform.ask<{ action: { lastRunAt: string } }>(`${V3}/${id}`);
      expect(read.action.lastRunAt).toEqual(expect.any(String));
    });
  });

  describe('run-with-result', () => {
    it.each([
      ['a value', 'return { a: [1, null, "x"] };', { a: [1, null, 'x'] }],
      ['nothing', '', null],
      ['null', 'return null;', null],
      ['false', 'return false;', false],
    ])('responds with %s', async (_, body, expected) => {
      const { id } = await fresh(platform, body);
      expect((await resultOf(platform, id)).body).toEqual({ result: expected });
    });

    it('finds the action by its name, too', async () => {
      const { name } = await fresh(platform, 'return 5;');
      expect((await resultOf(platform, name)).body).toEqual({ result: 5 });
    });

    it('runs the code as a const, and code that ends with a comment', async () => {
      const code = "let execute = async (context) => {\n  const s = 'it’s';\n  return s; } // the end";
      const { id } = await fresh(platform, '', { code });
      expect((await resultOf(platform, id)).body).toEqual({ result: 'it’s' });
    });

    it('gives execute a context with one property, payload', async () => {
      const { id } = await fresh(platform, 'return [Object.keys(context), context.payload, arguments.length];');
      expect((await resultOf(platform, id)).body.result).toEqual([['payload'], {}, 1]);
      expect((await resultOf(platform, id, { payload: 1 })).body.result).toEqual([['payload'], { payload: 1 }, 1]);
    });

    it('fails with what the code threw, and the log has name, message, and stack', async () => {
      const { id } = await fresh(platform, "\n  throw new RangeError('too far');");
      const { status, body } = await resultOf(platform, id, { a: 1 });
      expect({ status, body }).toMatchObject({
        status: 424,
        body: {
          error: 'EXECUTION_FAILED',
          hint: expect.any(String),
          details: { errorType: 'RangeError', errorMessage: 'too far' },
        },
      });
      const [record] = await logged(platform, id, 1);
      expect(record).toMatchObject({ type: 'app.task.failed', data: { taskId: id, payload: { a: 1 } } });
      expect(record!.data).not.toHaveProperty('result');
      const { name, message, stack } = record!.data.error as Record<string, string>;
      expect({ name, message }).toEqual({ name: 'RangeError', message: 'too far' });
      // The line of the code.
      expect(stack).toMatch(
        new RegExp(`^RangeError: too far\n {4}at execute \\(.*/v3/apps/${APP}/actions/${id}/code\\.js:3:9\\)`),
      );
    });

    it.each([
      ['undefined', 'throw undefined;', 'Error'],
      ['a string', "throw 'no';", 'Error'],
      ['nothing, by rejecting', 'return Promise.reject();', 'Error'],
    ])('fails when the code throws %s', async (_, body, errorType) => {
      const { id } = await fresh(platform, body);
      expect((await resultOf(platform, id)).body).toMatchObject({ error: 'EXECUTION_FAILED', details: { errorType } });
    });

    it('is refused for an action that is inactive, has no manual trigger, or doesn’t exist', async () => {
      const inactive = await fresh(platform, '', { active: false });
      const scheduled = await fresh(platform, '', { triggers: [{ trigger: 'schedule' }], frequency: '0 0 1 1 *' });
      const draft = (await create(platform)).body.action;
      expect(await failure(resultOf(platform, inactive.id))).toBe('409 ACTION_INACTIVE');
      expect(await failure(resultOf(platform, scheduled.id))).toBe('409 TRIGGER_MISSING');
      expect(await failure(resultOf(platform, draft.id))).toBe('409 ACTION_INACTIVE');
      expect(await failure(resultOf(platform, 'no-such'))).toBe('404 ACTION_NOT_FOUND');
      expect(await failure(resultOf(platform, 999_999))).toBe('404 ACTION_NOT_FOUND');
    });

    it('is refused for a V2 action', async () => {
      const { body } = await platform.ask<{ action: { id: number; name: string } }>(`/v1/apps/${APP}/actions`, {
        body: { name: `v2-run-${Date.now()}` },
      });
      expect(await failure(resultOf(platform, body.action.id))).toBe('409 ACTION_NOT_V3');
      expect(await failure(resultOf(platform, body.action.name))).toBe('409 ACTION_NOT_V3');
    });

    it('is refused for an action of clients', async () => {
      const { id } = await fresh(platform, '', { environment: 'client' });
      expect(await failure(resultOf(platform, id))).toBe('409 CLIENT_ACTION_NOT_RUNNABLE');
    });

    it.each([[[]], ['x'], [5], [null]])('is refused with the payload %j', async (payload) => {
      const { id } = await fresh(platform, '');
      expect(await failure(resultOf(platform, id, payload))).toBe('422 INVALID');
    });

    it('runs the master copy, and the production copy in live', async () => {
      const { id } = await fresh(platform, 'return 1;');
      expect(await failure(resultOf(platform, id, {}, { mode: 'live' }))).toBe('404 ACTION_NOT_FOUND');
      await platform.ask(`${V3}/${id}/publish`, { method: 'POST' });
      await platform.ask(`${V3}/${id}`, { method: 'PUT', body: { code: execute('return 2;') } });
      expect((await resultOf(platform, id)).body.result).toBe(2);
      expect((await resultOf(platform, id, {}, { mode: 'live' })).body.result).toBe(1);
    });

    it('accepts payloads up to 6 MB', async () => {
      const { id } = await fresh(platform, 'return context.payload.text.length;');
      const room = 6 * 1024 * 1024 - '{"text":""}'.length;
      if (isExhaustive()) expect((await resultOf(platform, id, { text: 'x'.repeat(room) })).body.result).toBe(room);
      expect(await failure(resultOf(platform, id, { text: 'x'.repeat(room + 1) }))).toBe('413 PAYLOAD_TOO_LARGE');
      if (isExhaustive())
        expect(await failure(resultOf(platform, id, { text: 'x'.repeat(9e6) }))).toBe('413 TOO_LARGE');
    });

    it('runs once for one key', async () => {
      const { id } = await fresh(platform, 'return Math.random();');
      const how = { body: {}, headers: { 'Idempotency-Key': `run-${id}` } };
      const path = `${V3}/${id}/run-with-result`;
      const [first, second] = [await platform.ask<Ended>(path, how), await platform.ask<Ended>(path, how)];
      expect(second.body.result).toBe(first.body.result);
      await logged(platform, id, 1);
    });
  });

  describe('a log record', () => {
    it('fires the production copy, with {trigger: "log", log} as the payload', async () => {
      const type = 'v3.fired';
      const triggers = [{ trigger: 'log', where: { type } }];
      const { id } = await fresh(platform, 'return context.payload;', { triggers });
      const fire = () =>
        platform.ask<{ log: { id: number } }>(`/v1/apps/${APP}/logs`, { body: { type, data: { a: 1 } } });
      await fire();
      await platform.ask(`${V3}/${id}/publish`, { method: 'POST' });
      const { body } = await fire();
      const [record] = await logged(platform, id, 1);
      expect(record!.data).toMatchObject({ mode: 'scheduled', runOn: 'server' });
      expect(record!.data.result).toEqual({ trigger: 'log', log: expect.objectContaining({ id: body.log.id, type }) });
    });
  });

  describe('getLogs over HTTP', () => {
    it('has the records of V3 runs only, in pages', async () => {
      const { id } = await fresh(platform, 'return context.payload.n;');
      for (const n of [1, 2, 3]) await resultOf(platform, id, { n });
      const read = async (query: string) => (await platform.ask<LogList>(`/v3/apps/${APP}/logs?${query}`)).body;
      const results = ({ logs }: LogList): unknown[] => logs.map(({ data }) => data.result);
      expect(results(await read(`id=${id}`))).toEqual([3, 2, 1]);
      const page = await read(`id=${id}&limit=1&offset=1`);
      expect({ count: page.count, results: results(page) }).toEqual({ count: 3, results: [2] });
      const where = encodeURIComponent(JSON.stringify({ data: { result: 1 } }));
      expect(results(await read(`id=${id}&where=${where}`))).toEqual([1]);
      const all = await read('limit=1000');
      expect(all.logs.filter(({ data }) => data.actionVersion !== 'v3')).toEqual([]);
    });
  });
});

describe('on a virtual clock', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await start({ clock: new Date('2026-03-02T00:00:00Z') });
  });
  afterAll(() => platform.close());
  const moveTo = (to: string) => platform.ask('/v1/clock', { body: { to } });

  it('a schedule runs the production copy with an empty payload, in its time zone', async () => {
    const daily = { triggers: [{ trigger: 'schedule' }], frequency: '0 9 * * *', timezone: 'Europe/Amsterdam' };
    const { id } = await fresh(platform, 'return context;', daily);
    const other = await fresh(platform, '', daily);
    await platform.ask(`${V3}/${id}/publish`, { method: 'POST' });
    await moveTo('2026-03-02T07:59:00Z');
    expect((await platform.ask<LogList>(`/v1/apps/${APP}/logs?id=${id}`)).body.count).toBe(0);
    await moveTo('2026-03-02T08:00:00Z');
    const [record] = await logged(platform, id, 1);
    expect(record!.data).toMatchObject({ mode: 'scheduled', dueAt: '2026-03-02T08:00:00.000Z', payload: {} });
    expect(record!.data.result).toEqual({ payload: {} });
    await platform.ask(`${V3}/${id}/unpublish`, { method: 'POST' });
    await platform.ask(`${V3}/${other.id}/publish`, { method: 'POST' });
    await moveTo('2026-03-03T08:00:00Z');
    await logged(platform, other.id, 1);
    await logged(platform, id, 1);
  });

  it('30 runs a minute and app are allowed, of all V3 actions together; V2 runs don’t count', async () => {
    await moveTo('2026-03-04T00:00:05Z');
    const [one, other] = [await fresh(platform, ''), await fresh(platform, '')];
    const run = (id: number) => platform.ask(`${V3}/${id}/run`, { body: {} });
    const statuses: number[] = [];
    for (let n = 0; n < 30; n += 1) statuses.push((await run(n % 2 ? one.id : other.id)).status);
    expect(new Set(statuses)).toEqual(new Set([202]));
    const refused = await run(one.id);
    expect({ status: refused.status, error: refused.body.error, after: refused.headers.get('retry-after') }).toEqual({
      status: 429,
      error: 'TOO_MANY_RUNS',
      after: '55',
    });
    await platform.ask(`/v1/apps/${APP}/actions`, { body: { name: 'v2-free' } });
    expect((await platform.ask(`/v1/apps/${APP}/actions/v2-free/run`, { body: {} })).status).toBe(202);
    await moveTo('2026-03-04T00:01:00Z');
    expect((await run(one.id)).status).toBe(202);
  });

  it('beyond the allowed runs of a minute, what log records fire ends as failed, with a record', async () => {
    const platform = await startForTest({
      clock: new Date('2026-03-02T00:00:05Z'),
      v3RunLimit: 1,
    });
    const { id } = await fresh(platform, '', { triggers: [{ trigger: 'log', where: { type: 'often' } }] });
    await platform.ask(`${V3}/${id}/publish`, { method: 'POST' });
    for (let n = 0; n < 2; n += 1) await platform.ask(`/v1/apps/${APP}/logs`, { body: { type: 'often' } });
    const records = await logged(platform, id, 2);
    expect(records.map(({ type }) => type).sort()).toEqual(['app.task.completed', 'app.task.failed']);
    expect(records.find(({ type }) => type === 'app.task.failed')!.data.error).toMatchObject({ name: 'TOO_MANY_RUNS' });
  });
});

describe('in processes of their own', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await start({ limits: { time: 4_000, result: 1_000 }, hasRunProcesses: true });
  });
  afterAll(() => platform.close());

  it('runs of code that never ends are stopped, whatever it does', async () => {
    const ends = async (body: string): Promise<void> => {
      const { id } = await fresh(platform, body);
      expect(await failure(resultOf(platform, id))).toBe('504 TIMEOUT');
      const [record] = await logged(platform, id, 1);
      expect(record).toMatchObject({ type: 'app.task.failed', data: { error: { name: 'TIMEOUT' } } });
    };
    await Promise.all(ENDLESS.map(ends));
  });

  it('runs fail whose result is too large, too deep, or can’t be JSON', async () => {
    const large = await fresh(platform, "return 'x'.repeat(999);");
    expect(await failure(resultOf(platform, large.id))).toBe('424 RESULT_TOO_LARGE');
    const fits = await fresh(platform, "return 'x'.repeat(998);");
    expect((await resultOf(platform, fits.id)).status).toBe(200);
    const cyclic = await fresh(platform, 'const a = []; a.push(a); return a;');
    expect(await failure(resultOf(platform, cyclic.id))).toBe('424 EXECUTION_FAILED');
  });

  it('hostile code has no way out: no modules, no code from strings, no network, no other app', async () => {
    const attempts: Record<string, string> = {
      require: 'return typeof require;',
      process: 'return typeof process;',
      eval: 'try { return eval("1"); } catch (error) { return error.name; }',
      Function:
        'try { return context.constructor.constructor("return process")(); } catch (error) { return error.name; }',
      import: 'try { await import("node:fs"); return "in"; } catch { return "refused"; }',
      private: 'try { await fetch("http://127.0.0.1:1/"); return "in"; } catch { return "refused"; }',
      app: 'const { token } = Platform.env(); const response = await fetch(Platform.baseUrl() + "v1/apps/101/outbox", { headers: { "Auth-token": token } }); return response.status;',
    };
    const each = Object.entries(attempts).map(([name, body]) => `${name}: await (async () => { ${body} })()`);
    const { id } = await fresh(platform, `return { ${each.join(',\n')} };`);
    expect((await resultOf(platform, id)).body.result).toEqual({
      require: 'undefined',
      process: 'undefined',
      eval: 'EvalError',
      Function: 'EvalError',
      import: 'refused',
      private: 'refused',
      app: 404,
    });
  });
});

describe('the profile envelope', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await start({ v3Profile: 'envelope' });
  });
  afterAll(() => platform.close());

  it('wraps results, and its log records have neither payload, result, error, nor console', async () => {
    const { id } = await fresh(
      platform,
      "console.log('x'); if (context.payload.fail) throw new Error('no'); return 5;",
    );
    expect((await resultOf(platform, id)).body).toEqual({ result: { success: true, data: 5 } });
    const nothing = await fresh(platform, '');
    expect((await resultOf(platform, nothing.id)).body).toEqual({ result: { success: true, data: null } });
    expect(await failure(resultOf(platform, id, { fail: true }))).toBe('424 EXECUTION_FAILED');
    const records = await logged(platform, id, 2);
    for (const { data } of records)
      expect(data).toEqual({
        taskId: id,
        mode: 'on-demand',
        runOn: 'server',
        duration: expect.any(Number),
        actionVersion: 'v3',
        runId: expect.any(String),
      });
    expect(records.map(({ type }) => type).sort()).toEqual(['app.task.completed', 'app.task.failed']);
  });

  it('limits payloads to 5 MiB', async () => {
    const { id } = await fresh(platform, '');
    const room = 5 * 1024 * 1024 - '{"text":""}'.length;
    // A run with 6 MB is in another test.
    if (isExhaustive()) expect((await resultOf(platform, id, { text: 'x'.repeat(room) })).status).toBe(200);
    expect(await failure(resultOf(platform, id, { text: 'x'.repeat(room + 1) }))).toBe('413 PAYLOAD_TOO_LARGE');
  });
});
