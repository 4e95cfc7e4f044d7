/** One Chromium with the extension for all test files of a worker process, as new for each of them. */
import { rmSync } from 'node:fs';
import { inject } from 'vitest';
import { allowOrigins, type ExtensionBrowser, inertPage, launchBrowser } from '../../lib/browser-driver/chromium.ts';
import { closePage } from '../../lib/browser-driver/close-page.ts';
import { ensureBrowser } from '../../lib/browser-driver/find-browser.ts';
import type { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../lib/browser-driver/wait-for.ts';
import { stopWorker } from '../../lib/browser-driver/worker.ts';
import { atExit } from './at-exit.ts';

let shared: Promise<ExtensionBrowser> | undefined;

/** Both are allowed at the start, because no driver can accept the browser’s own prompt. */
export const LOCAL_ORIGINS = ['http://localhost/*', 'http://127.0.0.1/*'];

/** The worker’s Chromium, started on first use and after it was discarded. */
export async function sharedChromium(): Promise<ExtensionBrowser> {
  const extension = await (shared ??= start());
  if (extension.browser.connected) return extension;
  shared = undefined;
  return sharedChromium();
}

async function start(): Promise<ExtensionBrowser> {
  const extension = await launchBrowser({
    executablePath: ensureBrowser('chromium'),
    extension: inject('chromeExtension'),
    headless: true,
  });
  const child = extension.browser.process();
  const option = '--user-data-dir=';
  const profile = child?.spawnargs.find((argument) => argument.startsWith(option))?.slice(option.length);
  atExit(() => {
    child?.kill('SIGKILL');
    if (profile) rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  });
  await allowOrigins(extension, LOCAL_ORIGINS);
  return extension;
}

/** Closes the browser, so that the next test file starts another one. */
export async function discardChromium(): Promise<void> {
  const discarded = await shared?.catch(() => undefined);
  shared = undefined;
  await discarded?.close().catch(() => undefined);
}

/** Parts of the extension API that hold state, as the reset uses them. */
interface Chrome {
  storage: Record<'local' | 'session', { clear(): Promise<void> }>;
  alarms: { clearAll(): Promise<boolean> };
  action: { setBadgeText(details: { text: string }): Promise<void> };
  declarativeNetRequest: {
    getSessionRules(): Promise<{ id: number }[]>;
    updateSessionRules(change: { removeRuleIds: number[] }): Promise<void>;
  };
}

/**
 * Erases everything that pages and the extension stored, stops the worker, and closes all tabs but those of `spares`, panels
 * that the next test file can use again.
 */
export async function resetChromium(extension: ExtensionBrowser, spares: PanelPage[]): Promise<void> {
  const { browser, extensionId } = extension;
  const origin = `chrome-extension://${extensionId}`;
  // A document of the extension’s origin without scripts: nothing there opens a database again.
  const inert = await browser.newPage();
  await inert.goto(inertPage(extensionId));
  const kept = [inert, ...spares.flatMap(({ inspected, devtools }) => [inspected, devtools])];
  for (const page of await browser.pages())
    if (!kept.includes(page) && !page.url().startsWith('devtools:')) await closePage(page);
  for (const spare of spares) {
    await spare.inspected.goto('about:blank');
    await spare.park();
  }
  await stopWorker(extension);
  const session = await inert.createCDPSession();
  await session.send('Network.clearBrowserCookies');
  for (const cleared of ['*', origin])
    await session.send('Storage.clearDataForOrigin', { origin: cleared, storageTypes: 'all' });
  await session.detach();
  await inert.evaluate(async () => {
    const {
      storage,
      alarms,
      action,
      declarativeNetRequest: rules,
    } = (globalThis as unknown as { chrome: Chrome }).chrome;
    const removeRuleIds = (await rules.getSessionRules()).map(({ id }) => id);
    await Promise.all([
      storage.local.clear(),
      storage.session.clear(),
      alarms.clearAll(),
      action.setBadgeText({ text: '' }),
      rules.updateSessionRules({ removeRuleIds }),
    ]);
  });
  const databases = () => inert.evaluate(async () => (await indexedDB.databases()).length);
  await waitFor('the databases of the extension to be deleted', async () => (await databases()) === 0);
  if (spares.length === 0) await browser.newPage();
  await inert.close();
}
