/** The driver’s clicks on controls that change under the pointer, in a real browser. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Page } from 'puppeteer-core';
import { press } from '../../lib/browser-driver/pages/press.ts';
import { sharedChromium } from '../support/shared-chromium.ts';

let page: Page;
beforeAll(async () => {
  page = await (await sharedChromium()).browser.newPage();
});
afterAll(() => page?.close());

test('a control that is replaced while it’s pressed gets no click, and is pressed again', async () => {
  await page.setContent('<main><button>Try again</button></main>');
  await page.evaluate(() => {
    const counts = Object.assign(globalThis, { presses: 0, clicks: 0 });
    document.addEventListener('pointerdown', () => {
      if (counts.presses++ > 0) return;
      const button = document.querySelector('button')!;
      button.remove();
      // Later than the release.
      document.addEventListener('pointerup', () => document.querySelector('main')!.append(button.cloneNode(true)));
    });
    document.addEventListener('click', () => counts.clicks++);
  });
  await press(page, 'Try again');
  expect(await page.evaluate(() => [Reflect.get(globalThis, 'presses'), Reflect.get(globalThis, 'clicks')])).toEqual([
    2, 1,
  ]);
});

test('a control that vanishes while it’s pressed needs no click, if what the click is for has happened', async () => {
  await page.setContent('<main><p>Failed.</p><button>Try again</button></main>');
  await page.evaluate(() =>
    document.addEventListener('pointerdown', () => document.querySelector('main')!.replaceChildren(), { once: true }),
  );
  const isDone = async (): Promise<boolean> => (await page.$('p')) === null;
  await press(page, 'Try again', { isDone });
  expect(await page.$('button')).toBeNull();
});
