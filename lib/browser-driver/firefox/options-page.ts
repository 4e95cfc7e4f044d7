/** Drives the options page in Firefox. */
import { waitFor } from '../wait-for.ts';
import type { Firefox } from './marionette.ts';

export class FirefoxOptionsPage {
  private readonly firefox: Firefox;
  constructor(firefox: Firefox) {
    this.firefox = firefox;
  }

  static async open(firefox: Firefox, host: string): Promise<FirefoxOptionsPage> {
    await firefox.navigate(`moz-extension://${host}/options.html`);
    return new FirefoxOptionsPage(firefox);
  }

  /** Runs a function body in the page. */
  evaluate<T>(script: string, ...args: unknown[]): Promise<T> {
    return this.firefox.content<T>(script, ...args);
  }

  text(): Promise<string> {
    return this.evaluate('return document.body.innerText;');
  }

  async waitForText(text: string): Promise<void> {
    await waitFor(`the text “${text}”`, async () => (await this.text()).includes(text));
  }

  async waitFor(selector: string): Promise<void> {
    await waitFor(selector, () => this.evaluate('return document.querySelector(arguments[0]) !== null;', selector));
  }

  async type(selector: string, text: string): Promise<void> {
    await this.firefox.type(selector, text);
  }

  /**
   * Clicks the button once it is enabled. The click must be real: without one, Firefox doesn’t let the page request
   * host access.
   */
  async press(name: string): Promise<void> {
    await waitFor(`the button “${name}”`, async () => {
      if (await this.evaluate(MARK_BUTTON, name)) return true;
      throw new Error(`The page shows: ${(await this.text()).slice(0, 500)}`);
    });
    await this.firefox.click('[data-press]');
  }

  /** Fills in and saves the form for a new environment, and waits until the page shows its masked token. */
  async addEnvironment(name: string, baseUrl: string, token: string): Promise<void> {
    await this.press('Add environment');
    await this.waitFor('input[name=name]');
    await this.firefox.click('select[name=preset] option[value=local]');
    await this.type('input[name=name]', name);
    await this.type('input[name=baseUrl]', baseUrl);
    await this.type('[name=token]', token);
    await this.press('Save');
    await this.waitForText(`••••${token.slice(-4)}`);
  }
}

/** CSS can’t select by text, so this marks the button with an attribute. */
const MARK_BUTTON = `
  const [name] = arguments;
  for (const each of document.querySelectorAll('button')) {
    const isNamed = (each.getAttribute('aria-label') ?? each.textContent).trim() === name;
    each.toggleAttribute('data-press', isNamed && each.getAttribute('aria-disabled') !== 'true');
  }
  return document.querySelector('[data-press]') !== null;`;
