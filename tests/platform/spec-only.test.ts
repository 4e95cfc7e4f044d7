/** A platform with `--spec-only`: what it offers to users’ tokens, and that its pages work by an API of their own. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Runtime } from '../../lib/actions/runtime.ts';
import type { App } from '../../lib/platform-api/index.ts';
import { openAppPage, type AppPage } from './support/app-page.ts';
import { start, type TestPlatform } from './support/platform.ts';

const DEBUG_PAGE = '/v1/apps/101/tasks/1004/compile?html';

let platform: TestPlatform;
let page: AppPage;
let actions: Runtime['App']['Actions'];
beforeAll(async () => {
  platform = await start({ specOnly: true });
  page = await openAppPage(platform, DEBUG_PAGE);
  actions = page.Platform.App.Actions;
});
afterAll(() => platform.close());

describe('under /v1', () => {
  it('the four specified endpoints work', async () => {
    const { apps } = (await platform.ask<{ apps: App[] }>('/v1/apps')).body;
    expect(apps.map(({ id }) => id)).toContain(101);
    expect((await platform.ask('/v1/apps/101/analytics/sessions?limit=1')).body).toMatchObject({
      sessions: [{ id: expect.any(Number) }],
    });
    const release = { type: 'silent', changelog: 'New.' };
    expect((await platform.ask('/v1/apps/101/publish', { body: { release } })).status).toBe(201);
    const debugPage = await platform.ask(DEBUG_PAGE);
    expect([debugPage.status, debugPage.text]).toEqual([200, expect.stringContaining('id="platform-env"')]);
  });

  it.each([
    ['GET', '/v1/apps/101'],
    ['GET', '/v1/apps/101/actions'],
    ['POST', '/v1/apps/101/actions'],
    ['GET', '/v1/apps/101/actions/1001'],
    ['PUT', '/v1/apps/101/actions/1001'],
    ['DELETE', '/v1/apps/101/actions/1001'],
    ['POST', '/v1/apps/101/actions/1001/publish'],
    ['POST', '/v1/apps/101/actions/1001/run'],
    ['POST', '/v1/apps/101/actions/1001/run-with-result'],
    ['GET', '/v1/apps/101/actions/1001/revisions'],
    ['GET', '/v1/apps/101/runs/1'],
    ['GET', '/v1/apps/101/logs'],
    ['POST', '/v1/apps/101/logs'],
    ['GET', '/v1/apps/101/logs/1/recording'],
    ['GET', '/v1/apps/101/data-sources'],
    ['GET', '/v1/data-sources/1/entries'],
    ['GET', '/v1/apps/101/outbox'],
    ['GET', '/v1/apps/101/preview'],
    ['GET', '/v1/apps/101/live'],
    ['POST', '/v1/apps/101/one-time-tokens'],
    ['GET', '/v1/functions'],
    ['GET', '/v1/functions/com.platform.function.if.js'],
    ['GET', '/v1/packages/platform-core:2.js'],
    ['GET', '/v1/clock'],
    ['POST', '/v1/clock'],
    ['POST', '/v1/proxy'],
    ['GET', '/v1/oauth-demo'],
    ['GET', '/v1/status'],
  ])('%s %s is a 404 as a page, not the API’s error body', async (method, path) => {
    const token = String(page.ENV.token);
    for (const own of [undefined, token]) {
      const response = await platform.ask(path, { method, token: own, ...(method !== 'GET' && { body: {} }) });
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toMatch(/^text\/html/);
      expect(response.body).toBeUndefined();
    }
  });
});

describe('a debug page', () => {
  it('runs its pipeline', async () => {
    const { text } = await platform.ask(DEBUG_PAGE);
    expect(text).not.toContain('/v1/');
    await expect(actions.Pipeline.run()).resolves.toBeDefined();
  });

  it('lists, creates, changes, publishes, runs, and removes actions, and reads their log', async () => {
    const step = (message: string) => [
      { functionPackage: 'com.platform.function.return-string', settings: { message } },
    ];
    expect((await actions.get()).map(({ name }) => name)).toContain('weekly-report');
    expect((await page.Platform.App.Tasks.Functions.get()).map((each) => each.package)).toContain(
      'com.platform.function.return-string',
    );
    const { id } = await actions.create({ name: 'from-a-page', environment: 'server', functions: step('one') });
    await actions.update('from-a-page', { functions: step('two') });
    await actions.publish(id, true);
    expect(await actions.runWithResult('from-a-page')).toBe('two');
    await actions.run('from-a-page');
    await vi.waitFor(async () => expect((await actions.getLogs({ id })).count).toBe(2), { timeout: 20_000 });
    await actions.remove(id);
    expect((await actions.get()).map(({ name }) => name)).not.toContain('from-a-page');
  });
});

it('a failed run isn’t recorded, and its log record doesn’t say so', async () => {
  const functions = [{ functionPackage: 'com.platform.function.fail', settings: { message: 'No.' } }];
  const { id } = await actions.create({ name: 'fails', environment: 'server', functions });
  await expect(actions.runWithResult('fails')).rejects.toThrow('No.');
  const { logs } = await actions.getLogs({ id });
  expect(logs.map(({ type }) => type)).toEqual(['app.task.failed']);
  expect(logs[0]).not.toHaveProperty('hasRecording');
});

describe('App Actions V3', () => {
  const V3 = '/v3/apps/101/actions';
  const api = () => page.Platform.App.V3.Actions;
  let id = 0;
  beforeAll(async () => {
    const code = 'async function execute(context) { return context.payload.a + 1; }';
    ({ id } = await api().create({ name: 'code', code, active: true, triggers: [{ trigger: 'manual' }] }));
  });

  it('has the specified debug page and versions', async () => {
    const debugPage = await platform.ask(`${V3}/${id}/compile?html`);
    expect([debugPage.status, debugPage.text]).toEqual([200, expect.stringContaining('id="platform-env"')]);
    expect((await platform.ask<{ versions: unknown[] }>(`${V3}/${id}/versions`)).body.versions).toHaveLength(1);
    expect((await platform.ask(`${V3}/${id}/versions/1`)).status).toBe(200);
    expect((await platform.ask(`${V3}/${id}/versions/1/restore`, { body: {} })).status).toBe(200);
  });

  it.each([
    ['GET', V3],
    ['POST', V3],
    ['GET', `${V3}/ID`],
    ['PUT', `${V3}/ID`],
    ['DELETE', `${V3}/ID`],
    ['POST', `${V3}/ID/publish`],
    ['POST', `${V3}/ID/unpublish`],
    ['POST', `${V3}/ID/run`],
    ['POST', `${V3}/ID/run-with-result`],
    ['GET', '/v3/apps/101/logs'],
  ])('%s %s is a 404 as a page, not the API’s error body', async (method, path) => {
    for (const token of [undefined, String(page.ENV.token)]) {
      const to = path.replace('ID', String(id));
      const response = await platform.ask(to, { method, token, ...(method !== 'GET' && { body: {} }) });
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toMatch(/^text\/html/);
      expect(response.body).toBeUndefined();
    }
  });

  it('runs on its debug page, whose scripts are under the root of pages', async () => {
    const own = await openAppPage(platform, `${V3}/${id}/compile?html&payload=${encodeURIComponent('{"a":1}')}`);
    expect(await own.Platform.App.V3.Actions.Code.run()).toBe(2);
    expect((await platform.ask(`${V3}/${id}/compile?html`)).text).not.toMatch(/"\/v[13]\//);
  });

  it('is listed, changed, published, run, and removed by the pages’ own API', async () => {
    const code = 'async function execute(context) { return 2; }';
    const own = await api().create({ name: 'more-code', code, active: true, triggers: [{ trigger: 'manual' }] });
    expect((await api().get()).actions.map(({ name }) => name)).toContain('more-code');
    await api().update(own.id, { code: code.replace('2', '3') });
    await api().publish(own.id);
    expect(await api().runWithResult(own.id)).toBe(3);
    await vi.waitFor(async () => expect((await api().getLogs({ id: own.id })).count).toBe(1), { timeout: 20_000 });
    await api().remove(own.id);
    expect((await api().get()).actions.map(({ name }) => name)).not.toContain('more-code');
  });

  it('accepts only tokens of the app’s own pages there', async () => {
    const path = '/runtime/v3/apps/101/actions';
    expect((await platform.ask(path, { token: String(page.ENV.token) })).status).toBe(200);
    expect((await platform.ask(path.replace('101', '102'), { token: String(page.ENV.token) })).status).toBe(404);
    for (const token of [undefined, null]) expect((await platform.ask(path, { token })).status).toBe(401);
    for (const rest of [`/${id}/versions`, `/${id}/compile`])
      expect((await platform.ask(path + rest, { token: String(page.ENV.token) })).status).toBe(404);
  });
});

describe('under the root of pages', () => {
  it('a user’s token is refused, and so is a page’s for another app', async () => {
    const own = String(page.ENV.token);
    expect((await platform.ask('/runtime/apps/101/actions', { token: own })).status).toBe(200);
    expect((await platform.ask('/runtime/apps/102/actions', { token: own })).status).toBe(404);
    for (const token of [undefined, null])
      for (const [method, path] of [
        ['GET', '/runtime/apps/101/actions'],
        ['POST', '/runtime/apps/101/actions/1001/run'],
        ['GET', '/runtime/apps/101/logs'],
        ['GET', '/runtime/functions'],
      ] as const)
        expect((await platform.ask(path, { method, token })).status).toBe(401);
  });

  it.each([
    'apps',
    'clock',
    'apps/101/preview',
    'apps/101/tasks/1004/compile',
    'apps/101/actions/1001/revisions',
    'apps/101/logs/1/recording',
  ])('there is no %s', async (path) => {
    for (const token of [undefined, String(page.ENV.token)])
      expect((await platform.ask(`/runtime/${path}`, { token })).status).toBe(404);
  });

  it('other apps load packages, and logins end on the success page', async () => {
    const packaged = await platform.ask('/runtime/packages/platform-oauth2:0.1.js', { token: null });
    expect([packaged.status, packaged.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    const { text } = await platform.ask('/runtime/auth/sso-callback', { token: null });
    const [, script] = /<script src="([^"]*)">/.exec(text)!;
    expect((await platform.ask(script!, { token: null })).status).toBe(200);
  });
});

it('server runs keep the whole API', async () => {
  await actions.create({
    name: 'asks-platform',
    environment: 'server',
    functions: [
      { functionPackage: 'com.platform.function.http-request', settings: { url: '/v1/status' } },
      { functionPackage: 'com.platform.function.return-string', settings: { message: '{{response.status}}' } },
    ],
  });
  expect(await actions.runWithResult('asks-platform')).toBe('200');
});
