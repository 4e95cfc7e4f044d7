import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { AuthResponse, OAuth2Failure, ServiceConfiguration } from '../../../lib/oauth2/types.ts';
import { APP, codeOf, configuration, REDIRECT, SECRET, type Reply, type Service, startService, Tab } from './world.ts';

let service: Service;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.close());
beforeEach(() => {
  service.requests.length = 0;
  service.reply = () => ({
    body: { access_token: 'access-1', token_type: 'Bearer', expires_in: 600, refresh_token: 'refresh-1' },
  });
});

/** A tab whose service is configured, and the events that its handlers received. */
function tab(more: Partial<ServiceConfiguration> = {}) {
  const tab = new Tab();
  const received: [string, unknown][] = [];
  tab.oauth2.configure('demo', configuration(service.url, more));
  const demo = tab.oauth2('demo');
  for (const name of ['auth.login', 'auth.fail', 'auth.logout'] as const)
    expect(demo.on(name, (detail: unknown) => received.push([name, detail]))).toBeNull();
  return { tab, demo, received };
}
const state = async (tab: Tab) => (await tab.popup()).url.searchParams.get('state')!;
const kinds = (tab: Tab) => tab.events.map(({ kind }) => kind);

describe('The explicit flow', () => {
  it('counts the expiry from the request, however long the response takes', async () => {
    const start = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(start);
    onTestFinished(() => clock.mockRestore());
    const { reply } = service;
    service.reply = (request) => {
      clock.mockReturnValue(start + 30_000);
      return reply(request);
    };
    const { tab: page, demo } = tab({ grantType: 'code' });
    const login = demo.login();
    page.post(`?code=code-1&state=${await state(page)}`);
    expect((await login).expires).toBe(Math.floor(start / 1000) + 600);
  });

  it('sends state and PKCE, redeems the code with the verifier, and stores the session', async () => {
    const {
      tab: page,
      demo,
      received,
    } = tab({
      grantType: 'code',
      authUrl: `${service.url}/authorize?tenant=7`,
      grantData: { audience: 'api', tries: 0 },
    });
    // The service's clock is two minutes behind ours.
    const { reply } = service;
    service.reply = async (request) => ({
      ...(await reply(request)),
      headers: { date: new Date(Date.now() - 120_000).toUTCString() },
    });
    const login = demo.login();
    const { url } = await page.popup();
    const requested = Object.fromEntries(url.searchParams);
    expect(requested).toEqual({
      tenant: '7',
      response_type: 'code',
      client_id: 'client',
      redirect_uri: REDIRECT,
      scope: 'profile items',
      state: expect.stringMatching(/^[\w-]{22}$/) as string,
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
    });
    expect(url.hash).toBe('');

    page.post(`?code=code-1&state=${requested.state}`);
    const before = Date.now() / 1000;
    const session = await login;
    expect(session).toEqual({
      service: 'demo',
      access_token: 'access-1',
      token_type: 'Bearer',
      expires_in: 600,
      expires: expect.any(Number) as number,
      scope: 'profile items',
      state: requested.state,
      refresh_token: 'refresh-1',
    });
    expect(session.expires! - before).toBeGreaterThan(595);
    expect(session.expires! - before).toBeLessThanOrEqual(600);

    const [{ method, path, headers, body }] = service.requests as [(typeof service.requests)[0]];
    const sent = Object.fromEntries(new URLSearchParams(body));
    expect({ method, path, contentType: headers['content-type'], accept: headers.accept }).toEqual({
      method: 'POST',
      path: '/token',
      contentType: 'application/x-www-form-urlencoded',
      accept: 'application/json',
    });
    expect(sent).toEqual({
      grant_type: 'authorization_code',
      client_id: 'client',
      client_secret: SECRET,
      code: 'code-1',
      redirect_uri: REDIRECT,
      audience: 'api',
      tries: '0',
      code_verifier: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    expect(createHash('sha256').update(sent.code_verifier!).digest('base64url')).toBe(requested.code_challenge);

    expect(page.popups[0]!.closed).toBe(true);
    expect(await demo.getAuthResponse()).toEqual(session);
    expect(page.session()).toEqual(session);
    expect(received).toEqual([['auth.login', session]]);
    expect(kinds(page)).toEqual([
      'configured',
      'login-started',
      'popup',
      'popup',
      'callback',
      'state-checked',
      'token-requested',
      'token-answered',
      'session',
      'event',
    ]);
    expect(page.events.at(-3)).toMatchObject({
      kind: 'token-answered',
      status: 200,
      code: null,
      error: null,
      clockAhead: expect.closeTo(120, -1) as number,
      token: { type: 'Bearer', expiresIn: 600, scope: null, refreshable: true },
    });
  });

  it('sends no PKCE with pkce: false, and no secret for a public client', async () => {
    const { tab: page, demo } = tab({ grantType: 'code', pkce: false, clientSecret: '' });
    const login = demo.login();
    const { url } = await page.popup();
    expect([...url.searchParams.keys()].sort()).toEqual([
      'client_id',
      'redirect_uri',
      'response_type',
      'scope',
      'state',
    ]);
    page.post(`?code=c&state=${await state(page)}`);
    await login;
    expect([...new URLSearchParams(service.requests[0]!.body).keys()]).toEqual([
      'client_id',
      'grant_type',
      'redirect_uri',
      'code',
    ]);
  });

  it('is refused on an insecure page, which has no PKCE', async () => {
    const { tab: page, demo } = tab({ grantType: 'code' });
    page.isSecureContext = false;
    expect(await codeOf(demo.login())).toBe('PAGE_INSECURE');
    expect(page.popups).toEqual([]);
  });

  it.each<[string, object, { status?: number; headers?: Record<string, string>; body?: unknown }]>([
    [
      'a form',
      { access_token: 'x', expires_in: 5, scope: 'a b' },
      { headers: { 'content-type': 'text/html' }, body: 'access_token=x&expires_in=5&scope=a+b' },
    ],
    [
      'JSON that calls itself text',
      { access_token: 'x' },
      { headers: { 'content-type': 'text/plain' }, body: { access_token: 'x' } },
    ],
    [
      'an error in a 200',
      { code: 'TOKEN_REFUSED', error: 'bad_verification_code', status: 200 },
      { body: { error: 'bad_verification_code' } },
    ],
    [
      'an error in a form',
      { code: 'TOKEN_REFUSED', error: 'bad', description: 'Not so' },
      { body: 'error=bad&error_description=Not+so' },
    ],
    [
      'a refused client',
      { code: 'TOKEN_REFUSED', error: 'invalid_client', status: 401 },
      { status: 401, body: { error: 'invalid_client' } },
    ],
    ['a 401 without a body', { code: 'TOKEN_REFUSED', status: 401 }, { status: 401, body: '' }],
    ['a page of HTML', { code: 'TOKEN_INVALID', status: 200 }, { body: '<!doctype html><p>error=1&access_token=2' }],
    [
      'a page of HTML with a 502',
      { code: 'TOKEN_INVALID', status: 502 },
      { status: 502, body: '<h1>Bad gateway</h1>' },
    ],
    ['cut-off JSON', { code: 'TOKEN_INVALID' }, { body: '{"access_token": "a' }],
    ['nothing', { code: 'TOKEN_INVALID' }, { body: '' }],
    ['a broken connection', { code: 'CORS_REFUSED' }, { status: 0 }],
  ])('handles a token endpoint that responds with %s', async (_, expected, reply) => {
    const { tab: page, demo } = tab({ grantType: 'code' });
    service.reply = ({ method }) => (method === 'HEAD' ? {} : reply);
    const login = demo.login().catch((error: unknown) => error);
    page.post(`?code=c&state=${await state(page)}`);
    const outcome = (await login) as { description?: string };
    expect(outcome).toMatchObject(expected);
    expect(page.events.find(({ kind }) => kind === 'token-answered')).toMatchObject({
      description: outcome.description ?? null,
    });
  });

  it('distinguishes an unreachable host from one that refuses the page and from one that times out', async () => {
    const closed = await startService();
    await closed.close();
    const { tab: page, demo } = tab({ grantType: 'code', grantUrl: `${closed.url}/token` });
    const login = codeOf(demo.login());
    page.post(`?code=c&state=${await state(page)}`);
    expect(await login).toBe('NETWORK_FAILED');

    const response = Promise.withResolvers<Reply>();
    service.reply = () => response.promise;
    const { tab: other, demo: slow } = tab({ grantType: 'code', timeout: 50 });
    const late = codeOf(slow.login());
    other.post(`?code=c&state=${await state(other)}`);
    expect(await late).toBe('REQUEST_TIMEOUT');
    response.resolve({});
  });

  it.each([302, 307, 308])('does not follow a redirect with status %i from the token endpoint', async (status) => {
    const elsewhere = await startService();
    const { tab: page, demo } = tab({ grantType: 'code' });
    service.reply = () => ({ status, headers: { location: `${elsewhere.url}/token` } });
    const login = codeOf(demo.login());
    page.post(`?code=c&state=${await state(page)}`);
    expect(await login).toBe('TOKEN_INVALID');
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  it('keeps the fields that only the service knows, and none that are the session’s own', async () => {
    const others = { id_token: 'a.b.c', instance_url: 'https://eu.example' };
    service.reply = () => ({
      body: { access_token: 'access-1', ...others, service: 'other', state: 'x', expires: 1, refreshed: true },
    });
    const { tab: page, demo } = tab({ grantType: 'code' });
    const login = demo.login();
    const sent = await state(page);
    page.post(`?code=code-1&state=${sent}`);
    expect(await login).toEqual({
      service: 'demo',
      access_token: 'access-1',
      token_type: 'Bearer',
      scope: 'profile items',
      state: sent,
      ...others,
    });
    expect(page.session()).toEqual(await login);
  });

  it('redacts secrets that the service repeats', async () => {
    const { tab: page, demo } = tab({ grantType: 'code', grantData: { assertion: 'assertion-1' } });
    service.reply = ({ body }) => ({
      status: 400,
      body: {
        error: `invalid_${SECRET}`,
        error_description: `You sent ${body} and ${Object.values(Object.fromEntries(new URLSearchParams(body))).join(', ')}.`,
      },
    });
    const login = demo.login().catch((error: unknown) => error);
    page.post(`?code=the-code-1&state=${await state(page)}`);
    const error = (await login) as OAuth2Failure;
    const verifier = new URLSearchParams(service.requests[0]!.body).get('code_verifier')!;
    const shown = JSON.stringify([error, error.message, error.stack, page.events]);
    for (const secret of [SECRET, 'the-code-1', 'assertion-1', verifier]) expect(shown).not.toContain(secret);
    expect(error.description).toContain('You sent client_id=client');
  });
});

describe('The implicit flow', () => {
  it('reads the token and the granted scope from the fragment', async () => {
    const { tab: page, demo, received } = tab();
    const login = demo.login();
    const { url } = await page.popup();
    expect([url.searchParams.get('response_type'), url.searchParams.has('code_challenge')]).toEqual(['token', false]);
    page.post('', {
      fragment: `#access_token=abc&token_type=bearer&expires_in=60&scope=profile&state=${await state(page)}`,
    });
    expect(await login).toMatchObject({ access_token: 'abc', expires_in: 60, scope: 'profile' });
    expect(service.requests).toEqual([]);
    expect(received.map(([name]) => name)).toEqual(['auth.login']);
  });

  it.each([
    ['', 'profile items'],
    ['&scope=', ''],
    ['&scope=profile,items', 'profile items'],
  ])('with "%s" in its fragment grants the scopes "%s"', async (given, scope) => {
    const { tab: page, demo } = tab();
    const login = demo.login();
    page.post('', { fragment: `#access_token=abc&state=${await state(page)}${given}` });
    expect(await login).toMatchObject({ scope });
    expect(page.session()).toMatchObject({ scope });
  });

  it('accepts a token of 1 MB, and any expires_in', async () => {
    const { tab: page, demo } = tab();
    for (const [given, expires_in] of [
      ['0', 0],
      ['-1', -1],
      ['soon', undefined],
      ['', undefined],
    ] as const) {
      const login = demo.login();
      page.post('', {
        fragment: `#access_token=${'a'.repeat(2 ** 20)}&expires_in=${given}&state=${await state(page)}`,
      });
      const session: AuthResponse = await login;
      expect({ tokenLength: session.access_token.length, expires_in: session.expires_in }).toEqual({
        tokenLength: 2 ** 20,
        expires_in,
      });
      page.popups.length = 0;
    }
  });
});

describe('A callback', () => {
  const huge = 'x'.repeat(2 ** 20);
  it.each([
    ['no state', '?code=c', 'STATE_MISMATCH'],
    ['another state', '?code=c&state=other', 'STATE_MISMATCH'],
    ['the state and another', '?code=c&state=STATE&state=other', 'STATE_MISMATCH'],
    ['two codes', '?code=c&code=d&state=STATE', 'CALLBACK_INVALID'],
    ['an empty code', '?code=&state=STATE', 'CALLBACK_INVALID'],
    ['a token where a code was asked for', '?access_token=t&state=STATE', 'CALLBACK_INVALID'],
    ['nothing', '', 'STATE_MISMATCH'],
    ['an error', '?error=access_denied&error_description=No&state=STATE', 'LOGIN_REFUSED'],
    ['an error with another state', '?error=access_denied&state=other', 'STATE_MISMATCH'],
    ['an error and a code', '?error=access_denied&code=c&state=STATE', 'LOGIN_REFUSED'],
    ['a description of a megabyte', `?error=server_error&error_description=${huge}&state=STATE`, 'LOGIN_REFUSED'],
    [
      'a description with markup',
      '?error=server_error&error_description=%3Cscript%3Ealert(1)%3C/script%3E&state=STATE',
      'LOGIN_REFUSED',
    ],
    ['broken percent signs', '?code=%E0%A4%A&%=%&state=other', 'STATE_MISMATCH'],
  ])('with %s is refused with a short message, before any token request', async (_, query, code) => {
    const { tab: page, demo, received } = tab({ grantType: 'code' });
    const login = demo.login().catch((error: unknown) => error);
    page.post(query.replace('STATE', await state(page)));
    const error = (await login) as OAuth2Failure;
    expect(error).toMatchObject({ name: 'OAuth2Error', code, service: 'demo' });
    expect(JSON.stringify([error, error.message]).length).toBeLessThan(2_000);
    expect(received).toEqual([['auth.fail', error]]);
    expect([service.requests, page.session(), page.popups[0]!.closed]).toEqual([[], null, true]);
    expect(JSON.stringify(page.events).length).toBeLessThan(4_000);
  });

  it('reports the error description of the service', async () => {
    const { tab: page, demo } = tab({ grantType: 'code' });
    const login = demo.login();
    page.post(`?error=access_denied&error_description=The+person+said+no.&state=${await state(page)}`);
    await expect(login).rejects.toMatchObject({
      error: 'access_denied',
      description: 'The person said no.',
      message: '“demo” rejected the login: The person said no.',
    });
    expect(page.events).toContainEqual(
      expect.objectContaining({ kind: 'callback', error: 'access_denied', description: 'The person said no.' }),
    );
  });

  it.each([
    ['https://good.example', '&iss=https://evil.example', 'ISSUER_MISMATCH'],
    ['https://good.example', '', 'ISSUER_MISMATCH'],
    ['https://good.example', '&iss=https://good.example&iss=https://evil.example', 'ISSUER_MISMATCH'],
    ['https://good.example', '&iss=https://good.example', 'resolved'],
    [undefined, '&iss=https://evil.example', 'ISSUER_MISMATCH'],
    [undefined, '&iss=nonsense', 'ISSUER_MISMATCH'],
    [undefined, '&iss=AUTH/tenant', 'resolved'],
    [undefined, '', 'resolved'],
  ])('for the issuer %s with "%s" ends with %s before the code is sent (RFC 9207)', async (issuer, iss, outcome) => {
    const { tab: page, demo } = tab({ grantType: 'code', issuer });
    const login = codeOf(demo.login());
    page.post(`?code=c${iss.replace('AUTH', service.url)}&state=${await state(page)}`);
    expect(await login).toContain(outcome);
    expect(service.requests.length).toBe(outcome === 'resolved' ? 1 : 0);
  });

  it('reports an error of another issuer as that, and an error of its own issuer as its own (RFC 9207)', async () => {
    for (const [iss, code] of [
      ['https://good.example', 'LOGIN_REFUSED'],
      ['https://evil.example', 'ISSUER_MISMATCH'],
    ]) {
      const { tab: page, demo } = tab({ grantType: 'code', issuer: 'https://good.example' });
      const login = demo.login();
      page.post(`?error=access_denied&iss=${iss}&state=${await state(page)}`);
      await expect(login).rejects.toMatchObject({ code, error: 'access_denied' });
    }
  });

  it('has the configured state, which is sent unchanged', async () => {
    const { tab: page, demo } = tab({ state: 'mine & yours' });
    const login = demo.login();
    expect(await state(page)).toBe('mine & yours');
    page.post('', { fragment: '#access_token=a&state=mine%20%26%20yours' });
    expect(await login).toMatchObject({ state: 'mine & yours' });
  });

  it('is handled once', async () => {
    const { tab: page, demo, received } = tab({ grantType: 'code' });
    const login = demo.login();
    const query = `?code=c&state=${await state(page)}`;
    page.post(query);
    page.post(query);
    await login;
    page.post(query);
    expect({ requestCount: service.requests.length, receivedCount: received.length }).toEqual({
      requestCount: 1,
      receivedCount: 1,
    });
  });

  it('is ignored from another origin or window, or in another format', async () => {
    const { tab: page, demo } = tab({ grantType: 'code' });
    const login = demo.login();
    const query = `?code=evil&state=${await state(page)}`;
    page.post(query, { origin: 'https://evil.example' });
    page.post(query, { origin: 'null' });
    page.post(query, { source: {} });
    page.post(query, { source: null });
    for (const data of [null, 'text', 7, { type: 'other', query }])
      page.dispatchEvent(Object.assign(new Event('message'), { source: page.popups[0], origin: APP, data }));
    expect(kinds(page)).not.toContain('callback');
    page.post(`?code=good&state=${await state(page)}`);
    await login;
    expect(service.requests.map(({ body }) => new URLSearchParams(body).get('code'))).toEqual(['good']);
  });
});

describe('The login popup', () => {
  it('opens synchronously, within the click', () => {
    const { tab: page, demo } = tab({ grantType: 'code' });
    demo.login().catch(() => undefined);
    expect(page.popups.length).toBe(1);
  });

  it('that is blocked fails the login with POPUP_BLOCKED', async () => {
    const { tab: page, demo, received } = tab();
    page.blocksPopups = true;
    expect(await codeOf(demo.login())).toBe('POPUP_BLOCKED');
    expect(received).toMatchObject([['auth.fail', { code: 'POPUP_BLOCKED' }]]);
    expect(page.events).toMatchObject([
      {},
      { kind: 'login-started', shared: false },
      { kind: 'popup', state: 'blocked' },
      { kind: 'event', name: 'auth.fail', code: 'POPUP_BLOCKED' },
    ]);
  });

  it('ends the login when the user closes it, and the next login opens another one', async () => {
    const { tab: page, demo } = tab();
    const login = codeOf(demo.login());
    page.popups[0]!.closed = true;
    expect(await login).toBe('POPUP_CLOSED');
    const next = demo.login();
    expect(page.popups.length).toBe(2);
    page.post('', { fragment: `#access_token=a&state=${await state(page)}` });
    expect(await next).toMatchObject({ access_token: 'a' });
  });

  it('that is closed on a redirect page without a response says what to check', async () => {
    const { tab: page, demo } = tab();
    const login = demo.login();
    const popup = await page.popup();
    Object.assign(popup, { location: { origin: APP, pathname: '/callback', search: '', hash: '' }, closed: true });
    await expect(login).rejects.toMatchObject({
      code: 'CALLBACK_INVALID',
      message:
        'Couldn’t log in to “demo”: the callback is invalid (no code, token, or error). Check redirectUrl, and what redirects to it.',
    });
  });

  it('closes after loginTimeout, and reading the service’s page before that throws nothing', async () => {
    // Long enough for two polls. An error in a timer fails the test.
    const { tab: page, demo } = tab({ loginTimeout: 450 });
    expect(await codeOf(demo.login())).toBe('LOGIN_TIMEOUT');
    expect(page.popups[0]!.closed).toBe(true);
  });

  it('is shared by a second login, which gets the same outcome', async () => {
    const { tab: page, demo, received } = tab();
    const first = demo.login();
    const { url } = await page.popup();
    const second = demo.login();
    expect({ popupCount: page.popups.length, focused: page.popups[0]!.focused }).toEqual({ popupCount: 1, focused: 1 });
    page.post('', { fragment: `#access_token=a&state=${url.searchParams.get('state')}` });
    expect(await second).toBe(await first);
    expect(received.length).toBe(1);
    expect(page.events.filter(({ kind }) => kind === 'login-started')).toMatchObject([
      { shared: false },
      { shared: true },
    ]);
  });
});

describe('login()', () => {
  it('fails for an unknown service, and fires auth.fail', async () => {
    const { oauth2 } = new Tab();
    const fail = vi.fn<(error: OAuth2Failure) => void>();
    oauth2('unknown').on('auth.fail', fail);
    expect(await codeOf(oauth2('unknown').login())).toBe('SERVICE_UNKNOWN');
    expect(fail).toHaveBeenCalledWith(expect.objectContaining({ code: 'SERVICE_UNKNOWN' }));
  });

  it('keeps the session in memory with a warning when storage is full or blocked', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    for (const broken of [{ write: true }, { read: true, write: true }]) {
      const { tab: page, demo } = tab();
      page.hasSession({ access_token: 'older' });
      Object.assign(page['origin'].broken, broken);
      const login = demo.login();
      page.post('', { fragment: `#access_token=newer-token&state=${await state(page)}` });
      await login;
      expect(await demo.getAuthResponse()).toMatchObject({ access_token: 'newer-token' });
      // This, too, returns a copy.
      (await demo.getAuthResponse())!.access_token = 'changed by the page';
      expect(await demo.getAuthResponse()).toMatchObject({ access_token: 'newer-token' });
      expect(page.events.find(({ kind }) => kind === 'session')).toMatchObject({ change: 'stored', persistent: false });
      await demo.logout();
      expect(await demo.getAuthResponse()).toBeNull();
    }
    expect(warn).toHaveBeenCalledTimes(2);
    expect(JSON.stringify(warn.mock.calls)).not.toContain('newer-token');
    warn.mockRestore();
  });
});
