import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiOptions, OAuth2Failure, ServiceConfiguration } from '../../../lib/oauth2/types.ts';
import { codeOf, configuration, type Service, startService, Tab } from './world.ts';

let service: Service;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.close());
beforeEach(() => {
  service.requests.length = 0;
  service.reply = () => ({ body: { ok: true } });
});

/** A tab with a session that does not end. */
function tab(more: Partial<ServiceConfiguration> = {}, proxyUrl?: string) {
  const tab = new Tab(undefined, proxyUrl);
  tab.oauth2.configure('demo', configuration(service.url, more));
  tab.hasSession({});
  return { tab, demo: tab.oauth2('demo') };
}
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('The operation didn’t fail.');
    },
    (error: unknown) => error as OAuth2Failure,
  );

describe('The URL of an API call', () => {
  it.each([
    ['/api', 'items', '/api/items'],
    ['/api/', '/items', '/api/items'],
    ['/api//', '//evil.example/items', '/api/evil.example/items'],
    ['/api', 'items?q=a%20b', '/api/items?q=a%20b'],
    ['', 'items', '/items'],
    ['/v1', 'items:search', '/v1/items:search'],
    ['/v1', 'javascript:alert(1)', '/v1/javascript:alert(1)'],
  ])('joins baseUrl …%s and the path %s with one slash', async (base, path, request) => {
    const { demo } = tab({ baseUrl: service.url + base });
    await demo.api(path);
    expect(service.requests[0]).toMatchObject({
      method: 'GET',
      path: request,
      headers: { authorization: 'Bearer token-1' },
    });
  });

  it('is the path itself when that is a full URL', async () => {
    for (const baseUrl of ['https://unused.example', undefined]) {
      const { demo } = tab({ baseUrl });
      expect(await demo.api(`${service.url}/other?x=1`)).toEqual({ ok: true });
    }
    expect(service.requests.map(({ path }) => path)).toEqual(['/other?x=1', '/other?x=1']);
  });

  it('is refused when there is no baseUrl for a relative path, or when it is not secure', async () => {
    const { demo } = tab({ baseUrl: undefined });
    expect(await codeOf(demo.api('items'))).toBe('PATH_RELATIVE');
    for (const path of [
      'http://service.example/x',
      'ftp://service.example/x',
      'ws://service.example/x',
      'blob://service.example/x',
    ])
      expect(await codeOf(demo.api(path))).toBe('URL_INSECURE');
    for (const path of [
      'https://user:pass@service.example/',
      'https://:pass@service.example/',
      'https://',
      'https://[',
    ])
      expect(await codeOf(demo.api(path))).toBe('ARGUMENT_INVALID');
    expect(service.requests).toEqual([]);
  });
});

describe('An API call', () => {
  it.each([
    [
      { path: 'items', data: { q: 'a&b', limit: 5, tags: ['x', 'y'], none: null, no: undefined, flag: false } },
      'GET',
      '/api/items?q=a%26b&limit=5&tags=x&tags=y&flag=false',
      '',
    ],
    [
      { path: 'items?q=1', method: 'get', data: { q: 2, where: { a: 1 } } },
      'GET',
      '/api/items?q=1&q=2&where=%7B%22a%22%3A1%7D',
      '',
    ],
    [
      { path: 'items', method: 'post', data: { name: 'ü', list: [1] } },
      'POST',
      '/api/items',
      '{"name":"ü","list":[1]}',
    ],
    [{ path: 'items/1', method: 'PUT', data: [1, 2] }, 'PUT', '/api/items/1', '[1,2]'],
    [{ path: 'items/1', method: 'delete' }, 'DELETE', '/api/items/1', ''],
    [{ path: 'items', method: 'post' }, 'POST', '/api/items', ''],
  ] as [ApiOptions, string, string, string][])('%j', async (options, method, path, body) => {
    await tab().demo.api(options);
    expect(service.requests[0]).toMatchObject({ method, path, body });
    expect(service.requests[0]!.headers['content-type']).toBe(body ? 'application/json' : undefined);
  });

  it('sends FormData as multipart with POST and PUT, and as the query with GET', async () => {
    const data = new FormData();
    data.append('note', 'hello');
    await tab().demo.api({ path: 'items', data });
    data.append('file', new File(['content'], 'a.txt'));
    for (const method of ['post', 'put'] as const) await tab().demo.api({ path: 'items', method, data });
    expect(service.requests[0]!.path).toBe('/api/items?note=hello');
    for (const { headers, body } of service.requests.slice(1)) {
      const form = await new Response(body, { headers: { 'content-type': headers['content-type']! } }).formData();
      expect({ note: form.get('note'), name: (form.get('file') as File).name }).toEqual({
        note: 'hello',
        name: 'a.txt',
      });
    }
  });

  it.each([
    [undefined, 'ARGUMENT_INVALID', 'path'],
    [null, 'ARGUMENT_INVALID', 'path'],
    [7, 'ARGUMENT_INVALID', 'path'],
    [{ method: 'get' }, 'ARGUMENT_INVALID', 'path'],
    [{ path: 'x', method: 'patch' }, 'ARGUMENT_INVALID', 'method'],
    [{ path: 'x', method: 'delete', data: {} }, 'ARGUMENT_INVALID', 'data'],
    [{ path: 'x', method: 'post', data: 'text' }, 'ARGUMENT_INVALID', 'data'],
    [{ path: 'x', method: 'post', data: { n: 1n } }, 'ARGUMENT_INVALID', 'data'],
    [{ path: 'x', methd: 'post' }, 'OPTION_UNKNOWN', 'Did you mean method?'],
  ])('sends nothing for the arguments %s', async (options, code, says) => {
    expect(await failure(tab().demo.api(options as never))).toMatchObject({
      code,
      message: expect.stringContaining(says) as string,
    });
    expect(service.requests).toEqual([]);
  });

  it('sends nothing without a session', async () => {
    const tab = new Tab();
    tab.oauth2.configure('demo', configuration(service.url));
    expect(await codeOf(tab.oauth2('demo').api('items'))).toBe('NOT_LOGGED_IN');
    expect(await codeOf(tab.oauth2('unknown').api('items'))).toBe('SERVICE_UNKNOWN');
  });

  it.each(['', 'text', '[]', '{}', 'null', '{"access_token": 7}', '{"access_token'])(
    'finds no session in the stored text %j',
    async (stored) => {
      const { tab: page, demo } = tab();
      page.localStorage.setItem('platform-oauth2:demo', stored);
      expect(await demo.getAuthResponse()).toBeNull();
    },
  );
});

describe('A stored session that another script may have written', () => {
  it.each<[string, object]>([
    ['a token that fits into no header', { access_token: 'two\r\nlines' }],
    ['a token of a type that it does not know', { token_type: 'mac' }],
  ])('with %s is ignored', async (_, stored) => {
    const { tab: page, demo } = tab();
    page.hasSession(stored);
    expect(await demo.getAuthResponse()).toBeNull();
    expect(await codeOf(demo.api('x'))).toBe('NOT_LOGGED_IN');
    expect(service.requests).toEqual([]);
  });

  it('is read field by field, without wrong types and unknown fields', async () => {
    const { tab: page, demo } = tab();
    page.hasSession({
      access_token: 'token-1',
      expires: 'soon',
      expires_in: '60',
      scope: ['a', 'b'],
      state: 7,
      refresh_token: { a: 1 },
      service: 'other',
      more: '<script>',
      __proto__: { evil: true },
    });
    expect(await demo.getAuthResponse()).toStrictEqual({
      service: 'demo',
      access_token: 'token-1',
      token_type: 'Bearer',
      expires: undefined,
      expires_in: 60,
      scope: 'a b',
      state: '7',
      refresh_token: '[object Object]',
    });
    page.hasSession({ expires: 1e300 });
    expect(await demo.api('x')).toEqual({ ok: true });
  });
});

describe('The response of an API call', () => {
  it.each<[string, { status?: number; headers?: Record<string, string>; body?: unknown }, unknown]>([
    ['JSON', { body: { a: [1] } }, { a: [1] }],
    [
      'JSON of a type of its own',
      { headers: { 'content-type': 'application/hal+json; charset=utf-8' }, body: { a: 1 } },
      { a: 1 },
    ],
    ['a text', { body: '{"a":1}' }, '{"a":1}'],
    ['nothing', { status: 204 }, null],
    ['empty JSON', { headers: { 'content-type': 'application/json' }, body: '' }, null],
  ])('%s', async (_, reply, expected) => {
    service.reply = () => reply;
    expect(await tab().demo.api('x')).toEqual(expected);
  });

  it.each([
    [400, { body: { problem: 'name' } }, 'API_REFUSED', { problem: 'name' }],
    [403, { body: 'no' }, 'API_REFUSED', 'no'],
    [401, { body: {} }, 'API_REFUSED', {}],
    [500, { headers: { 'content-type': 'application/json' }, body: '<html>' }, 'API_REFUSED', '<html>'],
  ])('with status %i rejects with code, status, and body', async (status, reply, code, body) => {
    service.reply = () => ({ status, ...reply });
    const error = await failure(tab().demo.api('x'));
    expect({ code: error.code, status: error.status, body: error.body }).toEqual({ code, status, body });
    expect(service.requests.length).toBe(1);
  });

  it('with invalid JSON rejects with ANSWER_INVALID', async () => {
    service.reply = () => ({ headers: { 'content-type': 'application/json' }, body: '{"a": ' });
    expect(await failure(tab().demo.api('x'))).toMatchObject({ code: 'ANSWER_INVALID', status: 200 });
  });

  it('is redacted when the service repeats the token', async () => {
    service.reply = ({ headers }) => ({
      status: 403,
      headers: { 'x-sent': headers.authorization! },
      body: `You sent ${headers.authorization}`,
    });
    const { tab: page, demo } = tab();
    const error = await failure(demo.api('x?access_token=in-the-query#and-fragment'));
    expect(error.body).toBe('You sent Bearer …');
    // Also where JSON escapes it.
    page.hasSession({ access_token: 'a/token/1' });
    service.reply = () => ({
      status: 400,
      headers: { 'content-type': 'application/json' },
      body: '{"sent": ["Bearer a\\/token\\/1", "\\u0061/token/1"]}',
    });
    expect((await failure(demo.api('y'))).body).toEqual({ sent: ['Bearer …', '…'] });
    const shown = JSON.stringify([error, error.stack, page.events]);
    for (const secret of ['token-1', 'in-the-query', 'and-fragment']) expect(shown).not.toContain(secret);
    expect(page.events.filter(({ kind }) => kind.startsWith('api')).slice(0, 2)).toMatchObject([
      { kind: 'api-started', call: 1, method: 'GET', url: `${service.url}/api/x?access_token=…`, proxy: false },
      {
        kind: 'api-ended',
        call: 1,
        status: 403,
        bytes: 23,
        code: 'API_REFUSED',
        headers: expect.arrayContaining(['x-sent: Bearer …']) as string[],
      },
    ]);
  });
});

describe('An API call without a whole response', () => {
  it('isn’t called a refusal of the origin if its head arrived', async () => {
    service.reply = () => ({ body: { a: 'long enough' }, isCutOff: true });
    expect(await failure(tab().demo.api('x'))).toMatchObject({
      code: 'ANSWER_INVALID',
      status: 200,
      message: 'Couldn’t read the response from “demo”: the connection broke before its end. Try again.',
    });
  });

  it('may have changed something, if it could', async () => {
    for (const reply of [{ status: 0 }, { isCutOff: true, body: { a: 1 } }]) {
      service.reply = ({ method }) => (method === 'HEAD' ? {} : reply);
      const { message } = await failure(tab().demo.api({ path: 'x', method: 'post', data: { a: 1 } }));
      expect(message).toMatch(/[^.]\. Check what the call has done before you try again\.$/);
      expect(message).not.toContain('Try again.');
      expect((await failure(tab().demo.api('x'))).message).not.toContain('has done');
    }
  });
});

describe('An API call through the proxy', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('forwards request and response unchanged, and sends the page’s token to the platform only', async () => {
    vi.stubGlobal('ENV', { token: 'page-token' });
    service.reply = () => ({ status: 201, headers: { 'platform-proxy': 'service' }, body: { made: 1 } });
    const { demo } = tab({ useProxy: true, baseUrl: 'https://service.example/api' }, `${service.url}/v1/proxy`);
    expect(await demo.api({ path: 'items', method: 'post', data: { a: 1 } })).toEqual({ made: 1 });
    expect(service.requests[0]).toMatchObject({
      method: 'POST',
      path: '/v1/proxy',
      headers: { 'auth-token': 'page-token' },
    });
    expect(JSON.parse(service.requests[0]!.body)).toEqual({
      url: 'https://service.example/api/items',
      method: 'POST',
      headers: { authorization: 'Bearer token-1', 'content-type': 'application/json' },
      body: '{"a":1}',
    });
  });

  it('keeps the bytes of a multipart body', async () => {
    service.reply = () => ({ headers: { 'platform-proxy': 'service' } });
    const data = new FormData();
    data.append('file', new File([new Uint8Array(300).map((_, n) => n)], 'bytes.bin'));
    await tab({ useProxy: true }, `${service.url}/v1/proxy`).demo.api({ path: 'items', method: 'post', data });
    const { headers, body } = JSON.parse(service.requests[0]!.body) as {
      headers: Record<string, string>;
      body: { base64: string };
    };
    const form = await new Response(Buffer.from(body.base64, 'base64'), { headers }).formData();
    expect([...new Uint8Array(await (form.get('file') as File).arrayBuffer())]).toEqual([
      ...new Uint8Array(300).map((_, n) => n),
    ]);
  });

  it('rejects with PROXY_FAILED when the platform refuses, and with API_REFUSED when the service does', async () => {
    service.reply = () => ({
      status: 403,
      body: { error: 'PROXY_ADDRESS_REFUSED', message: 'That address is private.' },
    });
    const { demo } = tab({ useProxy: true, refresh: true }, `${service.url}/v1/proxy`);
    expect(await failure(demo.api('x'))).toMatchObject({
      code: 'PROXY_FAILED',
      status: 403,
      error: 'PROXY_ADDRESS_REFUSED',
      message: expect.stringContaining('That address is private.') as string,
    });
    service.reply = () => ({ status: 403, headers: { 'platform-proxy': 'service' }, body: 'no' });
    expect(await failure(demo.api('x'))).toMatchObject({ code: 'API_REFUSED', status: 403, body: 'no' });
  });

  it('can have been made if the response isn’t marked as the service’s', async () => {
    service.reply = () => ({ body: { made: 1 } });
    const { demo } = tab({ useProxy: true }, `${service.url}/v1/proxy`);
    expect((await failure(demo.api({ path: 'x', method: 'post', data: {} }))).message).toBe(
      'Couldn’t call “demo” through the platform’s proxy: the response has no Platform-Proxy header. Check what the call has done before you try again.',
    );
  });
});

describe('Observers and event handlers', () => {
  it('receive the last 200 events first, and none after they stop observing', async () => {
    const { tab: page, demo } = tab();
    for (let n = 0; n < 150; n++) await demo.api('x');
    const past: number[] = [];
    const end = page.oauth2.observe(({ n }) => past.push(n));
    expect([past.length, past[0], past.at(-1)]).toEqual([200, 102, 301]);
    end();
    await demo.api('x');
    expect(past.length).toBe(200);
  });

  it('that throw do not affect others', async () => {
    const reported: unknown[] = [];
    vi.stubGlobal('reportError', (error: unknown) => reported.push(error));
    const { tab: page, demo } = tab();
    const listener = vi.fn<() => void>();
    demo.on('auth.logout', () => {
      throw new Error('handler');
    });
    demo.on('auth.logout', listener);
    page.oauth2.observe((event) => {
      if (event.kind === 'event') throw new Error('observer');
    });
    await demo.logout();
    expect(listener).toHaveBeenCalledOnce();
    expect(reported.map(String)).toEqual(['Error: observer', 'Error: handler']);
    vi.unstubAllGlobals();
  });

  it('can be removed, and are refused for unknown events', async () => {
    const { demo } = tab();
    const [one, two] = [vi.fn<() => void>(), vi.fn<() => void>()];
    for (const fn of [one, two]) demo.on('auth.logout', fn);
    demo.off('auth.logout', one);
    await demo.logout();
    demo.off('auth.logout');
    await demo.logout();
    expect({ oneCalls: one.mock.calls.length, twoCalls: two.mock.calls.length }).toEqual({ oneCalls: 0, twoCalls: 1 });
    for (const name of ['login', 'constructor', '__proto__'])
      expect(() => demo.on(name as never, () => undefined)).toThrow(
        expect.objectContaining({ code: 'ARGUMENT_INVALID' }),
      );
  });
});
