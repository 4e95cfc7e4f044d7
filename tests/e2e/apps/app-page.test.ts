import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { allowedBefore, type AllowedBefore } from '../../support/granted-extension.ts';
import { violations } from '../../support/accessibility.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../support/servers/faulty-platform.ts';
import { mark, PopupPage } from '../../../lib/browser-driver/pages/popup-page.ts';
import { stopWorker } from '../../../lib/browser-driver/worker.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';

interface Chrome {
  notifications?: {
    getAll(): Promise<Record<string, boolean>>;
    clear(id: string): Promise<boolean>;
    onClosed: { addListener(listener: (id: string) => void): void };
  };
  permissions: { contains(which: object): Promise<boolean>; remove(which: object): Promise<boolean> };
  runtime: {
    sendMessage(message: object): Promise<{ ok: boolean; value: { id: string; seen: boolean; told: boolean }[] }>;
  };
}

const APP = 'Field Service';
let copy: AllowedBefore;
let bed: TestBed;
let faulty: FaultyPlatform;
/** A page of the extension that sends messages to the browser and the worker. */
let asker: Page;
beforeAll(async () => {
  copy = await allowedBefore(inject('chromeExtension'), 'notifications');
  bed = await startTestBed({ ownPlatform: true, browser: { extension: copy.folder } });
  await copy.load(bed.extension);
  faulty = await startFaultyPlatform(bed.platform.baseUrl);
  await bed.enter({ name: 'Local', baseUrl: faulty.baseUrl });
  asker = await bed.extension.browser.newPage();
  await asker.goto(page('app.html'));
});
beforeEach(() => {
  faulty.gate = () => {};
});
afterEach(async () => {
  for (const each of await bed.extension.browser.pages()) if (each !== asker) await each.close();
});
afterAll(async () => {
  await faulty?.close();
  await bed?.close();
  await copy?.remove();
});

const page = (path: string): string => `chrome-extension://${bed.extension.extensionId}/${path}`;
const ask = <T>(question: (chrome: Chrome) => Promise<T>): Promise<T> =>
  asker.evaluate(`(${question.toString()})(chrome)`) as Promise<T>;
const notified = (): Promise<string[]> =>
  ask(async ({ notifications }) => Object.keys((await notifications?.getAll()) ?? {}));
const clearAll = (): Promise<void> =>
  ask(async ({ notifications }) => {
    for (const id of Object.keys((await notifications?.getAll()) ?? {})) await notifications?.clear(id);
  });
/** The newest publish. The worker responds after it has shown notifications for all new ones. */
const newest = (): Promise<{ id: string; seen: boolean; told: boolean }> =>
  ask(async ({ runtime }) => (await runtime.sendMessage({ to: 'background', name: 'publish.list' })).value[0]!);

/** Publishes an update, and closes the popup before the platform responds. */
async function publishUnseen(changelog: string): Promise<{ letGo(): void }> {
  const popup = await PopupPage.open(bed.extension);
  await popup.read();
  await popup.write({ type: 'silent', changelog });
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: request, resolve: isRequested } = Promise.withResolvers<void>();
  faulty.gate = (moment, { method }) => {
    if (moment !== 'received' || method !== 'POST') return undefined;
    isRequested();
    return held;
  };
  await popup.press('Publish');
  await request;
  await popup.close();
  return { letGo };
}

async function seeOutcome(state: string): Promise<void> {
  const popup = await PopupPage.open(bed.extension);
  expect(await popup.outcome()).toBe(state);
  if (state === 'unknown') await popup.press('Dismiss');
  await waitFor('no mark any more', async () => (await mark(bed.extension)) === '');
  await popup.close();
}

test('a published version links to a page that follows its rollout at once', async () => {
  const popup = await PopupPage.open(bed.extension);
  await popup.chooseApp(APP);
  await popup.write({ type: 'forced', changelog: 'Visits can be signed.' });
  await popup.press('Publish…');
  await popup.press('Force version 13');
  expect(await popup.outcome()).toBe('published');
  expect(await notified()).toEqual([]);
  const app = await popup.follow('Show who has it');
  await waitFor('who has it', async () =>
    /\d+ of \d+ users \(\d+%\) have version 13 or newer/.test(await app.$eval('main', (main) => main.innerText)),
  );
  expect(await app.title()).toBe('Field Service – Platform DevTools');
  expect(await app.$eval('[data-adoption]', (element) => element.getAttribute('data-adoption'))).toBe('watching');
});

test.each([
  ['no app', 'app.html', 'no-link'],
  ['an environment that is gone', 'app.html?environment=gone&app=101&version=13', 'no-environment'],
])('a link to %s says so', async (_what, path, state) => {
  const app = await bed.extension.browser.newPage();
  await app.goto(page(path));
  await waitFor('what is wrong', () => app.$(`[data-state=${state}]`));
});

test('the app page reports an app that is gone, and loads one as soon as access is allowed', async () => {
  const environment = await ask(
    async ({ runtime }) => (await runtime.sendMessage({ to: 'background', name: 'environments.list' })).value[0]!.id,
  );
  const app = await bed.extension.browser.newPage();
  await app.goto(page(`app.html?environment=${environment}&app=999999&version=13`));
  await waitFor('that it is gone', () => app.$('[data-state=no-app]'));
  const origins = ['http://127.0.0.1/*', 'http://localhost/*'];
  await ask(`({ permissions }) => permissions.remove(${JSON.stringify({ origins })})` as never);
  await app.goto(page(`app.html?environment=${environment}&app=101&version=13`));
  await waitFor('that it may not be read', () => app.$('[data-code=HOST_PERMISSION_MISSING]'));
  expect(await violations(app)).toEqual([]);
  await app.locator('aria/Allow access[role="button"]').click();
  await waitFor('the app', () => app.$('[data-state=ready] [data-app-page="101"]'));
});

test('a notification reports a publish that ended while the popup was closed, and disappears when it was seen', async () => {
  const { letGo } = await publishUnseen('While the popup is closed.');
  expect(await notified()).toEqual([]);
  letGo();
  const shown = await waitFor('the notification', async () => ((await notified()).length > 0 ? notified() : null));
  expect(shown).toEqual([`publish.${(await newest()).id}`]);
  await seeOutcome('published');
  await waitFor('no notification any more', async () => (await notified()).length === 0);
});

test('no notification reports what an open popup has shown', async () => {
  const popup = await PopupPage.open(bed.extension);
  await popup.read();
  expect(await popup.page.$eval('input[name=notify]', (input) => input.checked)).toBe(true);
  await popup.write({ type: 'silent', changelog: 'In sight.' });
  await popup.press('Publish');
  expect(await popup.outcome()).toBe('published');
  await waitFor('it to be seen', async () => (await newest()).seen);
  expect((await newest()).told).toBe(false);
  expect(await notified()).toEqual([]);
  await popup.close();
});

test('after a worker was killed, the next one shows the notification exactly once', async () => {
  const { letGo } = await publishUnseen('Killed.');
  await stopWorker(bed.extension);
  letGo();
  await newest();
  // At once, or two seconds later where the browser still counted the popup as open.
  await waitFor('one notification', async () => (await notified()).length === 1);
  await clearAll();
  await stopWorker(bed.extension);
  await newest();
  expect(await notified()).toEqual([]);
  expect(await mark(bed.extension)).toBe('?');
  await seeOutcome('unknown');
});

test('erasing all data removes the notification and its permission, and without permission the badge is used', async () => {
  const first = await publishUnseen('Erased.');
  first.letGo();
  const [id] = await waitFor('the notification', async () => ((await notified()).length > 0 ? notified() : null));
  await asker.goto(page('options.html'));
  await ask(async ({ notifications }) => notifications?.onClosed.addListener((id) => (document.title = id)));
  expect(await ask(({ runtime }) => runtime.sendMessage({ to: 'background', name: 'data.erase' }))).toMatchObject({
    ok: true,
  });
  await waitFor('the notification to be gone', async () => (await asker.title()) === id);
  expect(await ask(({ permissions }) => permissions.contains({ permissions: ['notifications'] }))).toBe(false);

  await bed.enter({ name: 'Local', baseUrl: faulty.baseUrl });
  const popup = await PopupPage.open(bed.extension);
  await popup.chooseApp(APP);
  expect(await popup.page.$eval('input[name=notify]', (input) => input.checked)).toBe(false);
  await popup.close();
  const second = await publishUnseen('Without a word.');
  second.letGo();
  await waitFor('the mark', async () => (await mark(bed.extension)) === '✓');
  await seeOutcome('published');
});
