/** Takes the pictures for the extension stores in a real browser. `npm run pictures` copies them to `assets/store/pictures`. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DebuggerPage } from '../../../../lib/browser-driver/pages/debugger-page.ts';
import { OAuth2Tab } from '../../../../lib/browser-driver/pages/oauth2-tab.ts';
import type { PanelPage } from '../../../../lib/browser-driver/pages/panel-page.ts';
import { PopupPage } from '../../../../lib/browser-driver/pages/popup-page.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { OAUTH2_SCREEN } from '../../../../lib/local-platform/index.ts';
import {
  icon,
  imageUrl,
  PROMO,
  SCREENSHOT,
  shootDocument,
  shootPanel,
  storePicture,
} from '../../../support/store-pictures.ts';
import { findAction, startTestBed, type TestBed } from '../../../support/test-bed.ts';
import { openWithToken } from '../../../support/network.ts';
import { record } from '../../../support/ask.ts';
import { click, press } from '../../../../lib/browser-driver/pages/press.ts';

const SEND = '/2/functions/0/conditions/0/functions/0';

/** What ran on the platform, oldest first. */
const RUNS: [action: string, payload: object][] = [
  ['notify-admins', {}],
  ['number-range', {}],
  ['one-of-each-step', {}],
  ['throws-on-bad-address', {}],
  ['notify-admins', { log: { type: 'dataSource.entry.create', dataSourceId: 503 } }],
  ['count-open-visits', {}],
];

let bed: TestBed;
let panel: PanelPage;
beforeAll(async () => {
  bed = await startTestBed({ ownPlatform: true, withoutDevTools: true, browser: {} });
  await bed.enter();
});
afterAll(() => bed?.close());

const open = async (action: string): Promise<void> => {
  await press(panel.frame(), 'Run', { role: 'tab' });
  await panel.choose({ environment: 'Local', app: findAction(bed.platform, action).app, action });
  await panel.open();
};
/** Width and height of a PNG. */
async function sizeOf(name: string): Promise<{ width: number; height: number }> {
  const png = await readFile(await storePicture(name));
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) };
}

test('the popup with a release that is about to be published', async () => {
  const page = await bed.extension.browser.newPage();
  // As a page, because the browser’s own popup can’t be enlarged.
  await page.setViewport({ width: 380, height: 560, deviceScaleFactor: 1.4 });
  await page.goto(`chrome-extension://${bed.extension.extensionId}/popup.html`);
  const popup = new PopupPage(page);
  await page.waitForSelector('textarea');
  await popup.chooseApp('Field Service');
  await popup.write({ type: 'visible', changelog: 'Visits can be signed on the phone. The map fits small screens.' });
  await waitFor('the summary', async () => (await popup.read()).includes('visible'));
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
    const picture = await (await page.$('body'))!.screenshot();
    await shootDocument(bed.extension.browser, '6-publish', SCREENSHOT, {
      theme,
      isChosen: theme === 'light',
      body: `<main class="popup"><div>${await icon()}<h1>Publish a release in two clicks</h1>
        <p>See who will get it. It’s sent once, and its progress survives a closed browser.</p></div>
        <img src="${imageUrl(picture)}"></main>`,
    });
  }
  await page.close();
  expect(await sizeOf('6-publish')).toEqual(SCREENSHOT);
});

test('a run that failed, with its step and the values that it saw', async () => {
  panel = await bed.panel();
  await open('throws-on-bad-address');
  expect(await panel.run()).toBe('failed');
  await shootPanel(panel, '1-failed-run', 'light');
  expect(await sizeOf('1-failed-run')).toEqual(SCREENSHOT);
});

test('a run that is paused at a breakpoint, with watched expressions', async () => {
  await open('notify-admins');
  const debug = new DebuggerPage(panel);
  await debug.edit(SEND, 'Add conditional breakpoint…', { condition: 'notified == 2' });
  await panel.start();
  await debug.paused();
  for (const source of ['notified', 'currentItem.data.email', 'records.length']) await debug.watch(source);
  await waitFor('the values', async () => (await debug.watches())['records.length'] === '40');
  await shootPanel(panel, '2-debugger', 'dark');
  expect(await sizeOf('2-debugger')).toEqual(SCREENSHOT);
  await debug.key('F8');
  expect(await panel.ended()).toBe('completed');
});

test('the log of an app’s actions, with a run that failed', async () => {
  for (const [action, payload] of [...RUNS, ...RUNS]) await record(bed.platform, 101, action, payload);
  await press(panel.frame(), 'Actions', { role: 'tab' });
  await panel.choose({ app: 'Field Service' });
  await press(panel.frame(), 'Logs', { role: 'tab' });
  const failed = await waitFor('the failed run', () => panel.frame().$('[role=row][data-log][data-type$=".failed"]'));
  await failed.click();
  await panel.frame().waitForSelector('[data-log-detail]');
  await shootPanel(panel, '3-log', 'light');
  expect(await sizeOf('3-log')).toEqual(SCREENSHOT);
});

test('the V3 code of an action, proved on its recorded runs', async () => {
  await press(panel.frame(), 'All actions', { role: 'tab' });
  const { taskId } = findAction(bed.platform, 'notify-admins');
  await click(panel.frame(), `[data-actions] [role=row][data-action="${taskId}"]`);
  await panel.press('Migrate to V3');
  await panel.press('Prove');
  await waitFor('the proof', () => panel.frame().$('[data-proof=ended]'));
  await shootPanel(panel, '4-migrate', 'light');
  expect(await sizeOf('4-migrate')).toEqual(SCREENSHOT);
});

test('a login, step by step', async () => {
  const { inspected } = panel;
  const { baseUrl, authToken } = bed.platform;
  await openWithToken(
    inspected,
    `${baseUrl}/v1/apps/${OAUTH2_SCREEN.appId}/preview?page=${OAUTH2_SCREEN.pageId}`,
    authToken,
  );
  const tab = await OAuth2Tab.open(panel);
  await tab.logIn('demo-code');
  await tab.flowOf('login', ({ tone }) => tone === 'success');
  await click(panel.frame(), '[data-entry=token-answered]');
  await panel.frame().waitForSelector('[data-entry-details]');
  await shootPanel(panel, '5-login', 'dark');
  expect(await sizeOf('5-login')).toEqual(SCREENSHOT);
});

test('the small promotional tile', async () => {
  await shootDocument(bed.extension.browser, 'promo-small', PROMO, {
    theme: 'light',
    isChosen: true,
    body: `<main class="promo"><div class="name">${await icon()}Platform DevTools</div>
      <p>See why an action of your low-code app failed</p></main>`,
  });
  expect(await sizeOf('promo-small')).toEqual(PROMO);
});
