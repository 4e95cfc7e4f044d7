/** What a browser test works with: a real platform, a real Chromium with the extension, and panels in real DevTools. */
import type { Page } from 'puppeteer-core';
import { inject, TestRunner } from 'vitest';
import {
  allowOrigins,
  type ExtensionBrowser,
  type LaunchOptions,
  launchBrowser,
  openDevToolsPanel,
} from '../../lib/browser-driver/chromium.ts';
import { closePage } from '../../lib/browser-driver/close-page.ts';
import { ensureBrowser } from '../../lib/browser-driver/find-browser.ts';
import { OptionsPage } from '../../lib/browser-driver/pages/options-page.ts';
import { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';
import { type Platform, startPlatform } from '../../lib/local-platform/index.ts';
import { compileUrl, type Result } from '../../lib/platform-api/index.ts';
import { openPanelInTab, PanelInTab } from './panel-in-tab.ts';
import { openWithToken } from './network.ts';
import { discardChromium, LOCAL_ORIGINS, resetChromium, sharedChromium } from './shared-chromium.ts';
import { sharedPlatform } from './shared-platform.ts';
import {
  type Environment,
  type EnvironmentInput,
  originPattern,
} from '../../lib/extension/messaging/model/environment.ts';

export interface TestBedOptions {
  /** For tests that change the platform’s data; the other ones share a platform. */
  ownPlatform?: boolean;
  /** Where apps of the platform run besides its own origin. */
  appOrigins?: string[];
  /** A platform that offers only what the specification shows. */
  specOnly?: boolean;
  /** When the platform’s virtual clock starts; without it, the platform has the machine’s time. */
  clock?: Date;
  /** For tests that open the popup, which a browser doesn’t do while a window of DevTools is in front. */
  withoutDevTools?: boolean;
  /** Starts a separate browser with these options, for tests that end it, or need another profile or build. */
  browser?: Partial<LaunchOptions>;
}

export interface PanelOptions {
  /** What the inspected tab shows. Default: an empty page. */
  url?: string;
  /** An action of the demo data whose debug page the tab shows, as if someone had opened it by hand, with the token. */
  action?: string;
  /** Where the panel is. DevTools is for what only it can show: keys, docking, pauses, crashes, permissions. */
  in?: 'devtools' | 'page';
}

type Place = NonNullable<PanelOptions['in']>;

/** A panel in either place that the next test uses again, because opening one takes seconds. */
type Spares = Partial<Record<Place, PanelPage>>;

/** The previous test file’s panels in the shared browser. */
let sharedSpares: Spares = {};

export async function startTestBed(options: TestBedOptions = {}): Promise<TestBed> {
  const needsPlatform = Boolean(options.ownPlatform || options.specOnly || options.appOrigins || options.clock);
  const starting = needsPlatform ? startOwnPlatform(options) : sharedPlatform();
  const [platform, extension] = await Promise.all([
    starting,
    options.browser ? startOwnBrowser(options.browser) : sharedChromium(),
  ]).catch(async (error: unknown) => {
    if (needsPlatform) await starting.then((platform) => platform.close()).catch(() => undefined);
    throw error;
  });
  const bed = new TestBed(platform, extension, { platform: needsPlatform, browser: Boolean(options.browser) });
  if (options.withoutDevTools) await bed.discardSpares();
  return bed;
}

const startOwnPlatform = ({ appOrigins, clock, specOnly }: TestBedOptions): Promise<Platform> =>
  startPlatform({
    port: 0,
    data: 'memory',
    ...(appOrigins && { appOrigins }),
    ...(clock && { clock }),
    ...(specOnly && { specOnly }),
  });

async function startOwnBrowser(options: Partial<LaunchOptions>): Promise<ExtensionBrowser> {
  const extension = await launchBrowser({
    executablePath: ensureBrowser('chromium'),
    extension: inject('chromeExtension'),
    headless: true,
    ...options,
  });
  await allowOrigins(extension, LOCAL_ORIGINS);
  return extension;
}

export class TestBed {
  readonly platform: Platform;
  readonly extension: ExtensionBrowser;
  private readonly owns: { platform: boolean; browser: boolean };
  private spares: Spares = {};
  private given: PanelPage[] = [];
  private hasFailed = false;

  constructor(platform: Platform, extension: ExtensionBrowser, owns: { platform: boolean; browser: boolean }) {
    this.platform = platform;
    this.extension = extension;
    this.owns = owns;
    if (owns.browser) return;
    this.keep(Object.values(sharedSpares));
    sharedSpares = {};
  }

  /** Saves an environment with the messages of the options page; the local platform’s when nothing is given. */
  async enter(
    form: Partial<Pick<EnvironmentInput, 'name' | 'baseUrl' | 'token' | 'namespace' | 'production'>> = {},
  ): Promise<void> {
    const {
      name = 'Local',
      baseUrl = this.platform.baseUrl,
      token = this.platform.authToken,
      namespace,
      production = false,
    } = form;
    const { page } = await OptionsPage.open(this.extension);
    const input: EnvironmentInput = {
      name,
      preset: 'local',
      baseUrl,
      production,
      ...(token && { token }),
      ...(namespace && { namespace }),
    };
    const response = await page.evaluate(enterByMessage, originPattern(baseUrl), input);
    if (!response.ok) throw new Error(response.error.message);
    await page.close();
  }

  /**
   * A tab at `url` with its panel, as if both were new: by default in real DevTools, for less in a plain tab. Either is the
   * previous test’s, if it still exists.
   */
  async panel({ url = 'about:blank', action, in: place = 'devtools' }: PanelOptions = {}): Promise<PanelPage> {
    const panel = this.spares[place] ?? (await this.newPanel(place));
    delete this.spares[place];
    this.given.push(panel);
    if (panel instanceof PanelInTab) await panel.park();
    if (action === undefined) await leaveTo(panel.inspected, url);
    else await this.openByHand(panel.inspected, action);
    if (panel instanceof PanelInTab) {
      await panel.show();
      await panel.clearStorage();
      await panel.unpark();
    } else {
      await panel.unpark();
      await panel.show();
      await panel.frame().evaluate(() => localStorage.clear());
      await panel.reload();
    }
    await panel.resize(1200);
    if (action !== undefined) await panel.pipelineShown();
    return panel;
  }

  private async openByHand(page: Page, action: string): Promise<void> {
    const { appId, taskId } = findAction(this.platform, action);
    await openWithToken(page, compileUrl(this.platform.baseUrl, appId, taskId), this.platform.authToken);
  }

  private async newPanel(place: Place): Promise<PanelPage> {
    if (place === 'page') return openPanelInTab(this.extension);
    return this.panelOf(await this.extension.browser.newPage());
  }

  /** The panel in the DevTools of a tab that is open. */
  async panelOf(page: Page): Promise<PanelPage> {
    const panel = new PanelPage(page, await openDevToolsPanel(page, this.extension));
    await panel.resize(1200);
    return panel;
  }

  /** Closes the previous test’s panels, if any. */
  async discardSpares(): Promise<void> {
    const discarded = Object.values(this.spares);
    this.spares = {};
    if (discarded.length === 0) return;
    await this.extension.browser.newPage();
    for (const panel of discarded) for (const page of pagesOf(panel)) await closePage(page);
  }

  /** Closes every tab and its DevTools, except for a panel in each place for the next test; after a failure those too. */
  async closeTabs(): Promise<void> {
    const hasFailed = TestRunner.getCurrentTest()?.result?.state === 'fail';
    this.hasFailed ||= hasFailed;
    this.keepSpares(hasFailed);
    // Otherwise, what a page still does would go on beside the next test.
    for (const { inspected } of Object.values(this.spares)) await leaveTo(inspected, 'about:blank');
    const { browser } = this.extension;
    const pages = await browser.pages();
    const kept = Object.values(this.spares).flatMap(pagesOf);
    if (kept.length === 0) kept.push(await browser.newPage());
    for (const page of pages) if (!kept.includes(page) && !page.url().startsWith('devtools:')) await closePage(page);
  }

  /** Leaves a shared browser as new for the next test file, or none at all after a failure. */
  async close(): Promise<void> {
    if (this.owns.browser) await this.extension.close();
    else await this.release();
    if (this.owns.platform) await this.platform.close();
  }

  private async release(): Promise<void> {
    this.keepSpares(this.hasFailed);
    try {
      if (this.hasFailed) throw new Error('A test failed.');
      await resetChromium(this.extension, Object.values(this.spares));
      sharedSpares = this.spares;
    } catch {
      // Leftover state may be what made the test fail.
      await discardChromium();
    }
  }

  private keepSpares(hasFailed: boolean): void {
    const panels = [...Object.values(this.spares), ...this.given.splice(0)];
    this.spares = {};
    if (!hasFailed) this.keep(panels);
  }

  /** Of those that are open, the last one in each place. */
  private keep(panels: PanelPage[]): void {
    for (const panel of panels)
      if (pagesOf(panel).every((page) => !page.isClosed()))
        this.spares[panel instanceof PanelInTab ? 'page' : 'devtools'] = panel;
  }
}

/** The tabs of a panel. */
const pagesOf = (panel: PanelPage): Page[] =>
  panel instanceof PanelInTab ? [panel.inspected, panel.devtools] : [panel.inspected];

async function leaveTo(page: Page, url: string): Promise<void> {
  if (page.url() !== 'about:blank' || url !== 'about:blank') await page.goto(url);
}

/** Runs in a page of the extension. */
async function enterByMessage(origin: string, takes: EnvironmentInput): Promise<Result<Environment>> {
  const { permissions, runtime } = (
    globalThis as unknown as {
      chrome: {
        permissions: { request(expected: object): Promise<boolean> };
        runtime: { sendMessage(message: object): Promise<Result<Environment>> };
      };
    }
  ).chrome;
  await permissions.request({ origins: [origin] });
  return runtime.sendMessage({ to: 'background', name: 'environments.save', takes });
}

/** The action with this name, and the app that has it. */
export function findAction({ apps }: Platform, name: string): { app: string; appId: number; taskId: number } {
  for (const app of apps) {
    const action = app.actions.find((action) => action.name === name);
    if (action) return { app: app.name, appId: app.id, taskId: action.id };
  }
  throw new Error(`The demo data has no action ${name}.`);
}
