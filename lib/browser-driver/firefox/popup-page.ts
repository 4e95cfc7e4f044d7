/** Opens the extension’s popup in Firefox with its toolbar button, and drives it. */
import { waitFor } from '../wait-for.ts';
import { evaluateIn } from './document.ts';
import type { Firefox } from './marionette.ts';

export class FirefoxPopup {
  private readonly firefox: Firefox;
  private readonly find: string;
  constructor(firefox: Firefox, url: string) {
    this.firefox = firefox;
    // Until the popup’s panel is open, Firefox can still replace the document. A replaced document never responds.
    this.find = `return [...document.querySelectorAll('.webextension-popup-browser')].find((each) => each.currentURI.spec === ${JSON.stringify(url)} && each.closest('panel')?.state === 'open');`;
  }

  /** Clicks the toolbar button of `addonId`, and waits until the popup at `url` shows one of `parts`. */
  static async open(
    firefox: Firefox,
    addonId: string,
    url: string,
    parts = 'textarea, [data-outcome], main .actions',
  ): Promise<FirefoxPopup> {
    const popup = new FirefoxPopup(firefox, url);
    // The popup opens over the focused window, but a notification’s window might have focus.
    await waitFor('the browser’s window in front', () =>
      firefox.chrome<boolean>('window.focus(); return document.hasFocus();'),
    );
    await firefox.chrome(
      `const { ExtensionParent } = ChromeUtils.importESModule('resource://gre/modules/ExtensionParent.sys.mjs');
      await ExtensionParent.apiManager.global.browserActionFor(WebExtensionPolicy.getByID(arguments[0]).extension).triggerAction(window);`,
      addonId,
    );
    await waitFor('the popup', () =>
      popup.evaluate<boolean>('return document.querySelector(arguments[1]) !== null;', parts),
    );
    return popup;
  }

  /** Closes the popup, and waits until its document is gone. */
  async close(): Promise<void> {
    await this.firefox.chrome(`const browser = (function () {${this.find}})(); browser?.closest('panel').hidePopup();`);
    await waitFor('the popup to be gone', () =>
      this.firefox.chrome<boolean>(`return !(function () {${this.find}})();`),
    );
  }

  /** Runs `script`, a function body that returns JSON, with the popup’s document as `document`. */
  evaluate<T>(script: string, ...args: unknown[]): Promise<T> {
    return evaluateIn(this.firefox, this.find, script, args);
  }

  /** Sets a field’s value and fires its input event. */
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

  /** Clicks the first enabled match, with user activation. */
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

  /** Waits until publishing has ended. */
  outcome(): Promise<string> {
    return waitFor('the outcome of the publish', async () => {
      const state = await this.evaluate<string | null>(
        "return document.querySelector('[data-outcome]')?.getAttribute('data-outcome') ?? null;",
      );
      return state === 'running' ? null : state;
    });
  }
}
