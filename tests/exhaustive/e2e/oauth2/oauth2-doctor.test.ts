/** The OAuth2 doctor in the panel: the other faults are caused for real, too, and named. */
import { describe, expect, it } from 'vitest';
import { requestsOf } from '../../../support/network.ts';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import {
  api,
  authUrl,
  bed,
  call,
  change,
  checkHealthyPage,
  configure,
  fault,
  finding,
  fresh,
  injectInPanel,
  logIn,
  named,
  open,
  options,
  page,
  panel,
  pressIn,
  openPopup,
  says,
  setUpDoctor,
  app,
} from '../../../e2e/oauth2/oauth2-doctor-bed.ts';

setUpDoctor();

describe('a healthy page', () => {
  it('with the implicit flow has no problem, from the configuration to the logout', () =>
    checkHealthyPage('demo-implicit'));
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
  it('that the user closed, or whose redirectUrl the service refuses, is diagnosed by what the user saw', async () => {
    await fresh('demo-implicit', { authUrl: authUrl('demo-implicit', '?prompt=login') });
    const popup = await openPopup();
    await popup.waitForSelector('#allow');
    await popup.close();
    await named('POPUP_CLOSED');
    await pressIn('POPUP_CLOSED', 'A login form, or nothing yet');
    await named('POPUP_CLOSED');

    const refused = 'http://localhost:9/v1/auth/sso-callback';
    await fresh('demo-code', { redirectUrl: refused });
    const error = await openPopup();
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
});

describe('a check of a service', () => {
  it('finds that it offers codes, accepts clients without a secret, and where its token endpoint is, and sends nothing before it', async () => {
    await fresh('demo-implicit');
    await named();
    const requests = await requestsOf(page);
    await panel.press('Check demo-implicit');
    await named('IMPLICIT_FLOW');
    expect(requests.map((url) => new URL(url).pathname).toSorted()).toEqual([
      '/.well-known/oauth-authorization-server',
      '/.well-known/openid-configuration',
      '/api/',
    ]);
    await says('IMPLICIT_FLOW', `grantUrl: "${authUrl('demo-implicit').replace('/authorize', '/token')}",`);

    await fresh('demo-code', { grantUrl: authUrl('demo-code').replace('/authorize', '/api/nothing') });
    await logIn();
    await named('GRANT_URL_WRONG');
    await pressIn('GRANT_URL_WRONG', 'Check');
    await named('GRANT_URL_WRONG', 'SECRET_IN_PAGE');
    await says('GRANT_URL_WRONG', `grantUrl: "${String(options('demo-code').grantUrl)}",`);
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
