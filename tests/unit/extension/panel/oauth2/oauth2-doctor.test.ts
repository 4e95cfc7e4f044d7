/** Tests each finding of the doctor, and that it finds nothing in what works. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../../../lib/extension/panel/oauth2/doctor/diagnose.ts';
import { intendedOption } from '../../../../../lib/extension/panel/oauth2/option-names.ts';
import { joinFault } from '../../../../../lib/extension/panel/oauth2/doctor/base-url.ts';
import { notGranted } from '../../../../../lib/extension/panel/oauth2/doctor/rules/session.ts';
import type { EntryDetail } from '../../../../../lib/extension/panel/oauth2/types.ts';
import { remote } from '../run/remote.ts';
import {
  tokenResponse,
  APP,
  call,
  callback,
  checked,
  CODE,
  faults,
  findings,
  IMPLICIT,
  login,
  NOW,
  popup,
  refusedLogin,
  refusedToken,
  requested,
  session,
  started,
  stateChecked,
  stateOf,
  stored,
  toCallback,
  authEvent,
  type World,
} from './oauth2-doctor-world.ts';
import { anyCharacter } from '../../../../support/any-character.ts';

const API = 'https://api.example/v1';
const withSession = (world: World = {}): World => ({ session: session(), happened: login, ...world });
const refused = (code: string, option: string | null): EntryDetail => ({
  kind: 'refused',
  call: 'configure',
  code,
  message: 'demo: no',
  option,
});
const closed = [started(), popup('opened'), popup('closed'), authEvent('auth.fail', 'POPUP_CLOSED')];

describe('The doctor finds no problem', () => {
  it.each<[string, World]>([
    ['before anything happened', {}],
    ['after a login by the explicit flow', withSession()],
    [
      'after a login by the implicit flow',
      {
        configuration: IMPLICIT,
        session: session({ refreshToken: null }),
        happened: [
          started({ grantType: 'token', pkce: false }),
          popup('opened'),
          popup('closed'),
          callback(['access_token', 'state']),
          stateChecked(),
          stored,
          authEvent('auth.login'),
        ],
      },
    ],
    [
      'with calls that work, or that the API refuses for its own reasons',
      withSession({
        happened: [
          ...login,
          ...call(1, `${API}/items?q=…`, 200, null),
          ...call(2, `${API}/items/99`, 404, 'API_REFUSED'),
          ...call(3, `${API}/items`, 422, 'API_REFUSED', 'POST'),
          ...call(4, 'https://id.example/userinfo', 200, null),
        ],
      }),
    ],
    ['after a refresh', withSession({ happened: [...login, requested('refresh_token'), tokenResponse(), stored] })],
    ['while a login is under way', { happened: [...refusedLogin(401, 'invalid_client'), started(), popup('opened')] }],
    [
      'when a later login works',
      withSession({ happened: [...closed, ...refusedLogin(400, 'invalid_grant'), ...login] }),
    ],
    [
      'when a later call of the address works',
      withSession({
        happened: [...login, ...call(1, `${API}/items`, 401, 'API_REFUSED'), ...call(2, `${API}/items`, 200, null)],
      }),
    ],
    ['with an expired session that can be refreshed', withSession({ session: session({ expires: NOW / 1000 - 5 }) })],
    [
      'with a library of others that wants no secret, and works',
      withSession({ configuration: { ...CODE, clientSecret: undefined }, page: { tracing: 'wrapped' } }),
    ],
    [
      'when the configuration was mended in the next document',
      {
        happened: [
          { at: 0, documentId: 'd0', detail: refused('OPTION_MISSING', 'authUrl') },
          { kind: 'navigated', url: APP, origin: APP },
          { kind: 'configured' },
        ],
      },
    ],
  ])('%s', (_, world) => {
    expect(faults(world)).toEqual([]);
  });

  it('but advises against a secret in the page', () => {
    expect(findings(withSession()).map(({ code, severity }) => [code, severity])).toEqual([
      ['SECRET_IN_PAGE', 'advice'],
    ]);
    expect(findings(withSession({ configuration: { ...CODE, clientSecret: '' } }))).toEqual([]);
  });
});

describe('The doctor finds a configuration', () => {
  it.each([
    ['OPTION_MISSING', 'clientId', 'OPTION_MISSING', 'clientId'],
    ['OPTION_MISSING', 'grantUrl', 'GRANT_URL_MISSING', 'grantUrl'],
    ['OPTION_UNKNOWN', 'redirectURI', 'OPTION_MISSPELLED', 'redirectUrl'],
    ['OPTION_UNKNOWN', 'nonsense', 'OPTION_INVALID', 'nonsense'],
    ['OPTION_INVALID', 'baseUrl', 'OPTION_INVALID', 'baseUrl'],
  ])('that was refused with %s for %s, as %s', (code, option, expected, named) => {
    const [finding, ...others] = findings({
      configuration: null,
      happened: [refused(code, option), authEvent('auth.fail', 'SERVICE_UNKNOWN')],
    });
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ code: expected, service: 'demo', severity: 'error', evidence: [{ entry: 1 }] });
    expect(`${finding!.title} ${finding!.fix}`).toContain(named);
  });

  it('that another library accepted without a required option', () => {
    const wrapped = (configuration: Record<string, unknown>): World => ({
      configuration,
      page: { tracing: 'wrapped' },
    });
    expect(faults(wrapped({ ...CODE, authUrl: undefined }))).toEqual(['OPTION_MISSING']);
    expect(faults(wrapped({ ...CODE, grantUrl: undefined }))).toEqual(['GRANT_URL_MISSING']);
    expect(faults(wrapped({ ...CODE, redirectUrl: undefined, redirect_uri: 'https://app.example' }))).toEqual([
      'OPTION_MISSPELLED',
    ]);
  });

  it('whose name differs from the used one', () => {
    const [finding] = findings({
      happened: [{ at: 0, of: 'demmo', detail: authEvent('auth.fail', 'SERVICE_UNKNOWN') }],
    });
    expect(finding).toMatchObject({
      code: 'SERVICE_UNKNOWN',
      service: 'demmo',
      cause: expect.stringContaining('demo') as string,
    });
  });

  it.each([
    ['redirectURL', 'redirectUrl'],
    ['redirect_uri', 'redirectUrl'],
    ['tokenUrl', 'grantUrl'],
    ['client_id', 'clientId'],
    ['granturl', 'grantUrl'],
    ['scopes', 'scope'],
    ['clientId', null],
    ['useProxy', null],
    ['audience', null],
    ['colour', null],
    ['x'.repeat(10_000), null],
  ])('whose option %s means %s', (name, meant) => {
    expect(intendedOption(name)).toBe(meant);
  });
});

describe('The doctor finds a login', () => {
  it('whose popup was blocked', () => {
    expect(
      findings({ happened: [started(), popup('blocked'), authEvent('auth.fail', 'POPUP_BLOCKED')] })[0],
    ).toMatchObject({
      code: 'POPUP_BLOCKED',
      evidence: [{ entry: 2 }, { entry: 1 }],
    });
  });

  it('whose popup was closed, by the user or after an error of the service', () => {
    const [finding] = findings({ happened: closed });
    expect(finding).toMatchObject({ code: 'POPUP_CLOSED', severity: 'warning', question: { about: 4 } });
    expect(faults({ happened: closed }, { answers: new Map([[4, true]]) })).toEqual(['REDIRECT_URL_REFUSED']);
    const denied = findings({ happened: closed }, { answers: new Map([[4, false]]) })[0];
    expect(denied!.code).toBe('POPUP_CLOSED');
    expect(denied!.question).toBe(undefined);
    expect(findings({ happened: [...closed, ...closed] })[0]).toMatchObject({
      code: 'REDIRECT_URL_REFUSED',
      title: expect.stringContaining('probably') as string,
      question: { about: 8 },
    });
    expect(faults({ happened: [...closed, ...closed] }, { answers: new Map([[8, false]]) })).toEqual(['POPUP_CLOSED']);
    expect(faults({ happened: [...closed, ...login, ...closed, ...closed] })).toEqual(['POPUP_CLOSED']);
    expect(
      faults({ happened: [started(), popup('opened'), popup('closed'), authEvent('auth.fail', 'LOGIN_TIMEOUT')] }),
    ).toEqual(['REDIRECT_URL_REFUSED']);
  });

  it('with an invalid, refused, or foreign redirectUrl', () => {
    expect(faults({ happened: [started({ redirectUrl: `${APP}/done#…` }), ...closed.slice(1)] })).toEqual([
      'REDIRECT_URL_REFUSED',
    ]);
    expect(
      faults({
        happened: [
          started(),
          popup('opened'),
          popup('closed'),
          callback(['error', 'state'], 'redirect_uri_mismatch'),
          stateChecked(),
          authEvent('auth.fail', 'LOGIN_REFUSED'),
        ],
      }),
    ).toEqual(['REDIRECT_URL_REFUSED']);
    expect(faults({ happened: refusedLogin(400, 'invalid_grant', 'redirect_uri does not match') })).toEqual([
      'REDIRECT_URL_REFUSED',
    ]);
    expect(
      faults({
        configuration: { ...CODE, grantData: { redirect_uri: 'https://other.example' } },
        happened: refusedLogin(400, 'invalid_grant'),
      }),
    ).toEqual(['REDIRECT_URL_REFUSED']);
    expect(
      faults({ happened: [started({ redirectUrl: 'https://elsewhere.example/done' }), ...closed.slice(1)] }),
    ).toEqual(['REDIRECT_URL_ELSEWHERE']);
    expect(
      faults({
        happened: [started({ redirectUrl: 'https://platform.example/v1/auth/sso-callback' }), ...closed.slice(1)],
      }),
    ).toEqual(['POPUP_CLOSED']);
  });

  it.each([
    ['nothing', [], 'no parameters'],
    ['no state', ['code'], 'didn’t return the state'],
    ['two states', ['code', 'state', 'state'], 'more than one state'],
    ['another state', ['code', 'state'], 'another login'],
  ])('whose callback has %s', (_, parameters, cause) => {
    const [finding] = findings({
      happened: [
        started(),
        popup('opened'),
        popup('closed'),
        callback(parameters),
        stateChecked(false),
        authEvent('auth.fail', 'STATE_MISMATCH'),
      ],
    });
    expect(finding).toMatchObject({
      code: 'STATE_MISMATCH',
      cause: expect.stringContaining(cause) as string,
      evidence: [{ entry: 4 }],
    });
  });

  it.each([
    ['access_denied', 'LOGIN_DENIED'],
    ['unsupported_response_type', 'GRANT_TYPE_REFUSED'],
    ['invalid_scope', 'SCOPE_NOT_GRANTED'],
    ['server_error', 'SERVICE_FAILED'],
    ['invalid_request', 'LOGIN_REFUSED'],
  ])('that the service refused with %s, as %s with its description', (error, code) => {
    const [finding] = findings({
      happened: [
        started(),
        popup('opened'),
        popup('closed'),
        callback(['error', 'state'], error, 'Its own words'),
        stateChecked(),
        authEvent('auth.fail', 'LOGIN_REFUSED'),
      ],
    });
    expect(finding!.code).toBe(code);
    expect(finding!.evidence[0]).toEqual({ text: `The service responded with “${error}”: “Its own words”.`, entry: 4 });
  });

  it('whose redirect page had no response when it was closed', () => {
    const happened = [started(), popup('opened'), popup('closed'), authEvent('auth.fail', 'CALLBACK_INVALID')];
    expect(findings({ happened })[0]).toMatchObject({
      code: 'CALLBACK_INVALID',
      title: 'The callback has no code',
      evidence: [{ text: 'The callback has no parameters.' }],
    });
  });

  it.each([
    ['ISSUER_MISMATCH', 'ISSUER_MISMATCH', ['code', 'state', 'iss']],
    ['CALLBACK_INVALID', 'CALLBACK_INVALID', ['code', 'code', 'state']],
  ])('that ended with %s', (code, expected, parameters) => {
    expect(
      faults({
        happened: [
          started(),
          popup('opened'),
          popup('closed'),
          callback(parameters),
          stateChecked(),
          authEvent('auth.fail', code),
        ],
      }),
    ).toEqual([expected]);
  });

  it('with an error of another issuer, and says which error', () => {
    const happened = [
      started(),
      popup('opened'),
      popup('closed'),
      callback(['error', 'state', 'iss'], 'access_denied'),
      stateChecked(),
      authEvent('auth.fail', 'ISSUER_MISMATCH'),
    ];
    const [finding] = findings({ happened });
    expect(finding!.code).toBe('ISSUER_MISMATCH');
    expect(finding!.evidence).toContainEqual({ text: 'The callback reports “access_denied”.', entry: 4 });
  });

  it('that ended before its first event', () => {
    expect(faults({ happened: [started(), authEvent('auth.fail', 'PAGE_INSECURE')] })).toEqual(['PAGE_INSECURE']);
    expect(faults({ happened: [started(), authEvent('auth.fail', 'SOMETHING_NEW')] })).toEqual(['LOGIN_REFUSED']);
  });

  it('of another library, from recorded calls', () => {
    const wrapped = (happened: EntryDetail[]): World => ({ happened, page: { tracing: 'wrapped' } });
    const settled = (code: string | null): EntryDetail => ({
      kind: 'settled',
      call: 'login',
      code,
      message: null,
      milliseconds: 5,
    });
    expect(faults(wrapped([started({ pkce: null }), popup('blocked'), settled('FAILED')]))).toEqual(['POPUP_BLOCKED']);
    expect(
      faults(wrapped([started({ pkce: null }), popup('opened'), popup('closed'), settled('popup_closed_by_user')])),
    ).toEqual(['POPUP_CLOSED']);
    expect(
      faults(
        wrapped([
          started({ pkce: null }),
          popup('opened'),
          requested(),
          refusedToken(401, null),
          popup('closed'),
          settled('FAILED'),
        ]),
      ),
    ).toEqual(['CLIENT_REFUSED']);
    expect(faults(wrapped([started({ pkce: null }), popup('opened'), popup('closed'), settled(null)]))).toEqual([]);
  });
});

describe('The doctor finds a token request', () => {
  it.each<[string, number, string | null, string | null, string, string]>([
    ['401', 401, null, null, 'TOKEN_REFUSED', 'CLIENT_REFUSED'],
    ['invalid_client', 400, 'invalid_client', null, 'TOKEN_REFUSED', 'CLIENT_REFUSED'],
    ['a code that was used', 400, 'invalid_grant', 'The code was used already.', 'TOKEN_REFUSED', 'CODE_USED'],
    ['an error in a 200', 200, 'bad_verification_code', null, 'TOKEN_REFUSED', 'CODE_USED'],
    ['another verifier', 400, 'invalid_grant', 'PKCE verification failed', 'TOKEN_REFUSED', 'PKCE_REFUSED'],
    ['a grant that it does not do', 400, 'unsupported_grant_type', null, 'TOKEN_REFUSED', 'GRANT_TYPE_REFUSED'],
    ['a page of HTML', 404, null, null, 'TOKEN_INVALID', 'GRANT_URL_WRONG'],
    ['an error of an API', 404, 'not_found', null, 'TOKEN_REFUSED', 'GRANT_URL_WRONG'],
    ['a bad gateway', 502, null, null, 'TOKEN_INVALID', 'SERVICE_FAILED'],
    ['a locked record', 423, null, null, 'TOKEN_INVALID', 'SERVICE_FAILED'],
    ['a limit in a 200', 200, 'ratelimited', null, 'TOKEN_REFUSED', 'SERVICE_FAILED'],
    ['an unknown code', 400, 'odd', null, 'TOKEN_REFUSED', 'TOKEN_REFUSED'],
  ])('with the response %s', (_, status, error, description, code, expected) => {
    const [finding] = findings({ happened: refusedLogin(status, error, description, code) });
    expect(finding).toMatchObject({
      code: expected,
      evidence: expect.arrayContaining([expect.objectContaining({ entry: 7 })]) as unknown,
    });
  });

  it('with an empty secret, and shows only the length of others', () => {
    expect(
      findings({ configuration: { ...CODE, clientSecret: '' }, happened: refusedLogin(401, 'invalid_client') })[0]!
        .cause,
    ).toContain('clientSecret is empty');
    expect(findings({ happened: refusedLogin(401, 'invalid_client') })[0]!.evidence).toContainEqual({
      text: 'clientSecret has 16 characters.',
    });
  });

  it('and suggests the token endpoint of the discovery document', () => {
    const document = checked('https://id.example/.well-known/openid-configuration', 'cors', {
      answered: true,
      status: 200,
      json: {
        authorization_endpoint: CODE.authUrl,
        token_endpoint: 'https://id.example/real-token',
        response_types_supported: ['code'],
      },
    });
    expect(
      findings({ happened: refusedLogin(404, null, null, 'TOKEN_INVALID') }, { checked: [document] })[0],
    ).toMatchObject({ code: 'GRANT_URL_WRONG', snippet: 'grantUrl: "https://id.example/real-token",' });
  });

  it.each<[string, number, string | null, string]>([
    ['a limit', 429, 'slow_down', 'SERVICE_FAILED'],
    ['a page of a proxy', 400, null, 'GRANT_URL_WRONG'],
    ['a refused client', 401, 'invalid_client', 'CLIENT_REFUSED'],
    ['a refused grant type', 400, 'unauthorized_client', 'TOKEN_REFUSED'],
    ['a code of the service’s own', 400, 'odd', 'TOKEN_REFUSED'],
  ])('that refreshes and gets %s, which isn’t a refusal of the refresh token', (_what, status, error, expected) => {
    const happened = [...login, requested('refresh_token'), refusedToken(status, error)];
    const [finding] = findings({ session: session(), happened });
    expect(finding).toMatchObject({ code: expected });
    expect(finding!.fix).not.toMatch(/log in|grantData/i);
  });

  it('that refreshes and was refused', () => {
    const refreshed = (...happened: EntryDetail[]): World => ({
      happened: [...login, requested('refresh_token'), ...happened],
    });
    expect(
      faults(
        refreshed(
          refusedToken(400, 'invalid_grant'),
          { kind: 'session', change: 'removed', persistent: true },
          authEvent('auth.fail', 'REFRESH_REFUSED'),
        ),
      ),
    ).toEqual(['REFRESH_REFUSED']);
    expect(faults(refreshed(refusedToken(401, 'invalid_client'), authEvent('auth.fail', 'REFRESH_REFUSED')))).toEqual([
      'CLIENT_REFUSED',
    ]);
    expect(
      faults(
        refreshed(
          refusedToken(400, 'invalid_grant'),
          authEvent('auth.fail', 'REFRESH_REFUSED'),
          ...login.map((detail) => detail),
        ),
      ),
    ).toEqual([]);
    expect(
      faults({
        session: session(),
        happened: [
          ...login,
          ...call(1, `${API}/items`, null, 'NETWORK_FAILED').slice(0, 1),
          requested('refresh_token'),
          refusedToken(null as never, null, null, 'NETWORK_FAILED'),
          ...call(1, `${API}/items`, null, 'NETWORK_FAILED').slice(1),
        ],
      }),
    ).toEqual(['NETWORK_FAILED']);
  });
});

describe('The doctor finds a clock', () => {
  it.each([
    [59, []],
    [-59, []],
    [75, ['CLOCK_OFF']],
    [-600, ['CLOCK_OFF']],
    [null, []],
  ])('that is %s seconds ahead of the token endpoint', (clockAhead, expected) => {
    expect(
      faults(
        withSession({
          happened: [...toCallback, requested(), tokenResponse({ clockAhead }), stored, authEvent('auth.login')],
        }),
      ),
    ).toEqual(expected);
  });

  it('but not from a slow response or an old one', () => {
    expect(
      faults(
        withSession({
          happened: [
            ...toCallback,
            requested(),
            tokenResponse({ clockAhead: 65, milliseconds: 10_000 }),
            stored,
            authEvent('auth.login'),
          ],
        }),
      ),
    ).toEqual([]);
    expect(
      faults(
        withSession({
          happened: [
            ...toCallback,
            requested(),
            tokenResponse({ clockAhead: 300 }),
            stored,
            authEvent('auth.login'),
            requested('refresh_token'),
            tokenResponse(),
            stored,
          ],
        }),
      ),
    ).toEqual([]);
  });

  it('that is behind, from a token of the future and from a check', () => {
    const jwt = (iat: number) =>
      session({
        accessToken: {
          masked: 'ey…',
          length: 300,
          jwt: { header: remote({}), claims: remote({ iat }), problem: null },
        },
      });
    expect(faults(withSession({ session: jwt(NOW / 1000 + 300) }))).toEqual(['CLOCK_OFF']);
    expect(faults(withSession({ session: jwt(NOW / 1000 - 3_000) }))).toEqual([]);
    const at = (date: string) => checked(CODE.baseUrl, 'cors', { answered: true, status: 401, date });
    expect(faults(withSession(), { checked: [at('Fri, 20 Nov 2026 12:10:00 GMT')] })).toEqual(['CLOCK_OFF']);
    expect(faults(withSession(), { checked: [at('Fri, 20 Nov 2026 12:00:30 GMT')] })).toEqual([]);
  });
});

describe('The doctor finds a session', () => {
  const expired = { expires: NOW / 1000 - 5 };
  const loginWith = ({ refreshable }: { refreshable: boolean }): EntryDetail[] =>
    login.map((entry) =>
      entry.kind === 'token-answered' && entry.token ? { ...entry, token: { ...entry.token, refreshable } } : entry,
    );

  it.each<[string, World, string]>([
    [
      'has a refresh token, and refresh is not set',
      { configuration: { ...CODE, refresh: undefined }, session: session(expired) },
      'refresh option isn’t true',
    ],
    [
      'has none of the implicit flow',
      { configuration: IMPLICIT, session: session({ ...expired, refreshToken: null }) },
      'implicit flow',
    ],
    ['has none, though refresh is set', { session: session({ ...expired, refreshToken: null }) }, 'offline_access'],
    [
      'has none, and refresh is not set',
      { configuration: { ...CODE, refresh: false }, session: session({ ...expired, refreshToken: null }) },
      'the library reports no refresh token',
    ],
    [
      'got none with the login',
      { session: session({ ...expired, refreshToken: null }), happened: loginWith({ refreshable: false }) },
      'the service sent no refresh token',
    ],
    [
      'got one with the login that the library keeps to itself',
      { session: session({ ...expired, refreshToken: null }), happened: loginWith({ refreshable: true }) },
      'Why it wasn’t used is unknown',
    ],
  ])('that expired and %s', (_, world, cause) => {
    const [finding] = findings(world);
    expect(finding).toMatchObject({
      code: 'SESSION_EXPIRED',
      severity: 'warning',
      cause: expect.stringContaining(cause) as string,
    });
  });

  it('that expired before a call, as one error', () => {
    const its = session({ expires: NOW / 1000 - 300, refreshToken: null });
    expect(
      findings({ configuration: IMPLICIT, session: its, happened: call(1, `${API}/items`, 401, 'SESSION_EXPIRED') })
        .filter(({ severity }) => severity === 'error')
        .map(({ code }) => code),
    ).toEqual(['SESSION_EXPIRED']);
  });

  it('with fewer scopes than requested', () => {
    expect(findings(withSession({ session: session({ scope: 'read' }) }))[0]).toMatchObject({
      code: 'SCOPE_NOT_GRANTED',
      severity: 'warning',
      title: 'Scopes not granted: “write”',
    });
    expect(
      findings(
        withSession({
          session: session({ scope: 'read' }),
          happened: [...login, ...call(1, `${API}/items`, 403, 'API_REFUSED', 'POST')],
        }),
      ).map(({ code, severity }) => [code, severity]),
    ).toEqual([
      ['SCOPE_NOT_GRANTED', 'error'],
      ['SECRET_IN_PAGE', 'advice'],
    ]);
    const [none] = findings(withSession({ session: session({ scope: '' }) }));
    expect(none).toMatchObject({ code: 'SCOPE_NOT_GRANTED', title: 'Scopes not granted: “read”, “write”' });
    expect(none!.evidence[1]!.text).toBe('The service granted no scopes.');
  });

  it.each([
    ['read write', 'write read', []],
    ['read,write', 'READ,WRITE', []],
    ['openid email offline_access', 'https://www.googleapis.com/auth/userinfo.email', []],
    ['user:email repo', 'repo,user', []],
    ['read write', '', ['read', 'write']],
    [null, '', []],
    ['read write', null, []],
    ['read write', 'readwrite', ['read', 'write']],
    ['a.b (c)+', 'x', ['a.b', '(c)+']],
  ])('that requested %j, got %j, and lacks %j', (request, granted, missing) => {
    expect(notGranted(request, granted)).toEqual(missing);
  });

  it('that is only in memory', () => {
    expect(
      faults(
        withSession({
          happened: [...login.slice(0, -2), { ...stored, persistent: false } as EntryDetail, authEvent('auth.login')],
        }),
      ),
    ).toEqual(['STORAGE_BLOCKED']);
  });
});

describe('The doctor finds an API call', () => {
  const calls = (url: string, status: number | null, code: string | null, more: World = {}) =>
    withSession({ ...more, happened: [...login, ...call(1, url, status, code)] });

  it('whose path does not fit baseUrl', () => {
    expect(findings(calls(`${API}/v1/items`, 404, 'API_REFUSED'))[0]).toMatchObject({
      code: 'BASE_URL_JOIN',
      snippet: 'service.api("items")',
    });
    expect(faults(calls(`${API}/v1/items`, null, 'CORS_REFUSED'))).toEqual(['BASE_URL_JOIN']);
    expect(faults(calls(`${API}/v1/items`, 200, null))).toEqual([]);
    expect([
      faults(calls('https://api.example/items', 404, 'API_REFUSED')),
      faults(calls('https://api.example/items', null, 'CORS_REFUSED')),
    ]).toEqual([['BASE_URL_JOIN'], ['CORS_REFUSED']]);
  });

  it.each([
    ['https://a.example/api', 'https://a.example/api/api/items', 'items'],
    ['https://a.example/x/api/', 'https://a.example/x/api/x/api/items', 'items'],
    ['https://a.example/api', 'https://a.example/apiitems', null],
    ['https://a.example/api', 'https://a.example/api//items', null],
    ['https://a.example/api', 'https://a.example/items', 'items'],
    ['https://a.example/api?key=…', 'https://a.example/api?key=…', null],
    ['https://a.example?key=…', 'https://a.example/?key=…', null],
  ])('that joined %s wrongly to %s', (base, url, path) => {
    expect(joinFault(base, url)).toMatchObject({ path });
  });
  it.each([
    ['https://a.example/api', 'https://a.example/api/items'],
    ['https://a.example/', 'https://a.example/items/items'],
    ['https://a.example/api', 'https://b.example/api/api'],
    ['', 'https://a.example'],
    ['https://a.example/api', 'https://a.example/api/%2F%2Fitems'],
    ['https://a.example/api', 'https://a.example/api?q=…'],
    ['https://a.example/api?key=…', 'https://a.example/api/items?key=…'],
    ['https://a.example/api?key=…', 'https://a.example/api?key=…&q=…'],
  ])('but not one that joined %s rightly to %s', (base, url) => {
    expect(joinFault(base, url)).toBeNull();
  });

  it('that sent the token to a foreign host', () => {
    expect(findings(calls('https://evil.example.net/collect?q=…', 200, null))[0]).toMatchObject({
      code: 'TOKEN_TO_FOREIGN_HOST',
      severity: 'error',
      title: 'The token was probably sent to evil.example.net',
      evidence: [{ entry: 10 }, {}],
    });
    // The browser asks a host first, which may have refused. Then the token wasn’t sent.
    expect(findings(calls('https://cdn.other.test/x', null, 'CORS_REFUSED'))[0]).toMatchObject({
      code: 'TOKEN_TO_FOREIGN_HOST',
      severity: 'warning',
      title: 'The token may have been sent to cdn.other.test',
    });
    expect(faults(calls('http://evil.test/x', null, 'URL_INSECURE'))).toEqual(['URL_INSECURE']);
    const google = {
      ...CODE,
      authUrl: 'https://accounts.google.com/o/oauth2/auth',
      grantUrl: 'https://oauth2.googleapis.com/token',
      baseUrl: undefined,
    };
    expect(faults(calls('https://sheets.googleapis.com/v4/x', 200, null, { configuration: google }))).toEqual([]);
    const local = {
      ...CODE,
      baseUrl: 'http://localhost:4401/api',
      authUrl: 'http://localhost:4401/a',
      grantUrl: 'http://localhost:4401/t',
    };
    expect(faults(calls('http://localhost:4402/api', 200, null, { configuration: local }))).toEqual([
      'TOKEN_TO_FOREIGN_HOST',
    ]);
    expect(
      faults(
        calls('https://shop.co.uk/x', 200, null, { configuration: { ...CODE, baseUrl: 'https://bank.co.uk/api' } }),
      ),
    ).toEqual(['TOKEN_TO_FOREIGN_HOST']);
  });

  it.each<[string, number | null, string, string]>([
    ['without a session', null, 'NOT_LOGGED_IN', 'NOT_LOGGED_IN'],
    ['without baseUrl', null, 'PATH_RELATIVE', 'BASE_URL_MISSING'],
    ['too late', null, 'REQUEST_TIMEOUT', 'REQUEST_TIMEOUT'],
    ['by the proxy', 502, 'PROXY_FAILED', 'PROXY_FAILED'],
    ['out of reach', null, 'NETWORK_FAILED', 'NETWORK_FAILED'],
    ['across origins', null, 'CORS_REFUSED', 'CORS_REFUSED'],
    ['with 401', 401, 'API_REFUSED', 'TOKEN_REJECTED'],
    ['with 403', 403, 'API_REFUSED', 'API_FORBIDDEN'],
    ['with 502', 502, 'API_REFUSED', 'SERVICE_FAILED'],
    ['by an answer in pieces', 200, 'ANSWER_INVALID', 'ANSWER_INVALID'],
  ])('that was refused %s', (_, status, code, expected) => {
    expect(
      faults({ session: code === 'NOT_LOGGED_IN' ? null : session(), happened: call(1, `${API}/items`, status, code) }),
    ).toEqual([expected]);
  });

  it('as one finding for many URLs with the same problem', () => {
    const [finding] = findings(
      withSession({
        happened: [
          ...login,
          ...call(1, `${API}/a`, 401, 'API_REFUSED'),
          ...call(2, `${API}/b`, 401, 'API_REFUSED'),
          ...call(3, `${API}/c`, 401, 'API_REFUSED'),
        ],
      }),
    );
    expect(finding).toMatchObject({
      code: 'TOKEN_REJECTED',
      evidence: expect.arrayContaining([{ text: 'The same problem affects 3 URLs.' }]) as unknown,
    });
  });

  it('that the page’s policy blocks', () => {
    const happened: EntryDetail[] = [
      ...login,
      call(1, `${API}/items`, null, 'NETWORK_FAILED')[0]!,
      { kind: 'csp', directive: 'connect-src', blocked: `${API}/items` },
      call(1, `${API}/items`, null, 'NETWORK_FAILED')[1]!,
    ];
    expect(findings(withSession({ happened }))[0]).toMatchObject({
      code: 'CSP_BLOCKED',
      snippet: "connect-src 'self' https://api.example",
    });
    expect(
      faults(
        withSession({
          happened: happened.map((each) =>
            each.kind === 'csp' ? { ...each, blocked: 'https://elsewhere.example/' } : each,
          ),
        }),
      ),
    ).toEqual(['NETWORK_FAILED']);
  });
});

describe('A check', () => {
  const url = `${API}/items`;
  const failing = (code: string): World => withSession({ happened: [...login, ...call(1, url, null, code)] });
  const ask = (code: string, alive: boolean | null, readable: boolean | null) =>
    faults(failing(code), {
      checked: [
        ...(alive === null ? [] : [checked(url, 'no-cors', { answered: alive })]),
        ...(readable === null ? [] : [checked(url, 'cors', { answered: readable, status: 401 })]),
      ],
    });

  it('distinguishes a CORS refusal from an unreachable host', () => {
    expect(findings(failing('CORS_REFUSED'))[0]!.probes).toEqual([
      { url, mode: 'no-cors' },
      { url, mode: 'cors' },
    ]);
    expect([
      ask('NETWORK_FAILED', true, false),
      ask('CORS_REFUSED', false, false),
      ask('TypeError', true, false),
      ask('TypeError', null, null),
    ]).toEqual([['CORS_REFUSED'], ['NETWORK_FAILED'], ['CORS_REFUSED'], ['NETWORK_FAILED']]);
    expect(
      findings(failing('CORS_REFUSED'), {
        checked: [checked(url, 'no-cors', { answered: true }), checked(url, 'cors', { answered: true, status: 401 })],
      })[0],
    ).toMatchObject({ code: 'CORS_REFUSED', cause: expect.stringContaining('Authorization') as string, probes: [] });
  });

  it('does not count when it is older than the failed call', () => {
    const before = findings(failing('NETWORK_FAILED'), {
      checked: [checked(url, 'no-cors', { answered: true }, NOW - 120_000)],
    })[0]!;
    expect(before.code).toBe('NETWORK_FAILED');
    expect(before.probes).toEqual([
      { url, mode: 'no-cors' },
      { url, mode: 'cors' },
    ]);
  });

  it('finds that the service offers codes and accepts clients without a secret', () => {
    const document = checked('https://id.example/.well-known/oauth-authorization-server', 'cors', {
      answered: true,
      status: 200,
      json: {
        authorization_endpoint: CODE.authUrl,
        token_endpoint: CODE.grantUrl,
        response_types_supported: ['token', 'code'],
        grant_types_supported: ['refresh_token'],
        token_endpoint_auth_methods_supported: ['none'],
      },
    });
    expect(findings({ configuration: IMPLICIT }, { checked: [document] })[0]).toMatchObject({
      code: 'IMPLICIT_FLOW',
      severity: 'warning',
      snippet: 'grantType: "code",\ngrantUrl: "https://id.example/oauth/token",\nrefresh: true,',
    });
    expect(findings({}, { checked: [document] }).map(({ code, severity }) => [code, severity])).toEqual([
      ['SECRET_IN_PAGE', 'warning'],
    ]);
    expect(
      findings({ configuration: { ...IMPLICIT, grantUrl: CODE.grantUrl } }).map(({ code, severity }) => [
        code,
        severity,
      ]),
    ).toEqual([
      ['IMPLICIT_FLOW', 'advice'],
      ['SECRET_IN_PAGE', 'advice'],
    ]);
    expect(
      findings(
        { configuration: IMPLICIT },
        {
          checked: [
            checked('https://id.example/.well-known/openid-configuration', 'cors', {
              answered: true,
              json: { authorization_endpoint: 'x', response_types_supported: ['token'] },
            }),
          ],
        },
      ).map(({ code }) => code),
    ).toEqual(['SECRET_IN_PAGE']);
  });
});

describe('The doctor, for arbitrary events of a page,', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    fc.constantFrom(
      '<img src=x onerror=alert(1)>',
      '</script><script>',
      '__proto__',
      'constructor',
      'https://[',
      'javascript:alert(1)',
      '//',
      '#',
      '(((',
      '',
    ),
  );
  const number = fc.option(fc.oneof(fc.integer(), fc.double()), { nil: null });
  const detail = fc.oneof(
    fc.record({
      kind: fc.constant('login-started'),
      grantType: text,
      pkce: fc.constant(null),
      authUrl: text,
      redirectUrl: text,
      scope: fc.option(text, { nil: null }),
      shared: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('popup'), state: fc.constantFrom('opened', 'blocked', 'closed', 'odd') }),
    fc.record({
      kind: fc.constant('callback'),
      origin: text,
      parameters: fc.array(text),
      error: fc.option(text, { nil: null }),
      description: fc.option(text, { nil: null }),
    }),
    fc.record({ kind: fc.constant('state-checked'), matches: fc.boolean() }),
    fc.record({
      kind: fc.constant('token-requested'),
      grant: fc.constantFrom('authorization_code', 'refresh_token'),
      url: text,
      proxy: fc.boolean(),
      reason: text,
    }),
    fc.record({
      kind: fc.constant('token-answered'),
      status: number,
      milliseconds: fc.double(),
      code: fc.option(fc.oneof(text, fc.constantFrom('TOKEN_REFUSED', 'TOKEN_INVALID', 'CORS_REFUSED')), { nil: null }),
      error: fc.option(text, { nil: null }),
      description: fc.option(text, { nil: null }),
      clockAhead: number,
      token: fc.constant(null),
    }),
    fc.record({
      kind: fc.constant('event'),
      name: fc.constantFrom('auth.login', 'auth.fail', 'auth.logout'),
      code: fc.option(text, { nil: null }),
    }),
    fc.record({
      kind: fc.constant('api-started'),
      call: fc.integer({ min: 1, max: 3 }),
      method: text,
      url: text,
      proxy: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('api-ended'),
      call: fc.integer({ min: 1, max: 3 }),
      status: number,
      milliseconds: fc.double(),
      bytes: number,
      code: fc.option(fc.oneof(text, fc.constantFrom('API_REFUSED', 'CORS_REFUSED', 'PATH_RELATIVE')), { nil: null }),
      headers: fc.option(fc.array(text), { nil: null }),
    }),
    fc.record({
      kind: fc.constant('refused'),
      call: fc.constant('configure'),
      code: fc.option(fc.constantFrom('OPTION_MISSING', 'OPTION_UNKNOWN', 'OPTION_INVALID'), { nil: null }),
      message: text,
      option: fc.option(text, { nil: null }),
    }),
    fc.record({ kind: fc.constant('csp'), directive: text, blocked: text }),
  );

  it('never throws, and returns short texts', () => {
    fc.assert(
      fc.property(
        text,
        fc.dictionary(text, text),
        fc.array(detail, { maxLength: 12 }),
        fc.option(text, { nil: null }),
        (name, configuration, happened, scope) => {
          const world = stateOf({
            name,
            configuration: { ...CODE, ...configuration },
            session: session({ scope }),
            happened: happened as EntryDetail[],
          });
          for (const finding of diagnose(world)) {
            expect(
              Object.values(finding)
                .flat()
                .map((value) => (typeof value === 'object' ? (value.text ?? value.url) : value))
                .every((value) => typeof value === 'string' && value.length < 3_000),
            ).toBe(true);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('escapes code that can be pasted into markup', () => {
    const [finding] = findings({
      configuration: { ...CODE, clientSecret: '</script><script>alert(1)' },
      page: { tracing: 'wrapped' },
      happened: [...login, ...call(1, `${API}/v1/</script><img src=x>`, 404, 'API_REFUSED')],
      session: session(),
    });
    expect(finding).toMatchObject({ code: 'BASE_URL_JOIN' });
    expect(finding!.snippet).not.toContain('<');
  });
});
