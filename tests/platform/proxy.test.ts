/** `POST /v1/proxy`: what it forwards, what it removes, and what it refuses to reach (specification, `useProxy`). */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { once } from 'node:events';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { start, startForTest, type ApiResponse, type Refusal, type TestPlatform } from './support/platform.ts';
import { tokensOf } from './support/oauth-browser.ts';

const MEGABYTE = 1024 * 1024;

interface Seen {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Responds with the request, or as its URL says. */
async function startService(): Promise<{ origin: string; host: string; seen: Seen[]; close: () => void }> {
  const seen: Seen[] = [];
  const respond = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await req.toArray()).toString('latin1');
    const url = new URL(req.url!, 'http://service');
    seen.push({ method: req.method!, url: req.url!, headers: req.headers, body });
    const to = url.searchParams.get('to');
    if (to !== null) return void res.writeHead(Number(url.searchParams.get('status') ?? 302), { location: to }).end();
    const paths: Record<string, () => void> = {
      '/gzip': () =>
        res.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' }).end(gzipSync('packed')),
      '/nothing': () => res.writeHead(204).end(),
      '/status': () => res.writeHead(418, { 'content-type': 'text/plain' }).end('a teapot'),
      '/bytes': () =>
        res.writeHead(200, { 'content-type': 'application/octet-stream' }).end(Buffer.from([0, 255, 128, 13, 10])),
      '/size': () => res.writeHead(200).end(Buffer.alloc(Number(url.searchParams.get('bytes')))),
      '/never': () => undefined,
      '/trickle': () => void res.writeHead(200).write('a little'),
      '/broken': () => res.destroy(),
      '/own-headers': () =>
        res
          .writeHead(401, {
            'set-cookie': 'a=b',
            'access-control-allow-origin': '*',
            'clear-site-data': '"*"',
            'content-security-policy': 'x',
            'cache-control': 'max-age=99',
            refresh: '0; url=/',
            'www-authenticate': url.searchParams.get('challenge') ?? 'Bearer error="invalid_token"',
            'retry-after': '3',
            'x-total-count': '12',
            'x-frame-options': 'ALLOWALL',
            link: '</2>; rel="next"',
            'service-worker-allowed': '/',
          })
          .end('{}'),
    };
    (paths[url.pathname] ?? (() => res.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}')))();
  };
  const server = createServer((req, res) => void respond(req, res));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin: `http://${host}`, host, seen, close: () => (server.closeAllConnections(), server.close()) };
}

let platform: TestPlatform;
let service: Awaited<ReturnType<typeof startService>>;
let other: Awaited<ReturnType<typeof startService>>;
let forbidden: Awaited<ReturnType<typeof startService>>;

beforeAll(async () => {
  [service, other, forbidden] = await Promise.all([startService(), startService(), startService()]);
  platform = await start({ allowPrivate: [service.host, other.host], oauthDemoPort: 0 });
});
afterAll(async () => {
  for (const each of [service, other, forbidden]) each.close();
  await platform.close();
});

const proxy = (order: object, how: { token?: string | null } = {}): Promise<ApiResponse<Refusal>> =>
  platform.ask('/v1/proxy', { body: order, ...how });
const last = (of = service): Seen => of.seen.at(-1)!;

describe('the proxy forwards', () => {
  it('the method, the URL with its query, the headers, and the body', async () => {
    const { body } = await proxy({
      url: `${service.origin}/a/b?c=%20d&c=e`,
      method: 'put',
      headers: { Authorization: 'Bearer abc', 'Content-Type': 'text/plain', 'X-Mine': 'mine' },
      body: 'text: ü',
    });
    expect(body).toEqual({ ok: true });
    expect(last()).toMatchObject({
      method: 'PUT',
      url: '/a/b?c=%20d&c=e',
      headers: { authorization: 'Bearer abc', 'content-type': 'text/plain', 'x-mine': 'mine' },
      body: Buffer.from('text: ü').toString('latin1'),
    });
  });

  it('a GET by default', async () => {
    const { status, body } = await proxy({ url: service.origin });
    expect({ status, body, method: last().method }).toEqual({ status: 200, body: { ok: true }, method: 'GET' });
  });

  it('the status and the body of the response, and marks it as the service’s', async () => {
    const { status, text, headers } = await proxy({ url: `${service.origin}/status` });
    expect({
      status,
      text,
      contentType: headers.get('content-type'),
      platformProxy: headers.get('platform-proxy'),
    }).toEqual({ status: 418, text: 'a teapot', contentType: 'text/plain', platformProxy: 'service' });
  });

  it('bytes in both directions', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 128]);
    await proxy({ url: service.origin, method: 'POST', body: { base64: bytes.toString('base64') } });
    expect(last().body).toBe(bytes.toString('latin1'));
    const response = await fetch(`${platform.baseUrl}/v1/proxy`, {
      method: 'POST',
      headers: { 'Auth-token': platform.authToken, 'Content-Type': 'application/json' },
      body: JSON.stringify({ url: `${service.origin}/bytes` }),
    });
    expect([...(await response.bytes())]).toEqual([0, 255, 128, 13, 10]);
  });

  it('a response without a body, and a compressed one', async () => {
    expect(await proxy({ url: `${service.origin}/nothing` })).toMatchObject({ status: 204, text: '' });
    expect((await proxy({ url: `${service.origin}/gzip` })).text).toBe('packed');
    expect(await proxy({ url: `${service.origin}/status`, method: 'HEAD' })).toMatchObject({ status: 418, text: '' });
  });

  it('a form with a file to the demo service, with the token of a page', async () => {
    const { code } = platform.oauthDemo!;
    const { access_token: token } = await tokensOf(code, `${platform.baseUrl}/v1/auth/sso-callback`);
    const form = Buffer.concat([
      Buffer.from(
        '--Aa\r\nContent-Disposition: form-data; name="file"; filename="ü.bin"\r\nContent-Type: image/png\r\n\r\n',
      ),
      Buffer.from([0, 255, 45, 45, 13, 10]),
      Buffer.from('\r\n--Aa--\r\n'),
    ]);
    const order = {
      url: `${code}/api/items`,
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'multipart/form-data; boundary=Aa' },
      body: { base64: form.toString('base64') },
    };
    const page = (await platform.ask('/v1/apps/101/preview')).text;
    const { token: pageToken } = JSON.parse(/id="platform-env">([^<]*)</.exec(page)![1]!) as { token: string };
    expect(await proxy(order, { token: pageToken })).toMatchObject({
      status: 201,
      body: { files: [{ field: 'file', name: 'ü.bin', type: 'image/png', size: 6 }] },
    });
  });
});

describe('the proxy doesn’t forward', () => {
  it('a second request in the body of a DELETE, whose length is declared as for any other method', async () => {
    const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: service\r\n\r\n';
    expect((await proxy({ url: `${service.origin}/first`, method: 'DELETE', body: smuggled })).status).toBe(200);
    expect(last()).toMatchObject({
      method: 'DELETE',
      url: '/first',
      body: smuggled,
      headers: { 'content-length': String(smuggled.length) },
    });
  });

  it('headers that a page may not send', async () => {
    const headers = Object.fromEntries(
      [
        'Host',
        'Cookie',
        'Auth-token',
        'Connection',
        'Transfer-Encoding',
        'Content-Length',
        'Upgrade',
        'Proxy-Authorization',
        'Origin',
        'Referer',
        'Forwarded',
        'X-Forwarded-For',
        'Sec-Fetch-Site',
        'Expect',
      ].map((name) => [name, '7']),
    );
    expect((await proxy({ url: service.origin, headers })).status).toBe(200);
    expect(last().headers).toEqual({ host: service.host, connection: 'close' });
  });

  it('response headers that would affect the platform’s origin', async () => {
    const { status, headers } = await proxy({ url: `${service.origin}/own-headers` });
    expect(status).toBe(401);
    expect(
      Object.fromEntries([...headers].filter(([name]) => !/^(date|connection|keep-alive|content-length)$/.test(name))),
    ).toEqual({
      'cache-control': 'no-store',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'content-type': expect.stringContaining('text/plain'),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'platform-proxy': 'service',
      'www-authenticate': 'Bearer error="invalid_token"',
      'retry-after': '3',
      'x-total-count': '12',
      link: '</2>; rel="next"',
    });
  });

  it('a challenge that would make the browser prompt for a password', async () => {
    for (const challenge of ['Basic realm="x"', 'NTLM'])
      expect(
        (await proxy({ url: `${service.origin}/own-headers?challenge=${encodeURIComponent(challenge)}` })).headers.get(
          'www-authenticate',
        ),
      ).toBeNull();
  });
});

describe('redirects', () => {
  const redirect = (to: string, status = 302): string =>
    `${service.origin}/?status=${status}&to=${encodeURIComponent(to)}`;
  const headers = { Authorization: 'Bearer abc', 'X-Api-Key': 'k', 'X-Other': 'o' };

  it('are followed within an origin, with headers and body', async () => {
    expect((await proxy({ url: redirect('/end'), headers })).status).toBe(200);
    expect(last()).toMatchObject({ url: '/end', headers: { authorization: 'Bearer abc', 'x-api-key': 'k' } });
  });

  it('never send a secret to another origin', async () => {
    expect((await proxy({ url: redirect(`${other.origin}/end`), headers })).status).toBe(200);
    expect(last(other)).toMatchObject({ url: '/end', headers: { 'x-other': 'o' } });
    expect(Object.keys(last(other).headers)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/authorization|x-api-key/)]),
    );
  });

  it.each([307, 308])('with %i never send a body to another origin', async (status) => {
    const before = other.seen.length;
    expect(await proxy({ url: redirect(other.origin, status), method: 'POST', body: 'client_secret=s' })).toMatchObject(
      { status: 502, body: { error: 'PROXY_REDIRECT_REFUSED' } },
    );
    expect(other.seen).toHaveLength(before);
    expect((await proxy({ url: redirect('/end', status), method: 'POST', body: 'kept' })).status).toBe(200);
    expect(last()).toMatchObject({ method: 'POST', body: 'kept' });
  });

  it.each([301, 302, 303])('with %i change a POST to a GET without a body', async (status) => {
    await proxy({
      url: redirect('/end', status),
      method: 'POST',
      body: 'x',
      headers: { 'Content-Type': 'text/plain' },
    });
    expect(last()).toMatchObject({ method: 'GET', body: '' });
    expect(last().headers['content-type']).toBeUndefined();
  });

  it.each(['file:///etc/passwd', 'javascript:alert(1)', 'http://user:password@127.0.0.1/'])(
    'to %s are refused',
    async (to) => {
      expect(await proxy({ url: redirect(to) })).toMatchObject({
        status: 502,
        body: { error: 'PROXY_REDIRECT_REFUSED' },
      });
    },
  );

  it('without an end are refused', async () => {
    const { body } = await proxy({ url: `${service.origin}/?to=${encodeURIComponent('?to=%3Fto=/')}` });
    expect(body).toEqual({ ok: true });
    const loop = createServer((_req, res) => void res.writeHead(302, { location: '/' }).end());
    await once(loop.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void loop.close());
    const own = await startForTest({ allowPrivate: ['127.0.0.1'] });
    expect(
      (await own.ask('/v1/proxy', { body: { url: `http://127.0.0.1:${(loop.address() as AddressInfo).port}/` } })).body,
    ).toMatchObject({ error: 'PROXY_REDIRECT_REFUSED', message: expect.stringContaining('more than 5 times') });
  });

  it('to a private address are refused', async () => {
    expect(await proxy({ url: redirect(forbidden.origin) })).toMatchObject({
      status: 403,
      body: { error: 'PROXY_ADDRESS_REFUSED' },
    });
    expect(forbidden.seen).toEqual([]);
  });
});

describe('a private address', () => {
  it.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://LOCALHOST:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://0:PORT/',
    'http://[::1]:PORT/',
    'http://[::]:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::ffff:7f00:1]:PORT/',
    'http://[64:ff9b::7f00:1]:PORT/',
    'http://[fe80::1]:PORT/',
    'http://[fd00::1]:PORT/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://172.16.0.1/',
    'http://100.64.0.1/',
    'http://①②⑦.⓪.⓪.①:PORT/',
  ])('in %s is refused', async (url) => {
    const { status, body } = await proxy({ url: url.replace('PORT', new URL(forbidden.origin).port) });
    expect({ status, error: body.error }).toEqual({ status: 403, error: 'PROXY_ADDRESS_REFUSED' });
    expect(body.hint).toMatch(/--allow-private \S+ to allow it\.$/);
    expect(forbidden.seen).toEqual([]);
  });

  it('of the platform itself is refused', async () => {
    expect((await proxy({ url: `${platform.baseUrl}/v1/status` })).body.error).toBe('PROXY_ADDRESS_REFUSED');
  });

  it('of the demo services is allowed, but only by their own URL', async () => {
    for (const address of Object.values(platform.oauthDemo!)) {
      expect((await proxy({ url: `${address}/faults` })).status).toBe(200);
      expect((await proxy({ url: `${address.replace('localhost', '127.0.0.1')}/faults` })).body.error).toBe(
        'PROXY_ADDRESS_REFUSED',
      );
    }
  });
});

describe('limits', () => {
  it('a response has at most 10 MB', async () => {
    expect((await proxy({ url: `${service.origin}/size?bytes=${10 * MEGABYTE}` })).text).toHaveLength(10 * MEGABYTE);
    expect(await proxy({ url: `${service.origin}/size?bytes=${10 * MEGABYTE + 1}` })).toMatchObject({
      status: 502,
      body: { error: 'PROXY_TOO_LARGE' },
    });
  });

  it('a body has at most 10 MB', async () => {
    expect(
      (
        await proxy({
          url: service.origin,
          method: 'POST',
          body: { base64: Buffer.alloc(10 * MEGABYTE).toString('base64') },
        })
      ).status,
    ).toBe(200);
    expect(last().body).toHaveLength(10 * MEGABYTE);
    expect(await proxy({ url: service.origin, method: 'POST', body: 'x'.repeat(15 * MEGABYTE) })).toMatchObject({
      status: 413,
      body: { error: 'PROXY_TOO_LARGE' },
    });
  });

  it('a response that doesn’t start or doesn’t end is canceled', async () => {
    const hasty = await startForTest({ allowPrivate: [service.host], proxyTimeLimit: 300 });
    for (const path of ['/never', '/trickle'])
      expect(await hasty.ask('/v1/proxy', { body: { url: service.origin + path } })).toMatchObject({
        status: 504,
        body: { error: 'PROXY_TIMEOUT' },
      });
  });
});

describe('a service that cannot be reached', () => {
  it('gets an error code, whether it doesn’t respond or isn’t there', async () => {
    const gone = await startService();
    gone.close();
    const nonsense = createTcpServer((socket: Socket) => void socket.end('nonsense\r\n\r\n'));
    await once(nonsense.listen(0, '127.0.0.1'), 'listening');
    const hosts = [gone.host, `127.0.0.1:${(nonsense.address() as AddressInfo).port}`];
    onTestFinished(() => void nonsense.close());
    const own = await startForTest({ allowPrivate: hosts });
    const refusals = await Promise.all(
      [...hosts.map((host) => `http://${host}/`), 'http://no-such-host.invalid/'].map((url) =>
        own.ask('/v1/proxy', { body: { url } }),
      ),
    );
    expect(refusals.map(({ status, body }) => [status, body.error])).toEqual(Array(3).fill([502, 'PROXY_UNREACHABLE']));
    expect(refusals[0]!.body.message).toBe(`Couldn’t reach ${gone.host}: it refused the connection.`);
    expect((await proxy({ url: `${service.origin}/broken` })).body.error).toBe('PROXY_UNREACHABLE');
  });
});

describe('an invalid request to the proxy', () => {
  it.each([
    [{}, '/url'],
    [{ url: 'profile' }, '/url'],
    [{ url: 'ftp://example.com/' }, '/url'],
    [{ url: 'http://a:b@example.com/' }, '/url'],
    [{ url: 'https://example.com/', method: 'TRACE' }, '/method'],
    [{ url: 'https://example.com/', method: 'GET\r\nX: y' }, '/method'],
    [{ url: 'https://example.com/', headers: { 'a b': 'c' } }, '/headers/a b'],
    [{ url: 'https://example.com/', headers: { a: 'b\r\nc: d' } }, '/headers/a'],
    [{ url: 'https://example.com/', headers: { a: 1 } }, '/headers/a'],
    [{ url: 'https://example.com/', headers: { a: 'ü' } }, '/headers/a'],
    [
      {
        url: 'https://example.com/',
        headers: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`h${n}`, 'x'])),
      },
      '/headers',
    ],
    [{ url: 'https://example.com/', method: 'POST', body: { base64: '*' } }, '/body'],
    [{ url: 'https://example.com/', method: 'POST', body: 7 }, '/body'],
  ])('is refused: %j', async (order, path) => {
    const { status, body } = await proxy(order);
    expect({ status, error: body.error, path: body.details?.[0]?.path }).toEqual({
      status: 422,
      error: 'INVALID',
      path,
    });
  });

  it('is a GET with a body', async () => {
    expect((await proxy({ url: service.origin, body: 'x' })).body.message).toContain('A GET request can’t have a body');
  });

  it('is one without a token, or a GET of the proxy itself', async () => {
    const responses = [await proxy({ url: service.origin }, { token: null }), await platform.ask('/v1/proxy')];
    expect(responses.map(({ status, headers }) => [status, headers.get('platform-proxy')])).toEqual([
      [401, null],
      [405, null],
    ]);
  });
});
