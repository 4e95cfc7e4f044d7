/** Changes whose connection ends before the response, which a browser might send again. `CUTS=100` does more rounds. */
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, test } from 'vitest';
import type { Result } from '../../../lib/platform-api/index.ts';
import { cutEveryChange, expectUnknownOnce, type SendFrom } from '../../support/every-change.ts';
import { type FaultyPlatform, startFaultyPlatform } from '../../support/servers/faulty-platform.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';

const ROUNDS = Number(process.env['CUTS'] ?? 2);

let bed: TestBed;
let faulty: FaultyPlatform;
const pages = new Map<string, Page>();
beforeAll(async () => {
  bed = await startTestBed({ clock: new Date('2026-11-02T08:00:00Z') });
  faulty = await startFaultyPlatform(bed.platform.baseUrl);
  faulty.ignoresKeys = true;
  await bed.enter({ baseUrl: faulty.baseUrl });
});
afterAll(async () => {
  await bed?.closeTabs();
  await faulty?.close();
  await bed?.close();
});

const send: SendFrom = async <T>(surface: 'panel' | 'popup', name: string, takes?: object) => {
  let page = pages.get(surface);
  if (!page) {
    page = await bed.extension.browser.newPage();
    await page.goto(`chrome-extension://${bed.extension.extensionId}/${surface}.html`);
    pages.set(surface, page);
  }
  return page.evaluate(
    (message) =>
      (
        globalThis as unknown as { chrome: { runtime: { sendMessage(message: object): Promise<Result<T>> } } }
      ).chrome.runtime.sendMessage(message),
    { to: 'background', name, takes },
  );
};

test(
  'in Chromium, a change whose connection ends before the response reaches the platform once, and its outcome is unknown',
  { timeout: 60_000 + ROUNDS * 20_000 },
  async () => {
    for (let round = 0; round < ROUNDS; round++)
      expectUnknownOnce(await cutEveryChange({ platform: bed.platform, faulty, send }, round));
  },
);
