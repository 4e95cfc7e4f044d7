/** Owns the proof of the REST client's sentences: what each refusal becomes, how much of a platform's words is kept, and what a person is told to do. */
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { answerError, formError, redirected, slow, statusError, unreachable } from '../../../lib/rest/failures.ts';

const refusal = (body: unknown, status = 409, retryAfter: number | null = null) =>
  statusError(status, JSON.stringify(body), retryAfter).value;

describe('a status that is no success', () => {
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
  ])('%i is %s, also when it says nothing', (status, code) => {
    expect(statusError(status, '', null).value).toEqual({
      code,
      status,
      message: expect.stringMatching(/\.$/),
      hint: expect.stringMatching(/\.$/),
    });
  });

  it('carries what the platform says, up to 300 characters of each text', () => {
    const long = 'x'.repeat(301);
    const cut = `${'x'.repeat(300)}…`;
    expect(refusal({ error: 'x'.repeat(300), message: long })).toMatchObject({
      message: `The platform refuses this because of what is there now. It says: ${cut}`,
      said: { code: 'x'.repeat(300), message: cut },
    });
    expect(refusal({ error: long, message: 'No.' })).toMatchObject({ said: { code: cut, message: 'No.' } });
    expect(refusal({ error: 'E', message: 'No.', details: [{ path: long, message: long }] }).details).toEqual([
      { path: cut, message: cut },
    ]);
  });

  it('carries fifty details at most', () => {
    const details = Array.from({ length: 51 }, (_, n) => ({ path: `/${n}`, message: 'Wrong.' }));
    expect(refusal({ error: 'E', message: 'No.', details }).details).toEqual(details.slice(0, 50));
    expect(refusal({ error: 'E', message: 'No.' })).not.toHaveProperty('details');
  });

  it('tells how long to wait when the platform says so, in whole seconds', () => {
    expect(statusError(429, '', 1.2).value).toMatchObject({ hint: 'Try again in 2 seconds.', retryAfter: 1.2 });
    expect(statusError(429, '', 0).value).toMatchObject({ hint: 'Wait a little and try again.', retryAfter: 0 });
    expect(statusError(429, '', null).value).not.toHaveProperty('retryAfter');
  });

  it('is the failure of a run only where it says how one failed, in words of the specification', () => {
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

describe('an answer of success that cannot be used', () => {
  it.each([
    ['ANSWER_CUT_OFF', /^Try again/],
    ['ANSWER_EMPTY', /^Try again/],
    ['ANSWER_HTML', /^Check that the base URL/],
    ['ANSWER_NOT_JSON', /^Check that the base URL/],
    ['ANSWER_NOT_HTML', /^Check that the base URL/],
    ['ANSWER_TOO_LARGE', /^Narrow/],
  ] as const)('%s says what to do', (code, next) => {
    expect(answerError(code, 'What happened.', 200).value).toEqual({
      code,
      message: 'What happened.',
      hint: expect.stringMatching(next),
      status: 200,
    });
    expect(answerError(code, 'What happened.').value).not.toHaveProperty('status');
  });

  it('names the first field that is wrong, or all of it', () => {
    const wrong = (value: unknown) =>
      formError(
        'clock',
        v.safeParse(v.object({ now: v.string('must be a text') }, 'must be an object'), value).issues ?? [],
        200,
      ).value;
    expect(wrong({ now: 1 })).toMatchObject({
      code: 'ANSWER_INVALID',
      status: 200,
      message: 'The answer is not the clock: /now is wrong (must be a text).',
      details: [{ path: '/now', message: 'must be a text' }],
    });
    expect(wrong(7).message).toBe('The answer is not the clock: its whole is wrong (must be an object).');
  });
});

describe('no answer', () => {
  it('of a platform that is not there keeps what the browser said', () => {
    const cause = new TypeError('Failed to fetch');
    expect(unreachable('api.example.com', cause)).toMatchObject({
      cause,
      value: { code: 'PLATFORM_UNREACHABLE', message: 'No connection to api.example.com.' },
    });
  });

  it('in time says how long that was', () => {
    expect(slow('api.example.com', 1200).value).toMatchObject({
      code: 'PLATFORM_SLOW',
      message: 'api.example.com gave no whole answer within 2 seconds.',
    });
  });

  it('but a redirect has its status only where the browser tells it', () => {
    expect(redirected('api.example.com', 302).value).toMatchObject({ code: 'ANSWER_REDIRECTED', status: 302 });
    expect(redirected('api.example.com', 0).value).not.toHaveProperty('status');
  });
});
