/** Drives the OAuth2 tab and the login popups of the inspected page. */
import type { Page } from 'puppeteer-core';
import { LIMIT, waitFor } from '../wait-for.ts';
import { click, press } from './press.ts';
import { fill } from './fill.ts';
import type { PanelPage } from './panel-page.ts';
import { rowsOf } from './virtual-rows.ts';

export interface ShownFlow {
  type: string;
  /** The service’s name. */
  of: string;
  tone: string;
  text: string;
  /** The types of the flow’s entries. */
  entries: string[];
}

export class OAuth2Tab {
  readonly panel: PanelPage;

  private constructor(panel: PanelPage) {
    this.panel = panel;
  }

  static async open(panel: PanelPage): Promise<OAuth2Tab> {
    const tab = new OAuth2Tab(panel);
    await tab.press('OAuth2', 'tab');
    await waitFor('the state of the page', () => tab.frame().$('[data-oauth2-page]'));
    return tab;
  }

  frame() {
    return this.panel.frame();
  }

  async press(name: string, role = 'button'): Promise<void> {
    await press(this.frame(), name, { role });
  }

  async shows(what: string, selector: string): Promise<void> {
    await waitFor(what, () => this.frame().$(selector));
  }

  async choose(service: string): Promise<void> {
    await click(this.frame(), `[data-service="${service}"]`);
    await this.shows(`service ${service}`, `[data-service-shown="${service}"]`);
  }

  /** The session state of the selected service. */
  session(): Promise<string> {
    return this.frame().$eval(
      '[aria-label=Session] [data-session-state]',
      (mark) => mark.getAttribute('data-session-state') ?? '',
    );
  }

  async sessionIs(state: string): Promise<void> {
    await waitFor(`a session that is ${state}`, async () => (await this.session()) === state);
  }

  /** Logs in: presses the panel’s button, then the page’s prompt if there is one, then the service’s button. */
  async logIn(service: string): Promise<void> {
    await this.choose(service);
    const popup = this.nextPopup();
    await this.press('Log in');
    // If the page was clicked recently, the browser opens the popup without another click. An evaluation counts as a
    // click.
    const next = await waitFor('the popup or the prompt for a click', async () =>
      popup.isOpen() ? 'popup' : (await this.frame().$('[data-code=CLICK_IN_PAGE]')) && 'prompt',
    );
    if (next === 'prompt') {
      await this.panel.inspected.bringToFront();
      // Its prompt is in a closed shadow root.
      await this.panel.inspected.locator(`aria/Log in to ${service}[role="button"]`).click();
    }
    await popup.allow();
    await waitFor(
      'the end of the login',
      async () => (await this.frame().$('[data-code=CLICK_IN_PAGE], [data-code=WORKING]')) === null,
    );
    await this.sessionIs('active');
  }

  /** The next popup that the page opens. `allow` grants the permissions it requests. */
  private nextPopup(): { isOpen(): boolean; allow(): Promise<void> } {
    let popup: Page | null = null;
    this.panel.inspected.once('popup', (opened) => (popup = opened));
    return {
      isOpen: () => popup !== null,
      allow: async () => {
        const opened = await waitFor('the popup', () => popup);
        // The service skips the button for a user it remembers from an earlier login.
        void opened
          .waitForSelector('#allow', { timeout: LIMIT })
          .then((button) => button?.click())
          .catch(() => undefined);
      },
    };
  }

  /** Every flow in the timeline, with its entries. */
  async flows(): Promise<ShownFlow[]> {
    const flows: ShownFlow[] = [];
    for (const { data, text } of await rowsOf(this.frame(), '[data-flows]')) {
      const { flow, of = '', tone = '', entry = '' } = data;
      if (flow !== undefined) flows.push({ type: flow, of, tone, text, entries: [] });
      else flows.at(-1)?.entries.push(entry);
    }
    return flows;
  }

  /** The newest matching flow of this type. */
  async flowOf(type: string, holds: (flow: ShownFlow) => boolean = () => true): Promise<ShownFlow> {
    return waitFor(`a flow ${type}`, async () =>
      (await this.flows()).findLast((flow) => flow.type === type && holds(flow)),
    );
  }

  /** Presses Export, and returns the file’s text. */
  async exported(): Promise<string> {
    await this.frame().evaluate(() => {
      const create = URL.createObjectURL.bind(URL);
      URL.createObjectURL = (blob: Blob) => {
        void blob.text().then((text) => ((globalThis as unknown as { file: string }).file = text));
        return create(blob);
      };
    });
    await this.press('Export');
    return waitFor('the exported file', () =>
      this.frame().evaluate(() => (globalThis as unknown as { file?: string }).file),
    );
  }

  async fill(name: string, value: string): Promise<void> {
    await fill(this.frame(), `[name="${name}"]`, value);
  }
}
