/** Opens the popup as the browser does, and drives it. */
import type { Page } from 'puppeteer-core';
import type { ExtensionBrowser } from '../chromium.ts';
import { closePage } from '../close-page.ts';
import { waitFor } from '../wait-for.ts';
import { fill } from './fill.ts';
import { click } from './press.ts';

interface Action {
  openPopup(): Promise<void>;
  getBadgeText(details: object): Promise<string>;
}

export type OutcomeState = 'running' | 'published' | 'failed' | 'unknown';

export class PopupPage {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  /** Calls `action.openPopup()`, which starts the worker if needed. */
  static async open(extension: ExtensionBrowser): Promise<PopupPage> {
    const { browser, extensionId } = extension;
    const target = await waitFor('the popup', async () => {
      const open = browser.targets().find((one) => one.url() === `chrome-extension://${extensionId}/popup.html`);
      if (open) return open;
      await inWorker(extension, (action) => action.openPopup());
      return false;
    });
    const page = await target.asPage();
    await page.waitForSelector('textarea, [data-outcome], main .actions, form.unlock');
    return new PopupPage(page);
  }

  async close(): Promise<void> {
    await closePage(this.page);
  }

  async chooseApp(name: string): Promise<void> {
    await fill(this.page, 'input[name=app]', name);
    // The apps might still be loading, or be loaded again.
    const selected = '[role=option][aria-selected=true]';
    await waitFor(`“${name}” in the list`, () =>
      this.page.$eval(selected, (option, name) => option.textContent?.includes(name), name),
    );
    await this.page.keyboard.press('Enter');
    await this.read();
  }

  /** Waits for the summary of what publishing will do, and returns its text. */
  read(): Promise<string> {
    return waitFor('what will happen', async () => {
      // In one evaluation: the element stays in the document while the popup loads again.
      const summary = await this.page.evaluate(() => document.querySelector('[data-summary=ready]')?.textContent);
      if (summary) return summary;
      throw new Error(`The popup shows: ${await this.page.$eval('body', (body) => body.innerText)}`);
    });
  }

  async write({ type, changelog }: { type?: 'silent' | 'visible' | 'forced'; changelog: string }): Promise<void> {
    await fill(this.page, 'textarea', changelog);
    if (type) await click(this.page, `input[name=type][value=${type}]`);
  }

  async press(name: string): Promise<void> {
    await waitFor(`the button ${name}`, async () => {
      const found = await this.page.$(`control/${name}[role="button"]`);
      return found?.evaluate((element) => {
        const isEnabled = element.getAttribute('aria-disabled') !== 'true';
        if (isEnabled) (element as HTMLElement).click();
        return isEnabled;
      });
    });
  }

  /** Clicks a link, which closes the popup, and returns the page that opens. */
  async follow(name: string): Promise<Page> {
    const browser = this.page.browser();
    const before = new Set(browser.targets());
    const opened = browser.waitForTarget((target) => target.type() === 'page' && !before.has(target));
    // The popup might close before the click is confirmed.
    await this.page.click(`control/${name}[role="link"]`).catch(() => undefined);
    return (await opened).asPage();
  }

  state(): Promise<OutcomeState | null> {
    return this.page.evaluate(
      () =>
        ((document.querySelector('[data-outcome]') as HTMLElement | null)?.dataset['outcome'] as OutcomeState) ?? null,
    );
  }

  /** Waits until publishing has ended. */
  outcome(): Promise<OutcomeState> {
    return waitFor('the outcome of the publish', async () => {
      const state = await this.state();
      return state === 'running' ? null : state;
    });
  }

  text(): Promise<string> {
    return this.page.$eval('main', (main) => main.innerText);
  }

  alert(): Promise<string | null> {
    return this.page.evaluate(
      () => document.querySelector('[role=alert][data-code]')?.getAttribute('data-code') ?? null,
    );
  }
}

/** The badge text on the toolbar button. */
export const mark = (extension: ExtensionBrowser): Promise<string> =>
  inWorker(extension, (action) => action.getBadgeText({}));

async function inWorker<T>(
  { browser, extensionId }: ExtensionBrowser,
  work: (action: Action) => Promise<T>,
): Promise<T> {
  const isOurs = (url: string): boolean => url.startsWith(`chrome-extension://${extensionId}/`);
  const page = (await browser.pages()).find((one) => isOurs(one.url()) && !one.url().endsWith('popup.html'));
  const code = `(${work.toString()})(chrome.action)`;
  if (page) return (await page.evaluate(code)) as T;
  const options = await browser.newPage();
  await options.goto(`chrome-extension://${extensionId}/options.html`);
  return (await options.evaluate(code)) as T;
}
