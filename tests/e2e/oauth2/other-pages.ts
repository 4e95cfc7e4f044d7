/** Pages with libraries other than ours, and the OAuth2 tab that inspects them. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll } from 'vitest';
import { OAuth2Tab } from '../../../lib/browser-driver/pages/oauth2-tab.ts';
import { SecretSearch } from '../../support/secret-search.ts';
import { startTestBed, type TestBed } from '../../support/test-bed.ts';

export const TOKEN = 'foreign-token-0123456789-abcdefghijklmnop';
const SECRET = 'a-foreign-secret-0123456789';
export const MARKUP =
  '<img src=x onerror="document.title=1"><script>document.title = 2</script><a href="javascript:alert(1)">press</a>\u202e';

/** Another library that follows the specification. */
const FOREIGN = `(() => {
  const services = {}, listeners = {}, instances = {};
  const fire = (name, event, detail) => (listeners[name + event] || []).forEach((fn) => fn(detail));
  let session = null;
  const OAuth2 = (name) => (instances[name] ||= {
    async login() {
      const popup = window.open(services[name].authUrl + '?state=' + Math.random(), 'login');
      if (!popup) { const error = { code: 'POPUP', message: 'no popup' }; fire(name, 'auth.fail', error); throw error; }
      await new Promise((done) => addEventListener('message', done, { once: true }));
      await fetch(services[name].grantUrl, { method: 'POST', body: 'code=the-code-of-this-login' });
      session = { access_token: '${TOKEN}', expires_in: 300, expires: Date.now() / 1000 + 300, scope: 'read', token_type: 'bearer' };
      fire(name, 'auth.login', session);
      return session;
    },
    async logout() { session = null; fire(name, 'auth.logout'); },
    async getAuthResponse() { return session; },
    async api(options) { const path = options.path || options; const response = await fetch(services[name].baseUrl + path, { headers: { authorization: 'Bearer ' + session.access_token } }); if (!response.ok) throw Object.assign(new Error('status ' + response.status + ' with Bearer ' + session.access_token), { status: response.status }); return { path, sent: 'Bearer ' + session.access_token }; },
    on(event, fn) { (listeners[name + event] ||= []).push(fn); return null; },
  });
  OAuth2.configure = (name, configuration) => { if (!name) throw new Error('what?'); services[name] = configuration; return OAuth2; };
  window.Platform = { OAuth2 };
})();
  window.configureIt = (name = 'box') => Platform.OAuth2.configure(name, { clientId: 'x', clientSecret: '${SECRET}', redirectUrl: location.origin + '/done', authUrl: location.origin + '/authorize', grantType: 'code', grantUrl: location.origin + '/token', baseUrl: location.origin + '/api/' });`;

/** A library that reports whatever event is passed to `say`. */
const TALKATIVE = `(() => {
  let report = () => {};
  const OAuth2 = () => ({ getAuthResponse: async () => window.session, login: async () => {}, on() {} });
  Object.assign(OAuth2, { features: ['observe'], version: ${JSON.stringify(MARKUP).replaceAll('<', '\\u003c')}, observe: (fn) => { report = fn; }, configure: () => window.services });
  window.Platform = { OAuth2 };
  window.say = (event) => report(event);
})();
  window.services = {}; window.session = null;`;

const PAGES: Record<string, string> = {
  '/foreign': `<script>${FOREIGN}</script><button onclick="Platform.OAuth2('box').login().catch(() => {})">log in</button>`,
  '/foreign-early': `<script>${FOREIGN} configureIt();</script>`,
  '/hostile': `<script>${TALKATIVE}</script>`,
  '/talker': `<script>${TALKATIVE}</script>`,
  '/nothing': '<p>Nothing here.',
  '/authorize':
    '<script>setTimeout(() => { opener.postMessage({ code: "the-code-of-this-login", state: "s" }, location.origin); close(); }, 100)</script>',
};

export let bed: TestBed;
let server: Server;
export let origin: string;
export let page: Page;
export let tab: OAuth2Tab;
export let search: SecretSearch;

/** Registers what is done before and after the tests of a file. */
export function setUpOtherPages(): void {
  beforeAll(async () => {
    server = createServer((request, response) => {
      const { pathname } = new URL(request.url!, 'http://app');
      if (pathname.startsWith('/api/') || pathname === '/token')
        return void response
          .writeHead(pathname === '/api/gone' ? 410 : 200, {
            'content-type': 'application/json',
            'content-length': '2',
          })
          .end('{}');
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(`<!doctype html><title>${pathname}</title><link rel="icon" href="data:,">${PAGES[pathname] ?? ''}`);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    bed = await startTestBed();
    const panel = await bed.panel({ url: `${origin}/nothing`, in: 'page' });
    page = panel.inspected;
    search = await SecretSearch.start(panel, new Set([TOKEN, SECRET, 'the-code-of-this-login']));
    tab = await OAuth2Tab.open(panel);
  });
  afterAll(async () => {
    await bed?.close();
    server?.closeAllConnections();
    server?.close();
  });
}

/** How many events the tab says were dropped, and how many rows it has. */
export async function counted(): Promise<{ dropped: number; rows: number }> {
  const read = (selector: string, name: string): Promise<number> =>
    tab
      .frame()
      .$eval(selector, (mark, name) => Number(mark.getAttribute(name)), name)
      .catch(() => 0);
  return {
    dropped: await read('[data-dropped]', 'data-dropped'),
    rows: await read('[data-flows] [role=treegrid]', 'aria-rowcount'),
  };
}

/** Opens the page that reports whatever event is passed to `say`, and empties the timeline. */
export async function openTalker(): Promise<void> {
  await page.goto(`${origin}/talker`);
  await tab.flowOf('page', ({ text }) => text.includes('/talker'));
  await tab.shows('the library', '[data-tracing=observed]');
  await tab.press('Clear');
}
