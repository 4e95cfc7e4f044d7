/** Tokens under a passphrase on every surface: usable only while unlocked, and never leaked. */
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElementHandle, Frame, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { appLink } from '../../../lib/extension/messaging/model/app-link.ts';
import { type ExtensionBrowser, launchBrowser } from '../../../lib/browser-driver/chromium.ts';
import { ensureBrowser } from '../../../lib/browser-driver/find-browser.ts';
import { OptionsPage } from '../../../lib/browser-driver/pages/options-page.ts';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { isExhaustive } from '../../support/exhaustive.ts';
import { storedText } from '../../support/stored-text.ts';
import { LockPage } from '../../../lib/browser-driver/pages/lock-page.ts';
import { PopupPage } from '../../../lib/browser-driver/pages/popup-page.ts';
import { stopWorker } from '../../../lib/browser-driver/worker.ts';
import { findAction, startTestBed, type TestBed } from '../../support/test-bed.ts';

const PASSPHRASE = 'one passphrase of these tests';
const OF_FILE = 'another passphrase, of the file';
const MINUTE = 60_000;
const NOTES = 'Typed before the browser was killed.';
const folder = mkdtempSync(join(tmpdir(), 'vault-'));
const profile = join(folder, 'profile');
const download = join(folder, 'environments.json');

let bed: TestBed;
let page: Page;
let options: LockPage;
let panelPage: PanelPage;
let panel: LockPage;
let action: ReturnType<typeof findAction>;
/** Every response of the worker to a surface. */
const responses: string[] = [];

beforeAll(async () => {
  bed = await startTestBed({ browser: { profile } });
  action = findAction(bed.platform, 'is-email-registered');
  await bed.enter();
  page = await bed.extension.browser.newPage();
  await page.exposeFunction('received', (response: string) => responses.push(response));
  await page.evaluateOnNewDocument(listen);
  await page.goto(`chrome-extension://${bed.extension.extensionId}/options.html`);
  options = new LockPage(() => page);
});
afterAll(async () => {
  await bed?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** On a page: passes on every response of the worker. */
function listen(): void {
  const { chrome, received } = globalThis as unknown as {
    chrome: { runtime: { sendMessage(message: unknown): Promise<unknown> } };
    received?: (response: string) => void;
  };
  const answered: string[] = ((globalThis as unknown as { answered: string[] }).answered = []);
  const send = chrome.runtime.sendMessage.bind(chrome.runtime);
  chrome.runtime.sendMessage = async (message) => {
    const reply = await send(message);
    answered.push(JSON.stringify(reply));
    received?.(JSON.stringify(reply));
    return reply;
  };
}

/** That nothing is wider than the window. */
const expectToFit = async (surface: Page | Frame): Promise<void> =>
  expect(await surface.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
/** The same in a wide and in a narrow window. */
async function expectToFitAll(surface: Page | Frame, resize: (width: number) => Promise<unknown>): Promise<void> {
  for (const width of [1200, 320]) {
    await resize(width);
    await expectToFit(surface);
  }
}
const optionsFit = (): Promise<void> => expectToFitAll(page, (width) => page.setViewport({ width, height: 900 }));
const environmentId = (): Promise<string> =>
  page.$eval('[data-environment]', (card) => card.getAttribute('data-environment') ?? '');
const tokenWorks = async (): Promise<void> => {
  await options.press('Test connection');
  await options.says(/Connected: 3 apps/);
};
const appsAreThere = (): Promise<unknown> =>
  waitFor('the apps in the panel', () =>
    panelPage.frame().$eval('input[name=app]', (input) => (input as HTMLInputElement).placeholder === 'App'),
  );

test('tokens under a passphrase stay usable until they are locked', async () => {
  await page.bringToFront();
  await options.press('Set passphrase');
  await options.fill({ 'new-passphrase': PASSPHRASE, 'new-passphrase-again': 'something else' });
  await options.press('Set passphrase');
  await options.says('The passphrases don’t match.');
  await optionsFit();
  await options.fill({ 'new-passphrase-again': PASSPHRASE });
  await options.press('Set passphrase');
  await options.says('Passphrase set.');
  await optionsFit();
  expect(await options.state()).toMatchObject({ kind: 'unlocked', idleMinutes: 15 });
  await tokenWorks();
});

// The unit tests of tries have the wait, and a surface is unlocked below.
if (isExhaustive())
  test('wrong passphrases are slowed down with a countdown, and the right one then unlocks the popup', async () => {
    await options.press('Lock now');
    await options.asks();
    expect(await options.hasKey()).toBe(false);
    const popup = await PopupPage.open(bed.extension);
    const inPopup = new LockPage(() => popup.page);
    for (let tried = 1; tried <= 3; tried++) {
      await inPopup.unlock(`a wrong one, number ${tried}`);
      await waitFor('the refusal', () =>
        popup.page.evaluate(
          () => document.querySelector('.problem') !== null && !document.body.innerText.includes('Unlocking'),
        ),
      );
    }
    await inPopup.says(/The passphrase is wrong, or the stored key is damaged\.[\s\S]*Try again in 1 s\./);
    expect(await popup.page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('passphrase');
    await expectToFit(popup.page);
    await waitFor(
      'the end of the wait',
      async () => (await popup.page.$('button[type=submit]:not([aria-disabled])')) !== null,
    );
    await inPopup.unlock(PASSPHRASE);
    await waitFor('the popup as before', async () => (await popup.text()).includes('Release notes'));
    await options.asks(false);
    await options.says('••••');
    await popup.close();
  });

test('locking on one surface locks all of them, and unlocking on one resumes what the others were waiting for', async () => {
  panelPage = await bed.panel({ in: 'page' });
  panel = new LockPage(panelPage.frame);
  await panelPage.choose({ environment: 'Local', app: action.app });
  await page.bringToFront();
  await options.press('Lock now');
  await panel.asks();
  // A request that was running when tokens were locked is sent again.
  await panelPage.devtools.bringToFront();
  await panelPage.reload();
  await panelPage.frame().evaluate(listen);
  await panel.asks();
  await expectToFitAll(panelPage.frame(), (width) => panelPage.resize(width));
  await panelPage.resize(1200);

  // The popup requests apps only if it has no recent list.
  await page.evaluate(clearStored);
  // In a tab: with the window of DevTools in front, the browser opens no popup.
  const popup = new PopupPage(await bed.extension.browser.newPage());
  const inPopup = new LockPage(() => popup.page);
  await popup.page.goto(`chrome-extension://${bed.extension.extensionId}/popup.html`);
  await inPopup.asks();
  await waitFor('the popup without a token', async () => {
    // The form appears again for a request that was sent after it was dismissed.
    const dismiss = await popup.page.$('control/Not now[role="button"]');
    await dismiss?.evaluate((button) => (button as HTMLElement).click());
    return (await popup.alert()) === 'VAULT_LOCKED';
  });
  const tab = await bed.extension.browser.newPage();
  await tab.goto(
    `chrome-extension://${bed.extension.extensionId}/${appLink({ environmentId: await environmentId(), appId: action.appId, version: null })}`,
  );
  await new LockPage(() => tab).asks();
  await popup.page.bringToFront();
  await popup.press('Try again');
  await inPopup.unlock(PASSPHRASE);
  await waitFor('the popup as before', async () => (await popup.text()).includes('Release notes'));
  await panel.asks(false);
  await appsAreThere();
  await tab.waitForSelector('.standalone-app[data-state=ready]');
  await tab.close();
  await popup.close();
});

test('tokens stay unlocked when the worker is stopped', async () => {
  await stopWorker(bed.extension);
  expect(await options.state()).toMatchObject({ kind: 'unlocked' });
  await page.bringToFront();
  await tokenWorks();
});

// The unit tests of locks have this rule.
if (isExhaustive())
  test('activity postpones the time at which tokens are locked', async () => {
    // The activity in this page so far is already reported.
    await page.reload();
    await options.says('Lock now');
    await options.letPass(10 * MINUTE);
    const before = await options.state();
    await page.mouse.move(10, 10);
    await page.mouse.move(20, 20);
    await waitFor('a later time', async () => {
      const now = await options.state();
      return before.kind === 'unlocked' && now.kind === 'unlocked' && now.locksAt > before.locksAt + 9 * MINUTE;
    });
  });

test('tokens are locked after the idle time even if the worker was stopped, and their key is gone', async () => {
  await options.letPass(16 * MINUTE);
  await stopWorker(bed.extension);
  await panelPage.devtools.bringToFront();
  await panelPage.frame().evaluate(() => window.dispatchEvent(new Event('focus')));
  await panel.asks();
  expect((await options.state()).kind).toBe('locked');
  expect(await options.hasKey()).toBe(false);
});

// The unit tests of transfers and of erasing have these rules.
if (isExhaustive())
  test('an exported file carries tokens under its own passphrase, and they work again after everything was erased, which an open panel notices', async () => {
    await page.bringToFront();
    await page.evaluate(() => {
      const create = URL.createObjectURL.bind(URL);
      URL.createObjectURL = (blob: Blob) => {
        void blob.text().then((text) => ((globalThis as unknown as { file: string }).file = text));
        return create(blob);
      };
    });
    await options.press('Export with tokens');
    await options.fill({ 'new-passphrase': OF_FILE, 'new-passphrase-again': OF_FILE });
    await options.press('Export file');
    // Tokens are locked, so the export waits for the passphrase.
    await options.unlock(PASSPHRASE);
    const file = await waitFor('the exported file', () =>
      page.evaluate(() => (globalThis as unknown as { file?: string }).file),
    );
    writeFileSync(download, file);
    expect(leaksIn(file)).toEqual([]);

    await panelPage.devtools.bringToFront();
    await panelPage.choose({ environment: 'Local', app: action.app, action: 'is-email-registered' });
    await panelPage.open();
    await panelPage.press('Run');
    await waitFor('the run in the list', async () => (await panelPage.runs()).length === 1);
    await page.bringToFront();
    await options.fill({ 'confirm-erase': 'erase' });
    await options.press('Erase all data');
    await options.says('Erased all data.');
    expect(await options.state()).toEqual({ kind: 'open' });
    expect(await options.hasKey()).toBe(false);
    // The panel doesn’t have the focus.
    const has = async (selector: string) => (await panelPage.frame().$(selector)) !== null;
    const environments = 'select[name=environment]';
    await waitFor('the panel as new', async () => (await has('.tab-controls')) && !(await has(environments)));
    expect(await panelPage.runs()).toEqual([]);

    const input = await page.$('input[type=file]');
    await (input as ElementHandle<HTMLInputElement>).uploadFile(download);
    await options.fill({ 'file-passphrase': PASSPHRASE });
    await options.press('Import file');
    await waitFor('the refusal', () => page.$('[name=file-passphrase][aria-invalid=true]'));
    await optionsFit();
    await options.fill({ 'file-passphrase': OF_FILE });
    await options.press('Import file');
    await options.says('Imported 1 environment with 1 token.');
    await waitFor('the environment in the panel', () => has(environments));
    await tokenWorks();
  });

test('nothing that a surface shows, stores, or receives contains a token or a passphrase', async () => {
  expect(responses.length).toBeGreaterThan(10);
  expect(leaksIn([await storedText(page), ...responses].join('\n'))).toEqual([]);
});

// It starts another browser.
if (isExhaustive())
  test('after the browser is killed release notes are still there and tokens are locked, and resetting a forgotten passphrase removes tokens but keeps environments', async () => {
    await page.bringToFront();
    // Only the exhaustive tests have erased the passphrase before.
    if ((await options.state()).kind === 'open') {
      await options.press('Set passphrase');
      await options.fill({ 'new-passphrase': PASSPHRASE, 'new-passphrase-again': PASSPHRASE });
      await options.press('Set passphrase');
      await options.says('Passphrase set.');
    } else await options.unlock(PASSPHRASE);
    const popup = await openPopup(bed.extension);
    await popup.chooseApp('Field Service');
    await popup.write({ changelog: NOTES });
    await waitFor('the notes in storage', () => popup.page.evaluate(storedData).then((text) => text.includes(NOTES)));
    const killed = bed.extension.browser.process();
    killed?.kill('SIGKILL');
    if (killed) await once(killed, 'exit');
    const again = await launchBrowser({
      executablePath: ensureBrowser('chromium'),
      extension: inject('chromeExtension'),
      headless: true,
      profile,
    });
    try {
      ({ page } = await OptionsPage.open(again));
      await options.asks();
      expect((await options.state()).kind).toBe('locked');
      expect(await options.hasKey()).toBe(false);
      await options.says('Token locked');
      await options.press('Forgot passphrase');
      await options.says('A reset removes the passphrase and every token');
      await optionsFit();
      await options.fill({ 'confirm-reset': 'reset' });
      await options.press('Remove all tokens');
      await options.says('No passphrase is set now.');
      await options.says('edit to enter one');
      expect(await options.state()).toEqual({ kind: 'open' });
      const { page: reopened } = await openPopup(again);
      expect({
        app: await reopened.$eval('input[name=app]', ({ value }) => value),
        notes: await reopened.$eval('textarea', ({ value }) => value),
      }).toEqual({ app: 'Field Service', notes: NOTES });
      await reopened.close();
    } finally {
      await again.close();
    }
  });

/** As a page, because Chromium shows a popup only in a focused window. */
async function openPopup({ browser, extensionId }: ExtensionBrowser): Promise<PopupPage> {
  const popup = new PopupPage(await browser.newPage());
  await popup.page.goto(`chrome-extension://${extensionId}/popup.html`);
  await popup.page.waitForSelector('textarea');
  return popup;
}

interface StorageApi {
  chrome: { storage: { local: { get(): Promise<object>; clear(): Promise<void> } } };
}
/** On a page of the extension: everything in `storage.local`. */
async function storedData(): Promise<string> {
  return JSON.stringify(await (globalThis as unknown as StorageApi).chrome.storage.local.get());
}
const clearStored = (): Promise<void> => (globalThis as unknown as StorageApi).chrome.storage.local.clear();

/** The secrets that a text contains, in any encoding. */
function leaksIn(text: string): string[] {
  return [bed.platform.authToken, PASSPHRASE, OF_FILE].filter((secret) =>
    [secret, encodeURIComponent(secret), btoa(secret).replace(/=+$/, ''), Buffer.from(secret).toString('hex')].some(
      (form) => text.includes(form),
    ),
  );
}
