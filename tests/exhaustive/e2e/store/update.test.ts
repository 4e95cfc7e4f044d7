/** Updates an extension that has stored what version 0.1.0 stored, to the package for the store, and looks for everything. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest';
import {
  allowOrigins,
  type ExtensionBrowser,
  launchBrowser,
  openDevToolsPanel,
} from '../../../../lib/browser-driver/chromium.ts';
import { ensureBrowser } from '../../../../lib/browser-driver/find-browser.ts';
import { LockPage } from '../../../../lib/browser-driver/pages/lock-page.ts';
import { OptionsPage } from '../../../../lib/browser-driver/pages/options-page.ts';
import { PanelPage } from '../../../../lib/browser-driver/pages/panel-page.ts';
import { PopupPage } from '../../../../lib/browser-driver/pages/popup-page.ts';
import { filesIn } from '../../../../lib/browser-driver/store/files.ts';
import { zip } from '../../../../lib/browser-driver/store/zip.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { type Platform, startPlatform } from '../../../../lib/local-platform/index.ts';
import { writeEarlierExtension } from '../../../support/earlier-extension.ts';
import { readRecordedData } from '../../../support/recorded-data.ts';
import { unpack } from '../../../support/store-package.ts';
import { click, press } from '../../../../lib/browser-driver/pages/press.ts';

/** Where version 0.1.0’s platform, and a proxy of it, were while its data was recorded. */
const RECORDED_ADDRESSES = ['localhost:40395', '127.0.0.1:33135'];
const ORIGINS = ['http://localhost/*', 'http://127.0.0.1/*'];

let platform: Platform;
let folder: string;
let extension: ExtensionBrowser;
beforeAll(async () => {
  const { token } = readRecordedData('extension.json');
  platform = await startPlatform({ port: 0, data: 'memory', oauthDemoPort: null, authToken: token });
});
afterEach(async () => {
  await extension?.close();
  await rm(folder, { recursive: true, force: true });
});
afterAll(() => platform?.close());

/** Installs the earlier version with the recorded data, and updates it. */
async function update(file: string): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'platform-devtools-update-'));
  const build = inject('chromeExtension');
  const archive = zip(await filesIn(build));
  await writeEarlierExtension(folder, {
    version: '0.1.0',
    data: readRecordedData(file),
    manifest: { background: { service_worker: 'background.js' }, optional_host_permissions: ORIGINS },
  });
  const { host } = new URL(platform.baseUrl);
  const addresses = Object.fromEntries(RECORDED_ADDRESSES.map((address) => [address, host]));
  extension = await launchBrowser({
    executablePath: ensureBrowser('chromium'),
    extension: folder,
    headless: true,
    addresses,
  });
  await allowOrigins(extension, ORIGINS);
  const earlier = await OptionsPage.open(extension);
  await earlier.page.evaluate(requestAccess, ORIGINS);
  await waitFor('the stored data', async () => (await earlier.page.title()) === 'Stored');
  await earlier.page.goto('about:blank');
  await unpack(archive, folder);
  expect(await extension.browser.installExtension(folder)).toBe(extension.extensionId);
}

/** Runs in a page of the extension. */
async function requestAccess(origins: string[]): Promise<void> {
  const { permissions } = (
    globalThis as unknown as { chrome: { permissions: { request(wanted: object): Promise<boolean> } } }
  ).chrome;
  if (!(await permissions.request({ origins }))) throw new Error('The browser refused access.');
}

/** Tests the connection of an environment, and waits until its token has listed the apps. */
async function connects(options: OptionsPage, name: string): Promise<void> {
  const card = `[data-environment][aria-label="${name}"]`;
  await waitFor(`the environment ${name}`, () => options.page.$(card));
  await click(options.page, `${card} ::-p-aria(Test connection)`);
  await waitFor(`a connection to ${name}`, async () => {
    const text = await options.page.$eval(card, (element) => (element as HTMLElement).innerText);
    if (text.includes('Connected: 3 apps')) return true;
    throw new Error(text);
  });
}

test('after the update from 0.1.0, publishes and the draft of a release are in the popup', async () => {
  await update('extension.json');
  const popup = await PopupPage.open(extension);
  expect(await popup.outcome()).toBe('unknown');
  await popup.press('Dismiss');
  expect(await popup.read()).toMatch(/^Field Service: version 12 to 13, silent\./);
  // The popup shows its form before it has heard of the draft and the publishes.
  const notes = () => popup.page.$eval('textarea', ({ value }) => value);
  await waitFor('the draft', async () => (await notes()) === 'Never confirmed.');
  const recent = () => popup.page.$$eval('option', (options) => options.map(({ textContent }) => textContent));
  for (const published of ['Never confirmed.', 'The map on small screens.', 'Visits can be signed.'])
    await waitFor(`“${published}” among the recent release notes`, async () => (await recent()).includes(published));
});

test('after the update from 0.1.0, environments connect with their tokens, and the panel has runs, payloads, and drafts', async () => {
  await update('extension.json');
  const options = await OptionsPage.open(extension);
  await connects(options, 'Local');
  await connects(options, 'Proxy');
  const cards = await options.page.$$eval('[data-environment]', (all) =>
    all.map((one) => (one as HTMLElement).innerText),
  );
  expect(cards.map((text) => text.split('\n')[0])).toEqual(['Local', 'Proxy', 'Without token']);
  expect(cards[1]).toMatch(/Production[\s\S]*acme/);
  expect(cards[2]).toContain('none (edit to enter one)');
  const isOptions = (page: Page): boolean => page.url().endsWith('/options.html');
  // Only an installation opens it.
  expect((await extension.browser.pages()).filter(isOptions)).toHaveLength(1);

  const page = await extension.browser.newPage();
  const panel = new PanelPage(page, await openDevToolsPanel(page, extension));
  await panel.resize(1200);
  const shownTab = () => panel.frame().$eval('[role=tab][aria-selected=true]', ({ textContent }) => textContent);
  await waitFor('the last tab', async () => (await shownTab()) === 'Actions');
  await panel.choose({ app: 'Field Service' });
  await panel.press('New action');
  await panel.frame().waitForSelector('[data-code=DRAFT_RESTORED]');
  expect(await panel.frame().$eval('[name=action-name]', (field) => (field as HTMLInputElement).value)).toBe(
    'draft-of-an-action',
  );

  await press(panel.frame(), 'Run', { role: 'tab' });
  await panel.choose({ app: 'Visitor Desk', action: 'is-email-registered' });
  await panel.open();
  const payloads = await panel
    .frame()
    .$$eval('[name=payload-source] option', (all) => all.map((one) => one.textContent));
  expect(payloads).toContain('Not registered');
  const [run] = await waitFor('the past run', async () => {
    const runs = await panel.runs();
    return runs.length > 0 && runs;
  });
  await panel.openRun(run!.id);
  expect(await panel.result()).toBe('"nobody@nowhere.example is not registered"');
  expect((await panel.steps()).map(({ path, state }) => [path, state])).toEqual([
    ['/0', 'completed'],
    ['/1', 'completed'],
    ['/1/elseFunctions/0', 'completed'],
  ]);
  await panel.press('All runs');
  await panel.frame().waitForSelector('[data-any-run]');
  const states = await panel
    .frame()
    .$$eval('[data-any-run]', (rows) => rows.map((row) => row.getAttribute('data-state')));
  expect(states.sort()).toEqual(['completed', 'failed']);
});

test('after the update from 0.1.0, locked tokens stay locked, and open with their passphrase', async () => {
  await update('extension-locked.json');
  const options = await OptionsPage.open(extension);
  const lock = new LockPage(() => options.page);
  await lock.asks();
  expect(await lock.state()).toMatchObject({ kind: 'locked', idleMinutes: 15 });
  await lock.unlock(readRecordedData('extension-locked.json').passphrase!);
  await lock.asks(false);
  await connects(options, 'Local');
});
