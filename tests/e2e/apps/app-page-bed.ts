/** What tests of the app page and of notifications work with: a browser in which notifications are allowed. */
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { allowedBefore, type AllowedBefore } from '../../support/granted-extension.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../support/servers/faulty-platform.ts';
import { mark, PopupPage } from '../../../lib/browser-driver/pages/popup-page.ts';
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

export const APP = 'Field Service';

let copy: AllowedBefore;

export let bed: TestBed;

export let faulty: FaultyPlatform;

/** A page of the extension that sends messages to the browser and the worker. */
export let asker: Page;

/** Registers what is done before and after the tests of a file. */
export function setUpAppPage(): void {
  beforeAll(async () => {
    copy = await allowedBefore(inject('chromeExtension'), 'notifications');
    bed = await startTestBed({ ownPlatform: true, browser: { extension: copy.folder } });
    await copy.load(bed.extension);
    faulty = await startFaultyPlatform(bed.platform.baseUrl);
    await bed.enter({ name: 'Local', baseUrl: faulty.baseUrl });
    // The popup remembers it.
    const popup = await PopupPage.open(bed.extension);
    await popup.chooseApp(APP);
    await popup.close();
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
}

export const page = (path: string): string => `chrome-extension://${bed.extension.extensionId}/${path}`;

export const ask = <T>(question: (chrome: Chrome) => Promise<T>): Promise<T> =>
  asker.evaluate(`(${question.toString()})(chrome)`) as Promise<T>;

export const notified = (): Promise<string[]> =>
  ask(async ({ notifications }) => Object.keys((await notifications?.getAll()) ?? {}));

/** The newest publish. The worker responds after it has shown notifications for all new ones. */
export const newest = (): Promise<{ id: string; seen: boolean; told: boolean }> =>
  ask(async ({ runtime }) => (await runtime.sendMessage({ to: 'background', name: 'publish.list' })).value[0]!);

/** Publishes an update, and closes the popup before the platform responds. */
export async function publishUnseen(changelog: string): Promise<{ letGo(): void }> {
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

export async function seeOutcome(state: string): Promise<void> {
  const popup = await PopupPage.open(bed.extension);
  expect(await popup.outcome()).toBe(state);
  if (state === 'unknown') await popup.press('Dismiss');
  await waitFor('no mark any more', async () => (await mark(bed.extension)) === '');
  await popup.close();
}
