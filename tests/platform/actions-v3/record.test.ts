/** V3 actions over HTTP: the record, changes, production copies, and versions (actions-v3, "The action record"). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ActionV3, ActionV3List } from '../../../lib/platform-api/actions-v3/index.ts';
import type { Action } from '../../../lib/platform-api/index.ts';
import { onDatabase } from '../support/databases.ts';
import { start, type Ask, type TestPlatform } from '../support/platform.ts';
import { APP, create, execute, newName, V3, type Created } from './support.ts';

onDatabase(({ url }) => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await start({ databaseUrl: await url() });
  });
  afterAll(() => platform.close());

  const ask = (path: string, how?: Ask) => platform.ask<Created>(path, how);
  const made = async (properties: object = {}): Promise<ActionV3> => (await create(platform, properties)).body.action;
  const change = (id: number, properties: object, headers = {}) =>
    ask(`${V3}/${id}`, { method: 'PUT', body: properties, headers });
  const refused = async (response: Promise<{ status: number; body: { error: string } }>): Promise<string> => {
    const { status, body } = await response;
    return `${status} ${body.error}`;
  };

  describe('a new action', () => {
    it('has the defaults of V3: inactive, for the server, without triggers', async () => {
      const name = newName();
      const { status, body, headers } = await create(platform, { name });
      expect({ status, etag: headers.get('etag') }).toEqual({ status: 201, etag: '"1"' });
      expect(body.action).toEqual({
        id: expect.any(Number),
        appId: APP,
        name,
        code: execute(''),
        description: null,
        active: false,
        environment: 'server',
        triggers: [],
        dependencies: [],
        assets: [],
        frequency: null,
        timezone: null,
        actionVersion: 'v3',
        lastRunAt: null,
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
        publishedAt: null,
        revision: 1,
      });
    });

    it('has what it was given, and the packages that its dependencies resolve to', async () => {
      const given = {
        description: 'Reads visits.',
        active: true,
        environment: 'any',
        triggers: [
          { trigger: 'schedule' },
          { trigger: 'log', where: { type: 'a', __proto__x: [1] } },
          { trigger: 'analytics', where: {} },
        ],
        dependencies: ['platform-datasources', 'com.example.function.check-address'],
        frequency: '0 7 * * MON',
        timezone: 'Europe/Amsterdam',
      };
      const action = await made(given);
      expect(action).toMatchObject(given);
      const [runtime, check] = [
        '/v1/packages/platform-core:2.js',
        '/v1/functions/com.example.function.check-address.js',
      ];
      expect(action.assets).toEqual([
        { name: 'platform-datasources', path: runtime, url: platform.baseUrl + runtime },
        { name: 'com.example.function.check-address', path: check, url: platform.baseUrl + check },
      ]);
      for (const { url: address } of action.assets) expect((await fetch(address)).status).toBe(200);
    });

    it.each([
      ['422 NAME_REQUIRED', { name: null }],
      ['422 NAME_EMPTY', { name: '' }],
      ['422 NAME_INVALID', { name: '../x' }],
      ['422 NAME_TOO_LONG', { name: 'x'.repeat(256) }],
      ['422 CODE_REQUIRED', { code: null }],
      ['422 CODE_EMPTY', { code: ' ' }],
      ['422 CODE_VALIDATION_FAILED', { code: 'function execute(context) {}' }],
      ['422 ENVIRONMENT_INVALID', { environment: 'cloud' }],
      ['422 FREQUENCY_INVALID', { frequency: 'daily' }],
      ['422 FREQUENCY_INVALID', { triggers: [{ trigger: 'schedule' }] }],
      ['422 FREQUENCY_TOO_FREQUENT', { frequency: '* * * * *' }],
      ['422 TIMEZONE_INVALID', { timezone: 'Mars/Olympus' }],
      ['422 TRIGGERS_INVALID', { triggers: {} }],
      ['422 TRIGGERS_INVALID', { triggers: [{ trigger: 'log' }] }],
      ['422 TRIGGER_TYPE_INVALID', { triggers: [{ trigger: 'x' }] }],
      ['422 TRIGGER_NOT_ALLOWED', { triggers: [{ trigger: 'analytics', where: {} }] }],
      ['422 DEPENDENCIES_INVALID', { dependencies: ['lodash'] }],
      ['422 DEPENDENCIES_INVALID', { dependencies: ['__proto__'] }],
      ['422 DEPENDENCIES_INVALID', { code: execute('return Platform.DataSources;') }],
      ['422 INVALID', { functions: [] }],
    ])('is refused with %s (%#)', async (expected, properties) => {
      const response = await create(platform, properties);
      expect(`${response.status} ${response.body.error}`).toBe(expected);
      expect(response.body).toMatchObject({
        message: expect.stringMatching(/\.$/),
        hint: expect.stringMatching(/\.$/),
      });
      expect(response.body.details![0]).toMatchObject({ code: response.body.error });
    });

    it('can’t have the name of another action, V2 or V3', async () => {
      const { name } = await made();
      expect(await refused(create(platform, { name }))).toBe('409 NAME_TAKEN');
      const v2 = await platform.ask<{ action: Action }>(`/v1/apps/${APP}/actions`, { body: { name: newName() } });
      expect(await refused(create(platform, { name: v2.body.action.name }))).toBe('409 NAME_TAKEN');
    });

    it('is made once for one key', async () => {
      const how = { body: { name: newName(), code: execute('') }, headers: { 'Idempotency-Key': 'v3-once' } };
      const [first, second] = [await ask(V3, how), await ask(V3, how)];
      expect(second.body).toEqual(first.body);
    });
  });

  describe('bad requests', () => {
    it.each([
      ['400 MALFORMED', 'cut off', '{"name": "x", "code": "async func'],
      ['400 MALFORMED', 'empty', ''],
      ['422 INVALID', 'an array', '[]'],
      ['422 INVALID', 'a string', '"x"'],
      ['400 MALFORMED', 'nested too deeply', `{"name": ${'['.repeat(2_000)}${']'.repeat(2_000)}}`],
      ['422 INVALID', 'with NUL', '{"name": "x", "code": "\\u0000"}'],
    ])('get %s if the body is %s', async (expected, _, body) =>
      expect(await refused(ask(V3, { body }))).toBe(expected),
    );

    it('get an error for hostile and huge code, and the platform keeps working', async () => {
      for (const code of ['('.repeat(400_000), `${execute('')}\n//${'x'.repeat(500_000)}`, '\ud83d\ude00'.repeat(100)])
        expect(await refused(create(platform, { code }))).toBe('422 CODE_VALIDATION_FAILED');
      expect((await create(platform)).status).toBe(201);
    });
  });

  describe('the list', () => {
    const list = (query = '') => platform.ask<ActionV3List>(V3 + query);
    it('has pages of 50, ordered by ID', async () => {
      const { body: before } = await list('?limit=1');
      const ids: number[] = [];
      for (let n = before.pagination.total; n < 52; n += 1) ids.push((await made()).id);
      const { body } = await list();
      expect(body.actions.length).toBe(50);
      const total = 52;
      expect(body.pagination).toEqual({ total, hasMore: true });
      const { body: rest } = await list('?offset=50');
      expect(rest.pagination).toEqual({ total, hasMore: false });
      const all = [...body.actions, ...rest.actions].map(({ id }) => id);
      expect(all).toEqual([...all].sort((one, other) => one - other));
      expect(all.slice(-2)).toEqual(ids.slice(-2));
      expect((await list('?limit=0')).body).toEqual({ actions: [], pagination: { total, hasMore: true } });
    });

    it.each(['limit=-1', 'offset=x', 'mode=both'])('refuses ?%s', async (query) =>
      expect(await refused(ask(`${V3}?${query}`))).toBe('422 INVALID'),
    );

    it('has no V2 actions, and the list of V2 actions has none of V3', async () => {
      const action = await made();
      const { body } = await platform.ask<{ actions: Action[] }>(`/v1/apps/${APP}/actions`);
      expect(body.actions.map(({ id }) => id)).not.toContain(action.id);
      const v2 = body.actions.map(({ id }) => id);
      expect((await list('?limit=500')).body.actions.filter(({ id }) => v2.includes(id))).toEqual([]);
    });
  });

  describe('an update', () => {
    it('changes what it names, keeps the rest, and doesn’t touch the production copy', async () => {
      const action = await made({ description: 'old', triggers: [{ trigger: 'manual' }] });
      await ask(`${V3}/${action.id}/publish`, { method: 'POST' });
      const { body } = await change(action.id, { description: 'new', active: true });
      expect(body.action).toMatchObject({ description: 'new', active: true, name: action.name, code: action.code });
      expect(body.action.triggers).toEqual(action.triggers);
      expect((await ask(`${V3}/${action.id}`)).body.action).toEqual(body.action);
      expect((await ask(`${V3}/${action.id}?mode=live`)).body.action).toMatchObject({
        description: 'old',
        active: false,
      });
    });

    it('can remove optional values, and accepts a changed response', async () => {
      const action = await made({ description: 'x', frequency: '0 7 * * *', timezone: 'UTC' });
      const { body } = await change(action.id, { ...action, description: null, frequency: null, timezone: null });
      expect(body.action).toMatchObject({ description: null, frequency: null, timezone: null, revision: 2 });
    });

    it('is checked as a whole', async () => {
      const { id } = await made({ environment: 'any', triggers: [{ trigger: 'analytics', where: {} }] });
      expect(await refused(change(id, { environment: 'server' }))).toBe('422 TRIGGER_NOT_ALLOWED');
      expect(await refused(change(id, { code: '' }))).toBe('422 CODE_EMPTY');
      expect((await ask(`${V3}/${id}`)).body.action.revision).toBe(1);
    });

    it('is refused if the action has changed since, by its revision or its ETag', async () => {
      const action = await made();
      await change(action.id, { description: 'first' });
      expect(await refused(change(action.id, { ...action, description: 'second' }))).toBe('409 CONFLICT');
      expect(await refused(change(action.id, { description: 'second' }, { 'If-Match': '"1"' }))).toBe('409 CONFLICT');
      expect((await change(action.id, { description: 'second' }, { 'If-Match': '"2"' })).status).toBe(200);
    });

    it('can’t take the name of another action', async () => {
      const [one, other] = [await made(), await made()];
      expect(await refused(change(one.id, { name: other.name }))).toBe('409 NAME_TAKEN');
    });

    it('needs the ID: a name is unknown', async () => {
      const { name } = await made();
      for (const method of ['GET', 'DELETE'])
        expect(await refused(ask(`${V3}/${name}`, { method }))).toBe('404 ACTION_NOT_FOUND');
      expect(await refused(ask(`${V3}/${name}`, { method: 'PUT', body: {} }))).toBe('404 ACTION_NOT_FOUND');
    });
  });

  describe('removing', () => {
    it('removes the action for good', async () => {
      const { id } = await made();
      expect((await ask(`${V3}/${id}`, { method: 'DELETE' })).status).toBe(204);
      expect(await refused(ask(`${V3}/${id}`))).toBe('404 ACTION_NOT_FOUND');
      expect(await refused(ask(`${V3}/${id}`, { method: 'DELETE' }))).toBe('404 ACTION_NOT_FOUND');
    });
  });

  describe('publishing', () => {
    it('responds with the production copy, which live apps use until the next publish', async () => {
      const { id } = await made();
      expect(await refused(ask(`${V3}/${id}?mode=live`))).toBe('404 ACTION_NOT_FOUND');
      const { status, body } = await ask(`${V3}/${id}/publish`, { method: 'POST' });
      expect({ status, publishedAt: body.action.publishedAt }).toEqual({
        status: 200,
        publishedAt: expect.any(String),
      });
      await change(id, { code: execute('return 2;') });
      expect((await ask(`${V3}/${id}?mode=live`)).body.action.code).toBe(execute(''));
      const again = await ask(`${V3}/${id}/publish`, { method: 'POST' });
      expect(again.body.action.code).toBe(execute('return 2;'));
    });

    it('is undone by unpublishing', async () => {
      const { id } = await made();
      await ask(`${V3}/${id}/publish`, { method: 'POST' });
      expect((await ask(`${V3}/${id}/unpublish`, { method: 'POST' })).status).toBe(204);
      expect(await refused(ask(`${V3}/${id}?mode=live`))).toBe('404 ACTION_NOT_FOUND');
      expect((await ask(`${V3}/${id}`)).body.action.publishedAt).toBeNull();
    });

    it('needs a published app', async () => {
      const unpublished = await startUnpublished();
      const { body } = await create(platform, {}, unpublished);
      const path = `/v3/apps/${unpublished}/actions/${body.action.id}/publish`;
      expect(await refused(ask(path, { method: 'POST' }))).toBe('409 APP_NOT_PUBLISHED');
    });

    it('is refused if the action has changed since', async () => {
      const { id } = await made();
      await change(id, { description: 'x' });
      const how = { method: 'POST', headers: { 'If-Match': '"1"' } };
      expect(await refused(ask(`${V3}/${id}/publish`, how))).toBe('409 CONFLICT');
    });
  });

  describe('versions', () => {
    const versions = async (id: number) =>
      (await platform.ask<{ versions: { id: number }[] }>(`${V3}/${id}/versions`)).body.versions;

    it('are one per change, newest first, with their content', async () => {
      const { id, name } = await made();
      await change(id, { description: 'second' });
      expect(await versions(id)).toMatchObject([
        { id: 2, change: 'update', changed: ['description'], by: { kind: 'user', email: 'dev@northwind.example' } },
        { id: 1, change: 'create', changed: null },
      ]);
      expect((await ask(`${V3}/${id}/versions/1`)).body).toMatchObject({
        version: { id: 1, action: { name, code: execute(''), description: null, environment: 'server' } },
      });
    });

    it('can be restored, which makes a new version', async () => {
      const { id } = await made({ description: 'first' });
      await change(id, { description: 'second', code: execute('return 2;') });
      const { body } = await ask(`${V3}/${id}/versions/1/restore`, { method: 'POST' });
      expect(body.action).toMatchObject({ description: 'first', code: execute(''), revision: 3 });
      expect(await versions(id)).toMatchObject([{ id: 3, change: 'restore', restored: 1 }, { id: 2 }, { id: 1 }]);
    });

    it('that don’t exist are unknown', async () => {
      const { id } = await made();
      expect(await refused(ask(`${V3}/${id}/versions/9`))).toBe('404 VERSION_NOT_FOUND');
      expect(await refused(ask(`${V3}/${id}/versions/9/restore`, { method: 'POST' }))).toBe('404 VERSION_NOT_FOUND');
      expect(await refused(ask(`${V3}/999999/versions`))).toBe('404 ACTION_NOT_FOUND');
    });
  });

  describe('one space of IDs', () => {
    it('refuses a V2 action on every route of V3', async () => {
      const { body } = await platform.ask<{ action: Action }>(`/v1/apps/${APP}/actions`, { body: { name: newName() } });
      const path = `${V3}/${body.action.id}`;
      for (const [method, rest] of [
        ['GET', ''],
        ['DELETE', ''],
        ['POST', '/publish'],
        ['POST', '/unpublish'],
        ['GET', '/versions'],
        ['GET', '/versions/1'],
        ['POST', '/versions/1/restore'],
      ])
        expect([method, rest, await refused(ask(path + rest, { method }))]).toEqual([
          method,
          rest,
          '409 ACTION_NOT_V3',
        ]);
      expect(await refused(ask(path, { method: 'PUT', body: {} }))).toBe('409 ACTION_NOT_V3');
      expect((await platform.ask(`/v1/apps/${APP}/actions/${body.action.id}`)).status).toBe(200);
    });

    it('refuses a V3 action on every route of V2', async () => {
      const { id, name } = await made({ active: true, triggers: [{ trigger: 'manual' }] });
      await ask(`${V3}/${id}/publish`, { method: 'POST' });
      const path = `/v1/apps/${APP}/actions`;
      for (const [method, rest, body] of [
        ['GET', `/${id}`],
        ['GET', `/${name}`],
        ['PUT', `/${id}`, { active: false }],
        ['DELETE', `/${id}`],
        ['POST', `/${id}/publish`, { publish: false }],
        ['POST', `/${id}/run`, {}],
        ['POST', `/${name}/run-with-result`, {}],
        ['POST', `/${name}/run-with-result`, { mode: 'live' }],
        ['GET', `/${id}/revisions`],
        ['POST', `/${id}/revisions/1/restore`],
      ] as const)
        expect([method, rest, await refused(ask(path + rest, { method, body }))]).toEqual([
          method,
          rest,
          '409 ACTION_NOT_V2',
        ]);
      expect(await refused(ask(`/v1/apps/${APP}/tasks/${id}/compile`))).toBe('409 ACTION_NOT_V2');
      expect((await ask(`${V3}/${id}`)).status).toBe(200);
    });

    it('knows no other ID', async () => {
      for (const id of ['0', '-1', '999999', '9'.repeat(30), '1.5', '%00'])
        expect([id, await refused(ask(`${V3}/${id}`))]).toEqual([id, '404 ACTION_NOT_FOUND']);
    });
  });

  /** The ID of an app without a version. */
  async function startUnpublished(): Promise<number> {
    const { body } = await platform.ask<{ apps: { id: number; version: number | null }[] }>('/v1/apps');
    return body.apps.find(({ version }) => version === null)!.id;
  }
});
