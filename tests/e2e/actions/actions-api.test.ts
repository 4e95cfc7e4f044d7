/**
 * Tests the rules of actions through the JavaScript API, in an app’s real pages. `tests/platform/actions-rules.test.ts`
 * tests them over HTTP, on both databases, and alone those of schedules and log triggers, which only the platform knows.
 */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Platform, startPlatform } from '../../../lib/local-platform/index.ts';
import { IN_PAGES } from '../../support/action-rules/in-pages.ts';
import { RULES } from '../../support/action-rules/index.ts';
import { pageDriver } from '../../support/action-rules/page.ts';
import { type PageDriver, checkRule, RULE_PLATFORM } from '../../support/action-rules/rule.ts';
import { sharedChromium } from '../../support/shared-chromium.ts';

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

const { triggers: _, ...rulesOfPages } = RULES;
for (const [about, rules] of Object.entries({ ...rulesOfPages, 'only in pages': IN_PAGES })) {
  describe(about, () => {
    for (const rule of rules) it(rule.title, () => checkRule(platform, driver, rule));
  });
}
