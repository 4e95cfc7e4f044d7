/** Cuts the connections of changes that Chromium sends, which it might then send again. */
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, test } from 'vitest';
import type { Result } from '../../lib/platform-api/index.ts';
import { cutEveryChange, expectUnknownOnce, type SendFrom } from './every-change.ts';
import { type FaultyPlatform, startFaultyPlatform } from './servers/faulty-platform.ts';
import { startTestBed, type TestBed } from './test-bed.ts';

let bed: TestBed;
let faulty: FaultyPlatform;
const pages = new Map<string, Page>();
async function open(): Promise<void> {
  bed = await startTestBed({ clock: new Date('2026-11-02T08:00:00Z') });
  faulty = await startFaultyPlatform(bed.platform.baseUrl);
  faulty.ignoresKeys = true;
  await bed.enter({ baseUrl: faulty.baseUrl });
}
async function close(): Promise<void> {
  await bed?.closeTabs();
  await faulty?.close();
  pages.clear();
  await bed?.close();
}

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

/** A test with this title that makes every change in each of the rounds. */
export function testCuts(title: string, rounds: number): void {
  beforeAll(open);
  afterAll(close);
  test(title, { timeout: 60_000 + rounds * 20_000 }, async () => {
    for (let round = 0; round < rounds; round++)
      expectUnknownOnce(await cutEveryChange({ platform: bed.platform, faulty, send }, round));
  });
}
