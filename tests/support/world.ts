/** Owns what a browser test stands on: a real platform, a real Chromium with the extension, and panels in real DevTools. */
import type { Page } from 'puppeteer-core';
import { inject } from 'vitest';
import { allowOrigin, type ExtensionBrowser, launchBrowser, openDevToolsPanel } from '../../lib/demo/browser.ts';
import { ensureBrowser } from '../../lib/demo/find-browser.ts';
import { OptionsPage } from '../../lib/demo/options-page.ts';
import { PanelPage } from '../../lib/demo/panel-page.ts';
import { startPlatform } from '../../lib/local-platform/index.ts';

type Platform = Awaited<ReturnType<typeof startPlatform>>;

export interface World {
  platform: Platform;
  extension: ExtensionBrowser;
  /** Enters an environment through the options page; the local platform's when nothing is given. */
  enter(form?: { name?: string; baseUrl?: string; token?: string; namespace?: string }): Promise<void>;
  /** A new tab at `url` with the panel in its DevTools. */
  panel(url?: string): Promise<PanelPage>;
  /** The panel in the DevTools of a tab that is open. */
  panelOf(page: Page): Promise<PanelPage>;
  /** Closes every tab, and with it its DevTools. */
  closeTabs(): Promise<void>;
  close(): Promise<void>;
}

/** The action with this name, and the app that has it. */
export function findAction({ apps }: Platform, name: string): { app: string; appId: number; taskId: number } {
  for (const app of apps) {
    const action = app.actions.find((action) => action.name === name);
    if (action) return { app: app.name, appId: app.id, taskId: action.id };
  }
  throw new Error(`The demo data has no action ${name}.`);
}

/**
 * @param appOrigins where apps of the platform run besides its own origin
 * @param extension folder of another build than that of this run
 */
export async function startWorld({ appOrigins, ...options }: { scheme?: 'light' | 'dark'; appOrigins?: string[]; extension?: string } = {}): Promise<World> {
  const platform = await startPlatform({ port: 0, data: 'memory', ...(appOrigins && { appOrigins }) });
  const extension = await launchBrowser({ executablePath: ensureBrowser('chromium'), extension: inject('chromeExtension'), headless: true, ...options }).catch(async (error: unknown) => {
    await platform.close();
    throw error;
  });
  // Both are allowed once, so that no test waits for a prompt that it is not about.
  for (const host of ['localhost', '127.0.0.1']) await allowOrigin(extension, `http://${host}/*`);
  const panelOf = async (page: Page) => {
    const panel = new PanelPage(page, await openDevToolsPanel(page, extension));
    await panel.resize(1200);
    return panel;
  };
  return {
    platform,
    extension,
    async enter({ name = 'Local', baseUrl = platform.baseUrl, token = platform.authToken, namespace } = {}) {
      const page = await OptionsPage.open(extension);
      await page.add({ name, preset: 'local', baseUrl, token, ...(namespace && { namespace }) });
      await page.page.close();
    },
    async panel(url = 'about:blank') {
      const page = await extension.browser.newPage();
      await page.goto(url);
      return panelOf(page);
    },
    panelOf,
    async closeTabs() {
      const pages = await extension.browser.pages();
      const kept = await extension.browser.newPage();
      for (const page of pages) if (page !== kept && !page.url().startsWith('devtools:')) await page.close();
    },
    async close() {
      await extension.close();
      await platform.close();
    },
  };
}
