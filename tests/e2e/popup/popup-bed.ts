/** What tests of the popup work with: a platform of their own that can fail, and the popup. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { PopupPage } from '../../../lib/browser-driver/pages/popup-page.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../support/servers/faulty-platform.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';
import { ask } from '../../support/ask.ts';

export const APP = 'Field Service';

export let bed: TestBed;

export let faulty: FaultyPlatform;

/** The popup that a test left open. */
export let open: PopupPage | undefined;

/** Registers what is done before and after the tests of a file. */
export function setUpPopup(): void {
  beforeAll(async () => {
    open = undefined;
    bed = await startTestBed({ ownPlatform: true, withoutDevTools: true });
    faulty = await startFaultyPlatform(bed.platform.baseUrl);
  });
  beforeEach(() => {
    faulty.fault = 'none';
    faulty.only = ({ method }) => method === 'POST';
    faulty.given = () => undefined;
    faulty.gate = () => {};
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await bed.closeTabs();
  });
  afterAll(async () => {
    await faulty?.close();
    await bed?.close();
  });
}

export const versionNow = async (): Promise<number> => {
  const { apps } = await ask<{ apps: { name: string; version: number }[] }>(bed.platform, '/v1/apps');
  return apps.find(({ name }) => name === APP)!.version;
};

/** The popup with its form, which it shows again after a publish; the previous test’s if that one left it open. */
export async function openForm(): Promise<PopupPage> {
  if (!open || open.page.isClosed()) open = await PopupPage.open(bed.extension);
  if ((await open.state()) === 'published') await open.press('Publish another update');
  await open.read();
  return open;
}

/** Opens the popup where the next test can use it. */
export const openAgain = async (): Promise<PopupPage> => (open = await PopupPage.open(bed.extension));

/** That nothing is wider than the popup. */
export const expectToFit = async (popup: PopupPage): Promise<void> =>
  expect(await popup.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);

/** How many changes were sent. */
export const posts = (): number => faulty.requests.filter(({ method }) => method === 'POST').length;
