/** Tests the modules of Platform.OAuth2 one by one: secure URLs, error messages, callbacks, popups, and recorded events. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toRequest, readResponse, readCall, resolveUrl } from '../../../lib/oauth2/api/api.ts';
import { rejectUnknownOptions, isSecureUrl, readConfiguration } from '../../../lib/oauth2/configuration.ts';
import { OAuth2Error, redact } from '../../../lib/oauth2/errors.ts';
import { callAll, createFlowLog, redactUrl } from '../../../lib/oauth2/flow.ts';
import { createOAuth2 } from '../../../lib/oauth2/index.ts';
import { describeLogin } from '../../../lib/oauth2/login/login.ts';
import { randomText, s256 } from '../../../lib/oauth2/pkce.ts';
import { postCallback, openPopup } from '../../../lib/oauth2/login/popup.ts';
import { createSend, proxyUrlFor } from '../../../lib/oauth2/requests.ts';
import { setParameters, createRequestToken, formPost } from '../../../lib/oauth2/token-requests.ts';
import { readToken } from '../../../lib/oauth2/tokens.ts';
import type {
  AuthResponse,
  FlowDetail,
  FlowEvent,
  OAuth2Failure,
  ServiceConfiguration,
} from '../../../lib/oauth2/types.ts';
import { codeOf, configuration, Tab } from './world.ts';

const GIVEN = configuration('https://service.example');
const SESSION: AuthResponse = {
  service: 'demo',
  access_token: 'token-1234',
  token_type: 'Bearer',
  scope: 'a',
  state: 's',
};
function refused(work: () => unknown): OAuth2Failure {
  try {
    work();
  } catch (error) {
    return error as OAuth2Failure;
  }
  throw new Error('Nothing was refused.');
}

describe('Secrets are sent', () => {
  it.each([
    'https://service.example',
    'http://localhost',
    'http://a.localhost:8',
    'http://127.0.0.1',
    'http://127.10.20.255:9',
    'http://[::1]',
  ])('to %s', (url) => expect(isSecureUrl(new URL(url))).toBe(true));
  it.each([
    'http://service.example',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://evil-localhost',
    'http://128.0.0.1',
    'http://[::2]',
    'ftp://localhost.evil',
  ])('never to %s', (url) => expect(isSecureUrl(new URL(url))).toBe(false));
  it('through the proxy under the same rules as from the page', async () => {
    const tab = new Tab();
    tab.oauth2.configure('demo', { ...GIVEN, useProxy: true });
    tab.hasSession({});
    expect(await codeOf(tab.oauth2('demo').api('http://service.example/x'))).toBe('URL_INSECURE');
  });
  it('never through an insecure proxy', async () => {
    const send = createSend(new Tab() as unknown as Window, 'http://platform.example/v1/proxy');
    expect(
      await codeOf(
        send('demo', { ...GIVEN, useProxy: true }, 'https://service.example', { method: 'GET', headers: {} }),
      ),
    ).toBe('URL_INSECURE');
  });
});

describe('A configuration', () => {
  const wrong = (more: object) => refused(() => readConfiguration('demo', { ...GIVEN, ...more }));

  it.each<[object, string]>([
    [{ clientId: 7 }, 'clientId must be a string'],
    [{ grantType: 'password' }, 'grantType must be “token” or “code”'],
    [
      { redirectUrl: 'ftp://app.example/' },
      'redirectUrl must be a full http or https URL without user, fragment, or spaces',
    ],
    [{ redirectUrl: 'https://' }, 'redirectUrl must be a full http or https URL without user, fragment, or spaces'],
    [
      { redirectUrl: 'javascript:"https://x"' },
      'redirectUrl must be a full http or https URL without user, fragment, or spaces',
    ],
    [
      { authUrl: 'javascript:"https://x"' },
      'authUrl must be an https URL without user, fragment, or spaces, or http on this machine',
    ],
    [
      { revokeUrl: 'http://service.example' },
      'revokeUrl must be an https URL without user, fragment, or spaces, or http on this machine',
    ],
    [
      { grantUrl: 'http://service.example' },
      'grantUrl must be an https URL without user, fragment, or spaces, or http on this machine',
    ],
    [{ grantData: { good: 1, bad: {} } }, 'grantData must be an object of strings, numbers, and booleans'],
    [{ grantData: { bad: [] } }, 'grantData must be an object of strings, numbers, and booleans'],
    [{ pkce: 'no' }, 'pkce must be true or false'],
    [{ scopeSeparator: '+' }, 'scopeSeparator must be “ ” or “,”'],
    [
      { redirectUrl: 'https://app.example/a b' },
      'redirectUrl must be a full http or https URL without user, fragment, or spaces',
    ],
    [{ redirectUrl: 'https://app.example/?a=1&code=2' }, 'redirectUrl can’t have the parameter code'],
    [{ redirectUrl: 'https://app.example/?st%61te=1' }, 'redirectUrl can’t have the parameter state'],
    [{ redirectUrl: 'https://app.example/?error' }, 'redirectUrl can’t have the parameter error'],
    [{ redirectUrl: 'https://app.example/?error_code=1' }, 'redirectUrl can’t have the parameter error_code'],
    [{ redirectUrl: 'https://app.example/?access_token=1' }, 'redirectUrl can’t have the parameter access_token'],
    [{ redirectUrl: 'https://app.example/?iss=1' }, 'redirectUrl can’t have the parameter iss'],
    [{ useProxy: 1 }, 'useProxy must be true or false'],
    [{ refresh: 'yes' }, 'refresh must be true or false'],
    [{ timeout: 2 ** 31 }, 'timeout must be a number of milliseconds above 0'],
    [{ loginTimeout: -1 }, 'loginTimeout must be a number of milliseconds above 0'],
    [{ issuer: 7 }, 'issuer must be a string'],
    [{ state: 7 }, 'state must be a string'],
    [{ scope: ['a'] }, 'scope must be a string'],
    [{ baseUrl: '/api' }, 'baseUrl must be a full http or https URL without user, fragment, or spaces'],
    [{ clientSecret: 7 }, 'clientSecret must be a string'],
  ])('with %j is refused, since %s', (more, about) => {
    expect(wrong(more)).toMatchObject({
      code: 'OPTION_INVALID',
      option: Object.keys(more)[0],
      message: `Couldn’t use “demo”: ${about}.`,
    });
  });

  it('may have every option, and http URLs where no secret is sent', () => {
    const all: ServiceConfiguration = {
      ...GIVEN,
      redirectUrl: 'http://app.example/callback?page=1&barcode=2',
      baseUrl: 'HTTP://service.example/api',
      scopeSeparator: ',',
      grantType: 'code',
      grantData: { a: 1, b: 'x', c: false, d: null },
      useProxy: true,
      state: 's',
      refresh: false,
      pkce: false,
      issuer: 'i',
      revokeUrl: 'https://service.example/revoke',
      timeout: 2 ** 31 - 1,
      loginTimeout: 1,
    } as unknown as ServiceConfiguration;
    expect(readConfiguration('demo', all)).toEqual(all);
  });

  it.each([
    ['clientIdxx', 'clientId'],
    ['cliend', 'clientId'],
    ['pkcexyz', ''],
    ['stat', 'state'],
    ['st', ''],
    ['baseUrlx1y2', 'baseUrl'],
    ['useProxyabc', ''],
    ['toutim', 'timeout'],
  ])('with the unknown option %s suggests %j, which differs in at most two letters', (name, near) => {
    const { message } = refused(() =>
      rejectUnknownOptions(
        'demo',
        { [name]: 1 },
        Object.keys({ ...GIVEN, state: 0, baseUrl: 0, useProxy: 0, pkce: 0, timeout: 0 }),
      ),
    );
    const hint = near ? `Did you mean ${near}?` : 'Remove it.';
    expect(message).toBe(`Couldn’t use “demo”: unknown option “${name}”. ${hint}`);
  });
});

describe('The arguments of api()', () => {
  it.each(['xget', 'gets', 'patch'])('may not have the method %s', (method) => {
    expect(refused(() => readCall('demo', GIVEN, { path: 'x', method }))).toMatchObject({
      code: 'ARGUMENT_INVALID',
      message: 'Couldn’t call “demo”: method must be get, post, put, or delete.',
    });
  });

  it.each([
    ['https://other.example/x', 'https://other.example/x'],
    ['HTTPS://other.example', 'HTTPS://other.example'],
    ['a1+.-://x', 'a1+.-://x'],
    ['go?to=https://other.example', 'https://service.example/api/go?to=https://other.example'],
    ['1a://x', 'https://service.example/api/1a://x'],
    ['mailto:x', 'https://service.example/api/mailto:x'],
    ['//x', 'https://service.example/api/x'],
  ])('with the path %s lead to %s', (path, url) =>
    expect(readCall('demo', GIVEN, path)).toEqual({ method: 'GET', url, data: null }),
  );

  it('may not have a URL with a user', () => {
    expect(
      refused(() => resolveUrl('demo', { method: 'GET', url: 'https://user@service.example', data: null })).message,
    ).toBe('Couldn’t call “demo”: path must be a URL without user and password.');
  });

  it('may have a file input, which is sent as a form with its files or its value', () => {
    const input = (more: object) => ({ [Symbol.toStringTag]: 'HTMLInputElement', ...more });
    const send = (data: object) => toRequest('demo', SESSION, { method: 'POST', url: '', data }).body as FormData;
    expect([
      ...send(input({ name: 'photos', files: [new File(['a'], 'a.txt'), new File(['b'], 'b.txt')] })).keys(),
    ]).toEqual(['photos', 'photos']);
    expect([...send(input({ name: '', value: 'C:\\fakepath' })).entries()]).toEqual([['file', 'C:\\fakepath']]);
  });

  it('may have an input or files, which are sent as in a form', () => {
    const send = (kind: string, more: object) => [
      ...(
        toRequest('demo', SESSION, {
          method: 'POST',
          url: '',
          data: Object.assign([], { [Symbol.toStringTag]: kind, files: null, ...more }),
        }).body as FormData
      ).entries(),
    ];
    for (const type of ['checkbox', 'radio']) {
      const input = { type, name: 'c', value: 'on' };
      expect(send('HTMLInputElement', { ...input, checked: false })).toEqual([]);
      expect(send('HTMLInputElement', { ...input, checked: true })).toEqual([['c', 'on']]);
    }
    expect(send('HTMLInputElement', { type: 'text', name: 't', value: 'a', checked: false })).toEqual([['t', 'a']]);
    expect(send('FileList', { 0: new File(['a'], 'a.txt') })).toMatchObject([['file', { name: 'a.txt' }]]);
  });

  it('may have a form element, which is sent as its data', () => {
    const form = { [Symbol.toStringTag]: 'HTMLFormElement' };
    const real = globalThis.FormData;
    vi.stubGlobal('FormData', function (given: unknown) {
      return Object.assign(new real(), { given });
    });
    try {
      expect(toRequest('demo', SESSION, { method: 'POST', url: '', data: form }).body).toMatchObject({
        given: form,
      });
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe('A response of the API', () => {
  const response = (status: number, text: string, type = 'application/json') => ({
    status,
    text,
    headers: new Headers({ 'content-type': type }),
    arrived: Date.now(),
  });

  it.each<[string, string, unknown]>([
    ['{"a": 1}', 'application/json; charset=utf-8', { a: 1 }],
    ['{"a": 1}', 'application/problem+json', { a: 1 }],
    ['{"a": 1}', 'text/plain', '{"a": 1}'],
    ['7', 'application/jsonp', '7'],
    ['', 'text/plain', null],
    ['', 'application/json', null],
  ])('with the body %j and the type %s is read as %j', (text, type, value) => {
    expect(readResponse('demo', response(200, text, type), SESSION)).toEqual(value);
  });

  it('with invalid JSON fails with its status but without its text', () => {
    expect(refused(() => readResponse('demo', response(200, '{'), SESSION))).toMatchObject({
      code: 'ANSWER_INVALID',
      status: 200,
      message: 'Couldn’t read the response from “demo”: its body isn’t valid JSON. Try again.',
    });
    expect(refused(() => readResponse('demo', response(500, '{'), SESSION))).toMatchObject({
      code: 'API_REFUSED',
      status: 500,
      body: '{',
    });
  });

  it('succeeds up to status 399, and fails from 400 on', () => {
    expect(readResponse('demo', response(399, '1'), SESSION)).toBe(1);
    expect(refused(() => readResponse('demo', response(400, '1'), SESSION))).toMatchObject({
      code: 'API_REFUSED',
      message: '“demo” rejected the call with status 400.',
      body: 1,
    });
  });

  it('with status 401 fails with SESSION_EXPIRED when the session has expired', () => {
    const ended = { ...SESSION, expires: 1 };
    expect(refused(() => readResponse('demo', response(401, ''), ended))).toMatchObject({
      code: 'SESSION_EXPIRED',
      status: 401,
      body: null,
    });
    expect(refused(() => readResponse('demo', response(403, ''), ended)).code).toBe('API_REFUSED');
    expect(refused(() => readResponse('demo', response(401, ''), SESSION)).code).toBe('API_REFUSED');
  });
});

describe('An error', () => {
  it.each([
    [
      new OAuth2Error('POPUP_CLOSED', 'demo'),
      'Couldn’t log in to “demo”: the popup was closed, or its page cut the link to this one. Try again.',
    ],
    [new OAuth2Error('LOGIN_REFUSED', 'demo', 'Not v1.2 today.'), '“demo” rejected the login: Not v1.2 today.'],
    [new OAuth2Error('API_REFUSED', 'demo', 500), '“demo” rejected the call with status 500.'],
    [
      new OAuth2Error('NETWORK_FAILED', 'demo', 'https://x'),
      'Couldn’t get a response from “demo” at https://x. Check the URL, the network, and the Content-Security-Policy.',
    ],
  ])('says what happened and what to do: %s', (error, message) => {
    expect(error).toMatchObject({ name: 'OAuth2Error', service: 'demo', message });
  });

  it.each([
    'SERVICE_UNKNOWN',
    'POPUP_BLOCKED',
    'POPUP_CLOSED',
    'LOGIN_TIMEOUT',
    'STATE_MISMATCH',
    'ISSUER_MISMATCH',
    'CALLBACK_INVALID',
    'PAGE_INSECURE',
    'TOKEN_REFUSED',
    'REFRESH_REFUSED',
    'REFRESH_UNAVAILABLE',
    'NOT_LOGGED_IN',
    'PATH_RELATIVE',
    'URL_INSECURE',
    'SESSION_EXPIRED',
    'ANSWER_INVALID',
    'NETWORK_FAILED',
    'CORS_REFUSED',
    'REQUEST_TIMEOUT',
  ] as const)('says what to do for %s', (code) => {
    expect(new OAuth2Error(code, 'demo').message).toMatch(/“demo”.*[^.]\. (Add|Call|Check|Log|Set|Try|Use) .+\.$/);
  });

  it('quotes a service in at most 300 characters, without the secrets that it repeats', () => {
    expect(redact('the secret is abcd, abcd', ['abcd'])).toBe('the secret is …, …');
    expect(redact('abc', ['abc'])).toBe('abc');
    expect(redact('x'.repeat(301))).toBe('x'.repeat(300));
    expect([redact(undefined), redact(null), redact(0)]).toEqual(['', '', '0']);
  });
});

describe('Recorded events', () => {
  const told = (flow: ReturnType<typeof createFlowLog>) => {
    const events: FlowEvent[] = [];
    return { events, end: flow.observe((event) => events.push(event)) };
  };
  const detail: FlowDetail = { kind: 'configured' };

  it('are numbered, and the last 200 are sent to a new observer', () => {
    const flow = createFlowLog();
    for (let n = 0; n < 200; n++) flow.record('demo', detail);
    expect(told(flow).events.map(({ n }) => n)).toEqual(Array.from({ length: 200 }, (_, n) => n + 1));
    flow.record('demo', detail);
    expect(told(flow).events.map(({ n }) => n)).toEqual(Array.from({ length: 200 }, (_, n) => n + 2));
    expect(told(flow).events.at(-1)).toEqual({
      n: 201,
      at: expect.any(Number) as number,
      service: 'demo',
      kind: 'configured',
    });
  });

  it('are not sent after an observer stops observing', () => {
    const flow = createFlowLog();
    const { events, end } = told(flow);
    flow.record('demo', detail);
    end();
    flow.record('demo', detail);
    expect(events).toHaveLength(1);
  });

  it('reach the other observers when one throws', () => {
    const report = vi.fn();
    vi.stubGlobal('reportError', report);
    const error = new Error('theirs');
    const received: number[] = [];
    callAll(
      [
        () => {
          throw error;
        },
        (value: number) => received.push(value),
      ],
      7,
    );
    vi.unstubAllGlobals();
    expect({ reportCalls: report.mock.calls, received }).toEqual({ reportCalls: [[error]], received: [7] });
  });

  it.each([
    ['https://user:pass@service.example/a?code=x&state=y#token=z', 'https://service.example/a?code=…&state=…'],
    ['https://service.example/a', 'https://service.example/a'],
    ['https://service.example/?q', 'https://service.example/?q'],
    ['/path?a=1?b=2&c=3', '/path?a=…&c=…'],
    ['https://a@b@service.example/', 'https://service.example/'],
    ['https://x/#a\nb', 'https://x/'],
    ['https://x/?a=1\n&b=2', 'https://x/?a=…&b=…'],
  ])('contain the URL %s as %s', (address, shown) => expect(redactUrl(address)).toBe(shown));

  it('describe the start of a login with its defaults', () => {
    expect(describeLogin({ ...GIVEN, scope: 'a,b  c, ' }, false)).toEqual({
      kind: 'login-started',
      grantType: 'token',
      pkce: false,
      scope: 'a b c',
      authUrl: GIVEN.authUrl,
      redirectUrl: GIVEN.redirectUrl,
      shared: false,
    });
    expect(describeLogin({ ...GIVEN, grantType: 'code', scope: '' }, true)).toMatchObject({
      grantType: 'code',
      pkce: true,
      scope: null,
      shared: true,
    });
    expect(
      describeLogin({ ...GIVEN, grantType: 'code', pkce: false, scope: undefined } as ServiceConfiguration, true),
    ).toMatchObject({ pkce: false, scope: null });
  });
});

describe('A random value', () => {
  it('has the requested number of random bytes as base64url', () => {
    const many = Array.from({ length: 200 }, () => randomText(32));
    expect(new Set(many).size).toBe(200);
    for (const text of many) expect(text).toMatch(/^[\w-]{43}$/);
    expect(many.join('')).toMatch(/-.*_|_.*-/s);
    expect(randomText(16)).toHaveLength(22);
  });

  it('has the S256 challenge of RFC 7636 appendix B', async () => {
    expect(await s256('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
      'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    );
  });
});

describe('A token request', () => {
  it('has the client and all parameters with a value in its body, and follows no redirect', () => {
    expect(
      formPost(
        { ...GIVEN, clientSecret: '' },
        { grant_type: 'x', n: 0, no: false, empty: '', none: null, missing: undefined },
      ),
    ).toEqual({
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: 'client_id=client&grant_type=x&n=0&no=false',
    });
    expect(String(setParameters(new URLSearchParams('a=1&b=2'), { a: 3 }))).toBe('a=3&b=2');
  });

  const ask = async (
    status: number,
    text: string,
    headers: Record<string, string> = {},
    parameters: Record<string, unknown> = { code: 'code-1234' },
  ) => {
    const events: FlowDetail[] = [];
    const request = createRequestToken(
      () => Promise.resolve({ status, text, headers: new Headers(headers), arrived: Date.now() }),
      (_service, detail) => void events.push(detail),
    );
    const outcome: unknown = await request(
      'demo',
      { ...GIVEN, grantUrl: 'https://service.example/token?tenant=t' },
      'authorization_code',
      'login',
      parameters,
    ).catch((error: unknown) => error);
    return { outcome: outcome as OAuth2Failure, events };
  };

  it('is recorded with its response, without token, code, or secret', async () => {
    const { events } = await ask(200, '{"access_token":"abcdef","refresh_token":"r","expires_in":60,"scope":"a"}', {
      date: new Date(Date.now() - 90_000).toUTCString(),
    });
    expect(events).toEqual([
      {
        kind: 'token-requested',
        grant: 'authorization_code',
        url: 'https://service.example/token?tenant=…',
        proxy: false,
        reason: 'login',
      },
      {
        kind: 'token-answered',
        status: 200,
        milliseconds: expect.any(Number) as number,
        code: null,
        error: null,
        description: null,
        token: { type: 'Bearer', expiresIn: 60, scope: 'a', refreshable: true },
        clockAhead: expect.closeTo(90, -1) as number,
      },
    ]);
    expect((await ask(200, '{"access_token":"abcdef"}')).events[1]).toMatchObject({
      token: { type: 'Bearer', expiresIn: null, scope: null, refreshable: false },
      clockAhead: null,
    });
  });

  it.each([
    '{"access_token":"x","error":false}',
    '{"access_token":"x","error":null,"error_code":"0","message":"OK"}',
    '{"access_token":"x","error":""}',
  ])('that gets the response %s succeeds', async (text) =>
    expect((await ask(200, text)).outcome).toMatchObject({ access_token: 'x' }),
  );

  it.each<[number, string, object]>([
    [
      400,
      '{"error":{"message":"The code code-1234 is used."}}',
      {
        code: 'TOKEN_REFUSED',
        error: '',
        description: 'The code … is used.',
        message: expect.stringContaining('the token request: The code … is used. Check') as string,
      },
    ],
    [200, '{"error":true,"access_token":"x"}', { code: 'TOKEN_REFUSED' }],
    [200, '{"error_code":100,"error_message":"No."}', { code: 'TOKEN_REFUSED', error: '100', description: 'No.' }],
    [
      400,
      '{"error":"invalid_grant","error_description":"The code code-1234 is used."}',
      {
        code: 'TOKEN_REFUSED',
        status: 400,
        error: 'invalid_grant',
        description: 'The code … is used.',
        message:
          '“demo” rejected the token request: The code … is used. Check clientId, clientSecret, and redirectUrl.',
      },
    ],
    [
      200,
      '{"error":"invalid_client"}',
      { code: 'TOKEN_REFUSED', status: 200, error: 'invalid_client', description: '' },
    ],
    [401, '', { code: 'TOKEN_REFUSED', status: 401, message: expect.stringContaining('401') as string }],
    [400, '', { code: 'TOKEN_REFUSED', status: 400 }],
    [
      200,
      '{}',
      {
        code: 'TOKEN_INVALID',
        status: 200,
        message: 'Couldn’t read the token from “demo”: access_token is missing or invalid. Check grantUrl.',
      },
    ],
    [500, '{"access_token":"x"}', { code: 'TOKEN_INVALID', message: expect.stringContaining('status 500') as string }],
    [300, '{"access_token":"x"}', { code: 'TOKEN_INVALID' }],
    [199, '{"access_token":"x"}', { code: 'TOKEN_INVALID' }],
    [0, '', { code: 'TOKEN_INVALID', message: expect.stringContaining('redirect') as string }],
  ])('that gets the response %i %s fails', async (status, text, error) => {
    const { outcome, events } = await ask(status, text);
    expect(outcome).toMatchObject(error);
    expect(events[1]).toMatchObject({ kind: 'token-answered', code: outcome.code, status, token: null });
  });

  it.each<[number, string, string]>([
    ...[408, 409, 423, 425, 429, 500, 503].map((status): [number, string, string] => [status, '', 'Try again later.']),
    [429, '{"error":"slow_down"}', 'slow_down. Try again later.'],
    [503, '{"error":"x","error_description":"Closed."}', 'Closed. Try again later.'],
    [200, '{"ok":false,"error":"ratelimited"}', 'ratelimited. Try again later.'],
    [400, '{"error":"temporarily_unavailable"}', 'temporarily_unavailable. Try again later.'],
    [404, '', 'status 404. Check grantUrl.'],
    [400, '{"error":"invalid_client"}', 'Check clientId, clientSecret, and redirectUrl.'],
  ])('that gets the response %i %s says what to do: %s', async (status, text, end) => {
    const { message } = (await ask(status, text)).outcome;
    expect(message.endsWith(end)).toBe(true);
    expect(message.match(/Try|Check/g)).toHaveLength(1);
  });

  it.each([299, 200])('that gets status %i succeeds', async (status) =>
    expect((await ask(status, '{"access_token":"x"}')).outcome).toMatchObject({ access_token: 'x' }),
  );

  it('fails without grantUrl', async () => {
    const request = createRequestToken(
      () => Promise.reject(new Error('not asked for')),
      () => {},
    );
    await expect(
      request('demo', { ...GIVEN, grantUrl: undefined } as ServiceConfiguration, 'refresh_token', 'asked', {}),
    ).rejects.toMatchObject({
      code: 'OPTION_MISSING',
      option: 'grantUrl',
      message: expect.stringContaining('grantUrl') as string,
    });
  });

  it('reads refresh token and scopes as strings, and accepts only the type Bearer', () => {
    expect(readToken({ access_token: 'x', refresh_token: 7, scope: 7, token_type: 'BEARER' }, 0)).toEqual({
      access_token: 'x',
      refresh_token: '7',
      scope: '7',
      token_type: 'BEARER',
    });
    for (const token_type of ['xbearer', 'bearerx'])
      expect(readToken({ access_token: 'x', token_type }, 0)).toBe(`token_type is “${token_type}”, not Bearer`);
    for (const access_token of ['a b', ' a', 'a '])
      expect(readToken({ access_token }, 0)).toBe('access_token is missing or invalid');
  });
});

describe('A login', () => {
  /** The outcome of a login whose callback is made from the state. */
  async function respondWith(response: (state: string) => string, more: Partial<ServiceConfiguration> = {}) {
    const tab = new Tab();
    tab.oauth2.configure('demo', { ...GIVEN, ...more });
    const login = tab
      .oauth2('demo')
      .login()
      .then(
        (session) => session,
        (error: unknown) => error,
      );
    const { url } = await tab.popup();
    tab.post(response(url.searchParams.get('state')!));
    return { outcome: (await login) as OAuth2Failure & AuthResponse, events: tab.events, url };
  }

  it('is recorded step by step, with the names of its first 20 parameters', async () => {
    const { outcome, events } = await respondWith((state) => `?access_token=abcdef&state=${state}${'&x=1'.repeat(25)}`);
    expect(outcome).toMatchObject({ service: 'demo', access_token: 'abcdef', scope: 'profile items' });
    expect(events.map(({ n: _n, at: _at, service: _service, ...detail }) => detail)).toEqual([
      { kind: 'configured' },
      expect.objectContaining({ kind: 'login-started', shared: false }),
      { kind: 'popup', state: 'opened' },
      { kind: 'popup', state: 'closed' },
      {
        kind: 'callback',
        origin: 'https://app.example',
        parameters: ['access_token', 'state', ...Array.from({ length: 18 }, () => 'x')],
        error: null,
        description: null,
      },
      { kind: 'state-checked', matches: true },
      { kind: 'session', change: 'stored', persistent: true },
      { kind: 'event', name: 'auth.login', code: null },
    ]);
  });

  it.each<[string, (state: string) => string, object, Partial<ServiceConfiguration>?]>([
    [
      'no token',
      (state) => `?state=${state}`,
      {
        code: 'CALLBACK_INVALID',
        message: 'Couldn’t log in to “demo”: the callback is invalid (access_token is missing). Check grantType.',
      },
    ],
    [
      'two tokens',
      (state) => `?state=${state}&access_token=a&access_token=b`,
      {
        code: 'CALLBACK_INVALID',
        message: 'Couldn’t log in to “demo”: the callback is invalid (access_token appears 2 times). Check grantType.',
      },
    ],
    [
      'an empty code',
      (state) => `?state=${state}&code=`,
      {
        code: 'CALLBACK_INVALID',
        message: 'Couldn’t log in to “demo”: the callback is invalid (code is empty). Check grantType.',
      },
      { grantType: 'code' },
    ],
    [
      'an invalid token type',
      (state) => `?state=${state}&access_token=a&token_type=mac`,
      {
        code: 'TOKEN_INVALID',
        message: 'Couldn’t read the token from “demo”: token_type is “mac”, not Bearer. Check the service’s settings.',
      },
    ],
    [
      'a code and a message of their own names',
      (state) => `?state=${state}&error_code=100&error_message=Wrong+app.`,
      {
        code: 'LOGIN_REFUSED',
        error: '100',
        description: 'Wrong app.',
        message: '“demo” rejected the login: Wrong app.',
      },
    ],
    [
      'only a message',
      (state) => `?state=${state}&message=Wrong+app`,
      { code: 'LOGIN_REFUSED', error: '', description: 'Wrong app' },
    ],
    ['the state twice', (state) => `?state=${state}&state=${state}&access_token=a`, { code: 'STATE_MISMATCH' }],
    [
      'the state in two halves',
      (state) => `?state=${state.slice(0, 11)}&state=${state.slice(11)}&access_token=a`,
      { code: 'STATE_MISMATCH' },
    ],
    [
      'another state and an error',
      () => '?state=x&error=access_denied',
      {
        code: 'STATE_MISMATCH',
        error: 'access_denied',
        message: 'Couldn’t log in to “demo”: the callback’s state doesn’t match. Try again.',
      },
    ],
    [
      'An error',
      (state) => `?state=${state}&error=access_denied`,
      { code: 'LOGIN_REFUSED', error: 'access_denied', message: '“demo” rejected the login: access_denied.' },
    ],
    [
      'another issuer',
      (state) => `?state=${state}&access_token=a&iss=https://evil.example`,
      {
        code: 'ISSUER_MISMATCH',
        message:
          'Couldn’t log in to “demo”: the callback’s issuer is https://evil.example. Set the issuer option if this is correct.',
      },
    ],
    [
      'the issuer twice',
      (state) => `?state=${state}&access_token=a&iss=https://a&iss=.example`,
      { code: 'ISSUER_MISMATCH' },
      { issuer: 'https://a.example' },
    ],
  ])('with %s in the callback fails', async (_what, response, error, more = {}) => {
    expect((await respondWith(response, more)).outcome).toMatchObject(error);
  });

  it.each(['error_code=0&error_message=OK', 'error=&error_description=None', 'message=Welcome'])(
    'with %s beside a token in the callback succeeds',
    async (more) => {
      const { outcome } = await respondWith((state) => `?state=${state}&access_token=a&${more}`);
      expect(outcome).toMatchObject({ access_token: 'a' });
    },
  );

  it('requests scopes separated by single spaces', async () => {
    expect(
      (await respondWith((state) => `?state=${state}`, { scope: 'a, b,,c  d' })).url.searchParams.get('scope'),
    ).toBe('a b c d');
  });

  it('requests scopes separated by commas for services that want them', async () => {
    const { url } = await respondWith((state) => `?state=${state}`, { scope: ' a, b,,c  d,', scopeSeparator: ',' });
    expect(url.searchParams.get('scope')).toBe('a,b,c,d');
  });

  it('that is called twice focuses the popup', async () => {
    const tab = new Tab();
    tab.oauth2.configure('demo', { ...GIVEN, loginTimeout: 60_000 });
    const both = [tab.oauth2('demo').login(), tab.oauth2('demo').login()].map((login) => codeOf(login));
    expect(tab.popups).toMatchObject([{ focused: 1 }]);
    expect(tab.events.slice(-2)).toMatchObject([
      { kind: 'login-started', shared: true },
      { kind: 'popup', state: 'focused' },
    ]);
    await tab.popup();
    tab.post('?state=x');
    expect(await Promise.all(both)).toEqual(['STATE_MISMATCH', 'STATE_MISMATCH']);
  });

  it('with a blocked popup fails with POPUP_BLOCKED', async () => {
    const tab = new Tab();
    tab.blocksPopups = true;
    tab.oauth2.configure('demo', GIVEN);
    expect(await codeOf(tab.oauth2('demo').login())).toBe('POPUP_BLOCKED');
    expect(tab.events).toContainEqual(expect.objectContaining({ kind: 'popup', state: 'blocked' }));
  });
});

it('the library reports its features and its version', () => {
  const { features, version } = new Tab().oauth2;
  expect({ features, version }).toEqual({ features: ['observe', 'off', 'refresh'], version: '0.1' });
});

describe('The global script', () => {
  it('adds the library to an existing namespace, and keeps one of its own version', async () => {
    const page = Object.assign(new EventTarget(), {
      location: { search: '', hash: '', origin: 'https://app.example' },
      opener: null,
    });
    const platform: { Functions: number; OAuth2?: { version: string } } = { Functions: 1 };
    vi.stubGlobal('window', page);
    vi.stubGlobal('location', page.location);
    vi.stubGlobal('document', { currentScript: null });
    vi.stubGlobal('Platform', platform);
    try {
      const include = async () => {
        vi.resetModules();
        await import('../../../lib/oauth2/script.ts');
        return platform.OAuth2;
      };
      const first = await include();
      expect(first?.version).toBe('0.1');
      expect(platform.Functions).toBe(1);
      expect(await include()).toBe(first);
      platform.OAuth2 = { version: '0.0' };
      expect((await include())?.version).toBe('0.1');
      vi.stubGlobal('Platform', undefined);
      await include();
      expect((globalThis as unknown as { Platform: typeof platform }).Platform.OAuth2?.version).toBe('0.1');
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe('The login popup', () => {
  const REDIRECT = 'https://app.example/callback?x=1';
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** An app's window whose popup is at `location`, or where that cannot be seen. */
  function open(limit = 60_000) {
    const state = { opened: [] as unknown[][], outcomes: [] as unknown[], closedBy: 0, replaced: [] as unknown[] };
    const popup = {
      closed: false,
      location: null as object | null,
      history: { replaceState: (...given: unknown[]) => void state.replaced.push(given) },
      close: () => void state.closedBy++,
    };
    const window = Object.assign(new EventTarget(), {
      open: (...given: unknown[]) => (state.opened.push(given), popup),
    });
    openPopup(window as unknown as Window, REDIRECT, limit, (outcome) => state.outcomes.push(outcome), 's');
    const post = (data: unknown, source: unknown = popup, origin = 'https://app.example') =>
      window.dispatchEvent(Object.assign(new Event('message'), { source, origin, data }));
    const show = (search: string, hash = '', pathname = '/callback') =>
      void (popup.location = { origin: 'https://app.example', pathname, search, hash });
    return { ...state, state, popup, post, window, show };
  }
  const CALLBACK = { type: 'platform-oauth2:callback', query: '?code=1', fragment: '' };

  it('opens empty, and is null when the browser blocks it or closes it at once', () => {
    expect(open().opened).toEqual([['about:blank', '_blank', 'popup,width=520,height=680']]);
    for (const blocked of [null, { closed: true }])
      expect(openPopup({ open: () => blocked } as unknown as Window, REDIRECT, 9, () => {}, 's')).toBeNull();
    expect(vi.getTimerCount()).toBe(2);
  });

  it('ends once with the message of the redirect page, closes, and leaves no code in the history', () => {
    const { state, post, popup } = open();
    for (const data of [null, 'text', {}, { ...CALLBACK, type: 'other' }]) post(data);
    post(CALLBACK, {});
    post(CALLBACK, popup, 'https://evil.example');
    expect(state.outcomes).toEqual([]);
    post(CALLBACK);
    post(CALLBACK);
    expect(state).toMatchObject({
      outcomes: [{ query: '?code=1', fragment: '' }],
      closedBy: 1,
      replaced: [[null, '', '/callback']],
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  type Opened = ReturnType<typeof open>;
  it.each<[string, (opened: Opened) => void]>([
    ['stays there', () => {}],
    ['closes itself', ({ popup }) => (popup.closed = true)],
    ['removes it from its URL', ({ show }) => show('')],
    ['shows a route', ({ show }) => show('', '#/home?code=7')],
    ['moves on to another page', ({ show }) => show('?page=1', '', '/home')],
    ['moves on to another origin', ({ popup }) => (popup.location = null)],
    ['shows a callback of another login', ({ show }) => show('?code=3&state=other')],
    ['shows a second one', ({ show }) => show('?code=3&state=s')],
    ['posts one of another login', ({ post }) => post({ ...CALLBACK, query: '?error=x&state=other' })],
  ])('ends with the first callback that a poll saw, whose page then %s', (_what, then) => {
    const opened = open();
    opened.show('?x=1&code=2&state=s', '#f');
    vi.advanceTimersByTime(20);
    then(opened);
    vi.advanceTimersByTime(200);
    expect(opened.state).toMatchObject({ outcomes: [{ query: '?x=1&code=2&state=s', fragment: '#f' }], closedBy: 1 });
    expect(opened.state.replaced).toEqual([[null, '', '/callback']]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('prefers the login’s own callback to one of another login, and a posted one to a closed popup', () => {
    const { state, show } = open();
    show('?code=1&state=other');
    vi.advanceTimersByTime(100);
    show('', '#access_token=2&state=s');
    vi.advanceTimersByTime(200);
    expect(state.outcomes).toEqual([{ query: '', fragment: '#access_token=2&state=s' }]);

    const closing = open();
    closing.popup.closed = true;
    vi.advanceTimersByTime(100);
    closing.post(CALLBACK);
    vi.advanceTimersByTime(1_000);
    expect(closing.state.outcomes).toEqual([{ query: '?code=1', fragment: '' }]);
  });

  it.each(['/callback', '/callback/', '/callback.html', '/callback/index.html'])(
    'is read at %s, where servers redirect to',
    (path) => {
      const { state, show } = open();
      show('?code=2', '', path);
      vi.advanceTimersByTime(220);
      expect(state.outcomes).toEqual([{ query: '?code=2', fragment: '' }]);
    },
  );

  it.each([
    ['another page', { origin: 'https://app.example', pathname: '/login' }],
    ['another page’s folder', { origin: 'https://app.example', pathname: '/callback/done' }],
    ['another origin', { origin: 'https://evil.example', pathname: '/callback' }],
    ['a page that is not readable', null],
  ])('stays open on %s, even with a code', (_where, location) => {
    const { state, popup } = open();
    popup.location = location && { search: '?code=1&state=s', hash: '', ...location };
    vi.advanceTimersByTime(2000);
    expect(state).toMatchObject({ outcomes: [], closedBy: 0 });
    popup.closed = true;
    vi.advanceTimersByTime(220);
    expect(state.outcomes).toEqual(['POPUP_CLOSED']);
  });

  it.each([
    ['', '', 'CALLBACK_INVALID'],
    ['?x=1', '#/route?code=1', 'CALLBACK_INVALID'],
    ['?state=s', '', 'CALLBACK_INVALID'],
    ['?response_type=code&code_challenge=c&state=s', '', 'POPUP_CLOSED'],
  ])('stays open on a redirect page that has no response: %s%s. Closed there, it ends with %s', (query, hash, code) => {
    const { state, show, popup } = open();
    show(query, hash);
    vi.advanceTimersByTime(2000);
    expect(state).toMatchObject({ outcomes: [], closedBy: 0 });
    popup.closed = true;
    vi.advanceTimersByTime(220);
    expect(state.outcomes).toEqual([code]);
  });

  it('ends with a callback that it shows just before the time limit', () => {
    const { state, show } = open(1000);
    vi.advanceTimersByTime(950);
    show('?code=1&state=s');
    vi.advanceTimersByTime(50);
    expect(state.outcomes).toEqual([{ query: '?code=1&state=s', fragment: '' }]);
  });

  it('closes after the time limit', () => {
    const { state, popup } = open(1000);
    Object.defineProperty(popup, 'history', {
      get: () => {
        throw new Error('cross-origin');
      },
    });
    vi.advanceTimersByTime(1000);
    expect(state).toMatchObject({ outcomes: ['LOGIN_TIMEOUT'], closedBy: 1 });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('The redirect page', () => {
  const events = (search: string, hash: string) => {
    const post = vi.fn();
    postCallback({
      location: { search, hash, origin: 'https://app.example' },
      opener: { postMessage: post },
    } as unknown as Window);
    return post.mock.calls as unknown[];
  };

  it.each([
    ['?code=1', ''],
    ['?a=1&code=1', ''],
    ['', '#access_token=x'],
    ['', '#state=s&error=x'],
    ['?error_code=100&error_message=x', ''],
    ['?error_message=x', ''],
  ])('posts the callback %s%s to its own origin only', (query, fragment) => {
    expect(events(query, fragment)).toEqual([
      [{ type: 'platform-oauth2:callback', query, fragment }, 'https://app.example'],
    ]);
  });

  it.each([
    ['', ''],
    ['?barcode=1', ''],
    ['?state=s', ''],
    ['', '#codes=1'],
    ['', '#/route?code=1'],
  ])('posts nothing for %s%s', (query, fragment) => expect(events(query, fragment)).toEqual([]));

  it('works without an opener', () => {
    expect(() =>
      postCallback({
        location: { search: '?code=1', hash: '', origin: 'https://app.example' },
        opener: null,
      } as unknown as Window),
    ).not.toThrow();
  });
});

describe('The platform’s proxy', () => {
  it('is beside the packages that the script came from', () => {
    expect(proxyUrlFor('https://platform.example/v1/packages/platform-oauth2:0.1')).toBe(
      'https://platform.example/v1/proxy',
    );
  });

  it.each(['https://cdn.example/oauth2.js', 'https://cdn.example/packages/a/b.js', undefined])(
    'is unknown for the script %s',
    (script) => expect(proxyUrlFor(script)).toBeUndefined(),
  );

  it('is on the page’s own origin by default', async () => {
    const fetched: string[] = [];
    vi.stubGlobal('fetch', (url: URL) => {
      fetched.push(url.href);
      return Promise.resolve(new Response('{}', { headers: { 'platform-proxy': 'service' } }));
    });
    vi.resetModules();
    try {
      const { createOAuth2 } = await import('../../../lib/oauth2/index.ts');
      const tab = new Tab();
      tab.hasSession({});
      const oauth2 = createOAuth2(tab as unknown as Window);
      oauth2.configure('demo', { ...GIVEN, useProxy: true });
      await oauth2('demo').api('items');
      expect(fetched).toEqual(['https://app.example/v1/proxy']);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe('The package', () => {
  it('exports createOAuth2 and OAuth2Error, and can be imported where there is no window', async () => {
    vi.resetModules();
    expect('window' in globalThis).toBe(false);
    expect(Object.keys(await import('../../../lib/oauth2/index.ts')).toSorted()).toEqual([
      'OAuth2Error',
      'createOAuth2',
    ]);
  });

  it('posts the callback when createOAuth2 is called in a redirect page', () => {
    const post = vi.fn();
    const page = Object.assign(new EventTarget(), {
      location: { search: '?code=1', hash: '', origin: 'https://app.example' },
      opener: { postMessage: post },
    });
    createOAuth2(page as unknown as Window);
    expect(post).toHaveBeenCalledExactlyOnceWith(
      { type: 'platform-oauth2:callback', query: '?code=1', fragment: '' },
      'https://app.example',
    );
  });
});
