/** Each way in which a connection test can fail has a code, a message, and one hint that names what to enter. */
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { testConnection } from '../../../../lib/extension/background/handlers/connection-test.ts';
import { findLocalPlatform } from '../../../../lib/extension/background/handlers/local-platform.ts';
import { CodedError, type ErrorValue } from '../../../../lib/platform-api/index.ts';
import { json, startBadPlatform, type BadPlatform } from '../../rest/bad-platform.ts';

const TOKEN = 'secret-token-1234567890';
let platform: BadPlatform;
let port: number;
beforeEach(async () => {
  platform = await startBadPlatform();
  port = Number(new URL(platform.baseUrl).port);
});
afterEach(() => {
  vi.unstubAllGlobals();
  return platform.close();
});

const html = (status: number) => (response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'text/html' }).end('<!doctype html><h1>Hello</h1>');
const failureOf = (work: Promise<unknown>): Promise<ErrorValue> =>
  work.then(
    () => Promise.reject(new Error('Nothing failed.')),
    (error: unknown) => (error instanceof CodedError ? error.value : Promise.reject(error as Error)),
  );
const failure = (baseUrl: string): Promise<ErrorValue> => failureOf(testConnection({ baseUrl, token: TOKEN }));

interface Case {
  what: string;
  respond: (response: ServerResponse) => void;
  /** After the server’s URL. */
  path?: string;
  code: string;
  message: RegExp;
  hint: RegExp;
}

const CASES: Case[] = [
  {
    what: 'an unknown token',
    respond: (response) => json(response, 401, { error: 'TOKEN_UNKNOWN', message: 'Unknown token.' }),
    code: 'TOKEN_REFUSED',
    message:
      /^Couldn’t use the token: http:\/\/127\.0\.0\.1:\d+ doesn’t accept it \(status 401\)\. The platform’s message: Unknown token\.$/,
    hint: /^Enter the token that npx platform-devtools platform prints/,
  },
  {
    what: 'a token without access',
    respond: (response) => json(response, 403, {}),
    code: 'ACCESS_DENIED',
    message: /^Couldn’t list the apps of http:.*: the request was refused \(status 403\)\.$/,
    hint: /^Check what the token permits/,
  },
  {
    what: 'a page that doesn’t exist',
    respond: html(404),
    code: 'BASE_URL_WRONG',
    message: /^Couldn’t find the API: http:\/\/127\.0\.0\.1:\d+\/v1\/apps responded with status 404\.$/,
    hint: /before \/v1\.$/,
  },
  {
    what: 'a base URL with /v1',
    respond: html(404),
    path: '/v1',
    code: 'BASE_URL_WRONG',
    message: /\/v1\/v1\/apps responded with status 404\.$/,
    hint: /^Remove \/v1 from the base URL: enter http:\/\/127\.0\.0\.1:\d+\.$/,
  },
  {
    what: 'a base URL with a path and /v1/apps',
    respond: (response) => json(response, 404, { error: 'NOT_FOUND', message: 'No.' }),
    path: '/eu/v1/apps',
    code: 'BASE_URL_WRONG',
    message: /responded with status 404\.$/,
    hint: /: enter http:\/\/127\.0\.0\.1:\d+\/eu\.$/,
  },
  {
    what: 'a base URL with another path',
    respond: html(404),
    path: '/api',
    code: 'BASE_URL_WRONG',
    message: /\/api\/v1\/apps responded with status 404\.$/,
    hint: /^Check the path of the base URL\. Try http:\/\/127\.0\.0\.1:\d+\.$/,
  },
  {
    what: 'a website',
    respond: html(200),
    code: 'ANSWER_HTML',
    message: /\/v1\/apps responded with a web page\.$/,
    hint: /^Enter the base URL of the API/,
  },
  {
    what: 'a server error',
    respond: html(502),
    code: 'PLATFORM_FAILED',
    message: /^127\.0\.0\.1:\d+ failed with a server error \(status 502\)\.$/,
    hint: /^Try again/,
  },
  {
    what: 'a redirect',
    respond: (response) => void response.writeHead(302, { location: 'https://login.example.com' }).end(),
    code: 'ANSWER_REDIRECTED',
    message: /redirected the request\. The redirect wasn’t followed/,
    hint: /^Open the base URL in a tab/,
  },
  {
    what: 'JSON of another form',
    respond: (response) => json(response, 200, { items: [] }),
    code: 'ANSWER_INVALID',
    message: /isn’t a valid list of apps/,
    hint: /^Check that the base URL points to a platform/,
  },
];

describe('a test of a connection', () => {
  it.each(CASES)('to $what is $code', async ({ respond, path = '', code, message, hint }) => {
    platform.respond((_request, response) => respond(response));
    const error = await failure(platform.baseUrl + path);
    expect(error).toMatchObject({ code, message: expect.stringMatching(message), hint: expect.stringMatching(hint) });
  });

  it('counts the apps that can’t be read', async () => {
    platform.respond((_request, response) => json(response, 200, { apps: [{ id: 1 }] }));
    expect(await testConnection({ baseUrl: platform.baseUrl, token: TOKEN })).toMatchObject({ apps: 0, unreadable: 1 });
  });

  it('asks for nothing but the apps, once', async () => {
    platform.respond((_request, response) => json(response, 200, { apps: [] }));
    expect(await testConnection({ baseUrl: platform.baseUrl, token: TOKEN })).toMatchObject({ apps: 0 });
    expect(platform.requests.map(({ url }) => url)).toEqual(['/v1/apps']);
  });

  it('to a port where nothing listens says how to start the local platform', async () => {
    const { baseUrl } = platform;
    await platform.close();
    expect(await failure(baseUrl)).toEqual({
      code: 'PLATFORM_UNREACHABLE',
      message: `Couldn’t connect to 127.0.0.1:${port}: the browser got no response on this port.`,
      hint: expect.stringMatching(
        /^Start the local platform with .*, or check the port and, with https, the certificate\.$/,
      ),
    });
    platform = await startBadPlatform();
  });

  it('with https to a local server that responds to http suggests http, and doesn’t send the token there', async () => {
    platform.respond((_request, response) => response.end('hello'));
    expect(await failure(`https://127.0.0.1:${port}`)).toMatchObject({
      code: 'HTTP_NEEDED',
      message: `Couldn’t connect to 127.0.0.1:${port} with https. A server responds to http on this port.`,
      hint: `Enter http://127.0.0.1:${port} if it’s the local platform. Otherwise, check its certificate.`,
    });
    expect(platform.requests.map(({ headers }) => headers['auth-token'])).toEqual([undefined]);
  });

  describe('to another host', () => {
    const unreachable = (isOnline: boolean) => {
      vi.stubGlobal('navigator', { onLine: isOnline });
      vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
      return failure('https://api.example.com/eu/');
    };

    it('that can’t be reached says that the browser names no cause, and where to see more', async () => {
      expect(await unreachable(true)).toEqual({
        code: 'PLATFORM_UNREACHABLE',
        message: 'Couldn’t connect to api.example.com: the browser doesn’t say why.',
        hint: 'Open https://api.example.com/eu in a tab. The browser shows more there.',
      });
    });

    it('without a network says so', async () => {
      expect(await unreachable(false)).toMatchObject({
        code: 'OFFLINE',
        message: expect.stringContaining('reports no network'),
      });
    });

    it('that doesn’t accept the token says that regions have separate tokens, and which base URL was asked', async () => {
      vi.stubGlobal('fetch', () => Promise.resolve(new Response('', { status: 401 })));
      expect(await failure('https://api.example.com')).toMatchObject({
        code: 'TOKEN_REFUSED',
        message: 'Couldn’t use the token: https://api.example.com doesn’t accept it (status 401).',
        hint: 'Check the region: EU, US, and CA have separate base URLs and tokens.',
      });
    });

    it('that doesn’t respond in time names the host and the port as possible causes', async () => {
      const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
      vi.stubGlobal('fetch', () => Promise.reject(new DOMException('', 'TimeoutError')));
      expect(await failure('https://api.example.com')).toMatchObject({
        code: 'PLATFORM_SLOW',
        hint: expect.stringMatching(/^Check the host and the port/),
      });
      limit.mockRestore();
    });
  });
});

describe('the local platform', () => {
  const allowed = { contains: () => Promise.resolve(true), remove: () => Promise.resolve(true) };

  it('is found on its port, at the host that it prints, without a token', async () => {
    platform.respond((_request, response) => json(response, 401, { error: 'TOKEN_MISSING', message: 'No token.' }));
    expect(await findLocalPlatform(allowed, port)).toEqual({ baseUrl: `http://localhost:${port}` });
    expect(platform.requests.filter(({ headers }) => headers['auth-token'] !== undefined)).toEqual([]);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['with a website', html(200)],
    ['that wants a password', html(401)],
    ['that wants a token', (response) => json(response, 401, { error: 'unauthorized', message: 'No token.' })],
  ])('isn’t another server on that port %s', async (_what, respond) => {
    platform.respond((_request, response) => respond(response));
    expect(await failureOf(findLocalPlatform(allowed, port))).toMatchObject({
      code: 'LOCAL_PLATFORM_NOT_FOUND',
      message: `Couldn’t find the local platform: no local platform responded on port ${port} within 3 seconds.`,
      hint: expect.stringContaining('npx platform-devtools platform'),
    });
  });

  it('isn’t looked for without access to this computer', async () => {
    const refused = { ...allowed, contains: () => Promise.resolve(false) };
    expect(await failureOf(findLocalPlatform(refused, port))).toMatchObject({ code: 'HOST_PERMISSION_MISSING' });
    expect(platform.requests).toEqual([]);
  });
});
