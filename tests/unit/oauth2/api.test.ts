import { runInNewContext } from 'node:vm';
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
class Item {
  id = 1;
  readonly #secret = 2;
  none = undefined;
  get double() {
    return this.#secret;
  }
}
const toJsonData = () => ({
  item: new Item(),
  at: new Date(0),
  url: new URL('https://x.example'),
  foreign: runInNewContext('({a: {}, b: []})') as object,
  bare: Object.create(null) as object,
  list: [undefined, null, '', false, 0],
});
const TO_JSON =
  '{"item":{"id":1},"at":"1970-01-01T00:00:00.000Z","url":"https://x.example/","foreign":{"a":{},"b":[]},"bare":{},"list":[null,null,"",false,0]}';
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('The operation didn’t fail.');
    },
    (error: unknown) => error as OAuth2Failure,
  );

describe('The URL of an API call', () => {
  it.each([
    ['/api', '?a=1', '/api?a=1'],
    ['/api/', '?a=1', '/api/?a=1'],
    ['/api', '#top', '/api'],
  ])('is baseUrl …%s itself for the path %s', async (base, path, request) => {
    await tab({ baseUrl: service.url + base }).demo.api(path);
    expect(service.requests[0]!.path).toBe(request);
  });

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

describe('A baseUrl with a query', () => {
  it.each([
    ['/api?v=1', 'items', '/api/items?v=1'],
    ['/api/?v=1', '/items?q=2#top', '/api/items?v=1&q=2'],
    ['/api?v=1', '?q=2', '/api?v=1&q=2'],
    ['?v=1?', 'items#?', '/items?v=1?'],
  ])('…%s keeps it for the path %s', async (base, path, request) => {
    await tab({ baseUrl: service.url + base }).demo.api(path);
    expect(service.requests[0]!.path).toBe(request);
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

  it.each<[string, () => object, string, string | undefined]>([
    ['a File', () => new File(['a\u{1f600}'], 'a.png', { type: 'image/png' }), 'a\u{1f600}', 'image/png'],
    ['a Blob without type', () => new Blob(['ab']), 'ab', 'application/octet-stream'],
    ['an ArrayBuffer', () => new TextEncoder().encode('ab').buffer, 'ab', 'application/octet-stream'],
    ['a part of a buffer', () => new TextEncoder().encode('xaby').subarray(1, 3), 'ab', 'application/octet-stream'],
    ['a DataView', () => new DataView(new TextEncoder().encode('ab').buffer), 'ab', 'application/octet-stream'],
    [
      'parameters',
      () => new URLSearchParams({ a: '1 & 2' }),
      'a=1+%26+2',
      'application/x-www-form-urlencoded;charset=UTF-8',
    ],
    ['an object with what JSON converts', () => toJsonData(), TO_JSON, 'application/json'],
  ])('sends %s as it is, directly and through the proxy', async (_, data, body, type) => {
    service.reply = () => ({ headers: { 'platform-proxy': 'service' } });
    await tab().demo.api({ path: 'items', method: 'put', data: data() });
    expect(service.requests[0]).toMatchObject({ body, headers: { 'content-type': type } });
    await tab({ useProxy: true }, `${service.url}/v1/proxy`).demo.api({ path: 'items', method: 'post', data: data() });
    const sent = JSON.parse(service.requests[1]!.body) as { headers: object; body: string | { base64: string } };
    expect(sent.headers).toMatchObject({ 'content-type': type });
    expect(typeof sent.body === 'string' ? sent.body : Buffer.from(sent.body.base64, 'base64').toString()).toBe(body);
  });

  it('has parameters, dates, and large numbers of its data in the query with GET', async () => {
    const date = new Date(0);
    const data = { since: date, at: [date], where: { date }, id: 2n ** 64n, url: new URL('https://x.example'), n: -0 };
    await tab().demo.api({ path: 'items', data });
    await tab().demo.api({ path: 'items?x=1', data: new URLSearchParams('b=1&a=2&b=3') });
    const iso = encodeURIComponent(date.toISOString());
    expect(service.requests.map(({ path }) => path)).toEqual([
      `/api/items?since=${iso}&at=${iso}&where=%7B%22date%22%3A%22${iso}%22%7D&id=18446744073709551616&url=https%3A%2F%2Fx.example%2F&n=0`,
      '/api/items?x=1&b=1&a=2&b=3',
    ]);
  });

  const file = new File(['a'], 'a.txt');
  const withFile = new FormData();
  withFile.append('photo', file);
  it.each<[string, object, string]>([
    ['get', file, 'data (File)'],
    ['get', new Uint8Array(2), 'data (Uint8Array)'],
    ['get', withFile, 'data.photo (File)'],
    ['get', new Map([['a', 1]]), 'data (Map)'],
    ['get', { tags: ['a', new Set(['b'])] }, 'data.tags.1 (Set)'],
    ['get', { since: new Date(NaN) }, 'data.since (Date)'],
    ['post', new Map([['a', 1]]), 'data (Map)'],
    ['post', new Set([1]), 'data (Set)'],
    ['post', Promise.resolve({ a: 1 }), 'data (Promise)'],
    ['post', new ReadableStream(), 'data (ReadableStream)'],
    ['post', new Date(NaN), 'data (Date)'],
    ['post', { name: 'a', photo: file }, 'data.photo (File)'],
    ['post', { list: [{ photos: [1, new Blob([])] }] }, 'data.list.0.photos.1 (Blob)'],
    ['post', { bytes: new Uint8Array([1]) }, 'data.bytes (Uint8Array)'],
    ['post', { form: new FormData() }, 'data.form (FormData)'],
    ['post', { pattern: /a/ }, 'data.pattern (RegExp)'],
    ['post', { error: new Error('a') }, 'data.error (Error)'],
    ['post', { later: Promise.resolve(1) }, 'data.later (Promise)'],
    ['post', { at: new Date('soon') }, 'data.at (Date)'],
    ['post', { limit: NaN }, 'data.limit (NaN)'],
    ['post', { limits: [1, -Infinity] }, 'data.limits.1 (-Infinity)'],
    ['post', { id: 1n }, 'data.id (BigInt)'],
    ['post', { call: () => 1 }, 'data.call (Function)'],
    ['post', { symbol: Symbol('a') }, 'data.symbol (Symbol)'],
    ['post', runInNewContext('({a: new Map()})') as object, 'data.a (Map)'],
    ['post', Object.assign([] as unknown[], { 0: runInNewContext('/a/') as unknown }), 'data.0 (RegExp)'],
  ])('by %s sends nothing of data that would be lost: %o', async (method, data, what) => {
    expect(await failure(tab().demo.api({ path: 'x', method: method as 'get', data }))).toMatchObject({
      code: 'ARGUMENT_INVALID',
      message: `Couldn’t call “demo”: ${what} can’t be sent as text.`,
    });
    expect(service.requests).toEqual([]);
  });

  it.each([new Date(0), new URL('https://x.example'), { toJSON: () => null }, { toJSON: () => undefined }])(
    'has no query from data whose JSON isn’t an object: %o',
    async (data) => {
      expect(await failure(tab().demo.api({ path: 'x', data }))).toMatchObject({
        code: 'ARGUMENT_INVALID',
        message: 'Couldn’t call “demo”: data must be an object.',
      });
      expect(service.requests).toEqual([]);
    },
  );

  it('sends nothing of data that contains itself or throws', async () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    const throwing = {
      toJSON() {
        throw new Error('no');
      },
    };
    for (const data of [loop, throwing])
      for (const method of ['get', 'post'] as const)
        expect((await failure(tab().demo.api({ path: 'x', method, data }))).message).toBe(
          'Couldn’t call “demo”: data can’t be sent as text.',
        );
    expect(service.requests).toEqual([]);
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

  it('is read field by field, without wrong types', async () => {
    const { tab: page, demo } = tab();
    page.hasSession({
      access_token: 'token-1',
      expires: 'soon',
      expires_in: '60',
      scope: ['a', 'b'],
      state: 7,
      refresh_token: { a: 1 },
      service: 'other',
      refreshed: true,
      id_token: 'a.b.c',
    });
    expect(await demo.getAuthResponse()).toStrictEqual({
      service: 'demo',
      access_token: 'token-1',
      token_type: 'Bearer',
      expires: undefined,
      expires_in: 60,
      scope: 'a b',
      state: '7',
      id_token: 'a.b.c',
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
