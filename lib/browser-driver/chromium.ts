/** Launches Chromium with the extension, and opens its real DevTools with our panel in front. */
import { realpathSync } from 'node:fs';
import { type Browser, type Frame, launch, type Page } from 'puppeteer-core';
import { chromiumArguments } from './chromium-arguments.ts';
import { LIMIT, waitFor } from './wait-for.ts';
import './pages/control.ts';

export interface ExtensionBrowser {
  browser: Browser;
  extensionId: string;
  close(): Promise<void>;
}

export interface LaunchOptions {
  /** Path to Chrome, Chromium, or Edge. */
  executablePath: string;
  /** Folder that contains the built extension. */
  extension: string;
  headless: boolean;
  /** The `prefers-color-scheme` of pages and DevTools. Default: the system’s color scheme. */
  scheme?: 'light' | 'dark';
  /** Leaves the options page open, which opens after the installation. */
  keepsOptions?: boolean;
  /** Addresses to connect to instead, such as `{'localhost:4400': '127.0.0.1:51234'}`. */
  addresses?: Record<string, string>;
  /** Folder for a persistent profile. Default: a temporary profile. */
  profile?: string;
}

/** Starts a browser with the extension installed. */
export async function launchBrowser({
  executablePath,
  extension,
  headless,
  scheme,
  profile,
  keepsOptions = false,
  addresses = {},
}: LaunchOptions): Promise<ExtensionBrowser> {
  const browser = await launch({
    executablePath,
    headless,
    pipe: true,
    issuesEnabled: false,
    networkEnabled: false,
    enableExtensions: true,
    handleDevToolsAsPage: true,
    defaultViewport: null,
    ...(profile !== undefined && { userDataDir: profile }),
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    // Blocks popups that weren’t opened by a click, as in a user’s browser.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    args: [
      ...chromiumArguments(headless),
      // Nobody watches, and each frame takes time.
      ...(headless ? ['--force-prefers-reduced-motion'] : []),
      ...(scheme ? [`--blink-settings=preferredColorScheme=${scheme === 'dark' ? 0 : 1}`] : []),
      `--host-resolver-rules=${Object.entries(addresses).map(([from, to]) => `MAP ${from} ${to}`)}`,
    ],
  });
  try {
    const extensionId = await browser.installExtension(realpathSync(extension));
    // Later, the page could replace another tab.
    const options = await firstOptions(browser, extensionId);
    if (!keepsOptions) await leave(options, browser);
    return { browser, extensionId, close: () => browser.close() };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/** The options page, which the extension opens once, after its installation. */
async function firstOptions(browser: Browser, extensionId: string): Promise<Page> {
  const url = `chrome-extension://${extensionId}/options.html`;
  return waitFor('the options page', async () => (await browser.pages()).find((page) => page.url() === url));
}

async function leave(page: Page, browser: Browser): Promise<void> {
  const pages = await browser.pages();
  // Without a tab, the browser would close.
  if (pages.length === 1) await page.goto('about:blank');
  else await page.close();
}

/**
 * Grants the extension access to `origins` (such as `http://localhost/*`), since drivers can’t click the browser’s
 * permission prompt.
 */
export async function allowOrigins({ browser, extensionId }: ExtensionBrowser, origins: string[]): Promise<void> {
  const page = await browser.newPage();
  try {
    // Any document of chrome://extensions has the API. This document loads a second faster than the extensions page
    // itself.
    await page.goto('chrome://extensions/strings.m.js').catch(() => page.goto('chrome://extensions/'));
    await waitFor('the extensions page', () =>
      page.evaluate(
        async (id, patterns) => {
          const { developerPrivate } = (
            globalThis as unknown as {
              chrome: { developerPrivate: { addHostPermission(id: string, pattern: string): Promise<void> } };
            }
          ).chrome;
          for (const pattern of patterns) await developerPrivate.addHostPermission(id, pattern);
          return true;
        },
        extensionId,
        origins,
      ),
    );
  } finally {
    await page.close();
  }
}

/** An extension file that runs no script when opened as a page. */
const INERT = 'manifest.json';
export const inertPage = (extensionId: string): string => `chrome-extension://${extensionId}/${INERT}`;

/** An extension panel in a page’s DevTools. */
export interface PanelInDevTools {
  /** The DevTools page. */
  devtools: Page;
  /** The panel’s frame. Reloading the panel replaces it. */
  frame(): Frame;
  /** Replaces the panel’s document with one that runs no script. `unpark` restores it. */
  park(): Promise<void>;
  unpark(): Promise<void>;
  /** Brings the panel to the front of DevTools. */
  show(): Promise<void>;
}

/** Opens DevTools on `page`, which must not be a browser error page: DevTools doesn’t load extensions there. */
export async function openDevToolsPanel(
  page: Page,
  { extensionId }: ExtensionBrowser,
  title = 'Platform',
): Promise<PanelInDevTools> {
  const devtools = await page.openDevTools();
  devtools.setDefaultTimeout(LIMIT);
  const find = (page: string) =>
    devtools.frames().find((frame) => frame.url() === `chrome-extension://${extensionId}/${page}`);
  // Calls fail until DevTools has loaded its extensions.
  await waitFor('the extension in DevTools', async () => {
    if (find('devtools.html')) return true;
    if (await isFrameMissed(devtools, `chrome-extension://${extensionId}/devtools.html`)) await devtools.reload();
    return false;
  });
  const show = async (): Promise<void> => {
    await waitFor(`the panel "${title}" in DevTools`, async () => {
      await showView(devtools, `chrome-extension://${extensionId}${title}`);
      return find('panel.html')?.evaluate(() => document.readyState === 'complete' && innerWidth > 0);
    });
  };
  const frame = (): Frame => {
    const found = find('panel.html');
    if (!found) throw new Error('The panel is no longer open in DevTools.');
    return found;
  };
  // DevTools restores its last tab, which can hide our panel again.
  await show();
  return {
    devtools,
    show,
    frame,
    park: async () => void (find(INERT) ?? (await frame().goto(inertPage(extensionId)))),
    unpark: async () => void (await find(INERT)?.goto(`chrome-extension://${extensionId}/panel.html`)),
  };
}

/** Puppeteer can miss a frame that loads while it attaches to the page: the document contains it, `frames()` doesn’t. */
async function isFrameMissed(page: Page, url: string): Promise<boolean> {
  if (!(await page.$(`iframe[src="${url}"]`))) return false;
  const isKnown = () => page.frames().some((frame) => frame.url() === url);
  return waitFor('the frame', isKnown, 5_000).then(
    () => false,
    () => true,
  );
}

/**
 * Runs a function body in the DevTools page: `bundled(path)` imports a DevTools module, and `args` holds the arguments.
 * The body is a string because test runners rewrite `import()` in functions.
 */
export async function inDevTools<T>(devtools: Page, body: string, ...args: unknown[]): Promise<T> {
  return (await devtools.evaluate(`(async (...args) => {
    const bundled = (path) => import('devtools://devtools/bundled/' + path);
    ${body}
  })(...${JSON.stringify(args)})`)) as T;
}

/** Shows a view of DevTools (`sources`, `console`) or of an extension. */
export async function showView(devtools: Page, id: string): Promise<void> {
  await inDevTools(
    devtools,
    "const { ViewManager } = await bundled('ui/legacy/legacy.js'); await ViewManager.ViewManager.instance().showView(args[0]);",
    id,
  );
}

/** Docks DevTools at the bottom of the window, or undocks it into a separate window. */
export async function dockDevTools(devtools: Page, side: 'undocked' | 'bottom'): Promise<void> {
  await inDevTools(
    devtools,
    "const { DockController } = await bundled('ui/legacy/legacy.js'); DockController.DockController.instance().setDockSide(args[0]);",
    side,
  );
}
