import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../../lib/browser-driver/wait-for.ts';
import { checkRefusals, endFaults, TOKEN_REFUSALS_OF_BROWSERS } from './oauth2-failures.ts';
import { mainFlows } from './oauth2-flows.ts';
import { type AppTab, type OAuth2TestBed, startOAuth2TestBed } from './oauth2-app.ts';

let bed: OAuth2TestBed;
let tab: AppTab;
beforeAll(async () => void (bed = await startOAuth2TestBed('chromium')));
afterAll(() => bed?.close());

describe('in Chromium', () => mainFlows(() => bed));

describe('a failure', () => {
  afterEach(async () => {
    await endFaults(bed);
    await tab?.close();
  });

  it('at the token endpoint is reported by cause: it refuses the page, or redirects it to another host', async () => {
    tab = await bed.open();
    await checkRefusals(bed, tab, 'token', TOKEN_REFUSALS_OF_BROWSERS);
    // A redirect of the token endpoint carries neither code nor secret to another host.
    await tab.configure('demo-code', {
      grantUrl: `${bed.origin}/lead-away?to=${bed.platform.oauthDemo!.implicit}`,
    });
    expect(await tab.login('demo-code')).toMatchObject({ error: { code: 'TOKEN_INVALID', status: 0 } });
  });

  it('isn’t caused by messages from other windows and origins, which are ignored', async () => {
    tab = await bed.open({
      authUrl: `${bed.platform.oauthDemo!.implicit}/authorize?prompt=login`,
      state: 'known-state',
    });
    const popup = await tab.press('demo-implicit');
    await popup.waitForSelector('#allow');
    await tab.page.evaluate(async () => {
      const message = {
        type: 'platform-oauth2:callback',
        query: '',
        fragment: '#access_token=evil-token&state=known-state',
      };
      window.postMessage(message, location.origin);
      const frame = document.createElement('iframe');
      frame.srcdoc = `<script>parent.postMessage(${JSON.stringify(message)}, '*')</script>`;
      document.body.append(frame);
      await new Promise((resolve) =>
        window.addEventListener('message', ({ source }) => source === frame.contentWindow && resolve(null)),
      );
    });
    // From the popup itself while it is still on another origin, before the redirect page.
    await popup.evaluate(() =>
      (window.opener as Window).postMessage(
        { type: 'platform-oauth2:callback', query: '', fragment: '#access_token=evil-token&state=known-state' },
        '*',
      ),
    );
    expect((await tab.flow()).some(({ kind }) => kind === 'callback')).toBe(false);
    await (await popup.$('#allow'))!.click();
    const { value } = await tab.outcome();
    expect(value).not.toMatchObject({ access_token: 'evil-token' });
    await tab.remember('demo-implicit');
  });
});

it('a login counts the callback that its redirect page showed, whatever the page does afterwards', async () => {
  tab = await bed.open();
  // The last two are folders, which the server redirects to.
  for (const path of ['/closes', '/strips', '/leaves'])
    for (const service of ['demo-code', 'demo-implicit'] as const) {
      await tab.configure(service, { redirectUrl: bed.origin + path });
      expect(await tab.login(service), `${service} ${path}`).toMatchObject({ value: { service } });
    }
  await tab.close();
});

describe('several tabs', () => {
  it('share a session: they log in at once, refresh once for all, hear each login, and log out together', async () => {
    const tabs = [await bed.open(), await bed.open()];
    const [one, two] = tabs as [AppTab, AppTab];
    // The service remembers the user, so both logins run at the same time.
    await one.login('demo-code');
    for (const each of tabs) await each.press('demo-code');
    const logins = await Promise.all(tabs.map((each) => each.outcome()));
    expect(logins.map(({ error }) => error)).toEqual([undefined, undefined]);
    await Promise.all(tabs.map((each) => each.remember('demo-code')));
    // The browser reports what one tab stores to the other a moment later.
    await waitFor('the same session in both', async () => {
      const [first, second] = [await one.session('demo-code'), await two.session('demo-code')];
      return first !== null && isDeepStrictEqual(first, second);
    });

    await one.page.evaluate(() => {
      const key = 'platform-oauth2:demo-code';
      localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key)!), expires: 1 }));
    });
    const responses = await Promise.all(
      tabs.map((each) =>
        each.call('demo-code', "return Promise.all(Array.from({ length: 5 }, () => service.api('profile')))"),
      ),
    );
    for (const response of responses)
      expect(response).toMatchObject({ value: Array.from({ length: 5 }, () => ({ name: 'Dana Demo' })) });
    const requests = (await Promise.all(tabs.map((each) => each.flow())))
      .flat()
      .filter((event) => event.kind === 'token-requested' && event.grant === 'refresh_token');
    expect(requests).toHaveLength(1);
    await one.remember('demo-code');

    await two.call('demo-code', 'return service.logout()');
    await waitFor('the other tab', async () => (await one.received()).includes('demo-code auth.logout'));
    expect(await one.session('demo-code')).toBeNull();

    const heard = async (event: string) =>
      (await two.received()).filter((each) => each === `demo-code ${event}`).length;
    const before = { logins: await heard('auth.login'), logouts: await heard('auth.logout') };
    for (const nth of [1, 2]) {
      await one.login('demo-code');
      await waitFor('the login in the other tab', async () => (await heard('auth.login')) === before.logins + nth);
    }
    await one.page.evaluate(() => localStorage.clear());
    await waitFor('the end in the other tab', async () => (await heard('auth.logout')) === before.logouts + 1);
    for (const each of tabs) await each.close();
  });
});

describe('a hostile page', () => {
  it('can’t break the library or steal tokens by redefining fetch, Promise, and JSON', async () => {
    tab = await bed.open();
    await tab.page.evaluate(`
      stolen = [];
      const steal = (...values) => { stolen.push(String(values)); throw new Error('robbed'); };
      fetch = steal; Promise = function () { steal('Promise'); }; JSON.parse = steal; JSON.stringify = steal;
    `);
    const popup = await tab.press('demo-code');
    void popup
      .waitForSelector('#allow')
      .then((button) => button?.click())
      .catch(() => undefined);
    expect(await tab.outcome()).toMatchObject({ value: { service: 'demo-code' } });
    expect(await tab.api('demo-code', { path: 'items', method: 'post', data: { name: 'x', stock: 1 } })).toMatchObject({
      value: { item: { name: 'x' } },
    });
    expect(await tab.page.evaluate('stolen.length')).toBe(0);
    await tab.call('demo-code', 'return service.logout()');
    await tab.close();
  });
});
