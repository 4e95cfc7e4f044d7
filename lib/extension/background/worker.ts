/** Wires up the worker. Listeners must be registered synchronously, or the event that started the worker is lost. */
import type { Browser } from 'webextension-polyfill';
import { checkPage } from '../../rest/index.ts';
import { createChannel, type SharedStorage } from '../messaging/announcements.ts';
import { listen } from '../messaging/listen.ts';
import { createRefusals, type SessionArea } from '../messaging/refusals.ts';
import { StoredChanges } from '../messaging/stored-changes.ts';
import { Vault } from '../vault/index.ts';
import { createChangeSender } from './changes/change-sender.ts';
import { EarlyAgents, type PageScripts } from './pages/early-agent.ts';
import type { FrameRuntime, Offscreen } from './changes/frame-channel.ts';
import { createSessionKeys, lockWhenIdle } from './auto-lock.ts';
import { eraseEverything } from './erase.ts';
import { EndpointGates } from './handlers/endpoint-gates.ts';
import { ProductionUnlocks } from './handlers/production-unlocks.ts';
import { createHandlers } from './handlers.ts';
import { openOptionsOnInstall } from '../messaging/options-page.ts';
import { PlatformPages } from './pages/platform-page.ts';
import { PublishNotifier } from './publish-notifications.ts';
import { createPublishStore } from './publish-store.ts';
import { createTokenRules } from './pages/session-rule.ts';

export function startWorker(browser: Browser): void {
  const { runtime, permissions, alarms, storage, declarativeNetRequest } = browser;
  const rules = createTokenRules(declarativeNetRequest);
  const agents = new EarlyAgents(browser.scripting as unknown as PageScripts);
  const publishes = createPublishStore();
  const session = createSessionKeys(storage.session, alarms);
  const vault = new Vault({ session });
  const refusals = createRefusals(browser.storage?.session as SessionArea | undefined);
  const notifier = new PublishNotifier({
    store: publishes,
    notifications: () => browser.notifications as typeof browser.notifications | undefined,
    // Its URL has a query if it was opened from an app’s page.
    isPopupOpen: async () =>
      (await runtime.getContexts({})).some(({ documentUrl }) => documentUrl?.startsWith(runtime.getURL('popup.html'))),
    iconUrl: runtime.getURL('icon/128.png'),
    openPage: (path) => browser.tabs.create({ url: runtime.getURL(path) }),
    openPopup: () => browser.action.openPopup(),
    schedule: (callback, milliseconds) => void setTimeout(callback, milliseconds),
  });
  // Only Chromium has it.
  const { offscreen } = browser as { offscreen?: Offscreen };
  const stored = new StoredChanges(createChannel(storage as unknown as SharedStorage, 'stored'));
  const handlers = createHandlers({
    vault,
    permissions,
    gates: new EndpointGates(storage.local, () => stored.announce('environments')),
    changes: createChangeSender(offscreen, runtime as unknown as FrameRuntime, declarativeNetRequest),
    unlocks: new ProductionUnlocks(storage.session),
    pages: new PlatformPages({ tabs: browser.tabs, rules, agents }, checkPage, offscreen ? 'loading' : 'url'),
    publishes,
    button: browser.action,
    notifier,
    refusals,
    async eraseRest() {
      await notifier.update([]);
      const { session, local } = storage;
      const manifest = runtime.getManifest();
      await eraseEverything({ session, local, alarms, rules: declarativeNetRequest, permissions, manifest });
    },
  });
  listen(runtime, handlers, refusals.count);
  openOptionsOnInstall(runtime);
  lockWhenIdle(vault, session, alarms);
  // A click on a notification might have started the worker. The API is missing until the user grants the permission.
  const onClicked = (id: string): void => void notifier.open(id);
  const listenToNotifications = (): void => browser.notifications?.onClicked.addListener(onClicked);
  listenToNotifications();
  permissions.onAdded.addListener(listenToNotifications);
  // Removes rules and scripts left by a stopped worker. If that fails, the next navigation retries.
  rules.start().catch(() => {});
  agents.start().catch(() => {});
  // Determines the outcomes of publish records left by a stopped worker, and shows them on the badge.
  handlers['publish.list'](undefined).catch(() => {});
}
