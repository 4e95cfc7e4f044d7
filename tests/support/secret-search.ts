/** Searches everything that the extension stores, shows, sends, receives, or logs for secrets. */
import { expect } from 'vitest';
import type { ExtensionBrowser } from '../../lib/browser-driver/chromium.ts';
import type { PanelPage } from '../../lib/browser-driver/pages/panel-page.ts';
import { storedText } from './stored-text.ts';

/** The panel’s window, with what passed between the panel and the page or the worker. */
interface MessageLog {
  messages: string[];
}

export class SecretSearch {
  private readonly panel: PanelPage;
  /** Every token, code, and secret so far. */
  private readonly secrets: Set<string>;
  private readonly consoleLines: string[] = [];

  private constructor(panel: PanelPage, secrets: Set<string>) {
    this.panel = panel;
    this.secrets = secrets;
    for (const page of [panel.inspected, panel.devtools])
      page.on('console', (message) => void this.consoleLines.push(message.text()));
  }

  /** Records the messages of the panel from now on. */
  static async start(panel: PanelPage, secrets: Set<string>): Promise<SecretSearch> {
    const search = new SecretSearch(panel, secrets);
    await search.recordMessages();
    return search;
  }

  private async recordMessages(): Promise<void> {
    await this.panel.frame().evaluate(() => {
      type Api = Record<string, (...args: unknown[]) => unknown>;
      interface Namespace {
        devtools?: { inspectedWindow: Api };
        runtime: Api;
      }
      const { browser, chrome } = globalThis as unknown as { browser?: Namespace; chrome: Namespace };
      const used = browser ?? chrome;
      const messages: string[] = ((globalThis as unknown as MessageLog).messages = []);
      for (const [owner, name] of [
        [used.devtools!.inspectedWindow, 'eval'],
        [used.runtime, 'sendMessage'],
      ] as const) {
        const original = owner[name]!.bind(owner);
        owner[name] = (...args) => {
          messages.push(JSON.stringify(args));
          const response = original(...args) as Promise<unknown> | undefined;
          void response?.then(
            (value) => messages.push(JSON.stringify(value)),
            () => {},
          );
          return response;
        };
      }
    });
  }

  /** Adds the tokens that the page has now. */
  async addSessionTokens(): Promise<void> {
    const sessions = await this.panel.inspected.evaluate(() =>
      Object.entries({ ...localStorage })
        .filter(([key]) => key.startsWith('platform-oauth2:'))
        .map(([, value]) => value),
    );
    for (const text of sessions) {
      const session = JSON.parse(text) as Record<string, unknown>;
      for (const name of ['access_token', 'refresh_token', 'state'])
        if (typeof session[name] === 'string') this.secrets.add(session[name]);
    }
  }

  /** Forgets the messages so far: a secret that was revealed on purpose is in them. */
  async forgetMessages(): Promise<void> {
    await this.panel.frame().evaluate(() => void (globalThis as unknown as MessageLog).messages.splice(0));
  }

  /** @param more texts to search too */
  async expectNoLeaks({ browser, extensionId }: ExtensionBrowser, ...more: string[]): Promise<void> {
    expect(this.secrets.size).toBeGreaterThan(0);
    const stored = await storedText(this.panel.frame());
    const messages = await this.panel
      .frame()
      .evaluate(() => JSON.stringify((globalThis as unknown as MessageLog).messages));
    expect(messages).not.toBe('[]');
    const pages: string[] = [];
    for (const target of browser.targets()) {
      if (!target.url().startsWith(`chrome-extension://${extensionId}/`)) continue;
      const page = target.type() === 'page' ? await target.page() : null;
      if (page) pages.push(await page.content());
    }
    const all = [stored, messages, JSON.stringify(this.consoleLines), ...pages, ...more].join('\n');
    for (const secret of this.secrets)
      for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
        expect(all.includes(form), `a secret of ${secret.length} characters`).toBe(false);
  }
}
