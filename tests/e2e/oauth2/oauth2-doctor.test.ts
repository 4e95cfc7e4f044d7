/** The OAuth2 doctor in the panel: faults that only a browser has are caused for real, and named. */
import { describe, it } from 'vitest';
import {
  api,
  app,
  bed,
  change,
  checkHealthyPage,
  fault,
  fresh,
  logIn,
  named,
  open,
  options,
  page,
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
    await says('NETWORK_FAILED', 'no response arrived');
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
