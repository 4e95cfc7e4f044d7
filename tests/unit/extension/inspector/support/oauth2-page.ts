/** A page to test the agent's OAuth2 part in, with different libraries. */
import type { EventBatch } from '../../../../../lib/extension/inspector/agent-protocol.ts';
import type { OAuth2Agent, OAuth2Event, OAuth2Page } from '../../../../../lib/extension/inspector/oauth2/contract.ts';
import { agentSource, bundle, openPage, type Page } from './page.ts';

/** The library as the platform serves it, in a block, so that its "use strict" isn't one for the page's own code. */
export const librarySource = async (): Promise<string> => `{${await bundle({ file: 'lib/oauth2/script.ts' })}}`;

export interface LoginPage extends Page {
  ask<M extends keyof OAuth2Agent>(method: M, ...args: Parameters<OAuth2Agent[M]>): ReturnType<OAuth2Agent[M]>;
  inspect(refresh?: boolean): OAuth2Page;
  flow(after?: number): OAuth2Event[];
  /** Resolves with the page once the condition is true; it is checked after each task. */
  when(condition: (page: OAuth2Page) => boolean): Promise<OAuth2Page>;
  /** The text of every response of the agent. */
  responses: string[];
}

/**
 * @param before the page's script @param early whether the agent watches from before that script, otherwise it is
 * installed after it
 */
export async function openLoginPage({
  before = '',
  early = false,
  url = 'https://app.example/page?code=4711abcdefg#access_token=zzz',
}: { before?: string; early?: boolean; url?: string } = {}): Promise<LoginPage> {
  const page = await openPage({ agent: false, url });
  // Browsers have it; the test's document doesn't.
  (page.window as unknown as { structuredClone: typeof structuredClone }).structuredClone = structuredClone;
  if (!early) page.run(before);
  page.run(await agentSource());
  if (early) {
    page.port().watch('oauth2', 'Platform');
    page.run(before);
  }
  const responses: string[] = [];
  const ask = (method: keyof OAuth2Agent, ...args: unknown[]): unknown => {
    const text = page.port().call('oauth2', method, args);
    responses.push(text);
    return JSON.parse(text);
  };
  const inspect = (refresh = false) => ask('page', 'Platform', refresh) as OAuth2Page;
  return {
    ...page,
    ask: ask as LoginPage['ask'],
    inspect,
    responses,
    flow: (after = 0) => (ask('read', after, 1e9, 'Platform') as EventBatch<OAuth2Event>).events,
    async when(condition) {
      let seen = inspect();
      await page.until(() => condition((seen = inspect())));
      return seen;
    },
  };
}

export const CONFIGURATION = {
  clientId: 'an-app-4f1c99d0e2b84b0c',
  clientSecret: 'S3cr3t-of-the-app-0123456789',
  redirectUrl: 'https://app.example/done',
  authUrl: 'https://id.example/authorize?tenant=t-1234567890abcdef',
  grantType: 'code',
  grantUrl: 'https://id.example/token',
  grantData: { audience: 'api', client_assertion: 'assertion-0123456789abcdefgh' },
  baseUrl: 'https://api.example/v1/',
  scope: 'read,write',
  state: 'constant-state-42',
  refresh: true,
};
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
export const JWT = `${part({ alg: 'RS256', typ: 'JWT', kid: 'k1' })}.${part({ iss: 'https://id.example', sub: 'dana', aud: 'api', exp: 1_900_000_000, scope: 'read', name: 'Dana Ü' })}.c2lnbmF0dXJlLW9mLXRoZS10b2tlbi1pcy1zZWNyZXQ`;
export const REFRESH = 'refresh-token-ABCDEFGHIJKLMNOP-0987654321';
export const SESSION = {
  service: 'box',
  access_token: JWT,
  token_type: 'Bearer',
  expires_in: 600,
  expires: 1_900_000_000,
  scope: 'read write',
  state: 'state-of-that-login-77',
  refresh_token: REFRESH,
  id_token: `${JWT}x`,
  nickname: 'a-text-that-may-be-a-secret',
};
/** Texts that the agent must never report. */
export const SECRETS = [
  CONFIGURATION.clientSecret,
  CONFIGURATION.grantData.client_assertion,
  CONFIGURATION.state,
  JWT,
  JWT.split('..')[2]!,
  REFRESH,
  SESSION.state,
  SESSION.nickname,
];

/** A foreign library that follows the specification; `more` is code inside it. */
export function foreignLibrary({
  configure = 'all',
  shape = 'cached',
  session = SESSION as object | null,
  more = '',
}: {
  configure?: 'all' | 'throws' | 'itself' | 'promise' | 'map' | 'list';
  shape?: 'cached' | 'fresh' | 'prototype';
  session?: object | null;
  more?: string;
} = {}): string {
  const read = {
    all: 'Object.fromEntries(services)',
    throws: '(() => { throw new Error("no") })()',
    itself: 'OAuth2',
    promise: 'Promise.resolve(Object.fromEntries(services))',
    map: 'services',
    list: '[...services].map(([name, configuration]) => ({ name, ...configuration }))',
  }[configure];
  return `
    session = ${JSON.stringify(session)};
    (() => {
      const services = new Map(), listeners = {}, instances = new Map();
      const fire = (name, event, detail) => (listeners[name + event] || []).forEach((fn) => fn(detail));
      class Service {
        constructor(name) { this.name = name; }
        async login() { const popup = window.open(services.get(this.name).authUrl + '&state=abc', 'login'); if (!popup) { const e = { error: { code: 'blocked', message: 'popup blocked' } }; fire(this.name, 'auth.fail', e); throw e; } fire(this.name, 'auth.login', session); return session; }
        async logout() { session = null; fire(this.name, 'auth.logout'); }
        async getAuthResponse() { return session; }
        async api(options) { const path = typeof options === 'string' ? options : options.path; const r = await fetch('https://api.example/v1/' + path); if (path === 'bad') throw Object.assign(new Error('Bearer ' + session.access_token + ' was refused'), { status: 403, code: 'forbidden' }); return { path, token: session.access_token, self: this instanceof Service }; }
        on(event, fn) { (listeners[this.name + event] ||= []).push(fn); return null; }
      }
      const make = (name) => ${shape === 'fresh' ? '{ const s = new Service(name); return { login: () => s.login(), logout: () => s.logout(), getAuthResponse: () => s.getAuthResponse(), api: (o) => s.api(o), on: (e, f) => s.on(e, f) } }' : shape === 'cached' ? '{ if (!instances.has(name)) instances.set(name, new Service(name)); return instances.get(name) }' : 'new Service(name)'};
      function OAuth2(name) { return make(name); }
      OAuth2.configure = function configure(name, configuration) {
        if (arguments.length === 0) return ${read};
        if (typeof name === 'object') for (const key of Object.keys(name)) services.set(key, name[key]); else if (configuration) { if (!configuration.clientId) throw Object.assign(new Error('clientId is missing'), { code: 'E_OPTION' }); services.set(name, configuration); }
        return OAuth2;
      };
      ${more}
      Platform = { OAuth2 };
    })();`;
}
