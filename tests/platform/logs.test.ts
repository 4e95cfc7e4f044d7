/** The log over HTTP: the list, its filters, and what is stored (decisions, "Actions": logs). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LogList, LogRecord } from '../../lib/platform-api/index.ts';
import { openAppPage, type AppPage } from './support/app-page.ts';
import { sql } from '../../lib/local-platform/db/drizzle.ts';
import { listLogs } from '../../lib/local-platform/logs/read.ts';
import { onBothDatabases } from './support/databases.ts';
import { start, type TestPlatform } from './support/platform.ts';

onBothDatabases(({ url, open }) => {
  let platform: TestPlatform;
  let page: AppPage;
  beforeAll(async () => {
    platform = await start({ databaseUrl: await url() });
    page = await openAppPage(platform, '/v1/apps/103/preview');
    await add({ type: 'app.action.completed', data: { mode: 'on-demand', duration: 5, actionId: 1201 } }, 60);
    await add(
      {
        type: 'app.task.completed',
        data: {
          mode: 'scheduled',
          duration: 6,
          actionId: 1202,
          result: { rows: [1, 2], by: { city: 'Utrecht', floor: null } },
        },
      },
      3,
    );
    await add(
      {
        type: 'app.task.failed',
        data: {
          mode: 'scheduled',
          duration: 7,
          actionId: 1202,
          result: { errorType: 'Error', errorMessage: 'no', trace: [] },
        },
      },
      2,
    );
    await add({ type: 'badge.printed', dataSourceId: 521, data: { city: 'Utrecht' } }, 4);
  });
  afterAll(() => platform.close());

  const LOGS = '/v1/apps/103/logs';
  const post = (body: unknown, path = LOGS) => platform.ask<{ log: LogRecord }>(path, { body });
  async function add(log: object, times: number): Promise<void> {
    for (let i = 0; i < times; i += 1) expect((await post(log)).status).toBe(201);
  }
  const list = async (query: Record<string, string | number> = {}): Promise<LogList> => {
    const text = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
    const { status, body } = await platform.ask<LogList>(`${LOGS}?${text}`);
    expect(status).toBe(200);
    return body;
  };
  const where = (fields: object): Promise<LogList> => list({ where: JSON.stringify(fields) });

  describe('GET /v1/apps/:appId/logs', () => {
    it('reads and finds failures that older servers spelled differently', async () => {
      const errorMessage = 'The action ran longer than 120 seconds and was stopped.';
      const result = { errorType: 'Timeout', errorMessage, trace: [] };
      const old = { type: 'app.task.failed', data: { mode: 'on-demand', duration: 1, actionId: 1301, result } };
      await platform.ask('/v1/apps/102/logs', { body: old });
      for (const errorType of ['Timeout', 'TIMEOUT']) {
        const query = new URLSearchParams({ where: JSON.stringify({ data: { result: { errorType } } }) });
        const { body } = await platform.ask<LogList>(`/v1/apps/102/logs?${query}`);
        expect(body).toMatchObject({ count: 1, logs: [{ data: { result: { errorType: 'TIMEOUT', errorMessage } } }] });
      }
    });
    it('finds by data only what is valid as jsonb, which old versions didn’t check, and lists the rest', async () => {
      const { db } = await open();
      for (const data of ['{"a": 1, "b": "\\u0000"}', '{"a": 1, "b": 2}'])
        await db.execute(
          sql`insert into logs (app_id, organization_id, type, data) values (103, 21, 'old', ${data}::json)`,
        );
      const found = async (data?: Record<string, unknown>): Promise<unknown[]> => {
        const { logs } = await listLogs(db, 103, {
          id: null,
          before: null,
          where: { type: 'old', ...(data && { data }) },
        });
        return logs.map((log) => log.data);
      };
      const [valid, invalid] = [
        { a: 1, b: 2 },
        { a: 1, b: '\0' },
      ];
      expect(await found()).toEqual([valid, invalid]);
      expect(await found({})).toEqual([valid, invalid]);
      for (const data of [{ a: 1 }, { absent: null }]) expect(await found(data)).toEqual([valid]);
    });
    it('without options returns the last 50 completed and failed results of all actions, newest first', async () => {
      const { count, logs } = await list();
      expect({ count, logCount: logs.length }).toEqual({ count: 65, logCount: 50 });
      expect(new Set(logs.map(({ type }) => type))).toEqual(
        new Set(['app.action.completed', 'app.task.completed', 'app.task.failed']),
      );
      const ids = logs.map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted((a, b) => b - a));
      expect(logs[0]).toEqual({
        id: expect.any(Number),
        appId: 103,
        organizationId: 21,
        dataSourceId: null,
        dataSourceEntryId: null,
        appNotificationId: null,
        sessionId: null,
        type: 'app.task.failed',
        data: {
          mode: 'scheduled',
          duration: 7,
          actionId: 1202,
          result: { errorType: 'Error', errorMessage: 'no', trace: [] },
        },
        createdAt: expect.stringMatching(/Z$/),
      });
    });

    it('filters by action, by type, and counts all that match', async () => {
      expect(await list({ id: 1202 })).toMatchObject({ count: 5, logs: { length: 5 } });
      expect(await list({ id: 1202, type: 'app.task.failed' })).toMatchObject({ count: 2, logs: { length: 2 } });
      expect(await list({ type: 'badge.printed' })).toMatchObject({ count: 4 });
      expect(await list({ id: 999_999 })).toEqual({ count: 0, logs: [] });
      expect(await list({ type: 'app.task.failed', where: '{"type":"badge.printed"}' })).toEqual({
        count: 0,
        logs: [],
      });
    });

    it('limits the page, not the count', async () => {
      expect(await list({ limit: 2 })).toMatchObject({ count: 65, logs: { length: 2 } });
      expect(await list({ limit: 0 })).toEqual({ count: 65, logs: [] });
      expect((await list({ limit: 1000 })).logs).toHaveLength(65);
    });

    it('continues where a page ended, without gaps', async () => {
      const all = (await list({ limit: 1000 })).logs.map(({ id }) => id);
      const first = (await list({ limit: 40 })).logs.map(({ id }) => id);
      const rest = (await list({ limit: 40, before: first.at(-1)! })).logs.map(({ id }) => id);
      expect([...first, ...rest]).toEqual(all);
    });

    it('matches by where: every field must equal the record’s, deeply for objects', async () => {
      expect((await where({ type: 'badge.printed' })).count).toBe(4);
      expect((await where({ dataSourceId: 521 })).count).toBe(4);
      expect((await where({ dataSourceId: 521, type: 'app.task.failed' })).count).toBe(0);
      expect((await where({ data: { mode: 'scheduled' } })).count).toBe(5);
      expect((await where({ data: { result: { by: { city: 'Utrecht' } } } })).count).toBe(3);
      expect((await where({ data: { result: { by: { city: 'Breda' } } } })).count).toBe(0);
      expect((await where({ data: { result: { rows: [1, 2] } } })).count).toBe(3);
      expect((await where({ data: { result: { rows: [1] } } })).count).toBe(0);
      expect((await where({ data: { result: { by: { floor: null } } } })).count).toBe(3);
      expect((await where({})).count).toBe(69);
      expect((await list({ id: 1202, where: '{"data":{"mode":"scheduled"}}', limit: 1 })).count).toBe(5);
    });

    it('filters by outcome, also together with an action and a type', async () => {
      expect(await list({ outcome: 'completed' })).toMatchObject({ count: 63 });
      expect(await list({ outcome: 'failed', id: 1202 })).toMatchObject({ count: 2 });
      expect(await list({ outcome: 'completed', type: 'app.task.completed' })).toMatchObject({ count: 3 });
      expect(await list({ outcome: 'completed', type: 'app.task.failed' })).toEqual({ count: 0, logs: [] });
      expect(await list({ outcome: 'failed', where: '{"data":{"mode":"on-demand"}}' })).toMatchObject({ count: 0 });
    });

    it('filters by time: from is included, and to isn’t', async () => {
      const all = (await list({ limit: 1000 })).logs;
      const [to, from] = [all[20]!.createdAt, all[40]!.createdAt];
      const expected = all.filter(({ createdAt }) => createdAt >= from && createdAt < to);
      expect(expected.map(({ createdAt }) => createdAt)).toContain(from);
      expect(await list({ from, to, limit: 5 })).toEqual({ count: expected.length, logs: expected.slice(0, 5) });
      expect((await list({ from, id: 1202 })).count).toBe(5);
      expect((await list({ to, outcome: 'failed' })).count).toBe(0);
      expect((await list({ from: to.replace('Z', '+01:00') })).count).toBe(65);
    });

    it.each([
      ['quotes', { data: { 'a\'b"c': "'; drop table logs; --" } }],
      ['braces and commas', { data: { '{a,b}': { 'c"d': 1 } } }],
      ['__proto__', JSON.parse('{"data":{"__proto__":{"x":1}}}') as object],
      ['a huge number', { dataSourceId: 1e300 }],
      ['a fraction', { id: 1.5 }],
    ])('treats %s in where as values', async (_, fields) => {
      expect(await where(fields)).toEqual({ count: 0, logs: [] });
    });

    it.each([
      'limit=-1',
      'limit=1001',
      'limit=1.5',
      'limit=x',
      'limit=',
      'id=-3',
      'id=1.5',
      'id=x',
      'id=99999999999',
      'before=0',
      'type=',
      'type=a%20b',
      'where=x',
      'where=[]',
      'where=7',
      'where={"unknown":1}',
      'where={"type":7}',
      'where={"data":[]}',
      `where={"data":${'{"a":'.repeat(30)}1${'}'.repeat(31)}`,
      'outcome=stopped',
      'from=yesterday',
      'from=2026-13-01T00:00:00Z',
      'to=2026-11-23',
      'to=2026-11-23T10:00:00',
      'offset=3',
    ])('responds with 422 to %s', async (query) => {
      expect(await platform.ask(`${LOGS}?${query}`)).toMatchObject({
        status: 422,
        body: {
          error: 'INVALID',
          details: [
            { path: expect.stringMatching(new RegExp(`^/${query.split('=')[0]}(/|$)`)), message: expect.any(String) },
          ],
        },
      });
    });

    it('responds with 404 for another user’s app, and reveals nothing of it elsewhere', async () => {
      expect((await platform.ask('/v1/apps/104/logs')).status).toBe(404);
      expect((await platform.ask('/v1/apps/104/logs', { token: page.ENV.token as string })).status).toBe(404);
    });
  });

  describe('POST /v1/apps/:appId/logs', () => {
    it('returns the record with all fields', async () => {
      const { body } = await post({
        type: 'visit.started',
        data: { columns: ['a'] },
        dataSourceId: 521,
        dataSourceEntryId: 5,
        sessionId: 7,
        appNotificationId: 9,
      });
      expect(body.log).toEqual({
        id: expect.any(Number),
        appId: 103,
        organizationId: 21,
        dataSourceId: 521,
        dataSourceEntryId: 5,
        appNotificationId: 9,
        sessionId: 7,
        type: 'visit.started',
        data: { columns: ['a'] },
        createdAt: expect.any(String),
      });
    });

    it.each<[string, unknown, string]>([
      ['no type', { data: {} }, '/type'],
      ['a type with spaces', { type: 'a b' }, '/type'],
      ['data that is an array', { type: 'x', data: [] }, '/data'],
      ['a negative id', { type: 'x', sessionId: -1 }, '/sessionId'],
      ['a fractional id', { type: 'x', dataSourceEntryId: 1.5 }, '/dataSourceEntryId'],
      ['an id that is a string', { type: 'x', sessionId: '7' }, '/sessionId'],
      ["another app's data source", { type: 'x', dataSourceId: 501 }, '/dataSourceId'],
    ])('responds with 422 to %s, and adds nothing', async (_, body, path) => {
      const before = (await where({})).count;
      expect(await platform.ask(LOGS, { body })).toMatchObject({ status: 422, body: { details: [{ path }] } });
      expect((await where({})).count).toBe(before);
    });

    it.each(['app.task.failed', 'app.task.completed', 'app.action.completed', 'app.publish'])(
      'refuses a record of the type %s from a page, but accepts it from a user, who may be testing triggers',
      async (type) => {
        const before = (await where({ type })).count;
        const body = { type, data: { actionId: 1201 } };
        const message = `Pages and runs can’t add log records of type ${type}, which is reserved for the platform.`;
        expect(await platform.ask(LOGS, { body, token: page.ENV.token as string })).toMatchObject({
          status: 403,
          body: { error: 'LOG_TYPE_RESERVED', message },
        });
        expect((await where({ type })).count).toBe(before);
        expect((await post(body)).status).toBe(201);
      },
    );

    it('keeps __proto__ as data', async () => {
      const { text } = await platform.ask(LOGS, { body: '{"type":"proto","data":{"__proto__":{"polluted":1}}}' });
      expect(text).toContain('"data":{"__proto__":{"polluted":1}}');
    });
  });
});
