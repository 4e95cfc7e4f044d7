/** Tests of rules through the JavaScript API, in an app’s real pages. */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Platform, startPlatform } from '../../../lib/local-platform/index.ts';
import { sharedChromium } from '../shared-chromium.ts';
import { pageDriver } from './page.ts';
import { checkRule, type PageDriver, type Rule, RULE_PLATFORM } from './rule.ts';

/** Adds a test for each rule, by topic. */
export function checkInPages(rules: Record<string, Rule<PageDriver>[]>): void {
  let platform: Platform;
  let driver: PageDriver;
  beforeAll(async () => {
    platform = await startPlatform(RULE_PLATFORM);
    driver = await pageDriver((await sharedChromium()).browser, platform);
  });
  afterAll(async () => {
    await driver?.close();
    await platform?.close();
  });

  for (const [about, all] of Object.entries(rules))
    describe(about, () => {
      for (const rule of all) it(rule.title, () => checkRule(platform, driver, rule));
    });
}
