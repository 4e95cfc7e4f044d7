/** Drives tab OAuth2 and the inspected page, and searches everything that the extension stores or sends for secrets. */
import type { Page } from 'puppeteer-core';
import { expect } from 'vitest';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { keptBy } from '../../support/stored-text.ts';
import type { TestBed } from '../../support/test-bed.ts';

export interface ShownFlow {
  type: string;
  of: string;
  tone: string;
  text: string;
  /** Kinds of the entries under it. */
  entries: string[];
}

/** What passed between the panel and the page, or the panel and the worker. */
interface Spied {
  spied: string[];
}

export class LoginTab {
  readonly panel: PanelPage;
  /** Every token, code and secret that was seen. */
  readonly secrets: Set<string>;
  private readonly lines: string[] = [];
  private constructor(panel: PanelPage, secrets: Set<string>) {
    this.panel = panel;
    this.secrets = secrets;
    for (const page of [panel.inspected, panel.devtools])
      page.on('console', (message) => void this.lines.push(message.text()));
  }

  /** The panel in the DevTools of a page, with all that it says and hears noted, and tab OAuth2 open. */
  static async open(bed: TestBed, page: Page, secrets: Set<string>): Promise<LoginTab> {
    const tab = new LoginTab(await bed.panelOf(page), secrets);
    await tab.spy();
    await tab.press('OAuth2', 'tab');
    await waitFor('what is said about the page', () => tab.frame().$('[data-oauth2-page]'));
    return tab;
  }

  frame() {
    return this.panel.frame();
  }

  private async spy(): Promise<void> {
    await this.frame().evaluate(() => {
      const { chrome } = globalThis as unknown as {
        chrome: {
          devtools: { inspectedWindow: Record<string, (...args: unknown[]) => unknown> };
          runtime: Record<string, (...args: unknown[]) => unknown>;
        };
      };
      const spied: string[] = ((globalThis as unknown as Spied).spied = []);
      for (const [owner, name] of [
        [chrome.devtools.inspectedWindow, 'eval'],
        [chrome.runtime, 'sendMessage'],
      ] as const) {
        const original = owner[name]!.bind(owner);
        owner[name] = (...args) => {
          spied.push(JSON.stringify(args));
          const answer = original(...args) as Promise<unknown> | undefined;
          void answer?.then(
            (value) => spied.push(JSON.stringify(value)),
            () => {},
          );
          return answer;
        };
      }
    });
  }

  async press(name: string, role = 'button'): Promise<void> {
    await this.frame().locator(`aria/${name}[role="${role}"]`).click();
  }

  async see(what: string, selector: string): Promise<void> {
    await waitFor(what, () => this.frame().$(selector), 20_000);
  }

  async choose(service: string): Promise<void> {
    await this.frame().locator(`[data-service="${service}"]`).click();
    await this.see(`service ${service}`, `[data-service-shown="${service}"]`);
  }

  /** The state of the chosen service's session. */
  session(): Promise<string> {
    return this.frame().$eval(
      '[aria-label=Session] [data-session-state]',
      (mark) => mark.getAttribute('data-session-state') ?? '',
    );
  }
  async sessionIs(state: string): Promise<void> {
    await waitFor(`a session that is ${state}`, async () => (await this.session()) === state, 20_000);
  }

  /**
   * Logs in from the panel: the button there, the one that then stands in the page, and the service's own. Who clicked in the
   * page a moment ago, as the driver's own evaluations do, is not asked for a click again.
   */
  async logIn(service: string): Promise<void> {
    await this.choose(service);
    const popup = this.nextPopup();
    await this.press('Log in');
    const asks = await waitFor('the popup, or the word about the click', async () =>
      popup.opened() ? 'no' : (await this.frame().$('[data-code=CLICK_IN_PAGE]')) && 'yes',
    );
    if (asks === 'yes') {
      await this.panel.inspected.bringToFront();
      await this.panel.inspected.locator(`aria/Log in to ${service}[role="button"]`).click();
    }
    await popup.allow();
    await waitFor(
      'the end of the login',
      async () => (await this.frame().$('[data-code=CLICK_IN_PAGE], [data-code=WORKING]')) === null,
      20_000,
    );
    await this.sessionIs('active');
    await this.remember();
  }
  /** The popup that the page opens next, in which what it asks for is allowed. */
  nextPopup(): { opened(): boolean; allow(): Promise<void> } {
    let popup: Page | null = null;
    this.panel.inspected.once('popup', (opened) => (popup = opened));
    return {
      opened: () => popup !== null,
      allow: async () => {
        const opened = await waitFor('the popup', () => popup);
        // Who was logged in before is let through by the service.
        void opened
          .waitForSelector('#allow', { timeout: 20_000 })
          .then((button) => button?.click())
          .catch(() => undefined);
      },
    };
  }

  /** Notes every token that the page has now. */
  async remember(): Promise<void> {
    const kept = await this.panel.inspected.evaluate(() =>
      Object.entries({ ...localStorage })
        .filter(([key]) => key.startsWith('platform-oauth2:'))
        .map(([, value]) => value),
    );
    for (const text of kept) {
      const session = JSON.parse(text) as Record<string, unknown>;
      for (const name of ['access_token', 'refresh_token', 'state'])
        if (typeof session[name] === 'string') this.secrets.add(session[name]);
    }
  }

  /** Every flow of the timeline with its steps; the list is virtual, so it is scrolled through. */
  async flows(): Promise<ShownFlow[]> {
    const rows = await this.frame().evaluate(async () => {
      const scroller = document.querySelector<HTMLElement>('[data-flows] .vtree');
      const seen = new Map<
        number,
        { type: string | null; of: string; tone: string; entry: string | null; text: string }
      >();
      if (!scroller) return [];
      const painted = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      scroller.scrollTop = 0;
      for (;;) {
        await painted();
        for (const row of scroller.querySelectorAll<HTMLElement>('[role=row]')) {
          const {
            index = '',
            flow = null,
            of = '',
            tone = '',
            entry = null,
          } = row.dataset as Record<string, string | null>;
          seen.set(Number(index), {
            type: flow ?? null,
            of: of ?? '',
            tone: tone ?? '',
            entry: entry ?? null,
            text: row.innerText.replace(/\s+/g, ' ').trim(),
          });
        }
        const before = scroller.scrollTop;
        scroller.scrollTop += Math.max(scroller.clientHeight - 40, 20);
        if (scroller.scrollTop === before) return [...seen].sort(([a], [b]) => a - b).map(([, row]) => row);
      }
    });
    const flows: ShownFlow[] = [];
    for (const { type, of, tone, entry, text } of rows) {
      if (type !== null) flows.push({ type, of, tone, text, entries: [] });
      else flows.at(-1)?.entries.push(entry ?? '');
    }
    return flows;
  }
  async flowOf(type: string, holds: (flow: ShownFlow) => boolean = () => true): Promise<ShownFlow> {
    return waitFor(
      `a flow ${type}`,
      async () => (await this.flows()).findLast((flow) => flow.type === type && holds(flow)),
      20_000,
    );
  }

  /** What the timeline is exported to. */
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
    await this.frame().$eval(`[name="${name}"]`, (field) => {
      (field as HTMLInputElement).focus();
      (field as HTMLInputElement).select();
    });
    await this.frame().type(`[name="${name}"]`, value);
  }

  /** Nothing that the extension stores, shows, says, hears or writes to a console holds a secret. */
  async leaksNothing(bed: TestBed, ...more: string[]): Promise<void> {
    expect(this.secrets.size).toBeGreaterThan(0);
    const inPanel = await keptBy(this.frame());
    const spied = await this.frame().evaluate(() => JSON.stringify((globalThis as unknown as Spied).spied));
    const others: string[] = [];
    for (const target of bed.extension.browser.targets()) {
      if (!target.url().startsWith(`chrome-extension://${bed.extension.extensionId}/`)) continue;
      const page = target.type() === 'page' ? await target.page() : null;
      if (page) others.push(await page.content());
    }
    const all = [inPanel, spied, JSON.stringify(this.lines), ...others, ...more].join('\n');
    for (const secret of this.secrets)
      for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
        expect(all.includes(form), `a secret of ${secret.length} characters`).toBe(false);
  }
}
