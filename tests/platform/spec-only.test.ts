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
