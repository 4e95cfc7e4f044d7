/** The OAuth2 library in Chromium, with every failure of a service, and in the platform’s own pages. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../../../lib/browser-driver/wait-for.ts';
import { type AppTab, type OAuth2TestBed, startOAuth2TestBed } from '../../../e2e/oauth2/oauth2-app.ts';
import {
  checkBrokenStorage,
  checkFormats,
  checkRefusals,
  endFaults,
  REDIRECTS,
  TOKEN_FORMATS,
  TOKEN_REFUSALS,
} from '../../../e2e/oauth2/oauth2-failures.ts';
import { mainFlows } from '../../../e2e/oauth2/oauth2-flows.ts';
import { openWithToken } from '../../../support/network.ts';

let bed: OAuth2TestBed;
let tab: AppTab;
beforeAll(async () => void (bed = await startOAuth2TestBed('chromium')));
afterEach(() => endFaults(bed));
afterAll(() => bed?.close());

describe('in Chromium', () => mainFlows(() => bed));

it('reports each failure in the redirect by its own code', async () => {
  tab = await bed.open();
  await tab.configure('demo-implicit', { redirectUrl: `${bed.origin}/callback` });
  // The implicit flow returns to a page of the app, the other one to a page of the platform.
  await checkRefusals(bed, tab, 'redirect', REDIRECTS);
  // A page of the app that gets no response at all.
  await tab.configure('demo-code', { redirectUrl: `${bed.origin}/bare` });
  await bed.fault('demo-code', 'empty-callback');
  const popup = await tab.press('demo-code');
  await waitFor('the page of the app', () => popup.url().endsWith('/bare'));
  // The library polls the popup every 20 ms, so it polls before this timer, which is longer and starts later.
  await tab.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
  await popup.close();
  expect(await tab.outcome()).toMatchObject({ error: { code: 'CALLBACK_INVALID' } });
  await tab.close();
});

it('reports each failure at the token endpoint by its cause, and understands each format of a response', async () => {
  tab = await bed.open();
  await checkRefusals(bed, tab, 'token', TOKEN_REFUSALS);
  await checkFormats(bed, tab, TOKEN_FORMATS);
  await bed.fault('demo-code', 'clock-ahead', { at: 'token' });
  await tab.login('demo-code');
  const answered = (await tab.flow()).findLast((event) => event.kind === 'token-answered');
  expect(answered).toMatchObject({ clockAhead: expect.closeTo(-600, -1) as number });
  expect(await tab.received()).toContain('demo-code auth.login');
  await tab.close();
});

it('keeps its session in memory when the storage is full, and says so', () => checkBrokenStorage(bed, 'full'));

it('keeps its session in memory when the storage is blocked, and says so', () => checkBrokenStorage(bed, 'blocked'));

it('reports each failure of the API by its own code: CORS, an expired token, a refused refresh', async () => {
  tab = await bed.open();
  await tab.login('demo-code');
  await bed.fault('demo-code', 'no-cors', { at: 'api' });
  expect(await tab.api('demo-code', 'profile')).toMatchObject({
    error: { code: 'CORS_REFUSED', message: expect.stringContaining('useProxy') as string },
  });
  expect(await tab.api('demo-code', 'http://127.0.0.1:9/x')).toMatchObject({ error: { code: 'NETWORK_FAILED' } });

  await bed.fault('demo-code', 'expired-token');
  expect(await tab.api('demo-code', 'profile')).toMatchObject({ value: { name: 'Dana Demo' } });
  expect((await tab.flow()).filter(({ kind }) => kind === 'token-requested')).toMatchObject([
    { reason: 'login' },
    { reason: 'unauthorized' },
  ]);
  await tab.remember('demo-code');

  await bed.fault('demo-code', 'expired-token');
  await bed.fault('demo-code', 'refused-refresh');
  expect(await tab.api('demo-code', 'profile')).toMatchObject({ error: { code: 'REFRESH_REFUSED' } });
  expect(await tab.session('demo-code')).toBeNull();
  expect(await tab.received()).toEqual(['demo-code auth.login', 'demo-code auth.fail']);
  await tab.close();
});

it('reports a window that is blocked without a click, and focuses it for a second login, which shares the outcome', async () => {
  const authUrl = `${bed.platform.oauthDemo!.implicit}/authorize?prompt=login`;
  tab = await bed.open();
  // Without a click, because the page is new.
  await tab.page.evaluateOnNewDocument(
    `addEventListener('load', () => { Platform.OAuth2.configure('early', ${JSON.stringify(bed.configuration('demo-implicit'))}); settle(Platform.OAuth2('early').login()).then((outcome) => outcomes.push(outcome)); })`,
  );
  await tab.page.reload();
  expect(await tab.outcome()).toMatchObject({ error: { code: 'POPUP_BLOCKED' } });

  await tab.configure('demo-implicit', { authUrl });
  const popup = await tab.press('demo-implicit');
  const button = await popup.waitForSelector('#allow');
  await tab.page.bringToFront();
  await tab.page.click('button[data-service=demo-implicit]');
  await button!.click();
  expect(await tab.outcome(2)).toMatchObject({ value: { service: 'demo-implicit' } });
  await tab.remember('demo-implicit');
  expect((await tab.flow()).flatMap((event) => (event.kind === 'popup' ? [event.state] : []))).toEqual([
    'blocked',
    'opened',
    'focused',
    'closed',
  ]);
  await tab.close();
});

describe('the platform’s own pages', () => {
  it('call services without CORS through its proxy, including files, and load the ES module', async () => {
    const { platform } = bed;
    const page = await bed.browser.newPage();
    await openWithToken(page, `${platform.baseUrl}/v1/apps/101/preview?page=2003`, platform.authToken);
    const click = (text: string) => page.click(`::-p-xpath(//section[@id="demo-code"]//button[.="${text}"])`);
    const says = (part: string) =>
      waitFor(`"${part}" on the page`, () =>
        page.$eval('#demo-code', (section, part) => section.textContent.includes(part), part),
      );
    await page.waitForSelector('#demo-code');
    await page.click('#demo-code input[type=checkbox]');
    const opened = new Promise<Awaited<ReturnType<typeof bed.browser.newPage>>>((resolve) =>
      page.once('popup', (popup) => resolve(popup!)),
    );
    await click('Log in');
    const popup = await opened;
    void popup
      .waitForSelector('#allow')
      .then((button) => button?.click())
      .catch(() => undefined);
    await says('Logged in');
    await bed.fault('demo-code', 'no-cors', { at: 'api', times: 3 });
    await click('Profile');
    await says('Dana Demo');
    await page.evaluate(() => {
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array([0, 255, 128])], 'bytes.bin'));
      document.querySelector<HTMLInputElement>('#demo-code input[type=file]')!.files = files.files;
    });
    await click('Post the file');
    await says('bytes.bin');
    await bed.fault('demo-code', null);

    const features = await page.evaluate(
      `import(${JSON.stringify(`${platform.baseUrl}/v1/packages/platform-oauth2:0.1.mjs`)}).then(({ createOAuth2, OAuth2Error }) => {
        const { version, features } = createOAuth2(window);
        return [version, ...features, typeof OAuth2Error];
      })`,
    );
    expect(features).toEqual(['0.1', 'observe', 'off', 'refresh', 'function']);
    await page.close();
  });
});
