/** Tests which pages must be loaded with a payload before they can run with it. */
import { describe, expect, it } from 'vitest';
import type { PageState } from '../../../../lib/extension/inspector/contract.ts';
import { mustLoadWith } from '../../../../lib/extension/inspector/run/loaded-payload.ts';

const URL_OF_PAGE = 'https://api.example.com/v1/apps/1/tasks/2/compile?html';
const pageAt = (loadedUrl: string | undefined, state: Partial<PageState> = {}) =>
  ({ tracing: 'bare', url: URL_OF_PAGE, loadedUrl, ...state }) as PageState;
const withPayload = (payload: string) => `${URL_OF_PAGE}&payload=${encodeURIComponent(payload)}`;

describe('a runtime without an observer', () => {
  it.each<[boolean, string, PageState, string]>([
    [false, 'it was loaded with the payload', pageAt(withPayload('{"a":1}')), '{ "a": 1 }'],
    [true, 'it was loaded with another one', pageAt(withPayload('{"a":2}')), '{"a":1}'],
    [true, 'it was loaded without one', pageAt(URL_OF_PAGE), '{"a":1}'],
    [false, 'both are empty', pageAt(URL_OF_PAGE), '{}'],
    [true, 'it was loaded with one, and the run has none', pageAt(withPayload('{"a":1}')), '{}'],
    [true, 'the page has changed its URL since', pageAt(URL_OF_PAGE, { url: withPayload('{"a":1}') }), '{"a":1}'],
    [false, 'only the current URL is known', pageAt(undefined, { url: withPayload('{"a":1}') }), '{"a":1}'],
  ])('must be loaded: %s, if %s', (must, _when, state, payload) => {
    expect(mustLoadWith(state, 'platform', payload)).toBe(must);
  });
});

it('isn’t loaded again for our engine, nor for a runtime with an observer, unless its page is sandboxed', () => {
  const observed = pageAt(URL_OF_PAGE, { tracing: 'observed' });
  expect(mustLoadWith(pageAt(URL_OF_PAGE), 'ours', '{"a":1}')).toBe(false);
  expect(mustLoadWith(observed, 'platform', '{"a":1}')).toBe(false);
  expect(mustLoadWith({ ...observed, isSandboxed: true }, 'platform', '{"a":1}')).toBe(true);
});
