/** Drives the options page. */
import type { Page } from 'puppeteer-core';
import type { ExtensionBrowser } from '../chromium.ts';
import { waitFor } from '../wait-for.ts';
import { fill } from './fill.ts';
import { click, press } from './press.ts';

export interface EnvironmentForm {
  name: string;
  preset: 'eu' | 'us' | 'ca' | 'local' | 'custom';
  baseUrl: string;
  namespace?: string;
  /** Empty if the environment has no token. */
  token: string;
  production?: boolean;
}

export class OptionsPage {
  readonly page: Page;
  constructor(page: Page) {
    this.page = page;
  }

  static async open({ browser, extensionId }: ExtensionBrowser): Promise<OptionsPage> {
    const page = await browser.newPage();
    await page.goto(`chrome-extension://${extensionId}/options.html`);
    return new OptionsPage(page);
  }

  /** Fills in the form for a new environment, opening it first if needed. */
  async fillIn(form: EnvironmentForm): Promise<void> {
    const { page } = this;
    await waitFor('the form of an environment', async () => {
      if (await page.$('input[name=name]')) return true;
      const add = await page.$('control/Add environment[role="button"]');
      await add?.click();
      return false;
    });
    await page.select('select[name=preset]', form.preset);
    for (const name of ['name', 'baseUrl', 'namespace', 'token'] as const) {
      const text = form[name];
      if (text) await fill(page, `[name=${name}]`, text);
    }
    if (form.production) await click(page, 'input[name=production]');
  }

  async press(button: 'Save' | 'Test connection' | 'Remove' | 'Add environment' | 'Allow access'): Promise<void> {
    await press(this.page, button);
  }

  /** The text of the page’s status messages. */
  async status(): Promise<string> {
    return this.page.$$eval('[role=status]', (all) =>
      all
        .map((element) => element.textContent ?? '')
        .join('\n')
        .trim(),
    );
  }

  /** The error codes of the alerts. */
  async errors(): Promise<string[]> {
    return this.page.$$eval('[role=alert][data-code]', (all) =>
      all.map((element) => element.getAttribute('data-code') ?? ''),
    );
  }

  /** Adds an environment, and waits until the page shows it with a masked token. */
  async add(form: EnvironmentForm): Promise<void> {
    await this.fillIn(form);
    await this.press('Save');
    await waitFor(`environment "${form.name}" in the list`, async () => {
      const errors = await this.errors();
      if (errors.length > 0) throw new Error(`The options page shows ${errors.join(', ')}.`);
      const text = await this.page.$eval('body', (body) => body.innerText);
      return text.includes(form.name) && text.includes(form.token.slice(-4));
    });
  }
}
