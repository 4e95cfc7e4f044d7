/** Builds states for the doctor's tests: a page with services, and its entries. */
import type { Checked, Finding, Knowledge } from '../../../../../lib/extension/panel/oauth2/doctor/finding.ts';
import { diagnose } from '../../../../../lib/extension/panel/oauth2/doctor/diagnose.ts';
import type {
  Entry,
  EntryDetail,
  OAuth2Page,
  OAuth2State,
  PageService,
  ProbeRequest,
  ServiceOption,
  ServiceSession,
} from '../../../../../lib/extension/panel/oauth2/types.ts';
import { remote } from '../run/remote.ts';

export const NOW = Date.parse('2026-11-20T12:00:00Z');
export const APP = 'https://app.example';
const SECRETS = ['clientSecret', 'state'];

export function options(given: Record<string, unknown>): ServiceOption[] {
  return Object.entries(given).map(([name, value]) => {
    const secret = SECRETS.includes(name);
    const isObject = typeof value === 'object' && value !== null;
    return {
      name,
      type: isObject ? 'object' : (typeof value as 'string'),
      value: secret || isObject ? null : (value as string),
      secret,
      masked: secret ? { masked: '…', length: String(value).length } : null,
      entries: isObject ? options(value as Record<string, unknown>) : null,
    };
  });
}

export const CODE = {
  clientId: 'app',
  clientSecret: 'sixteen-letters!',
  redirectUrl: `${APP}/done`,
  authUrl: 'https://id.example/oauth/authorize',
  grantType: 'code',
  grantUrl: 'https://id.example/oauth/token',
  baseUrl: 'https://api.example/v1',
  scope: 'read,write',
  refresh: true,
};
export const IMPLICIT = { ...CODE, grantType: 'token', grantUrl: undefined, refresh: undefined };

export function session(given: Partial<ServiceSession> = {}): ServiceSession {
  return {
    tokenType: 'Bearer',
    expires: NOW / 1000 + 600,
    expiresIn: 600,
    scope: 'read write',
    accessToken: { masked: 'ab…yz', length: 40, jwt: null },
    refreshToken: { masked: 'cd…wx', length: 40 },
    idToken: null,
    others: [],
    ...given,
  };
}

export interface World {
  configuration?: Record<string, unknown> | null;
  session?: ServiceSession | null;
  happened?: (EntryDetail | { at: number; of?: string; documentId?: string; detail: EntryDetail })[];
  page?: Partial<OAuth2Page>;
  name?: string;
  now?: number;
}

/** One service, `demo`, and entries a second apart, the last of them a minute ago. */
export function stateOf({
  configuration = CODE,
  session: its = null,
  happened = [],
  page = {},
  name = 'demo',
  now = NOW,
}: World): OAuth2State {
  const given =
    configuration && Object.fromEntries(Object.entries(configuration).filter(([, value]) => value !== undefined));
  const services: PageService[] = given
    ? [{ name, options: options(given), session: its, sessionKnown: true, sessionProblem: null }]
    : [];
  const entries = happened.map((each, index): Entry => {
    const { at, of = name, documentId = 'd1', detail } = 'detail' in each ? each : { at: index, detail: each };
    return {
      id: index + 1,
      documentId,
      at: NOW - 60_000 + (at - happened.length) * 1_000,
      service: detail.kind === 'csp' ? '' : of,
      flow: 1,
      detail,
    };
  });
  return {
    page: {
      protocol: 1,
      documentId: 'd1',
      fingerprint: 'f',
      origin: APP,
      url: `${APP}/`,
      secure: true,
      library: 'ready',
      detail: null,
      tracing: 'observed',
      version: '0.1',
      features: [],
      readable: true,
      canRefresh: true,
      csp: [],
      storage: 'available',
      services,
      moreServices: 0,
      ...page,
    },
    services,
    entries,
    dropped: 0,
    now,
  };
}

export function findings(world: World, knowledge?: Partial<Knowledge>): Finding[] {
  return diagnose(stateOf(world), { checked: [], answers: new Map(), ...knowledge });
}
/** Codes of all findings that are more than advice. */
export const faults = (world: World, knowledge?: Partial<Knowledge>): string[] =>
  findings(world, knowledge)
    .filter(({ severity }) => severity !== 'advice')
    .map(({ code }) => code);

export function checked(
  url: string,
  mode: ProbeRequest['mode'],
  response: { answered: boolean; status?: number; date?: string; json?: unknown },
  at = NOW,
): Checked {
  return {
    request: { url, mode },
    at,
    result: {
      answered: response.answered,
      status: response.status ?? null,
      date: response.date ?? null,
      json: response.json === undefined ? null : remote(response.json),
      milliseconds: 20,
    },
  };
}

/** Steps of a login as the library reports them. */
export const started = (given: Partial<Extract<EntryDetail, { kind: 'login-started' }>> = {}): EntryDetail => ({
  kind: 'login-started',
  grantType: 'code',
  pkce: true,
  authUrl: CODE.authUrl,
  redirectUrl: CODE.redirectUrl,
  scope: 'read write',
  shared: false,
  ...given,
});
export const popup = (state: 'opened' | 'focused' | 'blocked' | 'closed'): EntryDetail => ({ kind: 'popup', state });
export const callback = (
  parameters: string[] = ['code', 'state'],
  error: string | null = null,
  description: string | null = null,
): EntryDetail => ({ kind: 'callback', origin: APP, parameters, error, description });
export const stateChecked = (matches = true): EntryDetail => ({ kind: 'state-checked', matches });
export const requested = (
  grant: 'authorization_code' | 'refresh_token' = 'authorization_code',
  proxy = false,
): EntryDetail => ({
  kind: 'token-requested',
  grant,
  url: CODE.grantUrl,
  proxy,
  reason: grant === 'refresh_token' ? 'expired' : 'login',
});
export const tokenResponse = (given: Partial<Extract<EntryDetail, { kind: 'token-answered' }>> = {}): EntryDetail => ({
  kind: 'token-answered',
  status: 200,
  milliseconds: 30,
  code: null,
  error: null,
  description: null,
  clockAhead: 0,
  token: { type: 'Bearer', expiresIn: 600, scope: 'read write', refreshable: true },
  ...given,
});
export const refusedToken = (
  status: number,
  error: string | null,
  description: string | null = null,
  code = 'TOKEN_REFUSED',
): EntryDetail => tokenResponse({ status, error, description, code, token: null });
export const stored: EntryDetail = { kind: 'session', change: 'stored', persistent: true };
export const authEvent = (
  name: 'auth.login' | 'auth.fail' | 'auth.logout',
  code: string | null = null,
): EntryDetail => ({
  kind: 'event',
  name,
  code,
});
export const call = (
  number: number,
  url: string,
  status: number | null,
  code: string | null,
  method = 'GET',
  proxy = false,
): EntryDetail[] => [
  { kind: 'api-started', call: number, method, url, proxy },
  {
    kind: 'api-ended',
    call: number,
    status,
    milliseconds: 12,
    bytes: status === null ? null : 100,
    code,
    headers: null,
  },
];
export const toCallback = [started(), popup('opened'), popup('closed'), callback(), stateChecked()];
export const login = [...toCallback, requested(), tokenResponse(), stored, authEvent('auth.login')];
/** A login that the token endpoint ended. */
export const refusedLogin = (
  status: number,
  error: string | null,
  description: string | null = null,
  code = 'TOKEN_REFUSED',
): EntryDetail[] => [
  ...toCallback,
  requested(),
  refusedToken(status, error, description, code),
  authEvent('auth.fail', code),
];
