/** Creating, changing, publishing and removing actions over HTTP (decisions, "Actions" and "Platform endpoints"). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Action } from '../../lib/contract/index.ts';
import { onBothDatabases } from './support/databases.ts';
import { start, type TestPlatform } from './support/platform.ts';
import { step } from './support/page.ts';

type One = { action: Action };
type List = { actions: Action[] };

onBothDatabases(({ url }) => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await start({ databaseUrl: await url() });
  });
  afterAll(() => platform.close());

  const ACTIONS = '/v1/apps/103/actions';
  const create = (body: unknown, app = 103) => platform.ask<One & { error: string; message: string; details: { path: string; message: string }[] }>(`/v1/apps/${app}/actions`, { method: 'POST', body });
  const update = (which: string | number, body: unknown, headers: Record<string, string> = {}) => platform.ask<One & { error: string; message: string; details: { path: string; message: string }[] }>(`${ACTIONS}/${which}`, { method: 'PUT', body, headers });
  const publish = (which: string | number, to: boolean) => platform.ask<One>(`${ACTIONS}/${which}/publish`, { body: { publish: to } });
  const names = async (app = 103): Promise<string[]> => (await platform.ask<List>(`/v1/apps/${app}/actions`)).body.actions.map(({ name }) => name);

  let made = 0;
  const fresh = async (properties: object = {}): Promise<Action> => {
    const { status, body } = await create({ name: `made-${(made += 1)}`, ...properties });
    expect([status, body.message]).toEqual([201, undefined]);
    return body.action;
  };

  describe('POST /v1/apps/:appId/actions', () => {
    it('creates an action with the defaults: active, any, manual, UTC, unpublished', async () => {
      const { status, body, headers } = await create({ name: 'with_defaults-1' });
      expect(status).toBe(201);
      expect(body.action).toMatchObject({ name: 'with_defaults-1', active: true, environment: 'any', triggers: [{ trigger: 'manual' }], timezone: 'UTC', frequency: null, functions: [], appId: 103, pageId: null, lastRunAt: null, nextRunAt: null, published: null, publishedAt: null, revision: 1 });
      expect(headers.get('etag')).toBe('"1"');
      expect((await platform.ask<One>(`${ACTIONS}/${body.action.id}`)).body).toEqual(body);
    });

    it('takes a frequency without triggers as a schedule', async () => {
      expect((await fresh({ frequency: '0 7 * * MON' })).triggers).toEqual([{ trigger: 'schedule' }]);
    });

    it('keeps every property that was given', async () => {
      const given = {
        active: false,
        environment: 'server',
        triggers: [{ trigger: 'schedule' }, { trigger: 'log', where: { type: 'dataSource.entry.create', dataSourceId: 521 } }, { trigger: 'manual' }],
        frequency: '*/5 0-6,22 1,15 JAN-MAR SUN,7',
        timezone: 'America/St_Johns',
        functions: [step('set-context', { assign: { z: '1', a: '2' } }), { type: 'loop', range: { from: 1, to: 2 }, functions: [step('return-string', { message: 'x' })] }],
      };
      const action = await fresh(given);
      expect(action).toMatchObject(given);
      expect(JSON.stringify(action.functions)).toBe(JSON.stringify(given.functions));
    });

    it.each([
      ['255 characters', 'n'.repeat(255)],
      ['letters, digits, dashes and underscores', 'aZ09_-'],
      ['digits alone', '12345'],
    ])('takes a name of %s', async (_, name) => {
      expect((await create({ name })).body.action.name).toBe(name);
    });

    it.each([
      ['of 256 characters', 'n'.repeat(256)],
      ['with spaces', 'two words'],
      ['that is empty', ''],
      ['with a dot', 'a.b'],
      ['with a slash', 'a/b'],
      ['with a letter outside ASCII', 'é'],
      ['that ends with a line break', 'name\n'],
    ])('answers 422 to a name %s', async (_, name) => {
      const before = await names();
      const { status, body } = await create({ name });
      expect([status, body.error, body.details]).toEqual([422, 'INVALID', [{ path: '/name', message: 'name must be 1 to 255 letters, digits, dashes and underscores.' }]]);
      expect(await names()).toEqual(before);
    });

    it('answers 409 to a name that the app has already, and lets another app have it', async () => {
      const { name } = await fresh();
      const { status, body } = await create({ name });
      expect([status, body.error]).toEqual([409, 'NAME_TAKEN']);
      expect(body.message).toContain(name);
      expect((await create({ name }, 102)).status).toBe(201);
    });

    it('gives a name to one of two that ask for it at the same time', async () => {
      const answers = await Promise.all([create({ name: 'at-once' }), create({ name: 'at-once' })]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    });

    const bad: [string, object, string, RegExp][] = [
      ['no name', { name: undefined }, '/name', /name/],
      ['an unknown environment', { environment: 'cloud' }, '/environment', /server, client or any/],
      ['an unknown trigger', { triggers: [{ trigger: 'manual' }, { trigger: 'webhook' }] }, '/triggers/1/trigger', /log, schedule, manual, analytics/],
      ['triggers that are no list', { triggers: { trigger: 'manual' } }, '/triggers', /list/],
      ['a trigger that is a text', { triggers: ['manual'] }, '/triggers/0', /object/],
      ['a where of 500 levels', { triggers: [{ trigger: 'log', where: JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`) }] }, '/triggers/0/where', /20 levels/],
      ['a where that is a text', { triggers: [{ trigger: 'log', where: 'x' }] }, '/triggers/0/where', /object/],
      ['an analytics type that there is not', { environment: 'client', triggers: [{ trigger: 'analytics', where: { type: 'analytics.click' } }] }, '/triggers/0/where', /analytics.pageView/],
      ['a log trigger on the client', { environment: 'client', triggers: [{ trigger: 'log' }] }, '/triggers/0/trigger', /server or any/],
      ['a schedule on the client', { environment: 'client', frequency: '* * * * *' }, '/triggers/0/trigger', /server or any/],
      ['an analytics trigger on the server', { environment: 'server', triggers: [{ trigger: 'analytics' }] }, '/triggers/0/trigger', /client or any/],
      ['a schedule without frequency', { triggers: [{ trigger: 'schedule' }] }, '/frequency', /needs a frequency/],
      ['a frequency of four fields', { frequency: '* * * *' }, '/frequency', /five fields/],
      ['a frequency of six fields', { frequency: '0 * * * * *' }, '/frequency', /five fields/],
      ['an empty frequency', { frequency: '' }, '/frequency', /five fields/],
      ['a frequency that never fires', { frequency: '0 0 31 2 *' }, '/frequency', /never fire/],
      ['a minute of 60', { frequency: '60 * * * *' }, '/frequency', /"60" is no minute/],
      ['an unknown zone', { frequency: '* * * * *', timezone: 'Mars/Olympus' }, '/timezone', /Mars\/Olympus/],
      ['an offset as zone', { timezone: '+02:00' }, '/timezone', /full name/],
      ['active as a text', { active: 'yes' }, '/active', /true or false/],
      ['functions that are no list', { functions: {} }, '/functions', /list of steps/],
      ['an unknown package', { functions: [step('if', { condition: 'true' }, [{ functionPackage: 'com.nobody.function.x' }])] }, '/functions/0/functions/0', /com\.nobody\.function\.x/],
      ['a condition of bad syntax', { functions: [{ type: 'if', conditions: [{ condition: 'a ===', functions: [] }] }] }, '/functions/0/conditions/0/condition', /./],
      ['a screen that there is not', { pageId: 999 }, '/pageId', /no screen 999/],
      ['the screen of another app', { pageId: 2001 }, '/pageId', /no screen 2001/],
      ['a negative screen', { pageId: -1 }, '/pageId', /whole number from 1/],
      ['a property that no action has', { functons: [] }, '/functons', /no such property/],
    ];
    it.each(bad)('answers 422 to %s, says where, and creates nothing', async (_, properties, path, message) => {
      const before = await names();
      const { status, body } = await create({ name: 'never-made', ...properties });
      expect([status, body.error]).toEqual([422, 'INVALID']);
      expect(body.details[0]).toEqual({ path, message: expect.stringMatching(message) });
      expect(body.message).toContain(body.details[0]!.message);
      expect(await names()).toEqual(before);
    });

    it('answers 422 to a body that is no object', async () => {
      for (const body of ['null', '[]', '"name"', '7']) expect([body, (await create(body)).status]).toEqual([body, 422]);
    });

    it('answers 413 to 10 MB of JSON, 400 to broken JSON, 415 to what is no JSON, and creates nothing', async () => {
      const before = await names();
      const big = await create(`{"name":"big","functions":[{"functionPackage":"x","settings":{"a":"${'x'.repeat(10 * 1024 * 1024)}"}}]}`);
      expect([big.status, big.body.error]).toEqual([413, 'TOO_LARGE']);
      expect((await create('{"name":')).status).toBe(400);
      expect((await platform.ask(ACTIONS, { body: 'name=x', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } })).status).toBe(415);
      expect(await names()).toEqual(before);
    });

    it('answers 404 for the app of somebody else, and creates nothing there', async () => {
      expect((await create({ name: 'mine' }, 104)).status).toBe(404);
    });

    it('keeps __proto__ in settings and where as data', async () => {
      const { status, body } = await create('{"name":"proto","triggers":[{"trigger":"log","where":{"__proto__":{"x":1}}}],"functions":[{"functionPackage":"com.platform.function.wait","settings":{"ms":1,"__proto__":{"polluted":true}}}]}');
      expect(status).toBe(201);
      expect(JSON.stringify(body.action.functions)).toContain('"__proto__":{"polluted":true}');
      expect(JSON.stringify(body.action.triggers)).toContain('"__proto__":{"x":1}');
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
    });
  });

  describe('PUT /v1/apps/:appId/actions/:idOrName', () => {
    it('changes the properties that are given, by id or by name, and no others', async () => {
      const action = await fresh({ functions: [step('wait', { ms: 1 })] });
      const byId = await update(action.id, { active: false });
      expect(byId.body.action).toEqual({ ...action, active: false, revision: 2, updatedAt: expect.any(String) });
      expect(Date.parse(byId.body.action.updatedAt)).toBeGreaterThan(Date.parse(action.updatedAt));
      expect((await update(action.name, { environment: 'client' })).body.action).toMatchObject({ id: action.id, active: false, environment: 'client', revision: 3 });
    });

    it('takes back what get answered, changed', async () => {
      const action = await fresh();
      const { status, body } = await update(action.id, { ...action, active: false });
      expect([status, body.action.active, body.action.id]).toEqual([200, false, action.id]);
    });

    it('renames, unless the name is taken', async () => {
      const [one, two] = [await fresh(), await fresh()];
      expect((await update(one.id, { name: 'renamed' })).body.action.name).toBe('renamed');
      expect(await update(two.id, { name: 'renamed' })).toMatchObject({ status: 409, body: { error: 'NAME_TAKEN' } });
      expect((await platform.ask<One>(`${ACTIONS}/${two.id}`)).body.action).toEqual(two);
    });

    it('adds a schedule trigger when a frequency comes without triggers', async () => {
      const action = await fresh();
      expect((await update(action.id, { frequency: '0 0 * * *' })).body.action.triggers).toEqual([{ trigger: 'manual' }, { trigger: 'schedule' }]);
    });

    it('checks the whole: a change that does not fit the rest is refused and changes nothing', async () => {
      const action = await fresh({ frequency: '0 0 * * *' });
      for (const [change, path] of [[{ environment: 'client' }, '/triggers/0/trigger'], [{ frequency: null }, '/frequency'], [{ functions: [{ functionPackage: 'none' }] }, '/functions/0']] as const) {
        const { status, body } = await update(action.id, change);
        expect([status, body.details[0]!.path]).toEqual([422, path]);
      }
      expect((await platform.ask<One>(`${ACTIONS}/${action.id}`)).body.action).toEqual(action);
    });

    it('tells the second of two updates at once, and does not lose the first', async () => {
      const action = await fresh();
      const answers = await Promise.all([update(action.id, { active: false, revision: 1 }), update(action.id, { environment: 'server', revision: 1 })]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
      expect(lost!.body.error).toBe('CONFLICT');
      expect((await platform.ask<One>(`${ACTIONS}/${action.id}`)).body.action).toEqual(won!.body.action);
    });

    it('tells whoever changes what has changed since, by If-Match or revision', async () => {
      const action = await fresh();
      expect((await update(action.id, { active: false }, { 'If-Match': '"1"' })).status).toBe(200);
      for (const [change, headers] of [[{ active: true }, { 'If-Match': '"1"' }], [{ active: true, revision: 1 }, {}], [{ active: true }, { 'If-Match': '"abc"' }]] as const) {
        expect(await update(action.id, change, headers)).toMatchObject({ status: 409, body: { error: 'CONFLICT', message: expect.stringContaining('read') } });
      }
      expect((await update(action.id, { active: true }, { 'If-Match': '*' })).body.action).toMatchObject({ active: true, revision: 3 });
    });

    it('reads a text of digits as an id first, and as a name when asked to', async () => {
      const action = await fresh();
      const named = (await create({ name: String(action.id) })).body.action;
      expect((await update(action.id, {})).body.action.id).toBe(action.id);
      expect((await update(`${action.id}?by=name`, {})).body.action.id).toBe(named.id);
      expect((await update(`${action.id}?by=number`, {})).status).toBe(422);
    });
  });

  describe('ids that name no action', () => {
    it.each([
      ['negative', '-1', 404],
      ['a float', '1.5', 422],
      ['a text', 'nobody', 404],
      ['too large', '99999999999', 404],
      ['zero', '0', 404],
      ["another app's", '1001', 404],
      ['an encoded path', '..%2f..%2fapps', 422],
      ['of 256 characters', 'x'.repeat(256), 422],
    ])('%s', async (_, id, status) => {
      const wanted = { status, body: { error: status === 404 ? 'NOT_FOUND' : 'INVALID', message: expect.any(String) } };
      expect(await platform.ask(`${ACTIONS}/${id}`)).toMatchObject(wanted);
      expect(await update(id, {})).toMatchObject(wanted);
      expect(await platform.ask(`${ACTIONS}/${id}`, { method: 'DELETE' })).toMatchObject(wanted);
      for (const way of ['run', 'run-with-result']) expect(await platform.ask(`${ACTIONS}/${id}/${way}`, { body: { payload: {} } })).toMatchObject(wanted);
      expect([404, 422]).toContain((await publish(id, true)).status);
    });
  });

  describe('DELETE /v1/apps/:appId/actions/:idOrName', () => {
    it('removes by id and by name, answers 204, and then 404', async () => {
      const [one, two] = [await fresh(), await fresh()];
      for (const which of [one.id, two.name]) {
        const { status, text } = await platform.ask(`${ACTIONS}/${which}`, { method: 'DELETE' });
        expect([status, text]).toEqual([204, '']);
        expect((await platform.ask(`${ACTIONS}/${which}`, { method: 'DELETE' })).status).toBe(404);
      }
      expect(await names()).not.toContain(one.name);
    });

    it('frees the name', async () => {
      const { id, name } = await fresh();
      await platform.ask(`${ACTIONS}/${id}`, { method: 'DELETE' });
      expect((await create({ name })).status).toBe(201);
    });
  });

  describe('POST …/:id/publish', () => {
    it('makes a copy of the action as it is now; later changes are not reflected in it', async () => {
      const action = await fresh({ functions: [step('wait', { ms: 1 })] });
      const published = (await publish(action.id, true)).body.action;
      expect(published.published).toEqual({ active: true, frequency: null, timezone: 'UTC', environment: 'any', triggers: [{ trigger: 'manual' }], functions: action.functions, pageId: null });
      expect(published.publishedAt).toMatch(/Z$/);
      const changed = (await update(action.id, { active: false, functions: [] })).body.action;
      expect([changed.active, changed.functions, changed.published]).toEqual([false, [], published.published]);
      expect((await publish(action.id, true)).body.action.published).toMatchObject({ active: false, functions: [] });
    });

    it('takes the copy back', async () => {
      const action = await fresh();
      await publish(action.id, true);
      expect((await publish(action.id, false)).body.action).toMatchObject({ published: null, publishedAt: null });
    });

    it('tells when a schedule is due next, while it is published and active alone', async () => {
      const action = await fresh({ frequency: '30 4 * * *', timezone: 'Asia/Tokyo' });
      expect(action.nextRunAt).toBeNull();
      const due = new Date((await publish(action.id, true)).body.action.nextRunAt!);
      expect([due.getUTCHours(), due.getUTCMinutes()]).toEqual([19, 30]);
      expect(due.getTime()).toBeGreaterThan(Date.now());
      expect((await publish(action.id, false)).body.action.nextRunAt).toBeNull();
      await update(action.id, { active: false });
      expect((await publish(action.id, true)).body.action.nextRunAt).toBeNull();
    });

    it.each([[{}], [{ publish: 'yes' }], [{ publish: null }]])('answers 422 to %j', async (body) => {
      const { id } = await fresh();
      expect((await platform.ask(`${ACTIONS}/${id}/publish`, { body })).status).toBe(422);
    });
  });

  describe('GET /v1/functions', () => {
    it('lists id, name, package and description of each function', async () => {
      const { body } = await platform.ask<{ functions: object[] }>('/v1/functions');
      expect(body.functions).toContainEqual({ id: expect.any(Number), name: expect.any(String), package: 'com.platform.function.if', description: expect.any(String) });
    });
  });
});
