/** Owns the wiring of the background worker: tokens, every REST call, and the rule that takes a tab to a page of the platform. */
import { defineBackground } from 'wxt/utils/define-background';
import { browser } from '../../lib/messaging/browser.ts';
import { listen } from '../../lib/messaging/listen.ts';
import { checkPage } from '../../lib/rest/index.ts';
import { createVault } from '../../lib/vault/index.ts';
import { createPlatformPages } from './platform-page.ts';
import { eraseDatabases } from './erase.ts';
import { createHandlers } from './handlers.ts';
import { createPublishStore } from './publish-store.ts';
import { createTokenRules } from './session-rule.ts';

export default defineBackground(() => {
  const rules = createTokenRules(browser.declarativeNetRequest);
  const handlers = createHandlers({
    vault: createVault(),
    permissions: browser.permissions,
    pages: createPlatformPages(browser.tabs, rules, checkPage),
    publishes: createPublishStore(),
    button: browser.action,
    eraseRest: () => eraseDatabases(),
  });
  listen(browser.runtime, handlers);
  // A worker that was killed while it opened a page left its rule behind. What fails here is tried again, and told, at the next one.
  rules.start().catch(() => {});
  // One that was killed while it published left an open outcome behind: told by the mark on the button.
  handlers['publish.list'](undefined).catch(() => {});
});
