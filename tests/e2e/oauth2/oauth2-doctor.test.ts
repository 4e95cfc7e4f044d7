/** The OAuth2 doctor in the panel: faults that only a browser has are caused for real, and named. */
import { describe, expect, it } from 'vitest';
import { requestsOf } from '../../support/network.ts';
import {
  api,
  app,
  authUrl,
  bed,
  change,
  checkHealthyPage,
  configure,
  fault,
  fresh,
  injectInPanel,
  logIn,
  named,
  open,
  options,
  page,
  panel,
  pressIn,
  says,
  setUpDoctor,
} from './oauth2-doctor-bed.ts';

setUpDoctor();

describe('a healthy page', () => {
  it('has no problem, from the configuration to the logout', () => checkHealthyPage('demo-code'));
});

describe('a login', () => {
  it('whose popup the browser blocks is diagnosed', async () => {
    await open(`/?early=${encodeURIComponent(JSON.stringify(options('demo-implicit')))}`);
    await page.reload();
    await named('POPUP_BLOCKED');
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

describe('an API call', () => {
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
