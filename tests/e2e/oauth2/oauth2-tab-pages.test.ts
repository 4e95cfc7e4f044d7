/** The OAuth2 tab on other pages: without a library, with another one, and hostile. */
import { expect, test } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { picturePath } from '../../support/picture-path.ts';
import { bed, MARKUP, origin, page, search, setUpOtherPages, tab, TOKEN } from './other-pages.ts';

setUpOtherPages();

test('a page without an OAuth2 library shows an explanation', async () => {
  expect(await tab.frame().$eval('.oauth2 .empty', (empty) => empty.textContent)).toContain(
    'This page has no OAuth2 library',
  );
});

test('another library’s login, calls, and session are shown from outside, but never its token', async () => {
  await page.goto(`${origin}/foreign`);
  await tab.shows('how much is seen', '[data-tracing=late]');
  // Configured after DevTools inspected the page.
  await page.evaluate('configureIt(), 0');
  await tab.shows('the service', '[data-service=box]');
  const popup = new Promise((resolve) => page.once('popup', resolve));
  await page.bringToFront();
  await page.click('button');
  await popup;
  const login = await tab.flowOf('login', ({ tone }) => tone === 'success');
  expect(login.entries).toEqual(
    expect.arrayContaining([
      'login-started',
      'popup',
      'callback',
      'token-requested',
      'token-answered',
      'event',
      'settled',
    ]),
  );
  await tab.sessionIs('active');
  expect(
    await page.evaluate("Platform.OAuth2('box').api('items?token=secret-in-a-query').then((answer) => answer.sent)"),
  ).toBe(`Bearer ${TOKEN}`);
  expect((await tab.flowOf('api', ({ tone }) => tone === 'success')).text).toMatch(
    /GET http:\/\/127\.0\.0\.1:\d+\/api\/items\?token=… box 200 .* 2 B/,
  );

  await tab.press('Call API', 'tab');
  await tab.fill('api-path', 'gone');
  await tab.press('Call');
  await tab.shows('the refusal', '[data-response=FAILED], [data-response=failed]');
  expect((await tab.flowOf('api', ({ tone }) => tone === 'danger')).text).toContain('410');
  await tab.fill('api-path', 'items');
  await tab.press('Call');
  await tab.shows('the answer', '[data-response=ok]');
  expect(await tab.frame().$eval('[data-response]', (response) => (response as HTMLElement).innerText)).toMatch(
    /Bearer fo…op\[41\]/,
  );
  await tab.press('Log out');
  await tab.sessionIs('none');
  await search.expectNoLeaks(bed.extension, await tab.exported());
});

test('hostile names, options, sessions, and events are shown as text', async () => {
  await page.goto(`${origin}/hostile`);
  await tab.shows('the library', '[data-tracing=observed]');
  await tab.frame().evaluate(() => {
    (globalThis as unknown as { reports: string[] }).reports = [];
    document.addEventListener('securitypolicyviolation', (event) =>
      (globalThis as unknown as { reports: string[] }).reports.push(`${event.effectiveDirective} ${event.blockedURI}`),
    );
  });
  await page.evaluate(
    (markup) => {
      const long = markup + 'x'.repeat(1_000_000);
      const globals = globalThis as unknown as { services: unknown; session: unknown; say(event: object): void };
      globals.services = {
        [markup]: {
          clientId: markup,
          clientSecret: markup,
          authUrl: `javascript:${markup}`,
          redirectUrl: `data:text/html,${markup}`,
          [markup]: long,
          grantData: { [markup]: markup },
        },
      };
      globals.session = {
        access_token:
          `${btoa(JSON.stringify({ alg: markup }))}.${btoa(JSON.stringify({ [markup.slice(0, 40)]: markup.slice(0, 40), exp: 1e300 }).replaceAll('\u202e', ''))}.x`.replaceAll(
            '=',
            '',
          ),
        scope: long,
        token_type: markup,
        expires: 1e300,
      };
      for (const kind of [
        'login-started',
        'popup',
        'callback',
        'token-requested',
        'token-answered',
        'session',
        'event',
        'api-started',
        'api-ended',
        'refused',
        'settled',
        'action',
        'csp',
        'configured',
        'navigated',
        '__proto__',
      ]) {
        globals.say({
          kind,
          at: 8.64e15 + 1,
          service: markup,
          authUrl: markup,
          url: `javascript:${markup}`,
          state: markup,
          name: markup,
          method: markup,
          message: long,
          origin: markup,
          parameters: [markup, long],
          error: markup,
          description: long,
          code: markup,
          call: kind.startsWith('api') ? 1 : markup,
          change: markup,
          token: { type: markup, scope: long },
          action: markup,
          directive: markup,
          blocked: markup,
          reason: markup,
          grant: markup,
        });
      }
    },
    MARKUP.replace('\u202e', ''),
  );
  await tab.shows('a service', '[data-service]');
  await waitFor('the events', async () => (await tab.flows()).length > 5);
  for (const name of ['Call API', 'Doctor', 'Entry']) await tab.press(name, 'tab');
  for (const row of await tab.frame().$$('[data-flows] [role=row]')) await row.click().catch(() => undefined);
  await tab.panel.picture(picturePath('panel-oauth2-hostile'));
  expect(
    await tab
      .frame()
      .$$eval(
        '.oauth2 img, .oauth2 script, .oauth2 a, .oauth2 iframe, .oauth2 svg, .oauth2 object, .oauth2 [onerror], .oauth2 [href]',
        (all) => all.map((one) => one.outerHTML.slice(0, 200)),
      ),
  ).toEqual([]);
  expect(await tab.frame().evaluate(() => (globalThis as unknown as { reports: string[] }).reports)).toEqual([]);
  for (const title of [await tab.frame().evaluate(() => document.title), await tab.panel.devtools.title()])
    expect(['1', '2']).not.toContain(title);
  expect(await tab.frame().$eval('.oauth2', (all) => all.textContent?.includes('<img src=x onerror='))).toBe(true);
});
