/** What the REST API refuses, and how (decisions, "REST"). */
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { REVOKED_TOKEN } from '../../lib/local-platform/db/seed/index.ts';
import { rawRequest, start, startForTest, type TestPlatform } from './support/platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await start();
});
afterAll(() => platform.close());

const release = { release: { type: 'silent', changelog: 'x' } };

describe('every error', () => {
  it('has a code, a message, and a hint in JSON, and the security headers', async () => {
    const { headers, body } = await platform.ask('/v1/nothing');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(body)).toEqual(['error', 'message', 'hint']);
    expect(body.error).toMatch(/^[A-Z_]+$/);
    expect(body.message).toMatch(/^[A-Z].*\.$/);
    expect(body.hint).toMatch(/^[A-Z].*\.$/);
  });
});

describe('401', () => {
  it.each([
    ['no token', null, 'TOKEN_MISSING'],
    ['an unknown token', 'not-a-token', 'TOKEN_UNKNOWN'],
    ['a revoked token', REVOKED_TOKEN, 'TOKEN_REVOKED'],
    ['a forged page token', `page.${btoa('{"token":1,"app":101,"until":9e15}')}.${'A'.repeat(43)}`, 'TOKEN_UNKNOWN'],
  ])('for %s', async (_, token, code) => {
    for (const path of [
      '/v1/apps',
      '/v1/apps/101/actions',
      '/v1/apps/101/tasks/1001/compile?html',
      '/v1/apps/101/outbox',
    ]) {
      const { status, body } = await platform.ask(path, { token });
      expect({ path, status, error: body.error }).toEqual({ path, status: 401, error: code });
    }
  });

  it('for a token in the query, in another header, or as a bearer token', async () => {
    const { authToken } = platform;
    expect(
      (await platform.ask(`/v1/apps?Auth-token=${authToken}&auth_token=${authToken}`, { token: null })).status,
    ).toBe(401);
    expect(
      (
        await platform.ask('/v1/apps', {
          token: null,
          headers: { Authorization: `Bearer ${authToken}`, Cookie: `Auth-token=${authToken}` },
        })
      ).status,
    ).toBe(401);
  });

  it('for a publish, before its body is read', async () => {
    expect((await platform.ask('/v1/apps/101/publish', { token: null, body: '{' })).status).toBe(401);
  });

  it('as a page with instructions, when a browser navigates to it', async () => {
    const { status, headers, text } = await platform.ask('/v1/apps/101/tasks/1001/compile?html', {
      token: null,
      headers: { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    });
    expect({ status, contentType: headers.get('content-type') }).toEqual({
      status: 401,
      contentType: 'text/html; charset=utf-8',
    });
    expect(text).toContain('Open DevTools');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

describe('404', () => {
  it.each([
    '/v1/apps/104',
    '/v1/apps/104/actions',
    '/v1/apps/104/analytics/sessions',
    '/v1/apps/104/tasks/1301/compile?html',
    '/v1/apps/104/data-sources',
    '/v1/apps/104/outbox',
    '/v1/data-sources/531/entries',
  ])('for %s, which exists but not for this token', async (path) => {
    expect((await platform.ask(path)).status).toBe(404);
  });

  it('is the same whether something isn’t accessible or doesn’t exist', async () => {
    const hidden = await platform.ask('/v1/apps/104/actions');
    const absent = await platform.ask('/v1/apps/999/actions');
    expect(hidden.text.replaceAll('104', '999')).toBe(absent.text);
  });

  it.each(['/v1/functions/x.js', '/v1/packages/x.js', '/v1/apps/x/actions', '/v1/screens/x/1/live/x.js'])(
    'for %s, with a message that doesn’t blame the token',
    async (path) => {
      const { status, body } = await platform.ask(path);
      expect({ status, error: body.error }).toEqual({ status: 404, error: 'NOT_FOUND' });
      expect(body.message).not.toContain('token');
      expect(body.message).toMatch(/^There is no .*\.$/);
    },
  );

  it('for a publish to an app without access, which stays unchanged', async () => {
    expect((await platform.ask('/v1/apps/104/publish', { body: release })).status).toBe(404);
  });

  it.each([
    '/v1/apps/x/actions',
    '/v1/apps/-1/actions',
    '/v1/apps/1e2/actions',
    '/v1/apps/99999999999999999999/actions',
    '/v1/apps/2147483648/actions',
    '/v1/apps/101%2F/actions',
    '/v1/apps/%E0%A4%A/actions',
    '/v1/apps/101/tasks/1101/compile',
    '/v2/apps',
    '/v1',
    '/v1/apps/',
    '/v1/packages/x.js',
    '/v1/functions/x',
  ])('for %s', async (path) => {
    expect((await platform.ask(path)).status).toBe(404);
  });

  it('as a page when a browser navigates to it, with the URL shown as text', async () => {
    const { status, text } = await platform.ask('/v1/<script>alert(1)</script>', {
      token: null,
      headers: { Accept: 'text/html' },
    });
    expect(status).toBe(404);
    expect(text).not.toContain('<script>');
  });
});

describe('405', () => {
  it.each([
    ['DELETE', '/v1/apps', 'GET, HEAD'],
    ['GET', '/v1/apps/101/publish', 'POST'],
    ['PUT', '/v1/data-sources/501/entries', 'GET, HEAD, POST'],
    ['OPTIONS', '/v1/apps', 'GET, HEAD'],
  ])('for %s %s, with Allow', async (method, path, allow) => {
    const { status, headers, body } = await platform.ask(path, { method });
    expect({ status, allow: headers.get('allow'), error: body.error }).toEqual({
      status: 405,
      allow,
      error: 'METHOD_NOT_ALLOWED',
    });
  });

  it('but HEAD gets the response of GET, without a body', async () => {
    const { status, text } = await platform.ask('/v1/apps', { method: 'HEAD' });
    expect({ status, text }).toEqual({ status: 200, text: '' });
  });
});

describe('a body', () => {
  it.each([
    ['truncated JSON', '{"release":'],
    ['an empty string', ''],
    ['HTML', '<p>'],
  ])('with %s gets 400', async (_, body) => {
    const { status, body: refusal } = await platform.ask('/v1/apps/101/publish', { body });
    expect({ status, error: refusal.error }).toEqual({ status: 400, error: 'MALFORMED' });
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'with %s gets 415',
    async (type) => {
      const { status, body } = await platform.ask('/v1/apps/101/publish', {
        body: JSON.stringify(release),
        headers: { 'Content-Type': type },
      });
      expect({ status, error: body.error }).toEqual({ status: 415, error: 'NOT_JSON' });
    },
  );

  it('may be JSON with a charset', async () => {
    expect(
      (
        await platform.ask('/v1/apps/101/publish', {
          body: JSON.stringify(release),
          headers: { 'Content-Type': 'Application/JSON; charset=utf-8' },
        })
      ).status,
    ).toBe(201);
  });

  it.each([
    ['[]', '', 'The body must be an object with release, not an array.'],
    ['null', '', 'The body must be an object with release, not null.'],
    ['7', '', 'The body must be an object with release, not a number.'],
    ['{}', '/release', 'release is missing. Add an object with type and changelog.'],
    ['{"release":[]}', '/release', 'release must be an object with type and changelog, not an array.'],
    ['{"release":"silent"}', '/release', 'release must be an object with type and changelog, not a string.'],
    ['{"release":{"changelog":"x"}}', '/release/type', 'release.type is missing. Add one of silent, visible, forced.'],
    ['{"release":{"type":"silent"}}', '/release/changelog', 'release.changelog is missing. Add a string.'],
  ])('with %s gets 422 with the expected form', async (body, path, message) => {
    const { status, body: refusal } = await platform.ask('/v1/apps/101/publish', { body });
    expect({ status, details: refusal.details }).toEqual({ status: 422, details: [{ path, message }] });
    expect(refusal.message).toContain(message);
  });

  it('that is a message without a required field gets 422', async () => {
    const { status, body } = await platform.ask('/v1/apps/101/outbox', { body: { kind: 'notification', title: 'x' } });
    expect({ status, details: body.details }).toEqual({
      status: 422,
      details: [{ path: '/message', message: 'message is missing.' }],
    });
  });

  it('of more than 1 MB gets 413, whether its length is declared or it is sent in chunks', async () => {
    const text = JSON.stringify({ release: { type: 'silent', changelog: 'x'.repeat(1024 * 1024) } });
    const { status, body } = await platform.ask('/v1/apps/101/publish', { body: text });
    expect({ status, error: body.error }).toEqual({ status: 413, error: 'TOO_LARGE' });
    const pieces = new Blob([text]).stream();
    const init = {
      method: 'POST',
      body: pieces,
      duplex: 'half',
      headers: { 'Auth-token': platform.authToken, 'Content-Type': 'application/json' },
    };
    expect((await fetch(`${platform.baseUrl}/v1/apps/101/publish`, init as RequestInit)).status).toBe(413);
  });

  it('that gets 413 doesn’t break the next request on its connection', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const headers = { 'Auth-token': platform.authToken, 'Content-Type': 'application/json' };
    const send = (path: string, text?: string) =>
      new Promise<{ status: number; connection: string | undefined }>((resolve, reject) => {
        const sent = request(
          platform.baseUrl + path,
          { agent, headers, method: text === undefined ? 'GET' : 'POST' },
          (response) => {
            response
              .resume()
              .on('end', () => resolve({ status: response.statusCode!, connection: response.headers.connection }));
          },
        );
        sent.on('error', reject).end(text);
      });
    const text = JSON.stringify({ release: { type: 'silent', changelog: 'x'.repeat(2 * 1024 * 1024) } });
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await send('/v1/apps/101/publish', text)).toEqual({ status: 413, connection: 'close' });
      expect((await send('/v1/apps')).status).toBe(200);
    }
  });
});

describe('429', () => {
  it('after the configured number of requests, with Retry-After in seconds', async () => {
    const limited = await startForTest({ rateLimit: 3 });
    const statuses: number[] = [];
    for (let i = 0; i < 4; i += 1) statuses.push((await limited.ask('/v1/apps')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const { headers, body } = await limited.ask('/v1/apps');
    expect(body.error).toBe('TOO_MANY_REQUESTS');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
  });
});

describe('other origins', () => {
  it('get no permission to read, with or without a preflight request', async () => {
    const request = await platform.ask('/v1/apps', {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://evil.example',
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'auth-token',
      },
    });
    const read = await platform.ask('/v1/apps', { headers: { Origin: 'https://evil.example' } });
    for (const { headers } of [request, read])
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(read.headers.get('cross-origin-resource-policy')).toBe('same-origin');
  });

  it('can’t use a host name of their own (DNS rebinding), unless the platform listens for other machines', async () => {
    const headers = { 'Auth-token': platform.authToken };
    for (const path of ['/v1/apps', '/v1/packages/platform-core:2.js', '/', '/nothing']) {
      const { status, text } = await rawRequest(platform.baseUrl + path, { ...headers, Host: 'evil.example:4400' });
      expect([path, status, JSON.parse(text)]).toEqual([
        path,
        400,
        expect.objectContaining({ error: 'HOST_NOT_ALLOWED' }),
      ]);
    }
    const open = await startForTest({ host: '0.0.0.0' });
    expect(open.baseUrl).toMatch(/^http:\/\/localhost:\d+$/);
    expect(
      (await rawRequest(`${open.baseUrl}/v1/apps`, { 'Auth-token': open.authToken, Host: 'platform.example' })).status,
    ).toBe(200);
    for (const host of ['localhost', '127.0.0.1:4400', '[::1]:80', 'app.localhost']) {
      expect((await rawRequest(`${platform.baseUrl}/v1/apps`, { ...headers, Host: host })).status).toBe(200);
    }
  });
});
