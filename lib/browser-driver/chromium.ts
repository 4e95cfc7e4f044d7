/** Owns launching Chromium with the extension, and its real DevTools with our panel in front. */
import { realpathSync } from 'node:fs';
import { type Browser, type Frame, launch, type Page } from 'puppeteer-core';
import { waitFor } from './wait-for.ts';

export interface ExtensionBrowser {
  browser: Browser;
  extensionId: string;
  close(): Promise<void>;
}

export interface LaunchOptions {
  /** Path of Chrome, Chromium or Edge. */
  executablePath: string;
  /** Folder of the built extension. */
  extension: string;
  headless: boolean;
  /** What pages and DevTools see as `prefers-color-scheme`; the system's own when left out. */
  scheme?: 'light' | 'dark';
  /** Folder of a profile that is there again when the browser is started with it once more. */
  profile?: string;
}

/** Starts a browser, unless told otherwise with a fresh profile that vanishes with it. */
export async function launchBrowser({
  executablePath,
  extension,
  headless,
  scheme,
  profile,
}: LaunchOptions): Promise<ExtensionBrowser> {
  const browser = await launch({
    executablePath,
    headless,
    pipe: true,
    enableExtensions: true,
    handleDevToolsAsPage: true,
    defaultViewport: null,
    ...(profile !== undefined && { userDataDir: profile }),
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    // What a person meets: a page opens a window on a click alone.
    ignoreDefaultArgs: ['--disable-popup-blocking'],
    args: [
      // Chromium's sandbox refuses to start for root, which is what a container's user is.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...(headless ? ['--disable-gpu'] : []),
      ...(scheme ? [`--blink-settings=preferredColorScheme=${scheme === 'dark' ? 0 : 1}`] : []),
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-search-engine-choice-screen',
      '--window-size=1400,900',
    ],
  });
  try {
    const extensionId = await browser.installExtension(realpathSync(extension));
    return { browser, extensionId, close: () => browser.close() };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/**
 * Lets the extension reach `origins` (such as `http://localhost/*`), as a person's yes to the browser's prompt does:
 * that prompt is the browser's own window, which no driver can click.
 */
export async function allowOrigins({ browser, extensionId }: ExtensionBrowser, origins: string[]): Promise<void> {
  const page = await browser.newPage();
  try {
    // Any document of that address may; the page itself takes a second to start.
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

/** A file of the extension that runs no script when it is opened as a page. */
const INERT = 'manifest.json';
export const inertPage = (extensionId: string): string => `chrome-extension://${extensionId}/${INERT}`;

/** The panel `title` of the extension in the DevTools of `page`. */
export interface PanelInDevTools {
  /** DevTools' own page: for pictures, and for what Sources shows. */
  devtools: Page;
  /** The panel's frame as it is now; a reloaded panel is another document in it. */
  frame(): Frame;
  /** Replaces the panel’s document with one that runs no script, until `unpark`. */
  park(): Promise<void>;
  unpark(): Promise<void>;
  /** Brings the panel to the front of DevTools. */
  show(): Promise<void>;
}

/** `page` must not show an error page of the browser: DevTools loads no extension there. */
export async function openDevToolsPanel(
  page: Page,
  { extensionId }: ExtensionBrowser,
  title = 'Platform',
): Promise<PanelInDevTools> {
  const devtools = await page.openDevTools();
  const find = (page: string) =>
    devtools.frames().find((frame) => frame.url() === `chrome-extension://${extensionId}/${page}`);
  // DevTools must not be touched before it has loaded its extensions.
  await waitFor('the extension in DevTools', () => find('devtools.html'), 30_000);
  const show = async (): Promise<void> => {
    await waitFor(
      `the panel "${title}" in DevTools`,
      async () => {
        await showView(devtools, `chrome-extension://${extensionId}${title}`);
        return find('panel.html')?.evaluate(() => document.readyState === 'complete' && innerWidth > 0);
      },
      30_000,
    );
  };
  const frame = (): Frame => {
    const found = find('panel.html');
    if (!found) throw new Error('The panel is gone from DevTools.');
    return found;
  };
  // DevTools restores its last tab, which can take our panel away again: so ask until it is there.
  await show();
  return {
    devtools,
    show,
    frame,
    park: async () => void (await frame().goto(inertPage(extensionId))),
    unpark: async () => void (await find(INERT)?.goto(`chrome-extension://${extensionId}/panel.html`)),
  };
}

/**
 * Runs a function body in DevTools' own page: `bundled(path)` imports a module of DevTools, `args` are the arguments.
 * The body is a text because a test runner rewrites the `import()` of functions, which DevTools could not run.
 */
export async function inDevTools<T>(devtools: Page, body: string, ...args: unknown[]): Promise<T> {
  return (await devtools.evaluate(`(async (...args) => {
    const bundled = (path) => import('devtools://devtools/bundled/' + path);
    ${body}
  })(...${JSON.stringify(args)})`)) as T;
}

/** Brings one of DevTools' own views (`sources`, `console`) or an extension's to the front. */
export async function showView(devtools: Page, id: string): Promise<void> {
  await inDevTools(
    devtools,
    "const { ViewManager } = await bundled('ui/legacy/legacy.js'); await ViewManager.ViewManager.instance().showView(args[0]);",
    id,
  );
}

/** Where DevTools stands: in a window of its own, or at the bottom of the page's. */
export async function dockDevTools(devtools: Page, side: 'undocked' | 'bottom'): Promise<void> {
  await inDevTools(
    devtools,
    "const { DockController } = await bundled('ui/legacy/legacy.js'); DockController.DockController.instance().setDockSide(args[0]);",
    side,
  );
}
