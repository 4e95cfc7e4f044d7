/** `npm run panel`: the panel in a plain tab, whose page is an iframe. */
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { click, press } from '../../../lib/browser-driver/pages/press.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { type PanelPreview, startPanelPreview } from '../../support/panel-preview/server.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';

let bed: TestBed;
let preview: PanelPreview;
let page: Page;
beforeAll(async () => {
  bed = await startTestBed();
  preview = await startPanelPreview({ port: 0, platform: bed.platform, watch: false });
  page = await bed.extension.browser.newPage();
  // At the first start, the server bundles the dependencies. The limit of this hook is enough.
  await page.goto(`${preview.url}?theme=dark`, { timeout: 0 });
});
afterAll(async () => {
  await preview?.close();
  await bed?.close();
});

async function choose(field: 'app' | 'action', text: string): Promise<void> {
  await click(page, `input[name=${field}]:not([disabled])`);
  await click(page, `[role=listbox]:not([hidden]) [role=option] ::-p-text(${text})`);
}

test('the preview has sample data, opens an action’s page in its iframe, and runs the action there', async () => {
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
  await choose('app', 'Field Service');
  await choose('action', 'notify-admins');
  await press(page, 'Open');
  await page.waitForSelector('[role=treeitem][data-path]');
  await press(page, 'Run');
  await page.waitForSelector('[data-run-state=completed] [data-step]');
  await waitFor('the result', () => page.$eval('[data-result]', (element) => element.getAttribute('data-result')));
  expect(await page.$eval('#inspected', (frame) => (frame as HTMLIFrameElement).contentWindow?.location.href)).toMatch(
    /\/tasks\/\d+\/compile/,
  );
});
