/** What tests of the OAuth2 doctor work with: a page of an app, whose faults are caused for real, and the panel. */
import type { Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { PanelPage } from '../../../lib/browser-driver/pages/panel-page.ts';
import { LIMIT, waitFor } from '../../../lib/browser-driver/wait-for.ts';
import type { FaultState } from '../../../lib/local-platform/oauth-demo/faults.ts';
import { demoConfigurations } from '../../../lib/local-platform/oauth-demo/index.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';
import { type DoctorApp, startDoctorApp } from './oauth2-doctor-app.ts';
import { click, press } from '../../../lib/browser-driver/pages/press.ts';

type ServiceName = 'demo-code' | 'demo-implicit';
type Options = Record<string, unknown>;

export let app: DoctorApp;
export let bed: TestBed;
export let panel: PanelPage;
export let page: Page;

/** Tokens and secrets of all sessions. */
const secrets = new Set<string>();

/** Registers what is done before and after the tests of a file. */
export function setUpDoctor(): void {
  beforeAll(async () => {
    secrets.clear();
    for (const secret of ['demo-secret', 'not-the-secret']) secrets.add(secret);
    app = await startDoctorApp();
    bed = await startTestBed({ appOrigins: [app.origin] });
    app.serve(await (await fetch(`${bed.platform.baseUrl}/v1/packages/platform-oauth2:0.1.js`)).text());
    panel = await bed.panel({ url: app.origin, in: 'page' });
    page = panel.inspected;
    await press(panel.frame(), 'OAuth2', { role: 'tab' });
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
    expect(secrets.size).toBeGreaterThan(2);
    await bed?.close();
    await app?.close();
  });
}

export const authUrl = (service: ServiceName, query = '') =>
  `${service === 'demo-code' ? bed.platform.oauthDemo!.code : bed.platform.oauthDemo!.implicit}/authorize${query}`;
export const options = (service: ServiceName, more: Options = {}): Options => ({
  ...demoConfigurations(bed.platform.oauthDemo!, bed.platform.pagesUrl)[service],
  ...more,
});

export async function fault(
  service: ServiceName,
  next: string,
  more: { times?: number; at?: string } = {},
): Promise<void> {
  const { status } = await fetch(authUrl(service).replace('/authorize', '/faults'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ next, ...more }),
  });
  expect(status).toBe(200);
}

/** Chooses the selected service’s next fault in the panel. */
export async function injectInPanel(name: string): Promise<void> {
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
export async function fresh(
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
export async function change(service: ServiceName, more: Options): Promise<void> {
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
export async function open(path = '/'): Promise<void> {
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
  await click(panel.frame(), '[role=tab][id$="-doctor"]');
}
export const configure = (name: string, configuration: Options) =>
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

export async function openPopup(): Promise<Page> {
  const opened = new Promise<Page>((resolve) => page.once('popup', (popup) => resolve(popup!)));
  await page.bringToFront();
  await page.click('button');
  return opened;
}
/** Completes a login like a user. `before` runs before the button is pressed. */
export async function logIn(before?: (popup: Page) => Promise<unknown>): Promise<void> {
  const popup = await openPopup();
  const isOver = waitFor('the end of the popup', () => popup.isClosed());
  void popup
    .waitForSelector('#allow', { timeout: LIMIT })
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
export const call = (body: string): Promise<unknown> =>
  page.evaluate(`(async (service) => { ${body} })(Platform.OAuth2(window.service)).catch(() => {})`);
export const api = (given: string | object): Promise<unknown> => call(`await service.api(${JSON.stringify(given)})`);

const shown = (): Promise<string[]> =>
  panel
    .frame()
    .$$eval('[data-finding]', (all) =>
      all
        .filter((each) => each.getAttribute('data-severity') !== 'advice')
        .map((each) => each.getAttribute('data-finding')!),
    );
/** Waits until the panel names these faults and no others. */
export async function named(...codes: string[]): Promise<void> {
  let last: string[] = [];
  await waitFor(
    `the findings ${codes.join(', ')}`,
    async () => JSON.stringify((last = await shown())) === JSON.stringify(codes),
  ).catch(() => expect(last).toEqual(codes));
}
export const finding = (code: string): Promise<string> =>
  panel.frame().$eval(`[data-finding=${code}]`, (element) => (element as HTMLElement).innerText);
/** Waits until the finding has this text. */
export const says = (code: string, text: string) =>
  waitFor(`${code} to show ${text}`, async () => (await finding(code)).includes(text));
export const pressIn = (code: string, button: string) =>
  click(panel.frame(), `[data-finding=${code}] ::-p-aria(${button}[role="button"])`);

/** No finding from the configuration to the logout. */
export async function checkHealthyPage(service: ServiceName): Promise<void> {
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
    await panel.frame().$$eval('.advice [data-finding]', (all) => all.map((each) => each.getAttribute('data-finding'))),
  ).toEqual(['SECRET_IN_PAGE']);
}
