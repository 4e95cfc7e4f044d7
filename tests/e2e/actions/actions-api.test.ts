/** Every rule of actions by the JavaScript API, in an app's real pages in Chromium, on both databases; `tests/platform/actions-rules.test.ts` has them over HTTP. */
import { type Browser, launch } from 'puppeteer-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { ensureBrowser } from '../../../lib/browser-driver/find-browser.ts';
import { startPlatform, type Platform } from '../../../lib/local-platform/index.ts';
import { onBothDatabases } from '../../platform/support/databases.ts';
import { IN_PAGES } from '../../support/action-rules/in-pages.ts';
import { RULES } from '../../support/action-rules/index.ts';
import { pageDriver } from '../../support/action-rules/page.ts';
import { type PageDriver, prove, RULE_PLATFORM } from '../../support/action-rules/rule.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launch({
    executablePath: ensureBrowser('chromium'),
    headless: true,
    pipe: true,
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu'],
  });
});
afterAll(() => browser?.close());

onBothDatabases(({ url }) => {
  let platform: Platform;
  let driver: PageDriver;
  beforeAll(async () => {
    platform = await startPlatform({ ...RULE_PLATFORM, databaseUrl: await url() });
    driver = await pageDriver(browser, platform);
  });
  afterAll(() => platform?.close());

  for (const [about, rules] of Object.entries({ ...RULES, 'in pages alone': IN_PAGES })) {
    describe(about, () => {
      for (const rule of rules) it(rule.says, () => prove(platform, driver, rule));
    });
  }
});
