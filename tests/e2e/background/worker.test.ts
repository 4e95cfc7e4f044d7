/** What the worker owes its senders when it’s stopped, and the header rules that it adds for one navigation. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Result } from '../../../lib/platform-api/index.ts';
import { OptionsPage } from '../../../lib/browser-driver/pages/options-page.ts';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { isExhaustive } from '../../support/exhaustive.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../support/servers/faulty-platform.ts';
import { stopWorker } from '../../../lib/browser-driver/worker.ts';
import { findAction, startTestBed, type TestBed } from '../../support/test-bed.ts';

let bed: TestBed;
let faulty: FaultyPlatform;
const ACTION = 'is-email-registered';
beforeAll(async () => {
  bed = await startTestBed();
  faulty = await startFaultyPlatform(bed.platform.baseUrl);
  await bed.enter({ name: 'Faulty', baseUrl: faulty.baseUrl });
});
beforeEach(() => {
  Object.assign(faulty, { fault: 'none', only: () => true, given: () => undefined, gate: () => {} });
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await bed.closeTabs();
});
afterAll(async () => {
  await faulty?.close();
  await bed?.close();
});

let panel: PanelPage | undefined;
/** A panel as if it were new: opening another one takes longer than most of the tests. */
async function freshPanel(): Promise<PanelPage> {
  if (!panel || panel.inspected.isClosed()) return (panel = await bed.panel({ in: 'page' }));
  await panel.inspected.goto('about:blank');
  await panel.frame().evaluate(() => localStorage.clear());
  await panel.reload();
  return panel;
}

test('a stopped worker is started by every message', async () => {
  const panel = await freshPanel();
  const { app } = findAction(bed.platform, ACTION);
  await stopWorker(bed.extension);
  await panel.choose({ environment: 'Faulty' });
  await stopWorker(bed.extension);
  await panel.choose({ app });
  await stopWorker(bed.extension);
  await panel.choose({ action: ACTION });
  await stopWorker(bed.extension);
  await panel.open();
  await stopWorker(bed.extension);
  await panel.setPayload('{"email": "nobody@nowhere.example"}');
  expect(await panel.run()).toBe('completed');

  const options = await OptionsPage.open(bed.extension);
  await stopWorker(bed.extension);
  await options.add({
    name: 'Second',
    preset: 'local',
    baseUrl: bed.platform.baseUrl,
    token: bed.platform.authToken,
  });
  await options.page.close();
});

// `boundaries.test.ts` stops the worker at the boundaries of all messages.
if (isExhaustive())
  test('apps load although the worker is stopped while it reads them', async () => {
    faulty.fault = 'silent';
    const before = faulty.requests.length;
    const panel = await freshPanel();
    await panel.choose({ environment: 'Faulty' });
    await waitFor('a pending request', () => faulty.requests.length > before);
    faulty.fault = 'none';
    await stopWorker(bed.extension);
    await panel.choose({ app: findAction(bed.platform, ACTION).app });
  });

if (isExhaustive())
  test('stopping the worker while it opens a debug page reports WORKER_UNREACHABLE, and the page can be opened afterward', async () => {
    const panel = await freshPanel();
    const { app, appId, taskId } = findAction(bed.platform, ACTION);
    await panel.choose({ environment: 'Faulty', app, action: ACTION });
    faulty.fault = 'silent';
    const path = `/v1/apps/${appId}/tasks/${taskId}/compile?html`;
    const requested = () => faulty.requests.filter((request) => request.path === path).length;
    const before = requested();
    await panel.press('Open');
    await waitFor('the request of the worker', () => requested() > before);
    await stopWorker(bed.extension);
    expect((await panel.error()).code).toBe('WORKER_UNREACHABLE');
    faulty.fault = 'none';
    await panel.open();
  });

test('a run on a full disk completes and is shown, the panel says that it isn’t saved, and saved runs stay readable', async () => {
  const panel = await freshPanel();
  const { app } = findAction(bed.platform, ACTION);
  await panel.choose({ environment: 'Faulty', app, action: ACTION });
  await panel.open();
  await panel.setPayload('{"email": "nobody@nowhere.example"}');
  expect(await panel.run()).toBe('completed');
  const runs = () => panel.frame().$$eval('[data-run]', (all) => all.map((row) => (row as HTMLElement).dataset['run']));
  const saved = await waitFor('the saved run', async () => ((await runs()).length > 0 ? runs() : null));
  // Chromium remembers for half a minute how much room there is, so a smaller quota would come too late.
  await panel.frame().evaluate(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  expect(await panel.run()).toBe('completed');
  expect((await waitFor('what is said', () => panel.alert())).code).toBe('RUNS_FULL');
  await waitFor('a list of the saved run only', async () => (await runs()).join() === saved.join());
  await panel.frame().click(`[data-run="${saved[0]}"] .open-run`);
  await waitFor('the older run', () =>
    panel.frame().$eval(`[data-run="${saved[0]}"] .open-run`, (row) => row.getAttribute('aria-current') === 'true'),
  );
});

test('a stopped worker leaves no header rule behind', async () => {
  const panel = await freshPanel();
  const { app, appId, taskId } = findAction(bed.platform, ACTION);
  await panel.choose({ environment: 'Faulty', app, action: ACTION });
  await panel.open();
  // The page loads a moment before the worker notices it and removes its rule.
  await waitFor('the worker done with it', () => panel.canPress('Open'));
  await stopWorker(bed.extension);
  const path = `/v1/apps/${appId}/tasks/${taskId}/compile?html`;
  await panel.inspected.reload();
  const last = faulty.requests.filter((request) => request.path === path).at(-1);
  expect(last?.token).toBeUndefined();
});

test('the header rule is gone once the response has started, even if the page never ends loading', async () => {
  const panel = await freshPanel();
  const { app, appId, taskId } = findAction(bed.platform, ACTION);
  await panel.choose({ environment: 'Faulty', app, action: ACTION });
  const options = await bed.extension.browser.newPage();
  await options.goto(`chrome-extension://${bed.extension.extensionId}/options.html`);
  const rules = () =>
    options.evaluate(() =>
      (
        globalThis as unknown as { chrome: { declarativeNetRequest: { getSessionRules(): Promise<unknown[]> } } }
      ).chrome.declarativeNetRequest.getSessionRules(),
    );
  const path = `/v1/apps/${appId}/tasks/${taskId}/compile?html`;
  const loads = () => faulty.requests.filter((request) => request.path === path);
  // The second time, the tab already shows this URL, so only the event's moment says that the request was sent.
  for (const time of ['first', 'second']) {
    const released = Promise.withResolvers<void>();
    // Hold back only what the page itself loads.
    faulty.gate = (_moment, { method, path: requested }) =>
      method !== 'GET' || requested === path ? undefined : released.promise;
    const before = loads().length;
    await panel.press('Open');
    await waitFor(`the ${time} load`, () => loads().length === before + 2);
    await waitFor('no rule', async () => (await rules()).length === 0);
    expect(await panel.canPress('Cancel')).toBe(true);
    released.resolve();
    await waitFor('the page loaded', () => panel.canPress('Open'));
    expect(
      loads()
        .slice(before)
        .map(({ token }) => token !== undefined),
    ).toEqual([true, true]);
    // The first of two requests is the worker’s own.
    const [checked, tabs] = loads().slice(before);
    expect(checked?.token).toBe(bed.platform.authToken);
    expect(tabs?.token).toMatch(/^once\./);
    expect(await panel.alert()).toBeNull();
  }
  await options.close();
});

const SERVICE_WORKER = `onfetch = (event) => event.request.mode === 'navigate' &&
  event.respondWith(new Response('<title>Stale</title>', { headers: { 'content-type': 'text/html' } }))`;

test('a page that loads without the token is reported or loaded again, and is fine once its cause is gone', async () => {
  const panel = await freshPanel();
  const { app, appId, taskId } = findAction(bed.platform, ACTION);
  await panel.choose({ environment: 'Faulty', app, action: ACTION });
  const path = `/v1/apps/${appId}/tasks/${taskId}/compile?html`;
  // The worker’s own request is answered, and the tab’s isn’t.
  let count = 0;
  Object.assign(faulty, {
    fault: 'bad-gateway',
    only: (request: { path: string }) => request.path === path && ++count === 2,
  });
  await panel.press('Open');
  expect(await panel.error()).toMatchObject({
    code: 'PAGE_REFUSED',
    text: expect.stringContaining('status 502'),
  });
  // The tab stays on its page, or gets the browser’s own.
  for (const [fault, code] of [
    ['no-content', 'TAB_STAYED'],
    ['unavailable', 'PAGE_NOT_SHOWN'],
  ] as const) {
    count = 0;
    Object.assign(faulty, { fault });
    await panel.press('Open');
    await waitFor(`the error after ${fault}`, async () => (await panel.alert())?.code === code);
    await waitFor('the button Open', () => panel.canPress('Open'));
  }

  const served = new Map<string, unknown>([
    // A page of this origin without a Content-Security-Policy, which can register the service worker.
    ['/page', {}],
    ['/sw.js', SERVICE_WORKER],
  ]);
  faulty.given = (request) => served.get(request.path);
  await panel.inspected.goto(`${faulty.baseUrl}/page`);
  await panel.inspected.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js');
    await navigator.serviceWorker.ready;
  });
  // Its response comes without the token, so the panel loads the page again, past the service worker.
  await panel.open();
  expect(await panel.alert()).toBeNull();
  expect(await panel.inspected.title()).not.toBe('Stale');
  await panel.inspected.evaluate(async () => {
    for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
  });
  // The browser’s own reload has no token.
  await panel.inspected.reload();
  await waitFor('the reason', () => panel.frame().$('[data-page=PAGE_WITHOUT_TOKEN]'));
  await panel.press('Open with the token');
  await panel.pipelineShown();
});

// The worker opens them as it opens debug pages.
if (isExhaustive())
  test('preview and live pages get the token for one navigation, and a refusal doesn’t navigate the tab', async () => {
    const panel = await freshPanel();
    await panel.choose({ environment: 'Faulty' });
    const { appId } = findAction(bed.platform, ACTION);
    const open = (page: 'preview' | 'live', app = appId) =>
      panel.frame().evaluate(
        async (page, appId) => {
          const { chrome, browser } = globalThis as unknown as {
            chrome: { runtime: { sendMessage(message: unknown): Promise<Result<unknown>> } };
            browser: { devtools: { inspectedWindow: { tabId: number } } };
          };
          const { tabId } = browser.devtools.inspectedWindow;
          const ask = (name: string, takes?: unknown) => chrome.runtime.sendMessage({ to: 'background', name, takes });
          const environments = (await ask('environments.list')) as { value: { id: string }[] };
          return ask('pages.open', { environmentId: environments.value[0]?.id, tabId, appId, page });
        },
        page,
        app,
      );
    for (const page of ['preview', 'live'] as const) {
      const url = `${faulty.baseUrl}/v1/apps/${appId}/${page}`;
      expect(await open(page)).toEqual({ ok: true, value: { url, tokenInLog: false } });
      expect(panel.inspected.url()).toBe(url);
      expect(
        await panel.inspected.evaluate(() => [
          (globalThis as unknown as { ENV: { mode: string } }).ENV.mode,
          document.documentElement.outerHTML,
        ]),
      ).toEqual([page, expect.not.stringContaining(bed.platform.authToken)]);
    }
    const here = panel.inspected.url();
    const unpublished = bed.platform.apps.find(({ name }) => name === 'Team Directory')?.id ?? 0;
    expect(await open('live', unpublished)).toMatchObject({
      ok: false,
      error: { code: 'CONFLICT', status: 409, message: expect.stringContaining('has no live version yet') },
    });
    expect(await open('live', 999_999)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect(panel.inspected.url()).toBe(here);
    await panel.inspected.reload();
    expect(faulty.requests.filter(({ path }) => path === `/v1/apps/${appId}/live`).at(-1)?.token).toBeUndefined();
  });
