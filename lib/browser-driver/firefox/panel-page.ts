/** Drives the panel in Firefox’s toolbox, the inspected page, and the popup that the page opens. */
import { waitFor } from '../wait-for.ts';
import { evaluateIn } from './document.ts';
import { openToolboxPanel, type ToolboxPanel } from './toolbox.ts';
import type { Firefox } from './marionette.ts';

/** The inspected page, and the popup, which is the only other window. */
const PAGE = 'return gBrowser.selectedBrowser;';
const POPUP =
  "return [...Services.wm.getEnumerator('navigator:browser')].find((each) => each !== window)?.gBrowser?.selectedBrowser ?? null;";

/** Clicks with user activation, so that the page is allowed to open a window. */
const CLICK = `
  const click = (found) => {
    const clicking = document.defaultView.windowUtils.setHandlingUserInput(true);
    found?.click();
    clicking.destruct();
    return Boolean(found);
  };`;

export class FirefoxPanel {
  private readonly firefox: Firefox;
  private readonly panel: ToolboxPanel;
  private constructor(firefox: Firefox, panel: ToolboxPanel) {
    this.firefox = firefox;
    this.panel = panel;
  }

  /** The panel in the toolbox of the current tab. */
  static async open(firefox: Firefox): Promise<FirefoxPanel> {
    return new FirefoxPanel(firefox, await openToolboxPanel(firefox));
  }

  evaluate<T>(script: string, ...args: unknown[]): Promise<T> {
    return this.panel.evaluate<T>(script, ...args);
  }

  async see(what: string, selector: string): Promise<void> {
    await waitFor(what, () =>
      this.evaluate<boolean>('return document.querySelector(arguments[1]) !== null;', selector),
    );
  }

  /** Waits until the first match’s text matches `wanted`, and returns the text. */
  says(selector: string, wanted: RegExp): Promise<string> {
    return waitFor(`${selector} to show ${String(wanted)}`, async () => {
      const text = await this.evaluate<string>(
        "return document.querySelector(arguments[1])?.innerText.replace(/\\s+/g, ' ').trim() ?? '';",
        selector,
      );
      return wanted.test(text) && text;
    });
  }

  /** Returns the attribute’s value for every match. */
  all(selector: string, attribute: string): Promise<string[]> {
    return this.evaluate(
      'return [...document.querySelectorAll(arguments[1])].map((each) => each.getAttribute(arguments[2]));',
      selector,
      attribute,
    );
  }

  /** Clicks the first enabled match. */
  async click(selector: string): Promise<void> {
    await waitFor(`${selector} to click`, () =>
      this.evaluate<boolean>(
        `${CLICK} return click([...document.querySelectorAll(arguments[1])].find((each) => each.getAttribute('aria-disabled') !== 'true'));`,
        selector,
      ),
    );
  }

  /** Clicks the button or tab with this name. */
  async press(name: string, role: 'button' | 'tab' = 'button'): Promise<void> {
    await waitFor(`the ${role} ${name}`, () =>
      this.evaluate<boolean>(
        `${CLICK} return click([...document.querySelectorAll(arguments[2] === 'tab' ? '[role=tab]' : 'button:not([role=tab])')]
            .find((each) => (each.getAttribute('aria-label') ?? each.textContent).trim() === arguments[1] && each.getAttribute('aria-disabled') !== 'true'));`,
        name,
        role,
      ),
    );
  }

  /** Sets a field’s value and fires its input event. */
  async enter(selector: string, text: string): Promise<void> {
    await this.evaluate(
      `const [, selector, text] = arguments;
      const field = document.querySelector(selector);
      field.value = text;
      field.dispatchEvent(new document.defaultView.Event('input', { bubbles: true }));`,
      selector,
      text,
    );
  }

  /** Replaces a part of a field's text. */
  async replace(selector: string, from: string, to: string): Promise<void> {
    const text = await waitFor(`${from} in ${selector}`, async () => {
      const value = await this.evaluate<string>('return document.querySelector(arguments[1])?.value ?? "";', selector);
      return value.includes(from) && value;
    });
    await this.enter(
      selector,
      text.replace(from, () => to),
    );
  }

  /** Picks from the context menu of the first match. */
  async menu(selector: string, action: string): Promise<void> {
    await waitFor(`a context menu of ${selector}`, () =>
      this.evaluate<boolean>(
        `const found = document.querySelector(arguments[1]);
        const { MouseEvent } = document.defaultView;
        found?.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 20, clientY: 20 }));
        return found !== null;`,
        selector,
      ),
    );
    await waitFor(`${action} in the menu`, () =>
      this.evaluate<boolean>(
        `${CLICK} return click([...document.querySelectorAll('[role=menuitem]')].find((each) => each.textContent.includes(arguments[1]) && each.getAttribute('aria-disabled') !== 'true'));`,
        action,
      ),
    );
  }

  /** Clicks the button that the panel added to the page, inside a closed shadow root. */
  async clickAsked(name: string): Promise<void> {
    await waitFor(`the button ${name} in the page`, () =>
      evaluateIn<boolean>(
        this.firefox,
        PAGE,
        `${CLICK} return click([...(document.querySelector('platform-devtools-ask')?.openOrClosedShadowRoot.querySelectorAll('button') ?? [])].find((each) => each.textContent === arguments[1]));`,
        [name],
      ),
    );
  }

  /** Clicks the first match in the popup, once there is one. */
  async clickInPopup(selector: string): Promise<void> {
    await waitFor(`${selector} in the popup`, () =>
      evaluateIn<boolean>(this.firefox, POPUP, `${CLICK} return click(document.querySelector(arguments[1]));`, [
        selector,
      ]).catch(() => false),
    );
  }

  hasPopup(): Promise<boolean> {
    return this.firefox.chrome<boolean>(`return (function () {${POPUP}})() !== null;`);
  }
}
