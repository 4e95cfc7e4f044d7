/** Owns what a browser test stands on: a real platform, a real Chromium with the extension, and panels in real DevTools. */
import type { Page } from 'puppeteer-core';
import { inject, TestRunner } from 'vitest';
import { type Environment, type EnvironmentInput, originPattern, type Result } from '../../lib/platform-api/index.ts';
import {
  allowOrigins,
  type ExtensionBrowser,
  launchBrowser,
  openDevToolsPanel,
} from '../../lib/browser-driver/chromium.ts';
import { ensureBrowser } from '../../lib/browser-driver/find-browser.ts';
import { OptionsPage } from '../../lib/browser-driver/pages/options-page.ts';
import { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';
import { startPlatform } from '../../lib/local-platform/index.ts';

type Platform = Awaited<ReturnType<typeof startPlatform>>;

export interface TestBed {
  platform: Platform;
  extension: ExtensionBrowser;
  /** Enters an environment with the messages of the options page; the local platform's when nothing is given. */
  enter(form?: { name?: string; baseUrl?: string; token?: string; namespace?: string }): Promise<void>;
  /**
   * A tab at `url` with the panel in its DevTools, as if both were new: opening DevTools takes seconds, so the panel of the test
   * before is given out again, its document loaded anew and nothing remembered.
   */
  panel(url?: string): Promise<PanelPage>;
  /** The panel in the DevTools of a tab that is open. */
  panelOf(page: Page): Promise<PanelPage>;
  /** Closes every tab, and with it its DevTools, but for one panel that the next test can have; after a failure that too. */
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
 * @param clock where the platform's virtual clock begins; without it, it has the machine's time
 * @param extension folder of another build than that of this run
 */
export async function startTestBed({
  appOrigins,
  clock,
  ...options
}: {
  scheme?: 'light' | 'dark';
  appOrigins?: string[];
  clock?: Date;
  extension?: string;
  profile?: string;
} = {}): Promise<TestBed> {
  const starting = startPlatform({
    port: 0,
    data: 'memory',
    ...(appOrigins && { appOrigins }),
    ...(clock && { clock }),
  });
  const [platform, extension] = await Promise.all([
    starting,
    launchBrowser({
      executablePath: ensureBrowser('chromium'),
      extension: inject('chromeExtension'),
      headless: true,
      ...options,
    }),
  ]).catch(async (error: unknown) => {
    await starting.then(
      (platform) => platform.close(),
      () => {},
    );
    throw error;
  });
  // Both are allowed once, so that no test waits for a prompt that it is not about.
  await allowOrigins(extension, ['http://localhost/*', 'http://127.0.0.1/*']);
  const panelOf = async (page: Page) => {
    const panel = new PanelPage(page, await openDevToolsPanel(page, extension));
    await panel.resize(1200);
    return panel;
  };
  let spare: PanelPage | undefined;
  const given: PanelPage[] = [];
  return {
    platform,
    extension,
    async enter({ name = 'Local', baseUrl = platform.baseUrl, token = platform.authToken, namespace } = {}) {
      const { page } = await OptionsPage.open(extension);
      const input: EnvironmentInput = {
        name,
        preset: 'local',
        baseUrl,
        ...(token && { token }),
        ...(namespace && { namespace }),
      };
      const answer = await page.evaluate(enterByMessage, originPattern(baseUrl), input);
      if (!answer.ok) throw new Error(answer.error.message);
      await page.close();
    },
    async panel(url = 'about:blank') {
      const panel = spare ?? (await panelOf(await extension.browser.newPage()));
      spare = undefined;
      given.push(panel);
      await panel.inspected.goto(url);
      await panel.show();
      await panel.frame().evaluate(() => localStorage.clear());
      await panel.reload();
      await panel.resize(1200);
      return panel;
    },
    panelOf,
    async closeTabs() {
      const hasFailed = TestRunner.getCurrentTest()?.result?.state === 'fail';
      const pages = await extension.browser.pages();
      const panels = [...(spare ? [spare] : []), ...given.splice(0)];
      // What a failed test left may be what made it fail.
      spare = hasFailed ? undefined : panels.findLast((panel) => !panel.inspected.isClosed());
      const kept = spare?.inspected ?? (await extension.browser.newPage());
      for (const page of pages) if (page !== kept && !page.url().startsWith('devtools:')) await page.close();
    },
    async close() {
      await extension.close();
      await platform.close();
    },
  };
}

/** In a page of the extension. */
async function enterByMessage(origin: string, takes: EnvironmentInput): Promise<Result<Environment>> {
  const { permissions, runtime } = (
    globalThis as unknown as {
      chrome: {
        permissions: { request(wanted: object): Promise<boolean> };
        runtime: { sendMessage(message: object): Promise<Result<Environment>> };
      };
    }
  ).chrome;
  await permissions.request({ origins: [origin] });
  return runtime.sendMessage({ to: 'background', name: 'environments.save', takes });
}
