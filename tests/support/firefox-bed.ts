/** What a test in Firefox works with: a real platform, and one Firefox with the extension per worker process, as new for each test file. */
import { inject } from 'vitest';
import { type Firefox, startFirefox } from '../../lib/browser-driver/firefox/marionette.ts';
import { FirefoxOptionsPage } from '../../lib/browser-driver/firefox/options-page.ts';
import { FirefoxPopup } from '../../lib/browser-driver/firefox/popup-page.ts';
import { waitFor } from '../../lib/browser-driver/wait-for.ts';
import { ensureBrowser } from '../../lib/browser-driver/find-browser.ts';
import { type Platform, startPlatform } from '../../lib/local-platform/index.ts';
import { atExit } from './at-exit.ts';
import { sharedPlatform } from './shared-platform.ts';

export const ADDON = 'devtools@platform.example';
/** Host of the extension’s pages, set beforehand. */
const HOST = '5d0f3a1e-7a0c-4c39-9a4e-6f2b1c0d8e77';
const UUIDS = { [ADDON]: HOST };

let shared: Promise<Firefox> | undefined;

async function sharedFirefox(): Promise<Firefox> {
  return (shared ??= startFirefox(ensureBrowser('firefox'), UUIDS).then((firefox) => {
    atExit(() => firefox.kill());
    return firefox;
  }));
}

/** Ends Firefox, of which a test has changed more than is reset. The next test file gets a new one. */
export async function endFirefox(): Promise<void> {
  const ended = shared;
  shared = undefined;
  await (await ended)?.close();
}

/** Closes everything that a test opened; the profile’s data goes with the extension and with the sites’. */
const RESET = `
  for (const other of [...Services.wm.getEnumerator('navigator:browser')]) if (other !== window) other.close();
  const { AddonManager } = ChromeUtils.importESModule('resource://gre/modules/AddonManager.sys.mjs');
  await (await AddonManager.getAddonByID(arguments[0]))?.uninstall();
  await new Promise((done) => Services.clearData.deleteData(Services.clearData.CLEAR_ALL, { onDataDeleted: done }));
  Services.prefs.setStringPref('extensions.webextensions.uuids', arguments[1]);
  // Firefox’s own blocking of popups, and its own notifications: a machine without a desktop shows no others.
  Services.prefs.setBoolPref('dom.disable_open_during_load', true);
  Services.prefs.setBoolPref('alerts.useSystemBackend', false);`;

/** Closes the tab with a URL, unless its window has no other one. Returns whether there is such a tab. */
const CLOSE_TAB = `
  for (const { gBrowser } of Services.wm.getEnumerator('navigator:browser')) {
    const tab = gBrowser.tabs.find(({ linkedBrowser }) => linkedBrowser.currentURI.spec === arguments[0]);
    if (tab && gBrowser.tabs.length > 1) gBrowser.removeTab(tab);
    if (tab) return true;
  }
  return false;`;

export interface FirefoxBed {
  platform: Platform;
  firefox: Firefox;
  /** URL of a page of the extension. */
  page(path: string): string;
  openOptions(): Promise<FirefoxOptionsPage>;
  /** Opens the popup by its toolbar button; `parts` says when it is ready. */
  openPopup(path?: string, parts?: string): Promise<FirefoxPopup>;
  close(): Promise<void>;
}

/**
 * @param options `ownPlatform` for tests that change the platform’s data; `clock`: when its virtual clock starts;
 * `extension`: folder or archive of another build
 */
export async function startFirefoxBed(
  options: { ownPlatform?: boolean; clock?: Date; extension?: string } = {},
): Promise<FirefoxBed> {
  const [firefox, platform] = await Promise.all([
    sharedFirefox(),
    options.ownPlatform
      ? startPlatform({ port: 0, data: 'memory', ...(options.clock && { clock: options.clock }) })
      : sharedPlatform(),
  ]);
  await firefox.openWindow();
  await firefox.chrome(RESET, ADDON, JSON.stringify(UUIDS));
  const installed = await firefox.install(options.extension ?? inject('firefoxExtension'));
  if (installed !== ADDON) throw new Error(`The extension’s id is ${installed} instead of ${ADDON}.`);
  const page = (path: string) => `moz-extension://${HOST}/${path}`;
  // Opens after the installation, and could replace the test’s tab later.
  await waitFor('the options page', () => firefox.chrome<boolean>(CLOSE_TAB, page('options.html')));
  return {
    firefox,
    platform,
    page,
    openOptions: () => FirefoxOptionsPage.open(firefox, HOST),
    openPopup: (path = 'popup.html', parts) => FirefoxPopup.open(firefox, ADDON, page(path), parts),
    async close() {
      if (options.ownPlatform) await platform.close();
    },
  };
}
