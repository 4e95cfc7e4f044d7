/** The first hour: from a new profile to the first result. The exhaustive test takes pictures of its stations. */
import type { Frame, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fill } from '../../lib/browser-driver/pages/fill.ts';
import { waitFor } from '../../lib/browser-driver/wait-for.ts';
import { isExhaustive } from '../support/exhaustive.ts';
import { picturePath } from '../support/picture-path.ts';
import { setTheme } from '../support/surface.ts';
import { startTestBed, type TestBed } from '../support/test-bed.ts';
import { click, press } from '../../lib/browser-driver/pages/press.ts';

/** With real mouse events, after the token was pasted. */
const MOST_CLICKS = 6;
/** The panel’s tab in DevTools, which the driver opens itself. */
const DEVTOOLS_TAB = 1;
const THEMES = isExhaustive() ? (['dark', 'light'] as const) : [];

let bed: TestBed;
beforeAll(async () => {
  bed = await startTestBed({ browser: { keepsOptions: true } });
});
afterAll(() => bed?.close());

async function shoot(surface: Page | Frame, name: string, save: (path: `${string}.png`) => Promise<unknown>) {
  for (const theme of THEMES) {
    await setTheme(surface, theme);
    await save(picturePath(`first-hour-${name}-${theme}`));
  }
}
const codesIn = (page: Page | Frame) =>
  page.$$eval('[data-code]', (all) => all.map((element) => element.getAttribute('data-code')));
const statusOf = (page: Page) =>
  page.$$eval('[role=status]', (all) => all.map(({ textContent }) => textContent).join(' '));

test('leads from the installation to the first result, with at most six clicks after the token was pasted', async () => {
  const { browser, extensionId } = bed.extension;
  const options = await waitFor('the options page', async () =>
    (await browser.pages()).find((page) => page.url() === `chrome-extension://${extensionId}/options.html`),
  );
  await waitFor('the first steps', async () => (await codesIn(options)).includes('NO_ENVIRONMENT'));
  await shoot(options, '1-options', (path) => options.screenshot({ path }));

  await press(options, 'Use the local platform');
  // Whether a platform runs on the default port is up to this machine.
  await waitFor('the end of the search', async () =>
    (await statusOf(options)).includes('Found') ? true : (await codesIn(options)).includes('LOCAL_PLATFORM_NOT_FOUND'),
  );
  await shoot(options, '2-local', (path) => options.screenshot({ path }));
  await fill(options, 'input[name=baseUrl]', bed.platform.baseUrl);
  await click(options, '.find-local button');
  await waitFor('the local platform', async () =>
    (await statusOf(options)).includes(`Found at ${bed.platform.baseUrl}`),
  );
  await waitFor('focus in the token field', () =>
    options.evaluate(() => document.activeElement?.matches('[name=token]')),
  );
  await options.keyboard.type(bed.platform.authToken);
  await shoot(options, '3-token', (path) => options.screenshot({ path }));
  await options.keyboard.press('Enter');
  await waitFor('the next step', async () => (await statusOf(options)).includes('Next, open DevTools'));
  await shoot(options, '4-saved', (path) => options.screenshot({ path }));

  const panel = await bed.panelOf(await browser.newPage());
  let clicks = DEVTOOLS_TAB;
  const countedClick = async (selector: string, text = ''): Promise<void> => {
    const element = await waitFor(`${selector} ${text}`, async () => {
      for (const found of await panel.frame().$$(selector))
        if ((await found.evaluate(({ textContent }) => textContent ?? '')).includes(text)) return found;
      return null;
    });
    await element.click();
    clicks++;
  };
  await waitFor('the apps', () => panel.frame().$('input[name=app][placeholder="App"]'));
  await shoot(panel.frame(), '5-panel', (path) => panel.picture(path));
  await countedClick('input[name=app]');
  await countedClick('[role=option]', 'Field Service');
  await countedClick('input[name=action]');
  await countedClick('[role=option]', 'notify-admins');
  await shoot(panel.frame(), '6-chosen', (path) => panel.picture(path));
  await countedClick('.tab-controls .primary:not([aria-disabled])', 'Open and run notify-admins');
  expect(await panel.ended()).toBe('completed');
  await shoot(panel.frame(), '7-result', (path) => panel.picture(path));
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
});
