/** Errors of the REST client: code, message, and hint for every status, broken response, and failed connection. */
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { responseError, formError, redirected, slow, statusError, unreachable } from '../../../lib/rest/failures.ts';

const refusal = (body: unknown, status = 409, retryAfter: number | null = null) =>
  statusError(status, JSON.stringify(body), retryAfter).value;

describe('a status other than success', () => {
  it.each([
    [400, 'REQUEST_REFUSED'],
    [401, 'TOKEN_REFUSED'],
    [403, 'ACCESS_DENIED'],
    [404, 'NOT_FOUND'],
    [405, 'REQUEST_REFUSED'],
    [409, 'CONFLICT'],
    [413, 'REQUEST_TOO_LARGE'],
    [415, 'REQUEST_REFUSED'],
    [422, 'REQUEST_INVALID'],
    [424, 'ACTION_FAILED'],
    [429, 'RATE_LIMITED'],
    [499, 'STATUS_UNEXPECTED'],
    [500, 'PLATFORM_FAILED'],
    [503, 'PLATFORM_UNAVAILABLE'],
    [599, 'PLATFORM_FAILED'],
  ])('%i is %s, even without a body', (status, code) => {
    expect(statusError(status, '', null).value).toEqual({
      code,
      status,
      message: expect.stringMatching(/\.$/),
      hint: expect.stringMatching(/\.$/),
    });
  });

  it('401 that asks for a login of HTTP says nothing about the token, unless it’s the platform’s own response', () => {
    const [html, own] = ['<h1>401 Authorization Required</h1>', JSON.stringify({ error: 'E', message: 'No.' })];
    const codeOf = (text: string, challenge: string | null): string =>
      statusError(401, text, null, challenge).value.code;
    for (const scheme of ['Basic realm="proxy"', 'negotiate', 'NTLM', 'Digest nonce="x"'])
      expect(codeOf(html, scheme)).toBe('LOGIN_REQUIRED');
    for (const challenge of [null, 'Bearer error="invalid_token"', 'basically'])
      expect(codeOf(html, challenge)).toBe('TOKEN_REFUSED');
    expect(codeOf(own, 'Basic realm="platform"')).toBe('TOKEN_REFUSED');
  });

  it('carries the platform’s code, message, and details, each cut to 300 characters', () => {
    const long = 'x'.repeat(301);
    const cut = `${'x'.repeat(300)}…`;
    expect(refusal({ error: 'x'.repeat(300), message: long })).toMatchObject({
      message: `The request conflicts with the current state on the platform. The platform’s message: ${cut}`,
      said: { code: 'x'.repeat(300), message: cut },
    });
    expect(refusal({ error: long, message: 'No.' })).toMatchObject({ said: { code: cut, message: 'No.' } });
    expect(refusal({ error: 'E', message: 'No.', details: [{ path: long, message: long }] }).details).toEqual([
      { path: cut, message: cut },
    ]);
  });

  it('shows the platform’s own hint when it sends one', () => {
    const body = { error: 'NAME_TAKEN', message: 'Taken.', hint: 'Choose another name.' };
    expect(refusal(body)).toMatchObject({ hint: 'Choose another name.' });
    expect(refusal(body, 429, 1.2)).toMatchObject({ hint: 'Choose another name.', retryAfter: 1.2 });
    expect(refusal({ ...body, hint: 'x'.repeat(301) }).hint).toBe(`${'x'.repeat(300)}…`);
    expect(refusal({ ...body, hint: undefined }).hint).toBe('Refresh, check the current state, then try again.');
  });

  it.each([
    [429, 'QUEUE_FULL', 'The app has too many waiting runs.'],
    [413, 'DATA_TOO_LARGE', 'The data sources of the app are full.'],
  ])('%i %s names the limit of the app, not that of requests', (status, code, message) => {
    const body = { error: code, message: 'Full.', hint: 'Try again later.' };
    expect(refusal(body, status, 5)).toMatchObject({
      code,
      message: expect.stringContaining(message),
      hint: 'Try again later.',
      retryAfter: 5,
    });
    expect(refusal({ ...body, hint: undefined }, status, null).hint).toMatch(/\.$/);
  });

  it('doesn’t take a code of the platform for the limit of an app when the status is another', () => {
    expect(refusal({ error: 'QUEUE_FULL', message: 'x' }, 409).code).toBe('CONFLICT');
    expect(refusal({ error: 'toString', message: 'x' }, 429).code).toBe('RATE_LIMITED');
  });

  it('carries at most 50 details', () => {
    const details = Array.from({ length: 51 }, (_, n) => ({ path: `/${n}`, message: 'Wrong.' }));
    expect(refusal({ error: 'E', message: 'No.', details }).details).toEqual(details.slice(0, 50));
    expect(refusal({ error: 'E', message: 'No.' })).not.toHaveProperty('details');
  });

  it('reports how many whole seconds to wait when the platform sends them', () => {
    expect(statusError(429, '', 1.2).value).toMatchObject({ hint: 'Try again in 2 seconds.', retryAfter: 1.2 });
    expect(statusError(429, '', 0).value).toMatchObject({ hint: 'Wait a moment and try again.', retryAfter: 0 });
    expect(statusError(429, '', null).value).not.toHaveProperty('retryAfter');
  });

  it('is a failed run only for operations that run an action, with an error of the specification', () => {
    const details = { errorType: 'TypeError', errorMessage: 'm', trace: ['/0'] };
    expect(refusal({ error: 'TIMEOUT', message: 'It took too long.', details }, 504)).toMatchObject({
      code: 'TIMEOUT',
      message: 'It took too long.',
      status: 504,
      failure: details,
    });
    expect(refusal({ error: 'ACTION_FAILED', message: 'x'.repeat(301), details }, 424).message).toHaveLength(301);
    expect(refusal({ error: 'SOMETHING_ELSE', message: 'No.', details }, 424)).not.toHaveProperty('failure');
    expect(refusal({ error: 'TIMEOUT', message: 'No.', details: [] }, 504)).toMatchObject({ code: 'PLATFORM_FAILED' });
  });
});

describe('an unusable response with a success status', () => {
  it.each([
    ['ANSWER_CUT_OFF', /^Try again/],
    ['ANSWER_EMPTY', /^Try again/],
    ['ANSWER_HTML', /^Check that the base URL/],
    ['ANSWER_NOT_JSON', /^Check that the base URL/],
    ['ANSWER_NOT_HTML', /^Check that the base URL/],
    ['ANSWER_TOO_LARGE', /^Try a narrower request/],
  ] as const)('%s has a hint', (code, next) => {
    expect(responseError(code, 'What happened.', 200).value).toEqual({
      code,
      message: 'What happened.',
      hint: expect.stringMatching(next),
      status: 200,
    });
    expect(responseError(code, 'What happened.').value).not.toHaveProperty('status');
  });

  it('names the first wrong field of an invalid response, or the whole value', () => {
    const wrong = (value: unknown) =>
      formError(
        'clock',
        v.safeParse(v.object({ now: v.string('must be a string') }, 'must be an object'), value).issues ?? [],
        200,
      ).value;
    expect(wrong({ now: 1 })).toMatchObject({
      code: 'ANSWER_INVALID',
      status: 200,
      message: 'The response isn’t a valid clock: /now is invalid (must be a string).',
      details: [{ path: '/now', message: 'must be a string' }],
    });
    expect(wrong(7).message).toBe('The response isn’t a valid clock: the whole value is invalid (must be an object).');
  });
});

describe('a missing response', () => {
  it('keeps the browser’s error as the cause when the platform is unreachable', () => {
    const cause = new TypeError('Failed to fetch');
    expect(unreachable('api.example.com', cause)).toMatchObject({
      cause,
      value: { code: 'PLATFORM_UNREACHABLE', message: 'Couldn’t connect to api.example.com.' },
    });
  });

  it.each([
    [{ code: 'ENOTFOUND', hostname: 'api.example.com' }, 'no DNS server knows this name (ENOTFOUND)', 'HTTPS_PROXY'],
    [{ code: 'EAI_AGAIN', hostname: 'api.example.com' }, 'DNS didn’t respond (EAI_AGAIN)', 'DNS'],
    [{ code: 'ENOTFOUND', hostname: 'proxy' }, 'the proxy proxy can’t be reached (ENOTFOUND)', 'Check HTTPS_PROXY'],
    [
      { code: 'ECONNREFUSED', address: '10.0.0.1', port: 3128 },
      'the proxy 10.0.0.1:3128 can’t be reached (ECONNREFUSED)',
      'Check HTTPS_PROXY',
    ],
    [
      { code: 'ECONNREFUSED', address: '10.0.0.1', port: 443 },
      'nothing responds on this port (ECONNREFUSED)',
      'running',
    ],
    [{ code: 'ETIMEDOUT' }, 'it didn’t accept the connection in time (ETIMEDOUT)', 'network'],
    [{ code: 'ENETUNREACH' }, 'the network has no route to it (ENETUNREACH)', 'network'],
    [
      { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
      'Node doesn’t trust its certificate (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
      'NODE_EXTRA_CA_CERTS',
    ],
    [{ code: 'CERT_HAS_EXPIRED' }, 'its certificate has expired (CERT_HAS_EXPIRED)', 'clock'],
    [
      { code: 'ERR_TLS_CERT_ALTNAME_INVALID' },
      'its certificate is for another host (ERR_TLS_CERT_ALTNAME_INVALID)',
      'host in the base URL',
    ],
    [{ code: 'ERR_SSL_SOMETHING' }, 'the secure connection failed (ERR_SSL_SOMETHING)', 'proxy or firewall'],
    [{ code: 'HPE_INVALID_CONSTANT' }, 'the response isn’t HTTP (HPE_INVALID_CONSTANT)', 'port'],
  ])('says what Node says of an unreachable platform: %j', (reason, what, hint) => {
    const inner = Object.assign(new AggregateError([Object.assign(new Error('inner'), reason)]), { code: undefined });
    expect(unreachable('api.example.com', new TypeError('fetch failed', { cause: inner })).value).toEqual({
      code: 'PLATFORM_UNREACHABLE',
      message: `Couldn’t connect to api.example.com: ${what}.`,
      hint: expect.stringContaining(hint),
    });
  });

  it('names the time limit when the platform is slow', () => {
    expect(slow('api.example.com', 1200).value).toMatchObject({
      code: 'PLATFORM_SLOW',
      message: 'api.example.com didn’t send a complete response within 2 seconds.',
    });
  });

  it('that is a redirect has its status only where the browser reports it', () => {
    expect(redirected('api.example.com', 302).value).toMatchObject({ code: 'ANSWER_REDIRECTED', status: 302 });
    expect(redirected('api.example.com', 0).value).not.toHaveProperty('status');
  });
});
