/** The OAuth2 tab on the demo page with both demo services. */
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OAuth2Tab } from '../../../lib/browser-driver/pages/oauth2-tab.ts';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { OAUTH2_SCREEN } from '../../../lib/local-platform/index.ts';
import { SecretSearch } from '../../support/secret-search.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';
import { withToken } from '../../support/network.ts';
import { click } from '../../../lib/browser-driver/pages/press.ts';

let bed: TestBed;
let page: Page;
let tab: OAuth2Tab;
let search: SecretSearch;
const secrets = new Set(['demo-secret']);

/** The demo app's page, as its users see it. */
const load = (how: () => Promise<unknown>): Promise<void> => withToken(page, bed.platform.authToken, how);

async function logIn(service: string): Promise<void> {
  await tab.logIn(service);
  await search.addSessionTokens();
}

beforeAll(async () => {
  bed = await startTestBed();
  await bed.enter();
  const panel = await bed.panel({ in: 'page' });
  page = panel.inspected;
  page.on('framenavigated', (frame) => {
    const code = new URL(frame.url(), 'http://x').searchParams.get('code');
    if (code) secrets.add(code);
  });
  await load(() =>
    page.goto(`${bed.platform.baseUrl}/v1/apps/${OAUTH2_SCREEN.appId}/preview?page=${OAUTH2_SCREEN.pageId}`),
  );
  search = await SecretSearch.start(panel, secrets);
  tab = await OAuth2Tab.open(panel);
});
afterAll(() => bed?.close());

describe('on the demo page', () => {
  test('each service shows its options with masked secrets, and a login is shown as it happens', async () => {
    await tab.shows('both services', '[data-service="demo-implicit"]');
    await tab.choose('demo-code');
    const options = await tab
      .frame()
      .$$eval('[data-option]', (all) => all.map((one) => one.getAttribute('data-option')));
    expect(options).toEqual(
      expect.arrayContaining([
        'clientId',
        'clientSecret',
        'redirectUrl',
        'authUrl',
        'grantType',
        'grantUrl',
        'baseUrl',
        'scope',
        'refresh',
      ]),
    );
    expect(await tab.frame().$eval('[data-option=clientSecret]', (row) => (row as HTMLElement).innerText)).toMatch(
      /… \(11 characters\)/,
    );
    expect(await tab.session()).toBe('none');

    await logIn('demo-code');
    const login = await tab.flowOf('login', ({ tone }) => tone === 'success');
    expect(login.of).toBe('demo-code');
    expect(login.entries.filter((kind) => kind !== 'action' && !(kind === 'popup'))).toEqual([
      'login-started',
      'callback',
      'state-checked',
      'token-requested',
      'token-answered',
      'session',
      'event',
    ]);
    // The page required a click: browsers open windows only then.
    expect(login.entries.filter((kind) => kind === 'action').length).toBeGreaterThanOrEqual(2);
  });

  test('the session counts down and can be refreshed', async () => {
    const left = () => tab.frame().$eval('[aria-label=Session] [data-session-state]', (mark) => mark.textContent ?? '');
    const first = await left();
    expect(first).toMatch(/^(10|9) min \d+ s left$/);
    await waitFor('a second less', async () => (await left()) !== first);
    const token = () => tab.frame().$$eval('[aria-label=Session] .masked', (all) => all[0]?.textContent ?? '');
    const before = await token();
    await tab.press('Refresh token');
    await tab.flowOf('refresh', ({ tone }) => tone === 'success');
    await waitFor('the new token', async () => (await token()) !== before);
    await search.addSessionTokens();
  });

  test('calls by the page and by the panel show method, URL, status, duration, and size', async () => {
    await page.evaluate(() =>
      [...document.querySelectorAll<HTMLButtonElement>('#demo-code button')]
        .find((button) => button.textContent === 'List items')
        ?.click(),
    );
    const ofPage = await tab.flowOf('api', ({ tone }) => tone === 'success');
    expect(ofPage.text).toMatch(/GET http:\/\/localhost:\d+\/api\/items(\?limit=…)? demo-code 200 .*ms \d+ B/);
    await tab.press('Call API', 'tab');
    await tab.fill('api-path', 'items');
    await tab.frame().select('[name=api-method]', 'post');
    await tab.fill('api-data', '{"name": "Rope", "stock": 3}');
    await tab.press('Call');
    await tab.shows('the response’s headers', '[data-response=ok] .api-headers');
    const response = await tab.frame().$eval('[data-response]', (shown) => (shown as HTMLElement).innerText);
    expect(response).toMatch(/HTTP 201[^]*response header[^]*Rope/);
    await tab.flowOf('api', ({ text }) => /POST .*\/api\/items .*201/.test(text));
    await tab.frame().select('[name=api-method]', 'get');
    await tab.frame().$eval('[name=api-data]', (field) => {
      (field as HTMLTextAreaElement).value = '';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await tab.fill('api-path', 'error/403');
    await tab.press('Call');
    await tab.shows('the refusal', '[data-response=API_REFUSED]');
    expect((await tab.flowOf('api', ({ tone }) => tone === 'danger')).text).toMatch(
      /403.*API_REFUSED|API_REFUSED.*403/,
    );
  });

  test('a JWT is decoded, and its claims are explained', async () => {
    await logIn('demo-implicit');
    const claims = Object.fromEntries(
      await tab
        .frame()
        .$$eval('[aria-label=Session] [data-claim]', (rows) =>
          rows.map((row) => [row.getAttribute('data-claim') ?? '', (row as HTMLElement).innerText]),
        ),
    );
    expect(claims.exp).toMatch(/Expires: .*in \d+ min/);
    expect(claims.iat).toMatch(/Issued: .* (ago|now)/);
    expect(claims.iss).toMatch(/http:\/\/localhost:\d+.*Token issuer/s);
    expect(claims.sub).toMatch(/demo/);
    expect(claims.alg).toBeDefined();
  });

  test('a secret can be revealed, not copied, and hidden again', async () => {
    await tab.press('Show clientSecret');
    const clear = await waitFor('the secret', () => tab.frame().$('[data-revealed=clientSecret]'));
    const revealed = await clear.evaluate((code) => ({
      text: code.textContent,
      userSelect: getComputedStyle(code).userSelect,
      allowsCopy: code.dispatchEvent(new ClipboardEvent('copy', { bubbles: true, cancelable: true })),
    }));
    expect(revealed).toEqual({ text: 'demo-secret', userSelect: 'none', allowsCopy: false });
    await tab.press('Hide clientSecret');
    await waitFor('the secret gone', async () => (await tab.frame().$('[data-revealed]')) === null);
    // What was revealed on purpose isn’t a leak.
    await search.forgetMessages();
  });

  test('the timeline can be filtered, preserved over a navigation, exported, and cleared', async () => {
    await tab.fill('flow-search', 'error/403');
    await waitFor('one flow', async () => (await tab.flows()).length === 1);
    await tab.fill('flow-search', ' ');
    await tab.frame().select('[name=flow-kind]', 'refresh');
    await waitFor('refreshes alone', async () => {
      const flows = await tab.flows();
      return flows.length > 0 && flows.every(({ type }) => type === 'refresh');
    });
    await tab.frame().select('[name=flow-kind]', 'all');

    // As a page of an environment, which needs the token for every load.
    await tab.press('Reload page');
    for (const type of ['page', 'login', 'refresh', 'api']) await tab.flowOf(type);
    await tab.shows('the services again', '[data-tracing=observed] ~ * [data-service="demo-code"]');
    // The file has the sessions that the panel has read so far, and the panel reads them after a page’s services.
    for (const service of ['demo-implicit', 'demo-code']) {
      await tab.choose(service);
      await tab.sessionIs('active');
    }
    const file = await tab.exported();
    expect(JSON.parse(file)).toMatchObject({
      format: 'platform-devtools-oauth2',
      services: [{ name: 'demo-code', session: { accessToken: { length: 43 } } }, { name: 'demo-implicit' }],
    });
    await search.expectNoLeaks(bed.extension, file);

    await click(tab.frame(), '[name=keep]');
    await load(() => page.reload());
    await waitFor('the new document alone', async () =>
      (await tab.flows()).every(({ type }) => type !== 'login' && type !== 'api'),
    );
    await tab.press('Clear');
    await waitFor('an empty timeline', async () => (await tab.flows()).length === 0);
  });

  test('the OAuth2 tab works with the keyboard', async () => {
    await logIn('demo-code');
    await tab.frame().focus('[data-flows] [role=row][tabindex="0"]');
    for (const key of ['Home', 'ArrowDown', 'ArrowDown'] as const) await tab.panel.devtools.keyboard.press(key);
    await tab.shows('the entry’s details', '[data-entry-details] dl');
    await tab.panel.devtools.keyboard.press('Escape');
    await waitFor('nothing chosen', async () => (await tab.frame().$('[data-flows] [aria-selected=true]')) === null);
  });

  test('logging out ends the session, and nothing that the extension stores or sends contained a secret', async () => {
    await tab.press('Log out');
    await tab.sessionIs('none');
    await tab.flowOf('logout');
    await search.expectNoLeaks(bed.extension);
  });
});
