/** The OAuth2 doctor in the panel: every fault is caused for real, and named. */
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import type { FaultState } from '../../../lib/local-platform/oauth-demo/faults.ts';
import { demoConfigurations } from '../../../lib/local-platform/oauth-demo/index.ts';
import { violations } from '../../support/accessibility.ts';
import { picturePath } from '../../support/picture-path.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';
import { type DoctorApp, startDoctorApp } from './oauth2-doctor-app.ts';

type ServiceName = 'demo-code' | 'demo-implicit';
type Options = Record<string, unknown>;

let app: DoctorApp;
let bed: TestBed;
let panel: PanelPage;
let page: Page;

/** Tokens and secrets of all sessions. */
const secrets = new Set(['demo-secret', 'not-the-secret']);

beforeAll(async () => {
  app = await startDoctorApp();
  bed = await startTestBed({ appOrigins: [app.origin] });
  app.serve(await (await fetch(`${bed.platform.baseUrl}/v1/packages/platform-oauth2:0.1.js`)).text());
  panel = await bed.panel({ url: app.origin });
  page = panel.inspected;
  await panel.frame().locator('aria/OAuth2[role="tab"]').click();
  await waitFor('the page in the panel', () =>
    panel.frame().evaluate(() => document.querySelector('.oauth2 h2') !== null),
  );
});
/** No finding contains a token or secret. */
afterEach(async () => {
  await note();
  const text = await panel.frame().evaluate(() => document.documentElement.outerHTML);
  for (const secret of secrets) expect(text.includes(secret)).toBe(false);
});
afterAll(async () => {
  expect(secrets.size).toBeGreaterThan(10);
  await bed?.close();
  await app?.close();
});

const authUrl = (service: ServiceName, query = '') =>
  `${service === 'demo-code' ? bed.platform.oauthDemo!.code : bed.platform.oauthDemo!.implicit}/authorize${query}`;
const options = (service: ServiceName, more: Options = {}): Options => ({
  ...demoConfigurations(bed.platform.oauthDemo!, bed.platform.pagesUrl)[service],
  ...more,
});

async function fault(service: ServiceName, next: string, more: { times?: number; at?: string } = {}): Promise<void> {
  const { status } = await fetch(authUrl(service).replace('/authorize', '/faults'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ next, ...more }),
  });
  expect(status).toBe(200);
}

/** Chooses the selected service’s next fault in the panel. */
async function injectInPanel(name: string): Promise<void> {
  await panel.press('Inject a fault…');
  await waitFor('the fault in the menu', () =>
    panel
      .frame()
      .$$eval('select[name=fault] option', (all, name) => all.some(({ textContent }) => textContent === name), name),
  );
  await panel.frame().select('select[name=fault]', name);
  await waitFor('the service to have the fault', async () => {
    const response = await fetch(authUrl('demo-code').replace('/authorize', '/faults'));
    return ((await response.json()) as FaultState).next.some((each) => each.name === name);
  });
}

/** Reloads the app without any earlier state, with a service configured as `name`. */
async function fresh(
  service: ServiceName,
  more: Options = {},
  { name = service as string, path = '/' } = {},
): Promise<void> {
  await open(path);
  await configure(name, options(service, more));
  await waitFor(`${name} in the panel`, () =>
    panel
      .frame()
      .evaluate((name) => document.querySelector(`[data-service-shown=${JSON.stringify(name)}]`) !== null, name),
  );
}
/** Other options of the service, on the same page and in the same session. */
async function change(service: ServiceName, more: Options): Promise<void> {
  await panel.press('Clear');
  await configure(service, options(service, more));
}
async function note(): Promise<void> {
  for (const text of await page.evaluate(() => Object.values(localStorage) as string[]))
    for (const name of ['access_token', 'refresh_token']) {
      const token = (JSON.parse(text) as Record<string, unknown>)[name];
      if (typeof token === 'string') secrets.add(token);
    }
}
async function open(path = '/'): Promise<void> {
  await note();
  await page.evaluate(() => localStorage.clear());
  await page.goto(app.origin + path);
  await waitFor('the new page in the panel', () =>
    panel
      .frame()
      .evaluate(
        (path) => [...document.querySelectorAll('[data-flow=page]')].at(-1)?.textContent?.includes(path) === true,
        app.origin + path.replace(/\?.*/, ''),
      ),
  );
  await panel.press('Clear');
  await panel.frame().locator('[role=tab][id$="-doctor"]').click();
}
const configure = (name: string, configuration: Options) =>
  page.evaluate(
    (name, configuration) => {
      Object.assign(window, { service: name });
      try {
        window.Platform.OAuth2.configure(name, configuration as never);
      } catch {
        // Refused: the panel reports it.
      }
    },
    name,
    configuration,
  );

async function press(): Promise<Page> {
  const opened = new Promise<Page>((resolve) => page.once('popup', (popup) => resolve(popup!)));
  await page.bringToFront();
  await page.click('button');
  return opened;
}
/** Completes a login like a user. `before` runs before the button is pressed. */
async function logIn(before?: (popup: Page) => Promise<unknown>): Promise<void> {
  const popup = await press();
  const isOver = waitFor('the end of the popup', () => popup.isClosed());
  void popup
    .waitForSelector('#allow', { timeout: 20_000 })
    .then(async (button) => {
      await before?.(popup);
      await button?.click();
    })
    .catch(() => undefined);
  await isOver;
  await waitFor('the outcome of the login', () =>
    panel.frame().evaluate(() => [...document.querySelectorAll('[data-entry=event]')].length > 0),
  );
}
const call = (body: string): Promise<unknown> =>
  page.evaluate(`(async (service) => { ${body} })(Platform.OAuth2(window.service)).catch(() => {})`);
const api = (given: string | object): Promise<unknown> => call(`await service.api(${JSON.stringify(given)})`);

const shown = (): Promise<string[]> =>
  panel
    .frame()
    .$$eval('[data-finding]', (all) =>
      all
        .filter((each) => each.getAttribute('data-severity') !== 'advice')
        .map((each) => each.getAttribute('data-finding')!),
    );
/** Waits until the panel names these faults and no others. */
async function named(...codes: string[]): Promise<void> {
  let last: string[] = [];
  await waitFor(
    `the findings ${codes.join(', ')}`,
    async () => JSON.stringify((last = await shown())) === JSON.stringify(codes),
  ).catch(() => expect(last).toEqual(codes));
}
const finding = (code: string): Promise<string> =>
  panel.frame().$eval(`[data-finding=${code}]`, (element) => (element as HTMLElement).innerText);
/** Waits until the finding has this text. */
const says = (code: string, text: string) =>
  waitFor(`${code} to show ${text}`, async () => (await finding(code)).includes(text));
const pressIn = (code: string, button: string) =>
  panel.frame().locator(`[data-finding=${code}] ::-p-aria(${button}[role="button"])`).click();

describe('a healthy page', () => {
  it.each(['demo-code', 'demo-implicit'] as const)(
    'with %s has no problem, from the configuration to the logout',
    async (service) => {
      await fresh(service);
      await named();
      await logIn();
      await api('profile');
      await api({ path: 'items', method: 'post', data: { name: 'Rope', stock: 3 } });
      await api('error/404');
      if (service === 'demo-code') await call('await service.refresh()');
      await waitFor('the calls in the panel', () =>
        panel.frame().evaluate(() => [...document.querySelectorAll('[data-flow=api]')].length >= 3),
      );
      await named();
      await call('await service.logout()');
      await waitFor('no session in the panel', () =>
        panel.frame().evaluate(() => document.querySelector('.service-list [data-session-state=none]') !== null),
      );
      await named();
      expect(
        await panel
          .frame()
          .$$eval('.advice [data-finding]', (all) => all.map((each) => each.getAttribute('data-finding'))),
      ).toEqual(['SECRET_IN_PAGE']);
    },
  );
});

describe('a configuration', () => {
  it('that lacks an option, misspells one, or has code without grantUrl is diagnosed', async () => {
    for (const [change, code, word] of [
      [{ clientId: undefined }, 'OPTION_MISSING', 'clientId'],
      [{ redirectUrl: undefined, redirectURI: 'https://app.example/' }, 'OPTION_MISSPELLED', 'redirectUrl'],
      [{ grantUrl: undefined }, 'GRANT_URL_MISSING', 'grantUrl'],
    ] as const) {
      await open();
      await configure('demo-code', options('demo-code', change));
      await named(code);
      await says(code, word);
    }
  });
});

describe('a login', () => {
  it('whose popup the browser blocks is diagnosed', async () => {
    await open(`/?early=${encodeURIComponent(JSON.stringify(options('demo-implicit')))}`);
    await page.reload();
    await named('POPUP_BLOCKED');
  });

  it('that the user closed, or whose redirectUrl the service refuses, is diagnosed by what the user saw', async () => {
    await fresh('demo-implicit', { authUrl: authUrl('demo-implicit', '?prompt=login') });
    const popup = await press();
    await popup.waitForSelector('#allow');
    await popup.close();
    await named('POPUP_CLOSED');
    await pressIn('POPUP_CLOSED', 'A login form, or nothing yet');
    await named('POPUP_CLOSED');

    const refused = 'http://localhost:9/v1/auth/sso-callback';
    await fresh('demo-code', { redirectUrl: refused });
    const error = await press();
    await waitFor('the error of the service', () =>
      error.evaluate(() => document.body.innerText.includes('redirect_uri')),
    );
    await error.close();
    await named('POPUP_CLOSED');
    await pressIn('POPUP_CLOSED', 'An error from the service');
    await named('REDIRECT_URL_REFUSED');
    await says('REDIRECT_URL_REFUSED', refused);
  });

  it('whose response has another state, or an error with markup, is diagnosed, and markup is shown as text', async () => {
    await fresh('demo-code');
    await injectInPanel('wrong-state');
    await logIn();
    await named('STATE_MISMATCH');
    await fresh('demo-implicit', {}, { name: '<img src=x onerror=alert(1)>' });
    await fault('demo-implicit', 'markup-error');
    await logIn();
    await named('SERVICE_FAILED');
    await says('SERVICE_FAILED', '<img src=x onerror="alert(1)"><script>');
    expect(
      await panel.frame().evaluate(() => document.querySelectorAll('main img, main script, .untrusted a').length),
    ).toBe(0);
  });
});

describe('a token request', () => {
  it('with a wrong secret, or with a code that was used before, is diagnosed', async () => {
    await fresh('demo-code', { clientSecret: 'not-the-secret' });
    await logIn();
    await named('CLIENT_REFUSED');

    await change('demo-code', { pkce: false });
    await page.evaluate((given) => {
      const { grantUrl, clientId, clientSecret, redirectUrl } = given as Record<string, string>;
      Object.assign(window, {
        eavesdrop: ({ query }: { query: string }) => {
          const request = new XMLHttpRequest();
          request.open('POST', grantUrl!, false);
          request.setRequestHeader('content-type', 'application/x-www-form-urlencoded');
          request.send(
            String(
              new URLSearchParams({
                grant_type: 'authorization_code',
                client_id: clientId!,
                client_secret: clientSecret!,
                redirect_uri: redirectUrl!,
                code: new URLSearchParams(query).get('code')!,
              }),
            ),
          );
          Object.assign(window, { first: request.status });
        },
      });
    }, options('demo-code'));
    await logIn();
    await named('CODE_USED');
    expect(await page.evaluate(() => (window as unknown as { first: number }).first)).toBe(200);
  });

  it('with a refresh token that the service forgot, or with a clock that is off, is diagnosed', async () => {
    await fresh('demo-code');
    await logIn();
    await fault('demo-code', 'refused-refresh');
    await call('await service.refresh()');
    await named('REFRESH_REFUSED');
    await fault('demo-code', 'clock-ahead', { at: 'token' });
    await logIn();
    await named('CLOCK_OFF');
    await says('CLOCK_OFF', 'about 10 minutes behind');
  });
});

describe('a session', () => {
  it('that expired without a refresh, was revoked, or has fewer scopes than requested is diagnosed', async () => {
    await fresh('demo-code', { refresh: false, authUrl: authUrl('demo-code', '?lifetime=1') });
    await logIn();
    await named('SESSION_EXPIRED');
    // The service counts from its response, and the page from its request. So the service can accept the token longer.
    await waitFor('the service to reject the token', async () => {
      await api('profile');
      return (await finding('SESSION_EXPIRED')).includes('401');
    });
    await says('SESSION_EXPIRED', 'refresh: true,');

    await fresh('demo-implicit');
    await logIn();
    await fault('demo-implicit', 'expired-token');
    await api('profile');
    await named('TOKEN_REJECTED');

    await fault('demo-code', 'revoked-session');
    await fresh('demo-code', { authUrl: authUrl('demo-code', '?prompt=login') });
    await logIn((popup) => popup.click('input[name=scope][value="items.write"]'));
    await api({ path: 'items', method: 'post', data: { name: 'Rope', stock: 3 } });
    await named('SCOPE_NOT_GRANTED');
    await says('SCOPE_NOT_GRANTED', '403');
  });
});

describe('an API call', () => {
  it('with a path that doesn’t fit baseUrl, to a host that shouldn’t get the token, or with a broken response is diagnosed', async () => {
    await fresh('demo-implicit');
    await logIn();
    await api('/api/items');
    await named('BASE_URL_JOIN');
    await says('BASE_URL_JOIN', 'service.api("items")');
    await panel.press('Clear');
    await named();
    await api(`${bed.platform.oauthDemo!.code}/api/arrived`);
    await named('TOKEN_TO_FOREIGN_HOST');
    for (const [next, code] of [
      ['malformed', 'ANSWER_INVALID'],
      ['html-error', 'SERVICE_FAILED'],
    ] as const) {
      await panel.press('Clear');
      await fault('demo-implicit', next, { at: 'api' });
      await api('profile');
      await named(code);
      // A call that works now has no fault.
      await api('profile');
      await named();
    }
  });

  it('blocked by CORS, without a server, or blocked by the page’s policy is distinguished by a check', async () => {
    await fresh('demo-implicit', { baseUrl: app.closedApi });
    await logIn();
    await api('profile');
    await named('CORS_REFUSED');
    await pressIn('CORS_REFUSED', 'Check');
    await says('CORS_REFUSED', 'During the check');
    await named('CORS_REFUSED');

    await change('demo-implicit', { baseUrl: app.unreachable });
    await api('profile');
    await named('NETWORK_FAILED');
    await pressIn('NETWORK_FAILED', 'Check');
    await says('NETWORK_FAILED', 'didn’t respond');
    await named('NETWORK_FAILED');

    await change('demo-implicit', {});
    await fault('demo-implicit', 'no-cors', { at: 'api' });
    await api('profile');
    await named('CORS_REFUSED');

    await fresh('demo-implicit', {}, { path: '/strict' });
    await logIn();
    await api('profile');
    await named('CSP_BLOCKED');
    await says('CSP_BLOCKED', `connect-src 'self' ${bed.platform.oauthDemo!.implicit}`);
  });
});

describe('another library', () => {
  it('emits no events, and its options and calls are diagnosed all the same', async () => {
    await fresh('demo-code', { grantUrl: undefined, baseUrl: app.closedApi, clientSecret: '' }, { path: '/foreign' });
    await named('GRANT_URL_MISSING');
    await configure('demo-code', options('demo-code', { baseUrl: app.closedApi, clientSecret: '' }));
    await named();
    await api('profile');
    await named('NETWORK_FAILED');
    await pressIn('NETWORK_FAILED', 'Check');
    await named('CORS_REFUSED');
  });
});

describe('a check of a service', () => {
  it('finds that it offers codes, accepts clients without a secret, and where its token endpoint is, and sends nothing before it', async () => {
    await fresh('demo-implicit');
    await named();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    await panel.press('Check demo-implicit');
    await named('IMPLICIT_FLOW');
    expect(requests.toSorted()).toEqual([
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration',
      '/api/',
    ]);
    await says('IMPLICIT_FLOW', `grantUrl: "${authUrl('demo-implicit').replace('/authorize', '/token')}",`);
    await panel.picture(picturePath('panel-oauth2-doctor'));
    expect(await violations(panel.frame())).toEqual([]);

    await fresh('demo-code', { grantUrl: authUrl('demo-code').replace('/authorize', '/api/nothing') });
    await logIn();
    await named('GRANT_URL_WRONG');
    await pressIn('GRANT_URL_WRONG', 'Check');
    await named('GRANT_URL_WRONG', 'SECRET_IN_PAGE');
    await says('GRANT_URL_WRONG', `grantUrl: "${String(options('demo-code').grantUrl)}",`);
  });
});
