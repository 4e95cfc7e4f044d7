/** Owns the wiring of the background worker: tokens, every REST call, and the rule that takes a tab to a page of the platform. */
import { defineBackground } from 'wxt/utils/define-background';
import { browser } from '../../lib/extension/messaging/browser.ts';
import { listen } from '../../lib/extension/messaging/listen.ts';
import { createRefusals, type SessionArea } from '../../lib/extension/messaging/refusals.ts';
import { checkPage } from '../../lib/rest/index.ts';
import { createVault } from '../../lib/extension/vault/index.ts';
import { createSessionKeys, lockInTime } from '../../lib/extension/background/auto-lock.ts';
import { createPlatformPages } from '../../lib/extension/background/platform-page.ts';
import { eraseEverything } from '../../lib/extension/background/erase.ts';
import { createHandlers } from '../../lib/extension/background/handlers.ts';
import { createPublishNews } from '../../lib/extension/background/publish-news.ts';
import { createPublishStore } from '../../lib/extension/background/publish-store.ts';
import { createTokenRules } from '../../lib/extension/background/session-rule.ts';

export default defineBackground(() => {
  const { runtime, permissions, alarms, storage } = browser;
  const rules = createTokenRules(browser.declarativeNetRequest);
  const publishes = createPublishStore();
  const session = createSessionKeys(storage.session, alarms);
  const vault = createVault({ session });
  const refusals = createRefusals(browser.storage?.session as SessionArea | undefined);
  const news = createPublishNews({
    store: publishes,
    notifications: () => browser.notifications as typeof browser.notifications | undefined,
    isPopupOpen: async () => (await runtime.getContexts({ documentUrls: [runtime.getURL('popup.html')] })).length > 0,
    iconUrl: runtime.getURL('icon/128.png'),
    openPage: (path) => browser.tabs.create({ url: runtime.getURL(path) }),
    openPopup: () => browser.action.openPopup(),
    later: (work, milliseconds) => void setTimeout(work, milliseconds),
  });
  const handlers = createHandlers({
    vault,
    permissions,
    pages: createPlatformPages(browser.tabs, rules, checkPage),
    publishes,
    button: browser.action,
    news,
    refusals,
    async eraseRest() {
      await news.tell([]);
      await eraseEverything({
        session: storage.session,
        local: storage.local,
        alarms,
        rules: browser.declarativeNetRequest,
        permissions,
        manifest: runtime.getManifest(),
      });
    },
  });
  listen(runtime, handlers, refusals.count);
  lockInTime(vault, session, alarms);
  // There from the start where they were allowed before; a click on one may be what started the worker.
  const listenToNews = (): void => browser.notifications?.onClicked.addListener(news.follow);
  listenToNews();
  permissions.onAdded.addListener(listenToNews);
  // A worker that was killed while it opened a page left its rule behind. What fails here is tried again, and told, at the next one.
  rules.start().catch(() => {});
  // One that was killed while it published left an open outcome behind: told by the mark on the button.
  handlers['publish.list'](undefined).catch(() => {});
});
