/** Access to the platform and its limits, for a hostile page in the same browser and any other client of its port (issue, "Trust"). */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createHttpServer, SERVER_LIMITS, type ServerLimits } from '../../lib/local-platform/http/server.ts';
import { rawRequest, start, startForTest, type Refusal, type TestPlatform } from './support/platform.ts';
import { responseIn, talk } from './support/socket.ts';

const EXTENSION = 'chrome-extension://abcdefghijklmnopabcdefghijklmnop';
const APP = 'https://app.example.com';
let platform: TestPlatform;
beforeAll(async () => {
  platform = await start({ appOrigins: [APP], oauthDemoPort: 0 });
});
afterAll(() => platform.close());

const release = { release: { type: 'silent', changelog: 'x' } };
const versionNow = async (): Promise<number | null> =>
  (await platform.ask<{ apps: { version: number | null }[] }>('/v1/apps')).body.apps[0]!.version;

describe('the listening address', () => {
  const reaches = (host: string, port: number): Promise<boolean> =>
    new Promise((resolve) => {
      const socket = connect(port, host, () => resolve(true)).on('error', () => resolve(false));
      onTestFinished(() => void socket.destroy());
    });

  /** The IP address of `localhost` that some clients try first. */
  const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

  it('is only loopback by default', async () => {
    const port = Number(new URL(platform.baseUrl).port);
    expect([await reaches('127.0.0.1', port), await reaches('127.0.0.2', port), await reaches('::1', port)]).toEqual([
      true,
      false,
      hasIPv6,
    ]);
    const { baseUrl } = await startForTest({ host: '0.0.0.0' });
    expect(await reaches('127.0.0.2', Number(new URL(baseUrl).port))).toBe(true);
  });

  it.each(hasIPv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'])(
    'isn’t one whose port another program has at %s, so that no token of localhost goes there',
    async (address) => {
      const other = createServer();
      await once(other.listen(0, address), 'listening');
      onTestFinished(() => void other.close());
      const { port } = other.address() as AddressInfo;
      await expect(start({ port })).rejects.toThrow(`Port ${port} on ${address} is already in use.`);
      const { oauthDemo } = await startForTest({ oauthDemoPort: port });
      expect(Number(new URL(oauthDemo!.code).port)).not.toBe(port);
    },
  );
});

describe('a page of another origin', () => {
  const foreign = [
    'https://evil.example',
    'http://localhost:1',
    'http://127.0.0.1',
    'http://evil.localhost:4400',
    'https://app.example.com.evil.example',
    'https://app.example.com:444',
    'file://',
    'chrome://settings',
    'not an origin',
  ];

  it.each(foreign)('%s is refused, even with the right token', async (origin) => {
    const before = await versionNow();
    for (const [path, how] of [
      ['/v1/apps', {}],
      ['/v1/apps/101/publish', { body: release }],
      ['/v1/status', {}],
      ['/nothing', {}],
    ] as const) {
      const { status, body } = await platform.ask(path, { ...how, headers: { Origin: origin } });
      expect({ path, status, error: body.error }).toEqual({ path, status: 403, error: 'ORIGIN_NOT_ALLOWED' });
    }
    expect(await versionNow()).toBe(before);
  });

  it('is refused without a token and with the origin “null”, as in a sandboxed frame', async () => {
    expect(
      (await platform.ask('/v1/apps/101/publish', { body: release, token: null, headers: { Origin: 'null' } })).body
        .error,
    ).toBe('ORIGIN_NOT_ALLOWED');
  });

  it.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', 'application/json'])(
    'changes nothing by a form or a simple request of %s (CSRF)',
    async (type) => {
      const before = await versionNow();
      const senders: Record<string, string>[] = [
        { Origin: 'https://evil.example' },
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site' },
        {},
      ];
      for (const headers of senders) {
        const { status } = await platform.ask('/v1/apps/101/publish', {
          token: null,
          body: JSON.stringify(release),
          headers: { ...headers, 'Content-Type': type },
        });
        expect({ headers, status }).toEqual({ headers, status: 'Origin' in headers ? 403 : 401 });
      }
      expect(await versionNow()).toBe(before);
    },
  );

  it('gets no permission by a preflight request', async () => {
    for (const path of ['/v1/apps', '/v1/apps/101/actions', '/v1/proxy', '/v1/packages/platform-core:2.js']) {
      const { status, headers } = await platform.ask(path, {
        method: 'OPTIONS',
        token: null,
        headers: {
          Origin: 'https://evil.example',
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': 'auth-token,content-type',
        },
      });
      expect([path, status >= 400, [...headers.keys()].filter((name) => name.startsWith('access-control'))]).toEqual([
        path,
        true,
        [],
      ]);
    }
  });

  it('can use the packages, and nothing else that is served without a token', async () => {
    const { status, headers } = await platform.ask('/v1/packages/platform-oauth2:0.1.mjs', {
      token: null,
      headers: { Origin: 'https://any.example' },
    });
    expect({
      status,
      accessControlAllowOrigin: headers.get('access-control-allow-origin'),
      crossOriginResourcePolicy: headers.get('cross-origin-resource-policy'),
    }).toEqual({ status: 200, accessControlAllowOrigin: '*', crossOriginResourcePolicy: 'cross-origin' });
    const functions = await platform.ask('/v1/functions/com.platform.function.if.js', { token: null });
    expect({
      status: functions.status,
      accessControlAllowOrigin: functions.headers.get('access-control-allow-origin'),
      crossOriginResourcePolicy: functions.headers.get('cross-origin-resource-policy'),
    }).toEqual({ status: 200, accessControlAllowOrigin: null, crossOriginResourcePolicy: 'same-origin' });
  });

  it('with its own host name for this machine (DNS rebinding) is refused even with the right token', async () => {
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'evil.example:80',
      'localhost.',
      '127.0.0.1.',
      '2130706433',
      '0.0.0.0',
      '[::]',
    ]) {
      const { status, text } = await rawRequest(`${platform.baseUrl}/v1/apps`, {
        Host: host,
        'Auth-token': platform.authToken,
        Origin: `http://${host}`,
      });
      expect({ host, status, error: (JSON.parse(text) as Refusal).error }).toEqual({
        host,
        status: 400,
        error: expect.stringMatching(/^(HOST_NOT_ALLOWED|MALFORMED)$/),
      });
    }
  });
});

describe('an allowed origin', () => {
  it.each([
    ['a page of the platform', () => platform.baseUrl],
    [
      'a page of the platform under another host name of this machine',
      () => platform.baseUrl.replace('localhost', '127.0.0.1'),
    ],
    ['an extension', () => EXTENSION],
    ['a Firefox extension', () => 'moz-extension://0c6a3b4e-1c1e-4c8a-9c57-6d7f3a5b2f10'],
    ['an extension with a hidden origin, by its token', () => 'null'],
    ['an app origin from the options', () => APP],
  ])('is %s', async (_, origin) => {
    expect((await platform.ask('/v1/apps', { headers: { Origin: origin() } })).status).toBe(200);
    expect((await platform.ask('/v1/apps', { token: 'not-a-token', headers: { Origin: origin() } })).status).toBe(401);
  });

  it('is a page with another host name for this machine, as long as that isn’t the platform’s', async () => {
    const { port } = new URL(platform.baseUrl);
    const headers = {
      Host: `app.localhost:${port}`,
      Origin: `http://app.localhost:${port}`,
      'Auth-token': platform.authToken,
    };
    expect((await rawRequest(`${platform.baseUrl}/v1/apps`, headers)).status).toBe(200);
  });
});

describe('the headers of every response', () => {
  const ALWAYS = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };
  /** Pages may run the platform's own scripts, and nothing may frame them. */
  const expectSafe = (what: string, headers: Headers): void => {
    expect([what, Object.fromEntries(Object.keys(ALWAYS).map((name) => [name, headers.get(name)]))]).toEqual([
      what,
      ALWAYS,
    ]);
    expect({ what, contentSecurityPolicy: headers.get('content-security-policy') }).toEqual({
      what,
      contentSecurityPolicy: expect.stringMatching(/default-src 'none'/),
    });
    expect({ what, crossOriginResourcePolicy: headers.get('cross-origin-resource-policy') }).toEqual({
      what,
      crossOriginResourcePolicy: what.includes('/v1/packages/') ? 'cross-origin' : 'same-origin',
    });
    if (!headers.get('content-security-policy')!.startsWith('sandbox'))
      expect({ what, contentSecurityPolicy: headers.get('content-security-policy') }).toEqual({
        what,
        contentSecurityPolicy: expect.stringContaining("frame-ancestors 'none'"),
      });
    expect({ what, contentSecurityPolicy: headers.get('content-security-policy') }).toEqual({
      what,
      contentSecurityPolicy: expect.not.stringContaining('unsafe'),
    });
    expect({ what, xPoweredBy: headers.get('x-powered-by'), server: headers.get('server') }).toEqual({
      what,
      xPoweredBy: null,
      server: null,
    });
  };

  it('forbid sniffing, caching, referrers, and framing', async () => {
    const {
      body: { action },
    } = await platform.ask<{ action: { id: number } }>('/v1/apps/101/actions', {
      body: { name: 'headers', functions: [] },
    });
    const html = { Accept: 'text/html' };
    const requests: [string, string, Parameters<TestPlatform['ask']>[1]?][] = [
      ['GET', '/'],
      ['GET', '/v1/status'],
      ['GET', '/nothing'],
      ['GET', '/nothing', { headers: html }],
      ['GET', '/v1/apps'],
      ['HEAD', '/v1/apps'],
      ['GET', '/v1/apps', { token: null }],
      ['GET', '/v1/apps', { token: null, headers: html }],
      ['PATCH', '/v1/apps'],
      ['GET', '/v1/apps/101/analytics/sessions'],
      ['GET', '/v1/apps/101/tasks/1001/compile?html'],
      ['GET', '/v1/apps/101/tasks/1001/compile'],
      ['GET', '/v1/apps/101/preview'],
      ['GET', '/v1/apps/101/live'],
      ['GET', '/v1/auth/sso-callback'],
      ['GET', '/v1/packages/page.css'],
      ['GET', '/v1/packages/platform-core:2.js'],
      ['GET', '/v1/packages/platform-core:2.js.map'],
      ['GET', '/v1/functions/com.platform.function.if.js'],
      ['DELETE', `/v1/apps/101/actions/${action.id}`],
      ['POST', '/v1/apps/101/publish', { body: 'x'.repeat(2_000_000) }],
      ['POST', '/v1/apps/101/publish', { body: '{' }],
      ['GET', '/v1/apps', { headers: { Origin: 'https://evil.example' } }],
      ['POST', '/v1/proxy', { body: { url: platform.oauthDemo!.code } }],
      ['POST', '/v1/proxy', { body: { url: 'http://10.0.0.1/' } }],
      ['GET', '/v1/%E0%A4%A'],
    ];
    for (const [method, path, how] of requests)
      expectSafe(`${method} ${path}`, (await platform.ask(path, { ...how, method })).headers);
    for (const bytes of [
      'NONSENSE\r\n\r\n',
      'GET / HTTP/1.1\r\nConnection: close\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    ])
      expectSafe(bytes.slice(0, 30), responseIn(await talk(loopback(platform.baseUrl), bytes)).headers);
  });

  it('isolate a window that another page opened, except the success page, which needs its opener', async () => {
    const policy = async (path: string): Promise<string | null> =>
      (await platform.ask(path)).headers.get('cross-origin-opener-policy');
    expect([
      await policy('/v1/apps/101/preview'),
      await policy('/v1/apps/101/tasks/1001/compile?html'),
      await policy('/v1/auth/sso-callback'),
    ]).toEqual(['same-origin-allow-popups', 'same-origin-allow-popups', 'unsafe-none']);
  });
});

const loopback = (baseUrl: string): string => baseUrl.replace('localhost', '127.0.0.1');

describe('an invalid HTTP request', () => {
  it.each([
    ['nonsense', 'NONSENSE\r\n\r\n', 400, 'MALFORMED'],
    ['TLS', Buffer.from('16030100c8010000c40303', 'hex'), 400, 'MALFORMED'],
    ['a missing Host', 'GET /v1/apps HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'MALFORMED'],
    ['HTTP/1.0 and no Host', 'GET /v1/apps HTTP/1.0\r\n\r\n', 400, 'MALFORMED'],
    ['an invalid Host', 'GET /v1/apps HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400, 'MALFORMED'],
    [
      'two lengths',
      'POST /v1/apps HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
      400,
      'MALFORMED',
    ],
    [
      'a length and chunks (smuggling)',
      'POST /v1/apps HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'MALFORMED',
    ],
    [
      'a chunk without a length',
      'POST /v1/apps/101/publish HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
      'MALFORMED',
    ],
    [
      'a header that goes on in the next line',
      'GET /v1/apps HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b\r\n\r\n',
      400,
      'MALFORMED',
    ],
    [
      'headers of 20 KB',
      `GET /v1/apps HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'HEADERS_TOO_LARGE',
    ],
    ['a URL of 20 kB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
    [
      'an expectation',
      'POST /v1/apps HTTP/1.1\r\nHost: localhost\r\nExpect: the-unexpected\r\nContent-Length: 0\r\n\r\n',
      417,
      'EXPECTATION_FAILED',
    ],
  ])('with %s gets an error code', async (_, bytes, status, code) => {
    const response = responseIn(await talk(loopback(platform.baseUrl), bytes));
    expect({ status: response.status, error: (JSON.parse(response.body) as Refusal).error }).toEqual({
      status,
      error: code,
    });
    expect((await platform.ask('/v1/apps')).status).toBe(200);
  });

  it('with another server’s URL in its first line doesn’t change whose Host is checked', async () => {
    const { authToken, baseUrl } = platform;
    const ask = async (line: string, host: string) =>
      responseIn(
        await talk(
          loopback(baseUrl),
          `GET ${line} HTTP/1.1\r\nHost: ${host}\r\nAuth-token: ${authToken}\r\nConnection: close\r\n\r\n`,
        ),
      ).status;
    expect([
      await ask('http://evil.example/v1/apps', 'evil.example'),
      await ask('http://localhost/v1/apps', 'evil.example'),
      await ask('//evil.example/v1/apps', 'localhost'),
      await ask('/v1/apps', 'localhost'),
    ]).toEqual([400, 400, 404, 200]);
  });
});

describe('the demo services', () => {
  it('respond with 400 to an invalid URL or a foreign host name, and continue', async () => {
    for (const address of Object.values(platform.oauthDemo!)) {
      const ask = async (line: string, host: string) =>
        responseIn(await talk(loopback(address), `GET ${line} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`))
          .status;
      expect([
        await ask('/', 'a b'),
        await ask('/', 'localhost:99999999'),
        await ask('/', 'evil.example'),
        await ask('//', 'localhost'),
        await ask('http://evil.example/', 'localhost'),
        await ask('*', 'localhost'),
      ]).toEqual([400, 400, 400, 400, 400, 400]);
      expect(responseIn(await talk(loopback(address), 'NONSENSE\r\n\r\n')).status).toBe(400);
      expect((await fetch(address)).status).toBe(200);
    }
  });

  it('forbid caching and sniffing, even where the OAuth server responds', async () => {
    for (const address of Object.values(platform.oauthDemo!)) {
      for (const path of ['/', '/faults', '/api/profile', '/api/nothing', '/authorize', '/nothing', '/logout']) {
        const { headers } = await fetch(address + path, { redirect: 'manual' });
        expect({
          path,
          xContentTypeOptions: headers.get('x-content-type-options'),
          cacheControl: headers.get('cache-control'),
          referrerPolicy: headers.get('referrer-policy'),
          xPoweredBy: headers.get('x-powered-by'),
        }).toEqual({
          path,
          xContentTypeOptions: 'nosniff',
          cacheControl: expect.stringContaining('no-store'),
          referrerPolicy: 'no-referrer',
          xPoweredBy: null,
        });
      }
    }
  });

  it('refuse faults from other pages, but accept them from their own page, which hides its origin', async () => {
    const press = async (headers: Record<string, string>): Promise<number> =>
      (
        await fetch(`${platform.oauthDemo!.code}/faults`, {
          method: 'POST',
          redirect: 'manual',
          headers,
          body: new URLSearchParams({ next: '' }),
        })
      ).status;
    expect([
      await press({ Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }),
      await press({ Origin: 'null' }),
      await press({ Origin: 'http://localhost:1', 'Sec-Fetch-Site': 'same-site' }),
      await press({ Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }),
    ]).toEqual([403, 403, 403, 303]);
  });
});

describe('limits of time and number', () => {
  const BRIEF: ServerLimits = { headers: 300, request: 600, connections: 20 };
  /** A server with short limits that responds with what it received. */
  async function brief(): Promise<string> {
    const server = createHttpServer(
      async (request) => new Response(await request.text()),
      () => {},
      BRIEF,
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  /** Writes one character at a time, more slowly than the server waits. */
  async function trickle(address: string, beginning: string): Promise<{ status: number; code: string; after: number }> {
    const startedAt = performance.now();
    const said = await new Promise<string>((resolve) => {
      const { hostname, port } = new URL(address);
      const socket = connect(Number(port), hostname, () => socket.write(beginning));
      const more = setInterval(() => socket.write('x'), 20);
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(more);
        resolve(text);
      });
    });
    const { status, body } = responseIn(said);
    return { status, code: (JSON.parse(body) as Refusal).error, after: performance.now() - startedAt };
  }

  it.each([
    ['slow headers', 'GET / HTTP/1.1\r\nHost: localhost\r\nX: ', BRIEF.headers],
    ['a slow body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n', BRIEF.request],
    [
      'chunks that trickle',
      'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n',
      BRIEF.request,
    ],
  ])('end %s (slow loris)', async (_, beginning, limit) => {
    const { status, code, after } = await trickle(await brief(), beginning);
    expect({ status, code }).toEqual({ status: 408, code: 'REQUEST_TIMEOUT' });
    expect(after).toBeGreaterThanOrEqual(limit);
    expect(after).toBeLessThan(limit + 3_000);
  });

  it('end a silent connection', async () => {
    const text = await talk(await brief());
    expect(text === '' || responseIn(text).status === 408).toBe(true);
  });

  it('are all set when the platform starts', () => {
    expect(SERVER_LIMITS).toEqual({ headers: 10_000, request: 60_000, connections: 2_500 });
  });

  it('close excess connections, and respond to others once those are gone', async () => {
    const address = await brief();
    const { port } = new URL(address);
    const sockets = await Promise.all(
      Array.from({ length: BRIEF.connections }, async () => {
        const socket = connect(Number(port), '127.0.0.1');
        socket.on('error', () => {});
        await once(socket, 'connect');
        // The server knows the connection once it responds.
        socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
        await once(socket, 'data');
        return socket;
      }),
    );
    expect(await talk(address, 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')).toBe('');
    await Promise.all(sockets.map((socket) => once(socket.end(), 'close')));
    expect((await fetch(address)).status).toBe(200);
  });
});

describe('a request body', () => {
  it('isn’t read when its sender isn’t allowed', async () => {
    for (const [header, status] of [
      ['X: y', 401],
      ['Auth-token: nobody', 401],
      ['Origin: https://evil.example', 403],
    ] as const) {
      const text = await new Promise<string>((resolve) => {
        const socket = connect(Number(new URL(platform.baseUrl).port), '127.0.0.1', () =>
          socket.write(
            `POST /v1/proxy HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n${header}\r\n\r\n5\r\n{"url`,
          ),
        );
        socket.once('data', (chunk: Buffer) => {
          socket.destroy();
          resolve(chunk.toString());
        });
      });
      expect({ header, status: responseIn(text).status }).toEqual({ header, status });
    }
  });

  it.each([
    ['arrays', '['],
    ['objects', '{"a":'],
  ])('with nested %s is read to 1,000 levels', async (_, open) => {
    const nested = (levels: number): string =>
      `{"entries":[{"deep":${open.repeat(levels - 3)}1${(open === '[' ? ']' : '}').repeat(levels - 3)}}]}`;
    expect((await platform.ask('/v1/data-sources/501/entries', { body: nested(1_000) })).status).toBe(201);
    for (const levels of [1_001, 5_000, 100_000]) {
      const { status, body } = await platform.ask('/v1/data-sources/501/entries', { body: nested(levels) });
      expect({ levels, status, error: body.error, message: body.message }).toEqual({
        levels,
        status: 400,
        error: 'MALFORMED',
        message: 'JSON is limited to 1000 levels of nesting.',
      });
    }
  });

  it('with __proto__ and constructor changes no other objects', async () => {
    const text =
      '{"name":"proto","functions":[],"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}';
    await platform.ask('/v1/apps/101/actions', { body: text });
    await platform.ask('/v1/data-sources/501/entries', { body: `{"entries":[${text}]}` });
    await platform.ask(`/v1/apps/101/logs?where=${encodeURIComponent('{"data":{"__proto__":{"polluted":1}}}')}`);
    await platform.ask(`/v1/data-sources/501/entries?where=${encodeURIComponent('{"__proto__":{"polluted":1}}')}`);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
