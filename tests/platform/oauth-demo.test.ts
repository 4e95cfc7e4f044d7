/** Tests the OAuth2 demo services with a real client: each flow, consent, scopes, and the protected API. */
import { createHash } from 'node:crypto';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startOAuthDemo } from '../../lib/local-platform/oauth-demo/index.ts';
import {
  askToken,
  authorizeUrl,
  createOAuthBrowser,
  SERVICES,
  tokensOf,
  type TokenAnswer,
} from './support/oauth-browser.ts';
import { rawRequest, start, startForTest, type TestPlatform } from './support/platform.ts';

let platform: TestPlatform;
let redirectUri: string;
const at = (service: 'code' | 'implicit'): string => platform.oauthDemo![service];
beforeAll(async () => {
  platform = await start({ appOrigins: ['https://app.example.com'], oauthDemoPort: 0 });
  redirectUri = `${platform.baseUrl}/v1/auth/sso-callback`;
});
afterAll(() => platform.close());

const insecure = { [oauth.allowInsecureRequests]: true };
const api = (service: string, path: string, token: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${service}/api/${path}`, { ...init, headers: { Authorization: `Bearer ${token}`, ...init.headers } });
const refresh = async (service: string, token: string): Promise<[number, TokenAnswer]> => {
  const { response, text } = await askToken(service, { grant_type: 'refresh_token', refresh_token: token });
  return [response.status, JSON.parse(text) as TokenAnswer];
};

describe.each(SERVICES)('The code flow of demo-%s', (kind) => {
  it.each([
    ['demo-app', oauth.ClientSecretPost('demo-secret')],
    ['demo-public', oauth.None()],
  ])('works with PKCE and refresh for %s', async (clientId, authentication) => {
    const issuer = new URL(at(kind));
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: kind === 'code' ? 'oidc' : 'oauth2', ...insecure }),
    );
    const client: oauth.Client = { client_id: clientId };
    const verifier = oauth.generateRandomCodeVerifier();
    const more = { code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256' };
    const url = new URL(server.authorization_endpoint!);
    url.search = authorizeUrl(issuer.origin, { redirectUri, clientId, more }).search;
    const { callback } = await createOAuthBrowser(issuer.origin).logIn(url);

    const parameters = oauth.validateAuthResponse(server, client, callback!, 'a-state-of-mine');
    const granted = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(
        server,
        client,
        authentication,
        parameters,
        redirectUri,
        verifier,
        insecure,
      ),
    );
    expect(granted).toMatchObject({ token_type: 'bearer', expires_in: 600, scope: 'profile items.read items.write' });
    const profile = await api(issuer.origin, 'profile', granted.access_token);
    expect({ status: profile.status, json: await profile.json() }).toEqual({
      status: 200,
      json: {
        sub: 'demo',
        name: 'Dana Demo',
        email: 'dana@demo.example',
        client: clientId,
        scopes: ['profile', 'items.read', 'items.write'],
      },
    });

    const renewed = await oauth.processRefreshTokenResponse(
      server,
      client,
      await oauth.refreshTokenGrantRequest(server, client, authentication, granted.refresh_token!, insecure),
    );
    expect(renewed.refresh_token).not.toBe(granted.refresh_token);
    expect((await api(issuer.origin, 'profile', renewed.access_token)).status).toBe(200);
  });

  it('refuses a wrong code_verifier', async () => {
    const more = {
      code_challenge: await oauth.calculatePKCECodeChallenge(oauth.generateRandomCodeVerifier()),
      code_challenge_method: 'S256',
    };
    const { callback } = await createOAuthBrowser(at(kind)).logIn(authorizeUrl(at(kind), { redirectUri, more }));
    const { response, text } = await askToken(at(kind), {
      grant_type: 'authorization_code',
      code: callback!.searchParams.get('code')!,
      redirect_uri: redirectUri,
      code_verifier: oauth.generateRandomCodeVerifier(),
    });
    expect([response.status, JSON.parse(text)]).toMatchObject([400, { error: 'invalid_grant' }]);
  });

  it('requires PKCE from a public client', async () => {
    const { callback } = await createOAuthBrowser(at(kind)).logIn(
      authorizeUrl(at(kind), { redirectUri, clientId: 'demo-public' }),
    );
    expect(callback!.searchParams.get('error')).toBe('invalid_request');
  });

  it('refuses a client with a wrong secret', async () => {
    const { response, text } = await askToken(at(kind), {
      grant_type: 'authorization_code',
      code: 'x',
      redirect_uri: redirectUri,
      client_secret: 'another',
    });
    expect([response.status, JSON.parse(text)]).toMatchObject([401, { error: 'invalid_client' }]);
  });

  it('accepts a code once, and revokes its tokens when it is used again', async () => {
    const { callback } = await createOAuthBrowser(at(kind)).logIn(authorizeUrl(at(kind), { redirectUri }));
    const fields = {
      grant_type: 'authorization_code',
      code: callback!.searchParams.get('code')!,
      redirect_uri: redirectUri,
    };
    const first = JSON.parse((await askToken(at(kind), fields)).text) as TokenAnswer;
    expect((await api(at(kind), 'profile', first.access_token)).status).toBe(200);
    const { response, text } = await askToken(at(kind), fields);
    expect([response.status, JSON.parse(text)]).toMatchObject([400, { error: 'invalid_grant' }]);
    expect((await api(at(kind), 'profile', first.access_token)).status).toBe(401);
  });

  it('accepts a refresh token once, and ends the login when it is used again', async () => {
    const { refresh_token: first } = await tokensOf(at(kind), redirectUri);
    const [, renewed] = await refresh(at(kind), first!);
    expect(await refresh(at(kind), first!)).toMatchObject([400, { error: 'invalid_grant' }]);
    expect(await refresh(at(kind), renewed.refresh_token!)).toMatchObject([400, { error: 'invalid_grant' }]);
    expect((await api(at(kind), 'profile', renewed.access_token)).status).toBe(401);
  });

  it('revokes a token', async () => {
    const { access_token: token } = await tokensOf(at(kind), redirectUri);
    const body = new URLSearchParams({ token, client_id: 'demo-app', client_secret: 'demo-secret' });
    const revoked = await fetch(`${at(kind)}/revoke`, { method: 'POST', body });
    expect(revoked.status).toBe(200);
    // oidc-client-ts refuses an empty response that claims to be text.
    expect([await revoked.text(), revoked.headers.get('content-type')]).toEqual(['', null]);
    expect((await api(at(kind), 'profile', token)).status).toBe(401);
  });

  it('issues tokens with the lifetime that the login requested', async () => {
    const lasting = await tokensOf(at(kind), redirectUri, { more: { lifetime: '600' } });
    expect(lasting.expires_in).toBe(600);
    expect((await api(at(kind), 'profile', lasting.access_token)).status).toBe(200);

    const {
      access_token: token,
      expires_in: seconds,
      refresh_token: renewal,
    } = await tokensOf(at(kind), redirectUri, { more: { lifetime: '1' } });
    expect(seconds).toBe(1);
    await expect.poll(async () => (await api(at(kind), 'profile', token)).status).toBe(401);
    expect((await refresh(at(kind), renewal!))[1].expires_in).toBe(1);
  });
});

describe('The implicit flow of demo-implicit', () => {
  it('returns a JWT in the fragment, with lifetime, scope, and state', async () => {
    const { callback } = await createOAuthBrowser(at('implicit')).logIn(
      authorizeUrl(at('implicit'), { redirectUri, responseType: 'token' }),
    );
    expect([callback!.href.split('#')[0], callback!.search]).toEqual([redirectUri, '']);
    const { access_token: token, ...rest } = Object.fromEntries(new URLSearchParams(callback!.hash.slice(1)));
    expect(rest).toEqual({
      expires_in: '600',
      scope: 'profile items.read items.write',
      token_type: 'Bearer',
      state: 'a-state-of-mine',
    });
    const claims = JSON.parse(Buffer.from(token!.split('.')[1]!, 'base64url').toString()) as Record<string, number>;
    expect(claims).toMatchObject({
      iss: at('implicit'),
      sub: 'demo',
      aud: `${at('implicit')}/api`,
      client_id: 'demo-app',
      scope: 'profile items.read items.write',
    });
    expect(claims.exp! - claims.iat!).toBe(600);
    expect((await api(at('implicit'), 'items?limit=1', token!)).status).toBe(200);
  });

  it('is not offered by demo-code', async () => {
    const { callback, page } = await createOAuthBrowser(at('code')).logIn(
      authorizeUrl(at('code'), { redirectUri, responseType: 'token' }),
    );
    expect(
      callback ? new URLSearchParams(callback.hash.slice(1) || callback.search).get('error') : page!.text,
    ).toContain('unsupported_response_type');
  });

  it('accepts scopes separated by commas', async () => {
    const { callback } = await createOAuthBrowser(at('implicit')).logIn(
      authorizeUrl(at('implicit'), { redirectUri, responseType: 'token', scope: 'profile,items.read' }),
    );
    expect(new URLSearchParams(callback!.hash.slice(1)).get('scope')).toBe('profile items.read');
  });
});

describe.each(SERVICES)('A user of demo-%s', (kind) => {
  const responseType = kind === 'code' ? 'code' : 'token';
  const callbackFields = ({ callback }: { callback: URL | null }): URLSearchParams =>
    new URLSearchParams(callback!.hash.slice(1) || callback!.search);

  it('sees a page without scripts that lists the scopes and focuses the first button', async () => {
    const { page } = await createOAuthBrowser(at(kind)).visit(authorizeUrl(at(kind), { redirectUri, responseType }));
    expect(page!.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; frame-ancestors 'none'; form-action 'self' ${platform.baseUrl} http://127.0.0.1:${new URL(platform.baseUrl).port} https://app.example.com`,
    );
    expect([...page!.text.matchAll(/name="scope" value="([^"]+)" checked/g)].map((match) => match[1])).toEqual([
      'profile',
      'items.read',
      'items.write',
    ]);
    expect([...page!.text.matchAll(/<button id="([^"]+)"/g)].map((match) => match[1])).toEqual(['allow', 'refuse']);
    expect(page!.text).not.toMatch(/<script|\son\w+=|style=/);
  });

  it('may grant fewer scopes, and the API then responds with 403 and the missing one', async () => {
    const options = { redirectUri, scopes: ['profile'] };
    const { access_token: token, scope } = await tokensOf(at(kind), redirectUri, options);
    expect(scope).toBe('profile');
    const response = await api(at(kind), 'items', token);
    expect({ status: response.status, wwwAuthenticate: response.headers.get('www-authenticate') }).toEqual({
      status: 403,
      wwwAuthenticate: 'Bearer realm="demo", error="insufficient_scope", scope="items.read"',
    });
    expect(await response.json()).toMatchObject({ error: 'insufficient_scope' });
  });

  it('may deny the request', async () => {
    const params = callbackFields(
      await createOAuthBrowser(at(kind)).logIn(authorizeUrl(at(kind), { redirectUri, responseType }), { refuse: true }),
    );
    expect({
      error: params.get('error'),
      state: params.get('state'),
      code: params.get('code'),
      accessToken: params.get('access_token'),
    }).toEqual({ error: 'access_denied', state: 'a-state-of-mine', code: null, accessToken: null });
  });

  it('is remembered, unless the app sends prompt=login', async () => {
    const browser = createOAuthBrowser(at(kind));
    await browser.logIn(authorizeUrl(at(kind), { redirectUri, responseType }));
    expect((await browser.visit(authorizeUrl(at(kind), { redirectUri, responseType }))).callback).not.toBeNull();
    expect(
      (await browser.visit(authorizeUrl(at(kind), { redirectUri, responseType, more: { prompt: 'login' } }))).page!
        .text,
    ).toContain('id="allow"');
  });

  it('is forgotten by /logout', async () => {
    const browser = createOAuthBrowser(at(kind));
    await browser.logIn(authorizeUrl(at(kind), { redirectUri, responseType }));
    const { page } = await browser.visit(`${at(kind)}/logout`);
    expect(page!.status).toBe(200);
    if (kind === 'implicit')
      expect((await browser.visit(authorizeUrl(at(kind), { redirectUri, responseType }))).page!.text).toContain(
        'id="allow"',
      );
    else expect(page!.text).toMatch(/<form[^>]+action="[^"]+\/logout\/confirm"/);
  });

  it.each(['https://evil.example/callback', 'javascript:alert(1)', 'http://localhost:1/', 'nowhere'])(
    'is never sent to %s',
    async (elsewhere) => {
      const { page, callback } = await createOAuthBrowser(at(kind)).visit(
        authorizeUrl(at(kind), { redirectUri: elsewhere, responseType }),
      );
      expect({ callback, status: page!.status }).toEqual({ callback: null, status: 400 });
      expect(page!.text).toContain('redirect_uri');
    },
  );

  it('may be redirected to any page of an app', async () => {
    for (const address of [`${platform.baseUrl}/v1/apps/101/preview?page=2003`, 'https://app.example.com/back']) {
      const { callback } = await createOAuthBrowser(at(kind)).logIn(
        authorizeUrl(at(kind), { redirectUri: address, responseType }),
      );
      expect(callback!.href.startsWith(address)).toBe(true);
    }
  });
});

describe.each(SERVICES)('The API of demo-%s', (kind) => {
  let token: string;
  beforeAll(async () => {
    token = (await tokensOf(at(kind), redirectUri)).access_token;
  });
  const ask = (path: string, init?: RequestInit): Promise<Response> => api(at(kind), path, token, init);
  const json = (method: string, value: unknown): RequestInit => ({
    method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(value),
  });

  it.each([
    [undefined, 'Bearer realm="demo"'],
    ['Basic eDp5', 'Bearer realm="demo"'],
    [
      'Bearer wrong',
      'Bearer realm="demo", error="invalid_token", error_description="The access token is unknown, expired, or revoked."',
    ],
  ])('responds with 401 to the authorization %s', async (authorization, challenge) => {
    const response = await fetch(`${at(kind)}/api/profile`, {
      headers: authorization === undefined ? {} : { Authorization: authorization },
    });
    expect({ status: response.status, wwwAuthenticate: response.headers.get('www-authenticate') }).toEqual({
      status: 401,
      wwwAuthenticate: challenge,
    });
  });

  it('lists, adds, changes, and removes items', async () => {
    expect(await (await ask('items?q=wrench&limit=5')).json()).toEqual({
      items: [{ id: 2, name: 'Torque wrench', stock: 8 }],
      total: 1,
      query: { q: 'wrench', limit: '5' },
    });
    const added = await ask('items', json('POST', { name: 'Rope' }));
    expect({ status: added.status, json: await added.json() }).toEqual({
      status: 201,
      json: { item: { id: 13, name: 'Rope' } },
    });
    expect(await (await ask('items/13', json('PUT', { stock: 4 }))).json()).toEqual({
      item: { id: 13, name: 'Rope', stock: 4 },
    });
    expect((await ask('items/13', { method: 'DELETE' })).status).toBe(204);
    expect((await ask('items/13', { method: 'DELETE' })).status).toBe(404);
  });

  it('returns the fields and files of a form', async () => {
    const bytes = new Uint8Array([0, 255, 13, 10, 45, 45]);
    const body = new FormData();
    body.set('note', 'for Dana');
    body.set('photo', new File([bytes], 'a "b".png', { type: 'image/png' }));
    const response = await ask('items', { method: 'POST', body });
    expect({ status: response.status, json: await response.json() }).toEqual({
      status: 201,
      json: {
        fields: { note: 'for Dana' },
        files: [
          {
            field: 'photo',
            name: 'a "b".png',
            type: 'image/png',
            size: 6,
            sha256: createHash('sha256').update(bytes).digest('hex'),
          },
        ],
      },
    });
  });

  it.each([
    [{ method: 'POST', body: '{', headers: { 'Content-Type': 'application/json' } }, 400],
    [{ method: 'POST', body: '[]', headers: { 'Content-Type': 'application/json' } }, 400],
    [{ method: 'POST', body: 'x', headers: { 'Content-Type': 'multipart/form-data; boundary=y' } }, 400],
    [{ method: 'POST', body: 'x', headers: { 'Content-Type': 'text/plain' } }, 415],
    [
      {
        method: 'POST',
        body: JSON.stringify('x'.repeat(12 * 1024 * 1024)),
        headers: { 'Content-Type': 'application/json' },
      },
      413,
    ],
  ])('refuses an invalid item (case %#)', async (init, status) => {
    expect((await ask('items', init)).status).toBe(status);
  });

  it('responds with the requested status, size, and delay', async () => {
    expect((await ask('text')).headers.get('content-type')).toMatch('text/plain');
    expect((await (await ask('big?mb=2')).text()).length).toBeGreaterThan(2 * 1024 * 1024);
    expect([(await ask('error/503')).status, (await ask('error/200')).status, (await ask('nothing')).status]).toEqual([
      503, 404, 404,
    ]);
    expect(await (await ask('slow?ms=1')).json()).toEqual({ waited: 1 });
  });

  it('redirects to the other service, where the token must not be sent', async () => {
    expect((await ask('redirect', { redirect: 'manual' })).headers.get('location')).toBe(
      `${at(kind === 'code' ? 'implicit' : 'code')}/api/arrived`,
    );
    expect(await (await ask('redirect')).json()).toEqual({ authorization: false });
  });

  it.each(['/api/profile', '/token'])('allows CORS for %s to the origins of apps only', async (path) => {
    const preflight = (origin: string): Promise<Response> =>
      fetch(at(kind) + path, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'authorization,content-type',
        },
      });
    const real = (origin: string): Promise<Response> =>
      fetch(at(kind) + path, {
        headers: { Origin: origin, ...(path !== '/token' && { Authorization: `Bearer ${token}` }) },
        ...(path === '/token' && {
          method: 'POST',
          body: new URLSearchParams({
            grant_type: 'refresh_token',
            refresh_token: 'x',
            client_id: 'demo-app',
            client_secret: 'demo-secret',
          }),
        }),
      });
    for (const origin of [platform.baseUrl, 'https://app.example.com']) {
      expect((await preflight(origin)).headers.get('access-control-allow-origin')).toBe(origin);
      const { headers } = await real(origin);
      expect({
        accessControlAllowOrigin: headers.get('access-control-allow-origin'),
        accessControlExposeHeaders: headers.get('access-control-expose-headers'),
      }).toEqual({ accessControlAllowOrigin: origin, accessControlExposeHeaders: expect.stringContaining('Date') });
    }
    expect((await real('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('responds only under host names of this machine', async () => {
    expect((await rawRequest(`${at(kind)}/faults`, { Host: 'evil.example' })).status).toBe(400);
  });
});

describe('The platform with demo services', () => {
  it('returns configurations for the services', async () => {
    const { body } = await platform.ask<{ services: Record<string, Record<string, unknown>> }>('/v1/oauth-demo');
    expect(body.services).toEqual({
      'demo-code': {
        clientId: 'demo-app',
        clientSecret: 'demo-secret',
        redirectUrl: redirectUri,
        scope: 'profile,items.read,items.write',
        authUrl: `${at('code')}/authorize`,
        grantType: 'code',
        grantUrl: `${at('code')}/token`,
        baseUrl: `${at('code')}/api/`,
        revokeUrl: `${at('code')}/revoke`,
        issuer: at('code'),
        refresh: true,
      },
      'demo-implicit': {
        clientId: 'demo-app',
        clientSecret: 'demo-secret',
        redirectUrl: redirectUri,
        scope: 'profile,items.read,items.write',
        authUrl: `${at('implicit')}/authorize`,
        grantType: 'token',
        baseUrl: `${at('implicit')}/api/`,
        revokeUrl: `${at('implicit')}/revoke`,
      },
    });
  });

  it('has a screen that includes the library after the runtime, and before its own script', async () => {
    const { text } = await platform.ask('/v1/apps/101/preview?page=2003');
    const scripts = [...text.matchAll(/<script src="([^"]+)">/g)].map((match) => match[1]!);
    expect([scripts[0], scripts.at(-2), scripts.at(-1)]).toEqual([
      '/v1/packages/platform-core:2.js',
      '/v1/packages/platform-oauth2:0.1.js',
      expect.stringMatching(/\/2003\/preview\/screen-oauth2\.js$/),
    ]);
    expect((await platform.ask(scripts.at(-1)!, { token: null })).text).toContain("Platform.request('oauth-demo')");
  });

  it('serves the library as a script and as a module, each with its source map', async () => {
    for (const [name, holds] of [
      ['platform-oauth2:0.1.js', 'OAuth2'],
      ['platform-oauth2:0.1.mjs', 'export{'],
    ] as const) {
      const { status, headers, text } = await platform.ask(`/v1/packages/${name}`, { token: null });
      expect({ status, contentType: headers.get('content-type') }).toEqual({
        status: 200,
        contentType: 'text/javascript; charset=utf-8',
      });
      expect(
        [headers.get('cross-origin-resource-policy'), headers.get('access-control-allow-origin')],
        'apps on other origins include it',
      ).toEqual(['cross-origin', '*']);
      expect(text).toContain(holds);
      expect(text).toMatch(new RegExp(`//# sourceMappingURL=\\./${name}\\.map\n$`));
      const map = (await platform.ask<{ sources: string[] }>(`/v1/packages/${name}.map`, { token: null })).body;
      expect(map.sources.some((source) => source.endsWith('oauth2/oauth2.ts'))).toBe(true);
    }
  });

  it('can start without the services', async () => {
    const alone = await startForTest();
    expect(alone.oauthDemo).toBeNull();
    expect((await alone.ask('/v1/oauth-demo')).body.error).toBe('OAUTH_DEMO_OFF');
  });

  it('starts them on other ports when theirs are in use', async () => {
    const second = await startOAuthDemo({
      port: Number(new URL(at('code')).port),
      appOrigins: [platform.baseUrl],
      pagesRoot: '/v1',
      log: console.error,
    });
    onTestFinished(() => second.close());
    expect(new Set([at('code'), at('implicit'), second.code, second.implicit]).size).toBe(4);
    expect((await fetch(`${second.code}/faults`)).status).toBe(200);
  });
});
