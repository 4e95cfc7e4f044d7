/** Creating, changing, publishing, and removing actions over HTTP; `actions-rules.test.ts` has the rules (decisions, "Platform endpoints"). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Action, ActionRevision, FullRevision } from '../../lib/platform-api/index.ts';
import { isExhaustive } from '../support/exhaustive.ts';
import { onDatabase } from './support/databases.ts';
import { start, type TestPlatform } from './support/platform.ts';

type One = { action: Action };
type List = { actions: Action[] };

onDatabase(({ url }) => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await start({ databaseUrl: await url() });
  });
  afterAll(() => platform.close());

  const ACTIONS = '/v1/apps/103/actions';
  const create = (body: unknown, app = 103) =>
    platform.ask<One & { error: string; message: string; details: { path: string; message: string }[] }>(
      `/v1/apps/${app}/actions`,
      { method: 'POST', body },
    );
  const update = (which: string | number, body: unknown, headers: Record<string, string> = {}) =>
    platform.ask<One & { error: string; message: string; details: { path: string; message: string }[] }>(
      `${ACTIONS}/${which}`,
      { method: 'PUT', body, headers },
    );
  const publish = (which: string | number, to: boolean) =>
    platform.ask<One>(`${ACTIONS}/${which}/publish`, { body: { publish: to } });
  const names = async (app = 103): Promise<string[]> =>
    (await platform.ask<List>(`/v1/apps/${app}/actions`)).body.actions.map(({ name }) => name);

  let made = 0;
  const fresh = async (properties: object = {}): Promise<Action> => {
    const { status, body } = await create({ name: `made-${(made += 1)}`, ...properties });
    expect({ status, message: body.message }).toEqual({ status: 201, message: undefined });
    return body.action;
  };

  describe('POST /v1/apps/:appId/actions', () => {
    it('responds with 201 and the action as it is at its own URL, with its revision as ETag', async () => {
      const { status, body, headers } = await create({ name: 'first' });
      expect({ status, revision: body.action.revision }).toEqual({ status: 201, revision: 1 });
      expect(headers.get('etag')).toBe('"1"');
      expect((await platform.ask<One>(`${ACTIONS}/${body.action.id}`)).body).toEqual(body);
    });

    it('accepts the name of another app’s action', async () => {
      const { name } = await fresh();
      expect((await create({ name }, 102)).status).toBe(201);
    });

    it('responds with 422 to a body that isn’t an object', async () => {
      for (const body of ['null', '[]', '"name"', '7'])
        expect({ body, status: (await create(body)).status }).toEqual({ body, status: 422 });
    });

    it('responds with 400 to broken JSON and 415 to another content type, and creates nothing', async () => {
      const before = await names();
      expect((await create('{"name":')).status).toBe(400);
      expect(
        (
          await platform.ask(ACTIONS, {
            body: 'name=x',
            headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          })
        ).status,
      ).toBe(415);
      expect(await names()).toEqual(before);
    });

    it('responds with 404 for an app of another user, and creates nothing there', async () => {
      expect((await create({ name: 'mine' }, 104)).status).toBe(404);
    });

    it('keeps __proto__ in settings and where as data', async () => {
      const { status, body } = await create(
        '{"name":"proto","triggers":[{"trigger":"log","where":{"__proto__":{"x":1}}}],"functions":[{"functionPackage":"com.platform.function.wait","settings":{"ms":1,"__proto__":{"polluted":true}}}]}',
      );
      expect(status).toBe(201);
      expect(JSON.stringify(body.action.functions)).toContain('"__proto__":{"polluted":true}');
      expect(JSON.stringify(body.action.triggers)).toContain('"__proto__":{"x":1}');
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
    });
  });

  describe('PUT /v1/apps/:appId/actions/:idOrName', () => {
    it('rejects a change of an action that has changed since, by If-Match or by revision', async () => {
      const action = await fresh();
      expect((await update(action.id, { active: false }, { 'If-Match': '"1"' })).status).toBe(200);
      for (const [change, headers, message] of [
        [{ active: true }, { 'If-Match': '"1"' }, 'has changed since you read it'],
        [{ active: true, revision: 1 }, {}, 'has changed since you read it'],
        [{ active: true }, { 'If-Match': '"abc"' }, 'The If-Match header isn’t the ETag of an action'],
      ] as const) {
        expect(await update(action.id, change, headers)).toMatchObject({
          status: 409,
          body: { error: 'CONFLICT', message: expect.stringContaining(message) },
        });
      }
      expect((await update(action.id, { active: true }, { 'If-Match': '*' })).body.action).toMatchObject({
        active: true,
        revision: 3,
      });
    });

    it('reads digits as an ID first, and as a name on request', async () => {
      const action = await fresh();
      const named = (await create({ name: String(action.id) })).body.action;
      expect((await update(action.id, {})).body.action.id).toBe(action.id);
      expect((await update(`${action.id}?by=name`, {})).body.action.id).toBe(named.id);
      expect(await update(`${action.id}?by=number`, {})).toMatchObject({
        status: 422,
        body: { details: [{ path: '/by' }] },
      });
    });
  });

  describe('…/:idOrName/revisions', () => {
    const listed = async (id: number): Promise<ActionRevision[]> =>
      (await platform.ask<{ revisions: ActionRevision[] }>(`${ACTIONS}/${id}/revisions`)).body.revisions;
    const read = (id: number, revision: number) =>
      platform.ask<{ revision: FullRevision; error: string }>(`${ACTIONS}/${id}/revisions/${revision}`);
    const restore = (id: number, revision: number, headers: Record<string, string> = {}) =>
      platform.ask<One & { error: string }>(`${ACTIONS}/${id}/revisions/${revision}/restore`, { body: {}, headers });

    it('lists every version with its author, time, and changed fields, newest first', async () => {
      const { id, createdAt } = await fresh();
      await update(id, { active: false, timezone: 'Europe/Amsterdam' });
      const { updatedAt } = (await update(id, { active: false, frequency: '0 7 * * *' })).body.action;
      const by = { kind: 'user', email: 'dev@northwind.example' };
      const [third, second, first] = await listed(id);
      expect(first).toEqual({ revision: 1, createdAt, change: 'create', changed: null, restored: null, by });
      expect(second).toMatchObject({ revision: 2, change: 'update', changed: ['active', 'timezone'] });
      expect(third).toMatchObject({ revision: 3, createdAt: updatedAt, changed: ['frequency', 'triggers'] });
    });

    it('reads the content of one version', async () => {
      const { id, name } = await fresh({ functions: [{ type: 'loop', range: { from: 1, to: 2 }, functions: [] }] });
      await update(id, { functions: [] });
      expect((await read(id, 1)).body.revision).toMatchObject({
        revision: 1,
        action: { name, active: true, functions: [{ type: 'loop', range: { from: 1, to: 2 }, functions: [] }] },
      });
      const missing = await read(id, 7);
      expect([missing.status, missing.body.error]).toEqual([404, 'REVISION_NOT_STORED']);
    });

    it('restores the working copy as a new revision, and leaves the published copy unchanged', async () => {
      const { id, name } = await fresh({ frequency: '0 7 * * *' });
      await update(id, { name: `${name}-renamed`, active: false });
      await publish(id, true);
      const { body, headers } = await restore(id, 1);
      expect(body.action).toMatchObject({ name, active: true, frequency: '0 7 * * *', revision: 3 });
      expect(body.action.published).toMatchObject({ name: `${name}-renamed`, active: false });
      expect(headers.get('etag')).toBe('"3"');
      expect((await listed(id))[0]).toMatchObject({
        revision: 3,
        change: 'restore',
        restored: 1,
        changed: ['name', 'active'],
      });
    });

    it('restores nothing when the action has changed since, or when its name is taken', async () => {
      const { id, name } = await fresh();
      await update(id, { name: `${name}-renamed` });
      const stale = await restore(id, 1, { 'If-Match': '"1"' });
      expect([stale.status, stale.body.error]).toEqual([409, 'CONFLICT']);
      await create({ name });
      const taken = await restore(id, 1);
      expect([taken.status, taken.body.error]).toEqual([409, 'NAME_TAKEN']);
      expect((await listed(id)).map(({ revision }) => revision)).toEqual([2, 1]);
    });

    it('keeps the last 50 versions, and removes them with the action', async () => {
      const { id, name } = await fresh();
      for (let i = 0; i < 51; i += 1) await update(id, { active: i % 2 === 0 });
      const revisions = (await listed(id)).map(({ revision }) => revision);
      expect([revisions.length, revisions[0], revisions.at(-1)]).toEqual([50, 52, 3]);
      expect((await restore(id, 1)).body.error).toBe('REVISION_NOT_STORED');
      await platform.ask(`${ACTIONS}/${name}`, { method: 'DELETE' });
      expect((await platform.ask(`${ACTIONS}/${id}/revisions`)).status).toBe(404);
    });

    if (isExhaustive())
      it('keeps the current version and at most 16 MB of versions', async () => {
        const functions = [
          { functionPackage: 'com.platform.function.wait', settings: { note: 'x'.repeat(900_000), ms: 1 } },
        ];
        const { id } = await fresh({ functions });
        for (let i = 0; i < 20; i += 1) await update(id, { active: i % 2 === 0 });
        expect((await listed(id)).length).toBe(18);
      });

    it('names the page that made a change, and isn’t available to pages', async () => {
      const { id } = await fresh();
      const page = (await platform.ask('/v1/apps/103/preview')).text;
      const { token } = JSON.parse(/id="platform-env">([^<]*)</.exec(page)![1]!) as { token: string };
      await platform.ask(`${ACTIONS}/${id}`, { method: 'PUT', token, body: { active: false } });
      expect((await listed(id))[0]?.by).toEqual({ kind: 'page', email: 'dev@northwind.example' });
      expect((await platform.ask(`${ACTIONS}/${id}/revisions`, { token })).status).toBe(401);
    });

    it('has the demo actions’ versions, of unknown authors', async () => {
      const { actions } = (await platform.ask<List>('/v1/apps/101/actions')).body;
      const { id, revision, updatedAt } = actions[0]!;
      const path = `/v1/apps/101/actions/${id}/revisions`;
      expect((await platform.ask<{ revisions: ActionRevision[] }>(path)).body.revisions).toEqual([
        { revision, createdAt: updatedAt, change: null, changed: null, restored: null, by: null },
      ]);
    });
  });

  describe('an ID or a name without an action', () => {
    it.each([
      ['digits without a matching ID', '99999999999', 404],
      ["another app's", '1001', 404],
      ['an encoded path', '..%2f..%2fapps', 422],
    ])('%s', async (_, id, status) => {
      const expected = {
        status,
        body: { error: status === 404 ? 'NOT_FOUND' : 'INVALID', message: expect.any(String) },
      };
      expect(await platform.ask(`${ACTIONS}/${id}`)).toMatchObject(expected);
      expect(await update(id, {})).toMatchObject(expected);
      expect(await platform.ask(`${ACTIONS}/${id}`, { method: 'DELETE' })).toMatchObject(expected);
      for (const way of ['run', 'run-with-result'])
        expect(await platform.ask(`${ACTIONS}/${id}/${way}`, { body: { payload: {} } })).toMatchObject(expected);
      expect([404, 422]).toContain((await publish(id, true)).status);
    });
  });

  describe('DELETE /v1/apps/:appId/actions/:idOrName', () => {
    it('responds with 204 without content', async () => {
      const { status, text } = await platform.ask(`${ACTIONS}/${(await fresh()).id}`, { method: 'DELETE' });
      expect({ status, text }).toEqual({ status: 204, text: '' });
    });
  });

  describe('POST …/:id/publish', () => {
    it('doesn’t publish a revision that its caller hasn’t seen (If-Match)', async () => {
      const { id } = await fresh();
      await update(id, { active: false });
      const seen = (revision: number) =>
        platform.ask<One & { error: string }>(`${ACTIONS}/${id}/publish`, {
          body: { publish: true },
          headers: { 'If-Match': `"${revision}"` },
        });
      expect(await seen(1)).toMatchObject({ status: 409, body: { error: 'CONFLICT' } });
      expect((await platform.ask<One>(`${ACTIONS}/${id}`)).body.action.published).toBeNull();
      expect((await seen(2)).body.action.published).toMatchObject({ active: false });
    });

    it('lists what isn’t live yet, such as active: false while the schedule still runs', async () => {
      const { id } = await fresh({ frequency: '0 7 * * *' });
      const changes = async () => {
        const { unpublishedChanges, active, nextRunAt } = (await platform.ask<One>(`${ACTIONS}/${id}`)).body.action;
        return { unpublishedChanges, active, isDue: nextRunAt !== null };
      };
      expect(await changes()).toEqual({ unpublishedChanges: [], active: true, isDue: false });
      await publish(id, true);
      expect(await changes()).toEqual({ unpublishedChanges: [], active: true, isDue: true });
      const { body } = await update(id, { active: false });
      expect(body.action.unpublishedChanges).toEqual(['active']);
      expect(await changes()).toEqual({ unpublishedChanges: ['active'], active: false, isDue: true });
      // A client can send the response back.
      expect((await update(id, { ...body.action, triggers: [] })).body.action.unpublishedChanges).toEqual([
        'active',
        'triggers',
      ]);
      await publish(id, true);
      expect(await changes()).toEqual({ unpublishedChanges: [], active: false, isDue: false });
    });

    it.each([[{}], [[]], [{ publish: 'yes' }]])('responds with 422 to %j', async (body) => {
      const { id } = await fresh();
      expect((await platform.ask(`${ACTIONS}/${id}/publish`, { body })).status).toBe(422);
    });
  });
});
