import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { OAuth2Failure, ServiceConfiguration } from '../../../lib/oauth2/types.ts';
import { codeOf, configuration, Origin, type Service, startService, Tab } from './world.ts';

let service: Service;
let issued = 1;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.close());

/** A service that accepts only the newest tokens, as services with rotation do. */
beforeEach(() => {
  service.requests.length = 0;
  issued = 1;
  service.reply = ({ path, headers, body }) => {
    if (path === '/token') {
      if (new URLSearchParams(body).get('refresh_token') !== `refresh-${issued}`)
        return { status: 400, body: { error: 'invalid_grant', error_description: 'used before' } };
      issued += 1;
      return { body: { access_token: `token-${issued}`, expires_in: 600, refresh_token: `refresh-${issued}` } };
    }
    return headers.authorization === `Bearer token-${issued}`
      ? { body: { n: issued } }
      : { status: 401, body: { error: 'invalid_token' } };
  };
});

const now = () => Math.floor(Date.now() / 1000);
function open(origin: Origin, more: Partial<ServiceConfiguration> = {}) {
  const tab = new Tab(origin);
  tab.oauth2.configure('demo', configuration(service.url, { refresh: true, ...more }));
  const received: [string, unknown][] = [];
  const demo = tab.oauth2('demo');
  for (const name of ['auth.login', 'auth.fail', 'auth.logout'] as const)
    demo.on(name, (detail: unknown) => received.push([name, detail]));
  return { tab, demo, received };
}
const refreshes = () => service.requests.filter(({ path }) => path === '/token');
const reasons = (tab: Tab) => tab.events.flatMap((event) => (event.kind === 'token-requested' ? [event.reason] : []));

describe('A refresh', () => {
  it.each([
    [-100, true],
    [29, true],
    [31, false],
    [undefined, false],
  ])('with %s seconds left before a call happens: %s', async (left, refreshed) => {
    const { tab, demo, received } = open(new Origin());
    tab.hasSession({
      refresh_token: 'refresh-1',
      expires: left === undefined ? undefined : now() + left,
      state: 'login-state',
    });
    expect(await demo.api('x')).toEqual({ n: refreshed ? 2 : 1 });
    expect(refreshes().length).toBe(refreshed ? 1 : 0);
    expect(received).toEqual([]);
    if (!refreshed) return;
    expect(Object.fromEntries(new URLSearchParams(refreshes()[0]!.body))).toEqual({
      grant_type: 'refresh_token',
      refresh_token: 'refresh-1',
      client_id: 'client',
      client_secret: expect.any(String) as string,
    });
    expect(tab.session()).toMatchObject({
      access_token: 'token-2',
      refresh_token: 'refresh-2',
      expires_in: 600,
      scope: 'a',
      state: 'login-state',
    });
    expect(reasons(tab)).toEqual(['expired']);
  });

  it.each([
    [30, 20, false],
    [30, 14, true],
    [8, 6, false],
    [600, 29, true],
    [60, 31, false],
  ])('of a token of %d s with %d seconds left happens: %s', async (expires_in, left, refreshed) => {
    const { tab, demo } = open(new Origin());
    tab.hasSession({ refresh_token: 'refresh-1', expires_in, expires: now() + left });
    await demo.api('x');
    expect(refreshes().length).toBe(refreshed ? 1 : 0);
  });

  it('happens for a token with expires_in 0, even in the moment in which it was issued', async () => {
    const { tab, demo } = open(new Origin());
    const clock = vi.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
    onTestFinished(() => clock.mockRestore());
    tab.hasSession({ refresh_token: 'refresh-1', expires_in: 0, expires: now() });
    expect(await demo.api('x')).toEqual({ n: 2 });
  });

  it('does not happen without the option, or without a refresh token', async () => {
    for (const [more, session] of [
      [{ refresh: false }, { refresh_token: 'refresh-1' }],
      [{}, {}],
    ] as const) {
      const { tab, demo } = open(new Origin(), more);
      tab.hasSession({ ...session, expires: now() - 5 });
      expect(await demo.api('x')).toEqual({ n: 1 });
      issued = 7;
      expect(await demo.api('x').catch((error: OAuth2Failure) => error)).toMatchObject({
        code: 'SESSION_EXPIRED',
        status: 401,
      });
      issued = 1;
    }
    expect(refreshes()).toEqual([]);
  });

  it('is shared by all calls at the same time, in all tabs', async () => {
    const origin = new Origin();
    const tabs = [open(origin), open(origin), open(origin)];
    tabs[0]!.tab.hasSession({ refresh_token: 'refresh-1', expires: now() - 5 });
    const responses = await Promise.all(tabs.flatMap(({ demo }) => Array.from({ length: 10 }, () => demo.api('x'))));
    expect(new Set(responses.map((response) => JSON.stringify(response)))).toEqual(new Set(['{"n":2}']));
    expect(refreshes().length).toBe(1);
  });

  it('is shared by all tabs even if storage reaches them later than the lock', async () => {
    const origin = new Origin();
    const tabs = [open(origin), open(origin), open(origin)];
    tabs[0]!.tab.hasSession({ refresh_token: 'refresh-1', expires: now() - 5 });
    origin.lag = 100;
    expect(await Promise.all(tabs.map(({ demo }) => demo.api('x')))).toEqual([{ n: 2 }, { n: 2 }, { n: 2 }]);
    expect([refreshes().length, tabs.flatMap(({ received }) => received)]).toEqual([1, []]);
  });

  it.each([
    ['rotates the refresh token', true, { expires_in: 600 }],
    ['changes only the expiry', false, { expires_in: 600 }],
    ['has no expiry', false, {}],
  ])('that keeps the access token and %s is shared, and no refresh waits in vain', async (_what, isRotated, token) => {
    const origin = new Origin();
    const [first, second] = [open(origin), open(origin)];
    // A wait for another tab's session that doesn't come never ends.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => clock.mockRestore());
    // Each response comes a second after the one before, so that each expiry differs.
    let time = 1_800_000_000_000;
    const date = vi.spyOn(Date, 'now').mockImplementation(() => time);
    onTestFinished(() => date.mockRestore());
    const valid = { refresh_token: 'refresh-1' };
    service.reply = ({ path, body }) => {
      if (path !== '/token') return {};
      time += 1000;
      if (new URLSearchParams(body).get('refresh_token') !== valid.refresh_token)
        return { status: 400, body: { error: 'invalid_grant' } };
      if (isRotated) valid.refresh_token += '+';
      return { body: { access_token: 'token-1', ...valid, ...token } };
    };
    first.tab.hasSession({ refresh_token: 'refresh-1', expires: now() - 5 });
    origin.lag = 50;
    await Promise.all([first.demo.api('x'), second.demo.api('x')]);
    expect(refreshes().length).toBe(1);
    for (const { demo } of [first, second, first, second]) await demo.refresh();
    expect([first.received, second.received]).toEqual([[], []]);
    expect(first.tab.session()).toMatchObject({ access_token: 'token-1', ...valid });
  });

  it('keeps the fields that only the service knows, and replaces those that it sends again', async () => {
    const { tab, demo } = open(new Origin());
    const others = { id_token: 'old', instance_url: 'https://eu.example', user: { id: 7 } };
    tab.hasSession({ refresh_token: 'refresh-1', expires: now() - 5, ...others });
    expect(await demo.getAuthResponse()).toMatchObject(others);
    service.reply = () => ({ body: { access_token: 'other', id_token: 'new', service: 'evil', refreshed: false } });
    await demo.api('x');
    expect(tab.session()).toMatchObject({ ...others, id_token: 'new', service: 'demo', refreshed: true });
  });

  it('keeps fields that the response leaves out, except the expiry (RFC 6749 section 6)', async () => {
    const { tab, demo } = open(new Origin());
    tab.hasSession({ refresh_token: 'keep-me', expires: now() - 5, expires_in: 5 });
    service.reply = () => ({ body: { access_token: 'other' } });
    await demo.api('x');
    expect(tab.session()).toEqual({
      service: 'demo',
      access_token: 'other',
      token_type: 'Bearer',
      refresh_token: 'keep-me',
      scope: 'a',
      state: 's',
      refreshed: true,
    });
    expect(await demo.getAuthResponse()).not.toHaveProperty('refreshed');
  });

  it('that is refused ends the session in all tabs', async () => {
    const origin = new Origin();
    const [first, second] = [open(origin), open(origin)];
    first.tab.hasSession({ refresh_token: 'stolen-and-used', expires: now() + 5 });
    const error = await first.demo.api('x').catch((error: unknown) => error);
    expect(error).toMatchObject({
      code: 'REFRESH_REFUSED',
      status: 400,
      error: 'invalid_grant',
      description: 'used before',
    });
    expect(first.received).toEqual([['auth.fail', error]]);
    expect(second.received).toEqual([['auth.logout', undefined]]);
    expect(await second.demo.getAuthResponse()).toBeNull();
    expect(await codeOf(first.demo.api('x'))).toBe('NOT_LOGGED_IN');
  });

  it.each(['invalid_grant', 'invalid_request', 'invalid_token', 'bad_refresh_token', 'INVALID_REFRESH_TOKEN'])(
    'that is refused with %s, which refuses the refresh token, ends the session',
    async (error) => {
      const { tab, demo } = open(new Origin());
      service.reply = ({ path }) => (path === '/token' ? { status: 400, body: { error } } : {});
      tab.hasSession({ refresh_token: 'refresh-1', expires: now() - 10 });
      expect(await codeOf(demo.api('x'))).toBe('REFRESH_REFUSED');
      expect(await demo.getAuthResponse()).toBeNull();
    },
  );

  it.each([
    ['a broken connection', { status: 0 }, 'CORS_REFUSED'],
    ['500', { status: 500, body: '<h1>Oops' }, 'TOKEN_INVALID'],
    ['429', { status: 429, body: { error: 'slow_down' } }, 'TOKEN_REFUSED'],
    ['503 with a reason', { status: 503, body: { error: 'temporarily_unavailable' } }, 'TOKEN_REFUSED'],
    ['a gateway’s 404', { status: 404, body: { status: 404, error: 'Not Found' } }, 'TOKEN_REFUSED'],
    ['a gateway’s 400', { status: 400, body: { status: 400, error: 'Bad Request' } }, 'TOKEN_REFUSED'],
    ['a firewall’s 403', { status: 403, body: { error: 'blocked' } }, 'TOKEN_REFUSED'],
    ['a page of HTML', { status: 200, body: '<!doctype html>' }, 'TOKEN_INVALID'],
    ['a proxy’s 400', { status: 400, body: '<h1>Bad Request' }, 'TOKEN_REFUSED'],
    ['a proxy’s 401', { status: 401, body: '<h1>Log in to the proxy' }, 'TOKEN_REFUSED'],
    ['an empty 400', { status: 400, body: '' }, 'TOKEN_REFUSED'],
    ['408', { status: 408, body: '' }, 'TOKEN_INVALID'],
    ['409', { status: 409, body: { error: 'conflict' } }, 'TOKEN_REFUSED'],
    ['423', { status: 423, body: '' }, 'TOKEN_INVALID'],
    ['425', { status: 425, body: '' }, 'TOKEN_INVALID'],
    ['503 with an error', { status: 503, body: { error: 'invalid_request' } }, 'TOKEN_REFUSED'],
    ['a limit in a 200', { status: 200, body: { ok: false, error: 'ratelimited' } }, 'TOKEN_REFUSED'],
    ['a number', { status: 400, body: { error: { code: 190, type: 'OAuthException' } } }, 'TOKEN_REFUSED'],
    ['server_error', { status: 400, body: { error: 'server_error' } }, 'TOKEN_REFUSED'],
    ['invalid_client', { status: 401, body: { error: 'invalid_client' } }, 'TOKEN_REFUSED'],
    ['unauthorized_client', { status: 400, body: { error: 'unauthorized_client' } }, 'TOKEN_REFUSED'],
  ])('that fails with %s keeps the session and its valid token', async (_, reply, code) => {
    const { tab, demo, received } = open(new Origin());
    service.reply = ({ path, method }) =>
      path === '/token' ? reply : method === 'HEAD' ? {} : { body: { old: true } };
    tab.hasSession({ refresh_token: 'refresh-1', expires: now() + 10 });
    expect(await demo.api('x')).toEqual({ old: true });
    tab.hasSession({ refresh_token: 'refresh-1', expires: now() - 10 });
    expect(await codeOf(demo.api('x'))).toBe(code);
    expect([await demo.getAuthResponse(), received]).toMatchObject([{ refresh_token: 'refresh-1' }, []]);
  });

  it('follows a 401 once', async () => {
    const { tab, demo } = open(new Origin());
    tab.hasSession({ access_token: 'revoked', refresh_token: 'refresh-1' });
    expect(await Promise.all([demo.api('x'), demo.api({ path: 'y', method: 'post', data: { a: 1 } })])).toEqual([
      { n: 2 },
      { n: 2 },
    ]);
    expect({ refreshCount: refreshes().length, reasons: reasons(tab) }).toEqual({
      refreshCount: 1,
      reasons: ['unauthorized'],
    });
    expect(service.requests.filter(({ path }) => path === '/api/y').map(({ body }) => body)).toEqual([
      '{"a":1}',
      '{"a":1}',
    ]);

    const { reply } = service;
    service.reply = (request) => (request.path === '/token' ? reply(request) : { status: 401, body: {} });
    service.requests.length = 0;
    expect(await codeOf(demo.api('x'))).toBe('API_REFUSED');
    expect(service.requests.map(({ path }) => path)).toEqual(['/api/x', '/token', '/api/x']);
  });

  it('that gets the refused access token again is followed by one retry', async () => {
    const { tab, demo } = open(new Origin());
    tab.hasSession({ refresh_token: 'refresh-1' });
    service.reply = ({ path }) =>
      path === '/token' ? { body: { access_token: 'token-1', refresh_token: 'refresh-1' } } : { status: 401 };
    for (const _ of [1, 2]) {
      service.requests.length = 0;
      expect(await codeOf(demo.api('x'))).toBe('API_REFUSED');
      expect(service.requests.map(({ path }) => path)).toEqual(['/api/x', '/token', '/api/x']);
    }
  });

  it('can be requested, and fails without a refresh token', async () => {
    const { tab, demo } = open(new Origin(), { refresh: false });
    expect(await codeOf(demo.refresh())).toBe('NOT_LOGGED_IN');
    tab.hasSession({});
    expect(await codeOf(demo.refresh())).toBe('REFRESH_UNAVAILABLE');
    tab.hasSession({ refresh_token: 'refresh-1', expires: now() + 500 });
    expect(await demo.refresh()).toMatchObject({ access_token: 'token-2' });
    expect(reasons(tab)).toEqual(['asked']);
  });

  it('that completes after a logout does not restore the session', async () => {
    const { tab, demo } = open(new Origin());
    tab.hasSession({ refresh_token: 'refresh-1', expires: now() - 5 });
    const { reply } = service;
    service.reply = async (request) => {
      if (request.path === '/token') await demo.logout();
      return reply(request);
    };
    expect(await codeOf(demo.api('x'))).toBe('NOT_LOGGED_IN');
    expect(tab.session()).toBeNull();
  });

  it('without locks uses the session that another tab got with the same refresh token', async () => {
    const origin = new Origin();
    const [first, second] = [open(origin), open(origin)];
    for (const { tab } of [first, second]) Object.assign(tab, { navigator: {} });
    first.tab.hasSession({ refresh_token: 'refresh-1', expires: now() - 5 });
    const { reply } = service;
    // Both send before either gets a response, and the winner’s response arrives first, as it does when the loser’s is a refusal.
    service.reply = async (request) => {
      if (request.path === '/token') await vi.waitUntil(() => refreshes().length === 2);
      const response = await reply(request);
      if (response.status === 400) await vi.waitUntil(() => first.tab.session()?.access_token === 'token-2');
      return response;
    };
    expect(await Promise.all([first.demo.api('x'), second.demo.api('x')])).toEqual([{ n: 2 }, { n: 2 }]);
    expect(refreshes().length).toBe(2);
  });
});

describe('A session', () => {
  it('is the same in all tabs, which fire events when it starts and ends', async () => {
    const origin = new Origin();
    const [first, second] = [open(origin), open(origin)];
    const login = first.demo.login();
    const { url } = await first.tab.popup();
    first.tab.post('', { fragment: `#access_token=a&state=${url.searchParams.get('state')}` });
    const session = await login;
    expect(await second.demo.getAuthResponse()).toEqual(session);
    expect(second.received).toEqual([['auth.login', session]]);
    await second.demo.logout();
    expect(await first.demo.getAuthResponse()).toBeNull();
    expect([first.received.map(([name]) => name), second.received.map(([name]) => name)]).toEqual([
      ['auth.login', 'auth.logout'],
      ['auth.login', 'auth.logout'],
    ]);
    expect(second.tab.events.filter(({ kind }) => kind === 'session')).toMatchObject([
      { change: 'changed-elsewhere' },
      { change: 'removed' },
    ]);
  });

  it('is that of the last login when two tabs log in at once', async () => {
    const origin = new Origin();
    const tabs = [open(origin), open(origin)];
    const logins = await Promise.all(
      tabs.map(async ({ tab, demo }, n) => {
        const login = demo.login();
        const { url } = await tab.popup();
        tab.post('', { fragment: `#access_token=tab-${n}&state=${url.searchParams.get('state')}` });
        return login;
      }),
    );
    const sessions = await Promise.all(tabs.map(({ demo }) => demo.getAuthResponse()));
    expect(sessions[0]).toEqual(sessions[1]);
    expect(logins).toContainEqual(sessions[0]);
  });

  it('is returned by getAuthResponse even if it has expired', async () => {
    const { tab, demo } = open(new Origin());
    tab.hasSession({ expires: 1 });
    expect(await demo.getAuthResponse()).toMatchObject({ expires: 1 });
    expect(service.requests).toEqual([]);
  });

  it('can be used only after its service was configured', async () => {
    const tab = new Tab();
    tab.hasSession({ refresh_token: 'refresh-1' });
    for (const name of ['demo', 'never-used']) {
      const service = tab.oauth2(name);
      for (const call of ['login', 'logout', 'getAuthResponse', 'refresh', 'api'] as const)
        expect({ call, code: await codeOf(service[call]('x')) }).toEqual({ call, code: 'SERVICE_UNKNOWN' });
    }
    expect([tab.session(), service.requests]).toMatchObject([{ access_token: 'token-1' }, []]);
  });

  it.each([undefined, 'configured'])('that starts in place of another fires auth.login (state: %s)', async (given) => {
    const origin = new Origin();
    const [first, second] = [open(origin, { state: given }), open(origin, { state: given })];
    first.tab.hasSession({ refresh_token: 'refresh-1', state: given });
    expect(await first.demo.refresh()).toMatchObject({ access_token: 'token-2' });
    expect(second.received).toEqual([]);
    const login = first.demo.login();
    const { url } = await first.tab.popup();
    // Some services issue the same access token until it expires, here with another scope.
    first.tab.post('', { fragment: `#access_token=token-2&scope=b&state=${url.searchParams.get('state')}` });
    const session = await login;
    expect([first.received, second.received]).toEqual([[['auth.login', session]], [['auth.login', session]]]);
    expect(await second.demo.getAuthResponse()).toEqual(session);
  });

  it('ends in all other tabs when one clears the storage of the origin', async () => {
    const origin = new Origin();
    const [clearing, listening] = [open(origin), open(origin)];
    const storage = clearing.tab.localStorage;
    storage.clear();
    expect(listening.received).toEqual([]);
    storage.setItem('platform-oauth2:demo', JSON.stringify({ access_token: 'token-1' }));
    const later = open(origin);
    storage.clear();
    storage.clear();
    expect([clearing, listening, later].map(({ received }) => received.map(([name]) => name))).toEqual([
      [],
      ['auth.login', 'auth.logout'],
      ['auth.logout'],
    ]);
    expect(await later.demo.getAuthResponse()).toBeNull();
  });

  it('ends with logout even if the token can’t be revoked, and says whether it is', async () => {
    const revokeUrl = `${service.url}/revoke`;
    const cases: [string | undefined, number, boolean | null][] = [
      [undefined, 200, null],
      [revokeUrl, 200, true],
      [revokeUrl, 503, false],
      ['https://127.0.0.1:1/revoke', 200, false],
    ];
    for (const [url, status, revoked] of cases) {
      service.reply = () => ({ status });
      const { tab, demo, received } = open(new Origin(), { revokeUrl: url });
      tab.hasSession({ refresh_token: 'refresh-1' });
      expect(await demo.logout()).toEqual({ revoked });
      expect([tab.session(), received]).toEqual([null, [['auth.logout', undefined]]]);
    }
    for (const error of [{ ok: false, error: 'ratelimited' }, { error: { message: 'No.' } }, { error_code: 100 }]) {
      service.reply = () => ({ body: error });
      const { tab, demo } = open(new Origin(), { revokeUrl });
      tab.hasSession({ refresh_token: 'refresh-1' });
      expect(await demo.logout(), JSON.stringify(error)).toEqual({ revoked: false });
      service.requests.pop();
    }
    expect(service.requests.map(({ path, body }) => [path, new URLSearchParams(body).get('token')])).toEqual([
      ['/revoke', 'refresh-1'],
      ['/revoke', 'refresh-1'],
    ]);
  });
});
