/** The REST API of apps: listing, publishing, analytics sessions (specification, "REST API"). */
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { App, AnalyticsSession, type Action } from '../../lib/platform-api/index.ts';
import { start, startForTest, type TestPlatform } from './support/platform.ts';

type Apps = { apps: App[] };
type Sessions = { sessions: AnalyticsSession[] };
type Published = { app: { version: number; id: number; updatedAt: string } };

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let platform: TestPlatform;
beforeAll(async () => {
  platform = await start();
});
afterAll(() => platform.close());

const publish = (release: unknown, headers: Record<string, string> = {}, to = platform) =>
  to.ask<Published>('/v1/apps/102/publish', { body: { release }, headers });

describe('GET /v1/apps', () => {
  it('lists only the apps that the token has access to, ordered by ID', async () => {
    const { status, body } = await platform.ask<Apps>('/v1/apps');
    expect(status).toBe(200);
    expect(body.apps.map(({ id, name }) => [id, name])).toEqual([
      [101, 'Field Service'],
      [102, 'Visitor Desk'],
      [103, 'Team Directory'],
    ]);
    expect(new Set(body.apps.map((app) => app.organizationId)).size).toBe(1);
  });

  it('gives each app exactly the fields of the specification', async () => {
    const { body } = await platform.ask<Apps>('/v1/apps');
    for (const app of body.apps) {
      expect(v.is(App, app)).toBe(true);
      expect(Object.keys(app)).toEqual([
        'id',
        'name',
        'icon',
        'version',
        'settings',
        'releases',
        'dependencies',
        'slug',
        'createdAt',
        'updatedAt',
        'deletedAt',
        'organizationId',
        'startingPageId',
        'productionAppId',
        'appUser',
      ]);
      expect(app).toMatchObject({
        settings: {},
        releases: [],
        dependencies: [],
        slug: null,
        deletedAt: null,
        appUser: { appId: app.id },
      });
      expect(Object.values(app.appUser!).every(Number.isInteger)).toBe(true);
      expect(() => new URL(app.icon!)).not.toThrow();
      expect(app.createdAt).toMatch(UTC);
      expect(app.updatedAt).toMatch(UTC);
    }
  });

  it('lists version as null until an app was published', async () => {
    const { body } = await platform.ask<Apps>('/v1/apps');
    expect(body.apps.map((app) => app.version === null)).toEqual([false, false, true]);
  });

  it('pages by limit and offset', async () => {
    const ids = async (query: string) => (await platform.ask<Apps>(`/v1/apps?${query}`)).body.apps.map((app) => app.id);
    expect(await ids('limit=2')).toEqual([101, 102]);
    expect(await ids('limit=2&offset=1')).toEqual([102, 103]);
    expect(await ids('offset=2')).toEqual([103]);
    expect(await ids('limit=0')).toEqual([]);
    expect(await ids('offset=9')).toEqual([]);
  });

  it.each(['limit=-1', 'limit=x', 'limit=1.5', 'limit=', 'offset=1e3', 'limit=99999999999'])(
    'responds with 422 to %s, and names the parameter',
    async (query) => {
      const { status, body } = await platform.ask(`/v1/apps?${query}`);
      expect(status).toBe(422);
      expect(body.details).toEqual([
        { path: `/${query.split('=')[0]}`, message: expect.stringContaining('must be a non-negative integer') },
      ]);
    },
  );
});

describe('POST /v1/apps/:id/publish', () => {
  it('increases version by one, changes updatedAt, and responds with 201', async () => {
    const before = (await platform.ask<Apps>('/v1/apps')).body.apps[1]!;
    const { status, body } = await publish({ type: 'silent', changelog: 'Badges print faster' });
    expect(status).toBe(201);
    expect(body).toEqual({ app: { version: before.version! + 1, id: 102, updatedAt: expect.stringMatching(UTC) } });
    const after = (await platform.ask<Apps>('/v1/apps')).body.apps[1]!;
    expect(after).toEqual({ ...before, version: body.app.version, updatedAt: body.app.updatedAt });
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
  });

  it('makes version 1 of an app that was never published', async () => {
    const own = await startForTest();
    const { body } = await own.ask<Published>('/v1/apps/103/publish', {
      body: { release: { type: 'visible', changelog: 'First' } },
    });
    expect(body.app.version).toBe(1);
  });

  it.each(['silent', 'visible', 'forced'])('accepts the type %s', async (type) => {
    expect((await publish({ type, changelog: 'x' })).status).toBe(201);
  });

  it.each([
    ['a type outside the three', { type: 'loud', changelog: 'x' }, '/release/type'],
    ['no type', { changelog: 'x' }, '/release/type'],
    ['an empty changelog', { type: 'silent', changelog: '' }, '/release/changelog'],
    ['a changelog of spaces', { type: 'silent', changelog: ' \n ' }, '/release/changelog'],
    ['no changelog', { type: 'silent' }, '/release/changelog'],
    ['a changelog that is a number', { type: 'silent', changelog: 7 }, '/release/changelog'],
    ['a release that is a text', 'silent', '/release'],
    ['no release', undefined, '/release'],
  ])('responds with 422 to %s, publishes nothing, and names the field', async (_, release, path) => {
    const before = (await platform.ask('/v1/apps')).text;
    const { status, body } = await platform.ask('/v1/apps/102/publish', { body: { release } });
    expect({ status, error: body.error }).toEqual({ status: 422, error: 'INVALID' });
    expect(body.details?.map((detail) => detail.path)).toEqual([path]);
    expect((await platform.ask('/v1/apps')).text).toBe(before);
  });

  it('responds with 422 to text that a database can’t store', async () => {
    expect((await publish({ type: 'silent', changelog: 'a\0b' })).status).toBe(422);
    const { status } = await platform.ask('/v1/apps/102/publish', {
      body: '{"release":{"type":"silent","changelog":"\\ud800"}}',
    });
    expect(status).toBe(422);
  });

  it('gives concurrent publishes different versions', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => publish({ type: 'silent', changelog: 'x' })));
    const versions = responses.map(({ body }) => body.app.version).sort((a, b) => a - b);
    expect(versions).toEqual(Array.from({ length: 10 }, (_, index) => versions[0]! + index));
  });

  it('repeats its response to the same Idempotency-Key, and publishes once', async () => {
    const release = { type: 'silent', changelog: 'once' };
    const first = await publish(release, { 'Idempotency-Key': 'key-1' });
    const again = await publish(release, { 'Idempotency-Key': 'key-1' });
    expect({ status: again.status, body: again.body }).toEqual({ status: 201, body: first.body });
    const other = await publish(release, { 'Idempotency-Key': 'key-2' });
    expect(other.body.app.version).toBe(first.body.app.version + 1);
  });

  it('publishes once when two requests with the same Idempotency-Key arrive at the same time', async () => {
    const release = { type: 'silent', changelog: 'once' };
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => publish(release, { 'Idempotency-Key': 'key-3' })),
    );
    expect(new Set(responses.map(({ body }) => body.app.version)).size).toBe(1);
  });

  it('responds with 422 when an Idempotency-Key is used for another release', async () => {
    await publish({ type: 'silent', changelog: 'one' }, { 'Idempotency-Key': 'key-4' });
    const { status, body } = await platform.ask('/v1/apps/102/publish', {
      body: { release: { type: 'forced', changelog: 'two' } },
      headers: { 'Idempotency-Key': 'key-4' },
    });
    expect({ status, error: body.error }).toEqual({ status: 422, error: 'IDEMPOTENCY_KEY_USED' });
  });
});

describe('GET /v1/apps/:id/analytics/sessions', () => {
  it('lists a few hundred sessions over weeks, each with every field, ordered by ID', async () => {
    const { status, body } = await platform.ask<Sessions>('/v1/apps/101/analytics/sessions');
    expect(status).toBe(200);
    expect(body.sessions.length).toBeGreaterThan(200);
    expect(body.sessions.every((session) => v.is(AnalyticsSession, session))).toBe(true);
    const ids = body.sessions.map((session) => session.id);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    const times = body.sessions.map((session) => Date.parse(session.lastAccessedAt ?? ''));
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(14 * 86_400_000);
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.now());
  });

  it('formats times in both ways, and separates several IP addresses with commas', async () => {
    const { sessions } = (await platform.ask<Sessions>('/v1/apps/101/analytics/sessions')).body;
    for (const { lastAccessedAt, appVersion, identifier } of sessions) {
      expect(lastAccessedAt).toMatch(UTC);
      expect(appVersion!.lastCheckedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/);
      expect(appVersion!.localUpdatedAt).toMatch(UTC);
      expect(appVersion!.lastUpdateType).toBeNull();
      expect(identifier!.ipAddress).toMatch(/^\d+(\.\d+){3}(, \d+(\.\d+){3})*$/);
    }
    expect(sessions.some((session) => session.identifier!.ipAddress!.split(', ').length === 10)).toBe(true);
    expect(sessions.some((session) => session.user === null)).toBe(true);
  });

  it('pages by limit and offset', async () => {
    const all = (await platform.ask<Sessions>('/v1/apps/101/analytics/sessions')).body.sessions;
    const { body } = await platform.ask<Sessions>('/v1/apps/101/analytics/sessions?limit=3&offset=5');
    expect(body.sessions).toEqual(all.slice(5, 8));
  });

  it('is empty for an app without sessions', async () => {
    expect((await platform.ask('/v1/apps/103/analytics/sessions')).body).toEqual({ sessions: [] });
  });
});

describe('GET /v1/apps/:appId/actions', () => {
  it('lists the actions with every field, and omits unknown ones', async () => {
    const { status, body } = await platform.ask<{ actions: Action[] }>('/v1/apps/101/actions');
    expect(status).toBe(200);
    expect(Object.keys(body.actions[0]!)).toEqual([
      'id',
      'name',
      'active',
      'frequency',
      'timezone',
      'environment',
      'triggers',
      'functions',
      'lastRunAt',
      'nextRunAt',
      'createdAt',
      'updatedAt',
      'appId',
      'pageId',
      'published',
      'publishedAt',
      'unpublishedChanges',
      'revision',
    ]);
    const report = body.actions.find((action) => action.name === 'weekly-report')!;
    expect(report).toMatchObject({
      active: true,
      frequency: '0 7 * * 1',
      timezone: 'Etc/UTC',
      environment: 'server',
      appId: 101,
      pageId: null,
    });
    expect(new Date(report.nextRunAt!).getUTCDay()).toBe(1);
    expect(Date.parse(report.nextRunAt!) - Date.parse(report.lastRunAt!)).toBe(7 * 86_400_000);
  });

  it('preserves the order of settings', async () => {
    const { body } = await platform.ask<{ actions: Action[] }>('/v1/apps/101/actions');
    const report = body.actions.find((action) => action.name === 'weekly-report')!;
    const { settings } = report.functions[1] as { settings: { assign: object } };
    expect(Object.keys(settings.assign)).toEqual(['visits', 'long', 'share']);
  });
});
