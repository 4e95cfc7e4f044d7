/** The built panel in a plain tab: `devtools.inspectedWindow` is replaced by the DevTools protocol of the inspected page. */
import { randomUUID } from 'node:crypto';
import type { CDPSession, Page } from 'puppeteer-core';
import { type ExtensionBrowser, inertPage } from '../../lib/browser-driver/chromium.ts';
import { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';

/** A panel whose document is a tab. */
export class PanelInTab extends PanelPage {
  /** @param extensionId of the extension whose panel can be parked */
  constructor(inspected: Page, tab: Page, extensionId?: string) {
    const open = async (url: string): Promise<void> => void (await tab.goto(url));
    super(inspected, {
      devtools: tab,
      frame: () => tab.mainFrame(),
      show: () => tab.bringToFront(),
      park: async () => {
        if (extensionId !== undefined) await open(inertPage(extensionId));
      },
      unpark: async () => {
        if (extensionId !== undefined) await open(`chrome-extension://${extensionId}/panel.html`);
        await tab.waitForSelector('main');
      },
    });
  }

  /** Clears what panels store without the worker. No panel may be open: it would store its state again. */
  async clearStorage(): Promise<void> {
    await this.devtools.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
  }

  override async resize(width: number, height = 800): Promise<void> {
    await this.devtools.setViewport({ width, height });
  }
}

/** What `installDevtools` calls in this process. */
type Call = (name: 'evaluate' | 'reload', text: string) => Promise<{ value?: unknown; failure?: object }>;

/** Opens a page in a window of its own, and a tab for its panel, which is parked. */
export async function openPanelInTab(extension: ExtensionBrowser): Promise<PanelInTab> {
  const tab = await extension.browser.newPage();
  await tab.goto(inertPage(extension.extensionId));
  const { inspected, tabId } = await openInspected(tab);
  const session = await inspected.createCDPSession();
  const call: Call = (name, text) => (name === 'evaluate' ? evaluate(session, text) : reload(session, text));
  await tab.exposeFunction('callInspected', call);
  await tab.evaluateOnNewDocument(installDevtools, tabId);
  inspected.on('framenavigated', (frame) => {
    if (frame === inspected.mainFrame())
      void tab.evaluate(() => dispatchEvent(new Event('inspected-navigated'))).catch(() => undefined);
  });
  inspected.once('close', () => void tab.close().catch(() => undefined));
  // As if its window had the focus: two windows are in use.
  await (await tab.createCDPSession()).send('Emulation.setFocusEmulationEnabled', { enabled: true });
  return new PanelInTab(inspected, tab, extension.extensionId);
}

/** In a window of its own, because browsers don’t paint tabs in the background. */
async function openInspected(tab: Page): Promise<{ inspected: Page; tabId: number }> {
  const url = `about:blank#${randomUUID()}`;
  const created = tab.browser().waitForTarget((target) => target.url() === url);
  const tabId = await tab.evaluate(async (url) => {
    const { windows } = (
      globalThis as unknown as {
        chrome: { windows: { create(options: object): Promise<{ tabs: { id: number }[] }> } };
      }
    ).chrome;
    const { tabs } = await windows.create({ url });
    return tabs[0]!.id;
  }, url);
  const inspected = await (await created).page();
  if (!inspected) throw new Error('The inspected page has no target.');
  return { inspected, tabId };
}

/** As `inspectedWindow.eval`: in the main frame, with the functions of the console. */
async function evaluate(session: CDPSession, expression: string): ReturnType<Call> {
  try {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      includeCommandLineAPI: true,
      silent: true,
    });
    if (!exceptionDetails) return { value: result.value };
    return {
      failure: { isException: true, value: exceptionDetails.exception?.description ?? exceptionDetails.text },
    };
  } catch (error) {
    return { failure: { isError: true, code: 'E_FAILED', description: String(error) } };
  }
}

async function reload(session: CDPSession, script: string): ReturnType<Call> {
  await session.send('Page.enable');
  await session.send('Page.reload', { ignoreCache: true, scriptToEvaluateOnLoad: script });
  return {};
}

/** Runs in the tab before the panel’s scripts. */
function installDevtools(tabId: number): void {
  const { browser, callInspected } = globalThis as unknown as { browser: { devtools: object }; callInspected: Call };
  browser.devtools = {
    inspectedWindow: {
      tabId,
      async eval(expression: string) {
        const { value, failure } = await callInspected('evaluate', expression);
        if (failure) throw failure;
        return value;
      },
      reload: ({ injectedScript = '' }: { injectedScript?: string }) => void callInspected('reload', injectedScript),
    },
    network: {
      onNavigated: {
        addListener: (listener: () => void) => addEventListener('inspected-navigated', listener),
        removeListener: (listener: () => void) => removeEventListener('inspected-navigated', listener),
      },
    },
    panels: { themeName: 'default' },
  };
}
