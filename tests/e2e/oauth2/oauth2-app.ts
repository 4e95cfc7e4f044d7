/** An app on its own origin that uses the built OAuth2 library with the demo services, in a real browser. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { expect } from 'vitest';
import { ensureBrowser } from '../../../lib/browser-driver/find-browser.ts';
import { LIMIT, waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { startPlatform } from '../../../lib/local-platform/index.ts';
import { demoConfigurations } from '../../../lib/local-platform/oauth-demo/index.ts';
import type { FlowEvent, OAuth2, OAuth2Failure, ServiceConfiguration } from '../../../lib/oauth2/types.ts';
import { startTestBed } from '../../support/test-bed.ts';

export type ServiceName = 'demo-code' | 'demo-implicit';

/** The outcome of a call on the page. */
export interface Outcome {
  value?: unknown;
  error?: Pick<OAuth2Failure, 'code' | 'status' | 'body' | 'error' | 'description' | 'message'>;
}

declare global {
  interface Window {
    Platform: { OAuth2: OAuth2 };
    flow: FlowEvent[];
    received: string[];
    outcomes: Outcome[];
    settle(promise: Promise<unknown>): Promise<Outcome>;
  }
}

const SCRIPT = '/packages/platform-oauth2:0.1.js';

const APP_PAGE = `<!doctype html><meta charset="utf-8"><title>App</title><link rel="icon" href="data:,">
<script src="${SCRIPT}"></script>
<script>
  flow = []; received = []; outcomes = [];
  settle = (promise) => promise.then((value) => ({ value }), ({ code, status, body, error, description, message }) => ({ error: { code, status, body, error, description, message } }));
  Platform.OAuth2.observe((event) => flow.push(event));
</script>
<button data-service="demo-code">Log in (code)</button> <button data-service="demo-implicit">Log in (implicit)</button>
<form><input name="note" value="hello"><input type="file" name="file"></form>
<script>
  for (const button of document.querySelectorAll('button')) button.onclick = () => settle(Platform.OAuth2(button.dataset.service).login()).then((outcome) => outcomes.push(outcome));
</script>`;

/** The app's own redirect pages. */
const PAGES: Record<string, string> = {
  '/callback': `<!doctype html><title>Callback</title><script src="${SCRIPT}"></script>`,
  '/bare': '<!doctype html><title>Thank you</title><p>Thank you.',
  '/closes': '<!doctype html><title>Closes</title><script>setTimeout(close, 100)</script>',
  '/strips/':
    '<!doctype html><title>Strips</title><script>setTimeout(() => history.replaceState(null, "", "#/home"), 100)</script>',
  '/leaves/index.html':
    '<!doctype html><title>Leaves</title><script>setTimeout(() => (location = "/bare"), 100)</script>',
};

export interface OAuth2TestBed {
  platform: Awaited<ReturnType<typeof startPlatform>>;
  browser: Browser;
  /** Of the app. The platform and both services have other origins. */
  origin: string;
  /** All codes, tokens, and secrets so far. */
  secrets: Set<string>;
  /** Every console line and uncaught error of the app’s pages. */
  console: string[];
  configuration(service: ServiceName, more?: Partial<ServiceConfiguration>): ServiceConfiguration;
  /** Makes the service’s next exchange fail. */
  fault(
    service: ServiceName,
    /** Null for none any more. */
    name: string | null,
    more?: { times?: number; at?: 'redirect' | 'token' | 'api' },
  ): Promise<void>;
  /** A tab of the app with both services configured. */
  open(more?: Partial<ServiceConfiguration>, path?: string): Promise<AppTab>;
  close(): Promise<void>;
}

export async function startOAuth2TestBed(name: 'chromium' | 'firefox'): Promise<OAuth2TestBed> {
  const secrets = new Set(['demo-secret']);
  const lines: string[] = [];
  const app = await startAppServer((code) => secrets.add(code));
  const { browser, platform, close } = await (name === 'chromium' ? inChromium(app.origin) : inFirefox(app.origin));
  // The platform serves the script only to pages of its own origin.
  app.setLibrary(await (await fetch(platform.pagesUrl + SCRIPT)).text());
  const configurations = demoConfigurations(platform.oauthDemo!, platform.pagesUrl) as unknown as Record<
    ServiceName,
    ServiceConfiguration
  >;
  const services = { 'demo-code': platform.oauthDemo!.code, 'demo-implicit': platform.oauthDemo!.implicit };
  const bed: OAuth2TestBed = {
    platform,
    browser,
    origin: app.origin,
    secrets,
    console: lines,
    configuration: (service, more) => ({ ...configurations[service], ...more }),
    async fault(service, next, more = {}) {
      const { status } = await fetch(`${services[service]}/faults`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ next, ...more }),
      });
      expect(status).toBe(200);
    },
    async open(more = {}, path = '/') {
      const page = await browser.newPage();
      page.on('console', (message) => lines.push(message.text()));
      page.on('pageerror', (error) => lines.push(String(error)));
      await page.goto(app.origin + path);
      const tab = new AppTab(page, bed);
      for (const service of ['demo-code', 'demo-implicit'] as const) await tab.configure(service, more);
      return tab;
    },
    async close() {
      await close();
      app.close();
    },
  };
  return bed;
}

interface AppServer {
  origin: string;
  setLibrary(text: string): void;
  close(): void;
}

/** Serves the app. @param onCode gets each authorization code that a redirect carries */
async function startAppServer(onCode: (code: string) => void): Promise<AppServer> {
  let library = '';
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://app');
    const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*, authorization' };
    if (pathname === '/lead-away')
      return void response
        .writeHead(request.method === 'OPTIONS' ? 204 : 302, { ...cors, location: `${searchParams.get('to')}/arrived` })
        .end();
    if (pathname === '/arrived')
      return void response
        .writeHead(200, { ...cors, 'content-type': 'application/json' })
        .end(JSON.stringify({ authorization: request.headers.authorization ?? null }));
    const folder = ['/', '/index.html'].map((end) => pathname + end).find((path) => path in PAGES);
    if (folder)
      return void response.writeHead(301, { location: `${folder}${request.url!.slice(pathname.length)}` }).end();
    const code = searchParams.get('code');
    if (code) onCode(code);
    const text = pathname === SCRIPT ? library : (PAGES[pathname] ?? APP_PAGE);
    response
      .writeHead(200, {
        'content-type': text === library ? 'text/javascript' : 'text/html',
        'cache-control': 'no-store',
      })
      .end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setLibrary: (text) => void (library = text),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Started = Pick<OAuth2TestBed, 'platform' | 'browser' | 'close'>;

/** The shared Chromium. */
async function inChromium(origin: string): Promise<Started> {
  const bed = await startTestBed({ appOrigins: [origin] });
  return { platform: bed.platform, browser: bed.extension.browser, close: () => bed.close() };
}

/** A Firefox without the extension, because a page here needs WebDriver BiDi. */
async function inFirefox(origin: string): Promise<Started> {
  const platform = await startPlatform({ port: 0, data: 'memory', appOrigins: [origin] });
  const browser = await launch({
    browser: 'firefox',
    executablePath: ensureBrowser('firefox'),
    headless: true,
    // As for users, a page may open a popup only on a click.
    extraPrefsFirefox: { 'dom.disable_open_during_load': true },
  });
  return {
    platform,
    browser,
    async close() {
      await browser.close();
      await platform.close();
    },
  };
}

export class AppTab {
  readonly page: Page;
  private readonly bed: OAuth2TestBed;
  constructor(page: Page, bed: OAuth2TestBed) {
    this.page = page;
    this.bed = bed;
  }

  async configure(service: ServiceName, more: Partial<ServiceConfiguration> = {}): Promise<void> {
    await this.page.evaluate(
      (name, configuration) => {
        const { OAuth2 } = window.Platform;
        if (OAuth2.configure(name) === null)
          for (const event of ['auth.login', 'auth.fail', 'auth.logout'] as const)
            OAuth2(name).on(event, () => void window.received.push(`${name} ${event}`));
        OAuth2.configure(name, configuration);
      },
      service,
      this.bed.configuration(service, more) as never,
    );
  }

  /** Presses the button like a user. Resolves with the popup. */
  async press(service: ServiceName): Promise<Page> {
    const opened = new Promise<Page>((resolve) => this.page.once('popup', (popup) => resolve(popup!)));
    await this.page.bringToFront();
    await this.page.click(`button[data-service=${service}]`);
    return opened;
  }

  /** The outcome of the last login. */
  async outcome(count = 1): Promise<Outcome> {
    return waitFor('the outcome of the login', () =>
      this.page.evaluate(
        (count) => (window.outcomes.length >= count ? window.outcomes.splice(0).at(-1)! : null),
        count,
      ),
    );
  }

  /**
   * Logs in and presses `decision` in the popup. The service remembers a user who logged in before, and shows no buttons.
   */
  async login(service: ServiceName, decision = '#allow'): Promise<Outcome> {
    const popup = await this.press(service);
    void popup
      .waitForSelector(decision, { timeout: LIMIT })
      .then((button) => button?.click())
      .catch(() => undefined);
    const outcome = await this.outcome();
    await this.remember(service);
    await waitFor('the end of the popup', () => popup.isClosed());
    return outcome;
  }

  /** Calls the library on the page; `body` is the body of a function of `service`. */
  call(service: ServiceName, body: string): Promise<Outcome> {
    return this.page.evaluate(
      `settle((async (service) => { ${body} })(Platform.OAuth2(${JSON.stringify(service)})))`,
    ) as Promise<Outcome>;
  }
  api(service: ServiceName, options: string | object): Promise<Outcome> {
    return this.call(service, `return service.api(${JSON.stringify(options)})`);
  }

  async session(service: ServiceName): Promise<Record<string, unknown> | null> {
    const { value } = await this.call(service, 'return service.getAuthResponse()');
    return value as Record<string, unknown> | null;
  }
  flow(): Promise<FlowEvent[]> {
    return this.page.evaluate(() => window.flow);
  }
  received(): Promise<string[]> {
    return this.page.evaluate(() => window.received);
  }

  /** Adds the tokens of the session to the secrets. */
  async remember(service: ServiceName): Promise<void> {
    const session = await this.session(service);
    for (const name of ['access_token', 'refresh_token'])
      if (typeof session?.[name] === 'string') this.bed.secrets.add(session[name]);
  }

  /** Closes the tab. Checks that events and console contain no secret, and that reading the popup’s state caused no error. */
  async close(): Promise<void> {
    expect(this.bed.console.filter((line) => /SecurityError|cross-origin frame/.test(line))).toEqual([]);
    const reported = JSON.stringify([await this.flow(), this.bed.console]);
    for (const secret of this.bed.secrets) expect(reported.includes(secret)).toBe(false);
    await this.page.evaluate(() => localStorage.clear()).catch(() => undefined);
    await this.page.close();
  }
}
