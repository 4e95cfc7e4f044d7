/** Owns the wiring of the background worker: tokens, every REST call, and the rule that takes a tab to a debug page. */
import { defineBackground } from 'wxt/utils/define-background';
import { browser } from '../../lib/messaging/browser.ts';
import { listen } from '../../lib/messaging/listen.ts';
import { checkCompilePage } from '../../lib/rest/index.ts';
import { createVault } from '../../lib/vault/index.ts';
import { createDebugPages } from './debug-page.ts';
import { eraseDatabases } from './erase.ts';
import { createHandlers } from './handlers.ts';
import { createTokenRules } from './session-rule.ts';

export default defineBackground(() => {
  const rules = createTokenRules(browser.declarativeNetRequest);
  listen(browser.runtime, createHandlers({
    vault: createVault(),
    permissions: browser.permissions,
    debugPages: createDebugPages(browser.tabs, rules, checkCompilePage),
    eraseRest: () => eraseDatabases(),
  }));
  // A worker that was killed while it opened a debug page left its rule behind. What fails here is tried again, and told, at the next one.
  rules.start().catch(() => {});
});
