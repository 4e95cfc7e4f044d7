/** Tests each fault of the demo services: it applies once, and the next request works again. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FAULTS } from '../../lib/local-platform/oauth-demo/fault-menu.ts';
import type { FaultState } from '../../lib/local-platform/oauth-demo/faults.ts';
import { askToken, authorizeUrl, createOAuthBrowser, tokensOf, type TokenAnswer } from './support/oauth-browser.ts';
import { start, type TestPlatform } from './support/platform.ts';

let platform: TestPlatform;
let code: string;
let implicit: string;
let redirectUri: string;
const MEGABYTE = 1024 * 1024;

beforeAll(async () => {
  platform = await start({ oauthDemoPort: 0 });
  ({ code, implicit } = platform.oauthDemo!);
  redirectUri = `${platform.baseUrl}/v1/auth/sso-callback`;
});
afterAll(() => platform.close());

const order = (service: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${service}/faults`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const state = async (service: string): Promise<FaultState> =>
  (await (await fetch(`${service}/faults`)).json()) as FaultState;
const tested = new Set<string>();
async function arm(service: string, next: string, more: object = {}): Promise<void> {
  tested.add(next);
  const response = await order(service, { next, ...more });
  if (response.status !== 200) throw new Error(await response.text());
}
afterEach(async () => {
  for (const service of [code, implicit]) expect((await state(service)).next).toEqual([]);
});

/** The parameters of the callback. */
async function callback(
  service: string,
  responseType: 'code' | 'token' = 'code',
): Promise<URLSearchParams & { url: URL }> {
  const { callback: url } = await createOAuthBrowser(service).logIn(
    authorizeUrl(service, { redirectUri, responseType }),
  );
  return Object.assign(new URLSearchParams(url!.hash.slice(1) || url!.search), { url: url! });
}
/** The token endpoint's response to a new code. */
async function exchange(
  service: string,
): Promise<{ status: number; headers: Headers; text: string; token: TokenAnswer }> {
  const { callback: url } = await createOAuthBrowser(service).logIn(authorizeUrl(service, { redirectUri }));
  const { response, text } = await askToken(
    service,
    { grant_type: 'authorization_code', code: url!.searchParams.get('code')!, redirect_uri: redirectUri },
    { Origin: platform.baseUrl },
  );
  return {
    status: response.status,
    headers: response.headers,
    text,
    get token() {
      return JSON.parse(text) as TokenAnswer;
    },
  };
}
const profile = (service: string, token: string): Promise<Response> =>
  fetch(`${service}/api/profile`, { headers: { Authorization: `Bearer ${token}`, Origin: platform.baseUrl } });

describe('A fault of the redirect', () => {
  const services = (): [string, 'code' | 'token'][] => [
    [code, 'code'],
    [implicit, 'token'],
    [implicit, 'code'],
  ];

  it.each<[string, (params: URLSearchParams, type: 'code' | 'token') => void]>([
    ['wrong-state', (answered) => expect(answered.get('state')).toBe('somebody-elses')],
    ['no-state', (answered) => expect(answered.get('state')).toBeNull()],
    [
      'two-codes',
      (answered, type) =>
        expect(answered.getAll(type === 'code' ? 'code' : 'access_token')).toEqual([
          expect.stringMatching(/./),
          'another',
        ]),
    ],
    ['empty-callback', (answered) => expect([...answered]).toEqual([])],
    [
      'access-denied',
      (answered) =>
        expect({
          error: answered.get('error'),
          state: answered.get('state'),
          code: answered.get('code'),
          accessToken: answered.get('access_token'),
        }).toEqual({ error: 'access_denied', state: 'a-state-of-mine', code: null, accessToken: null }),
    ],
    ['markup-error', (answered) => expect(answered.get('error_description')).toContain('<script>')],
    [
      'long-error',
      (answered) =>
        expect({
          error: answered.get('error'),
          state: answered.get('state'),
          errorDescriptionLength: answered.get('error_description')!.length,
        }).toEqual({ error: 'server_error', state: 'a-state-of-mine', errorDescriptionLength: MEGABYTE }),
    ],
  ])('changes the callback: %s', async (name, check) => {
    for (const [service, type] of services()) {
      await arm(service, name);
      const answered = await callback(service, type);
      check(answered, type);
      const well = await callback(service, type);
      if (answered.has('error')) expect(answered.get('iss')).toBe(well.get('iss'));
      expect([well.get('state'), well.has('error')]).toEqual(['a-state-of-mine', false]);
    }
  });

  it('stays on the page of the service: redirect-refused', async () => {
    await arm(code, 'redirect-refused');
    const { callback: url, page } = await createOAuthBrowser(code).visit(authorizeUrl(code, { redirectUri }));
    expect({ url, status: page!.status }).toEqual({ url: null, status: 400 });
  });
});

describe('A fault of the token’s fields', () => {
  it.each<[string, unknown]>([
    ['expires-in-zero', 0],
    ['expires-in-negative', -60],
    ['expires-in-digits', '600'],
    ['expires-in-text', 'soon'],
    ['expires-in-absent', undefined],
  ])('applies to the token response and the fragment: %s', async (name, lifetime) => {
    for (const service of [code, implicit]) {
      await arm(service, name, { at: 'token' });
      expect((await exchange(service)).token.expires_in).toBe(lifetime);
    }
    await arm(implicit, name);
    expect((await callback(implicit, 'token')).get('expires_in')).toBe(
      lifetime === undefined ? null : String(lifetime),
    );
  });

  it('changes the access token: long-token, no-token', async () => {
    await arm(code, 'long-token');
    expect((await exchange(code)).token.access_token).toHaveLength(MEGABYTE);
    await arm(code, 'no-token', { at: 'token' });
    expect((await exchange(code)).token).toEqual({
      expires_in: 600,
      refresh_token: expect.any(String),
      scope: 'profile items.read items.write',
      token_type: 'Bearer',
    });
  });
});

describe.each(['code', 'implicit'] as const)('A fault of the token endpoint of demo-%s', (kind) => {
  const at = (): string => platform.oauthDemo![kind];

  it('form-encoded', async () => {
    await arm(at(), 'form-encoded');
    const { headers, text } = await exchange(at());
    expect({
      contentType: headers.get('content-type'),
      expiresIn: new URLSearchParams(text).get('expires_in'),
    }).toEqual({ contentType: 'application/x-www-form-urlencoded', expiresIn: '600' });
  });

  it.each([
    ['error-in-200', 200, 'bad_verification_code'],
    ['code-used', 400, 'invalid_grant'],
    ['client-refused', 401, 'invalid_client'],
    ['long-token-error', 400, 'invalid_request'],
  ])('%s responds with %i and %s, readable across origins', async (name, status, error) => {
    await arm(at(), name);
    const response = await exchange(at());
    expect({
      status: response.status,
      error: response.token.error,
      accessControlAllowOrigin: response.headers.get('access-control-allow-origin'),
    }).toEqual({ status, error, accessControlAllowOrigin: platform.baseUrl });
    expect(response.token.error_description!.length > MEGABYTE).toBe(name === 'long-token-error');
  });

  it('refused-refresh leaves the access token valid', async () => {
    const { access_token: token, refresh_token: renewal } = await tokensOf(at(), redirectUri);
    await arm(at(), 'refused-refresh');
    const { response, text } = await askToken(at(), { grant_type: 'refresh_token', refresh_token: renewal! });
    expect([response.status, JSON.parse(text)]).toMatchObject([400, { error: 'invalid_grant' }]);
    expect((await profile(at(), token)).status).toBe(200);
  });

  it('expired-token makes the API respond with 401 until a refresh', async () => {
    const { access_token: token, refresh_token: renewal } = await tokensOf(at(), redirectUri);
    await arm(at(), 'expired-token');
    expect((await profile(at(), token)).status).toBe(401);
    const { text } = await askToken(at(), { grant_type: 'refresh_token', refresh_token: renewal! });
    expect((await profile(at(), (JSON.parse(text) as TokenAnswer).access_token)).status).toBe(200);
  });

  it('revoked-session ends tokens and refresh, and shows the login page again', async () => {
    const browser = createOAuthBrowser(at());
    const url = authorizeUrl(at(), { redirectUri });
    await browser.logIn(url);
    const { access_token: token, refresh_token: renewal } = await tokensOf(at(), redirectUri);
    await arm(at(), 'revoked-session');
    expect((await profile(at(), token)).status).toBe(401);
    expect((await askToken(at(), { grant_type: 'refresh_token', refresh_token: renewal! })).response.status).toBe(400);
    expect((await browser.visit(url)).page!.text).toContain('id="allow"');
  });
});

describe.each(['token', 'api'] as const)('A fault of any response of the %s endpoint', (at) => {
  let token: string;
  beforeAll(async () => {
    token = (await tokensOf(code, redirectUri)).access_token;
  });
  /** One exchange that reaches the fault. */
  async function ask(): Promise<{ status: number; headers: Headers; text: string }> {
    if (at === 'token') return exchange(code);
    const response = await profile(code, token);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  it('slow', async () => {
    const before = performance.now();
    await arm(code, 'slow', { at, ms: 300 });
    expect((await ask()).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThan(290);
  });

  it('no-cors, including preflight requests', async () => {
    await arm(code, 'no-cors', { at });
    expect((await ask()).headers.get('access-control-allow-origin')).toBeNull();
    expect((await ask()).headers.get('access-control-allow-origin')).toBe(platform.baseUrl);
    const preflight = (): Promise<Response> =>
      fetch(`${code}/${at === 'token' ? 'token' : 'api/profile'}`, {
        method: 'OPTIONS',
        headers: { Origin: platform.baseUrl, 'Access-Control-Request-Method': 'POST' },
      });
    await arm(code, 'no-cors', { at });
    expect((await preflight()).headers.get('access-control-allow-origin')).toBeNull();
    expect((await preflight()).headers.get('access-control-allow-origin')).toBe(platform.baseUrl);
  });

  it('malformed', async () => {
    await arm(code, 'malformed', { at });
    const { headers, text } = await ask();
    expect(headers.get('content-type')).toMatch('application/json');
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  });

  it('html-error', async () => {
    await arm(code, 'html-error', { at });
    const { status, headers, text } = await ask();
    expect({
      status,
      contentType: headers.get('content-type'),
      accessControlAllowOrigin: headers.get('access-control-allow-origin'),
    }).toEqual({ status: 502, contentType: 'text/html', accessControlAllowOrigin: platform.baseUrl });
    expect(text).toContain('<h1>Bad Gateway</h1>');
  });

  it('cut-off', async () => {
    await arm(code, 'cut-off', { at });
    await expect(ask()).rejects.toThrow('fetch failed');
  });

  it('clock-ahead', async () => {
    await arm(code, 'clock-ahead', { at });
    const ahead = Date.parse((await ask()).headers.get('date')!) - Date.now();
    expect(Math.round(ahead / 60_000)).toBe(10);
  });
});

describe('The list of faults', () => {
  it('has no fault without a test', () => {
    expect([...tested].sort()).toEqual(Object.keys(FAULTS).sort());
  });

  it('counts how often a fault applies, lists applied ones, and clears', async () => {
    const { access_token: token } = await tokensOf(code, redirectUri);
    const armed = (await (await order(code, { next: 'html-error', times: 3, at: 'api' })).json()) as FaultState;
    expect(armed.next).toEqual([{ name: 'html-error', times: 3, at: ['api'] }]);
    expect([
      (await profile(code, token)).status,
      (await exchange(code)).status,
      (await profile(code, token)).status,
    ]).toEqual([502, 200, 502]);
    expect(await state(code)).toMatchObject({ next: [{ name: 'html-error', times: 1 }] });
    expect((await state(code)).struck.slice(-2)).toMatchObject([
      { name: 'html-error', at: 'api' },
      { name: 'html-error', at: 'api' },
    ]);
    await order(code, { next: null });
    expect((await profile(code, token)).status).toBe(200);
  });

  it('does not affect the other service', async () => {
    await order(code, { next: 'access-denied' });
    expect((await state(implicit)).next).toEqual([]);
    await order(code, { next: null });
  });

  it.each([
    {},
    { next: 'no-such' },
    { next: '__proto__' },
    { next: 'slow', times: 0 },
    { next: 'slow', at: 'moon' },
    { next: 'slow', at: 'redirect' },
  ])('refuses %j', async (body) => {
    const response = await order(code, body);
    expect({ status: response.status, json: await response.json() }).toMatchObject({
      status: 422,
      json: { error: 'invalid_request' },
    });
  });

  it('refuses pages of other origins', async () => {
    expect((await order(code, { next: 'slow' }, { Origin: 'https://evil.example' })).status).toBe(403);
    expect(
      (await order(code, { next: null }, { Origin: platform.baseUrl })).headers.get('access-control-allow-origin'),
    ).toBe(platform.baseUrl);
  });

  it('is a page with buttons in a browser', async () => {
    const show = async (): Promise<string> =>
      (await fetch(`${code}/faults`, { headers: { Accept: 'text/html' } })).text();
    expect([...(await show()).matchAll(/<button name="next" value="([^"]+)"/g)].map((match) => match[1])).toEqual(
      Object.keys(FAULTS),
    );
    const pressed = await fetch(`${code}/faults`, {
      method: 'POST',
      headers: { Accept: 'text/html', Origin: code },
      body: new URLSearchParams({ next: 'slow' }),
    });
    expect({ url: pressed.url, text: await pressed.text() }).toEqual({
      url: `${code}/faults`,
      text: expect.stringContaining('Next: slow.'),
    });
    await fetch(`${code}/faults`, { method: 'POST', body: new URLSearchParams({ next: '' }) });
    expect(await show()).toContain('No fault is active.');
  });
});
