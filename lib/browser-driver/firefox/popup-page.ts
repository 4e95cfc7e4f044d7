/** Owns the extension's popup in Firefox: opened by its button in the toolbar, and driven in its document. */
import { waitFor } from '../wait-for.ts';
import { evaluateIn } from './document.ts';
import type { Firefox } from './marionette.ts';

export class FirefoxPopup {
  private readonly firefox: Firefox;
  private readonly find: string;
  constructor(firefox: Firefox, url: string) {
    this.firefox = firefox;
    // Before its panel stands open it can be swapped for another, and would never answer.
    this.find = `return [...document.querySelectorAll('.webextension-popup-browser')].find((each) => each.currentURI.spec === ${JSON.stringify(url)} && each.closest('panel')?.state === 'open');`;
  }

  /** Does what a click on the button of `addonId` does, and waits until its popup, whose address is `url`, can be used: has one of `parts`. */
  static async open(
    firefox: Firefox,
    addonId: string,
    url: string,
    parts = 'textarea, [data-outcome], main .actions',
  ): Promise<FirefoxPopup> {
    const popup = new FirefoxPopup(firefox, url);
    // A notification’s window may be in front: a popup opens over the one that has the focus.
    await waitFor('the browser’s window in front', () =>
      firefox.chrome<boolean>('window.focus(); return document.hasFocus();'),
    );
    await firefox.chrome(
      `const { ExtensionParent } = ChromeUtils.importESModule('resource://gre/modules/ExtensionParent.sys.mjs');
      await ExtensionParent.apiManager.global.browserActionFor(WebExtensionPolicy.getByID(arguments[0]).extension).triggerAction(window);`,
      addonId,
    );
    await waitFor(
      'the popup',
      () => popup.evaluate<boolean>('return document.querySelector(arguments[1]) !== null;', parts),
      30_000,
    );
    return popup;
  }

  /** Closes it as a click elsewhere does, and waits until its document is gone. */
  async close(): Promise<void> {
    await this.firefox.chrome(`const browser = (function () {${this.find}})(); browser?.closest('panel').hidePopup();`);
    await waitFor('the popup to be gone', () =>
      this.firefox.chrome<boolean>(`return !(function () {${this.find}})();`),
    );
  }

  /** Runs `script` (a function body) in the popup's document as `document`; its answer must be JSON. */
  evaluate<T>(script: string, ...args: unknown[]): Promise<T> {
    return evaluateIn(this.firefox, this.find, script, args);
  }

  /** Puts a text into a field, as typing does. */
  async enter(selector: string, text: string): Promise<void> {
    await this.evaluate(
      `const [, selector, text] = arguments;
      const field = document.querySelector(selector);
      field.focus();
      field.value = text;
      field.dispatchEvent(new document.defaultView.Event('input', { bubbles: true }));`,
      selector,
      text,
    );
  }

  async key(selector: string, key: string): Promise<void> {
    await this.evaluate(
      "document.querySelector(arguments[1]).dispatchEvent(new document.defaultView.KeyboardEvent('keydown', { key: arguments[2], bubbles: true, cancelable: true }));",
      selector,
      key,
    );
  }

  /** Clicks the first element of these that is there and available, as a person does: with all that a click allows. */
  async click(selector: string): Promise<void> {
    await waitFor(`${selector} to click`, () =>
      this.evaluate<boolean>(
        `const found = [...document.querySelectorAll(arguments[1])].find((each) => each.getAttribute('aria-disabled') !== 'true');
        const clicking = document.defaultView.windowUtils.setHandlingUserInput(true);
        found?.click();
        clicking.destruct();
        return found !== undefined;`,
        selector,
      ),
    );
  }

  text(): Promise<string> {
    return this.evaluate("return document.querySelector('main')?.innerText ?? '';");
  }

  /** Waits for an outcome other than under way. */
  outcome(): Promise<string> {
    return waitFor('the outcome of the publish', async () => {
      const state = await this.evaluate<string | null>(
        "return document.querySelector('[data-outcome]')?.getAttribute('data-outcome') ?? null;",
      );
      return state === 'running' ? null : state;
    });
  }
}
