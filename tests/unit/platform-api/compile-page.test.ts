/** Parsing pasted URLs of debug pages. */
import { describe, expect, it } from 'vitest';
import type { CodedError } from '../../../lib/platform-api/index.ts';
import { compileUrl, parseCompileUrl } from '../../../lib/platform-api/index.ts';

const BASE = 'https://api.example.com/eu';

describe('a pasted compile URL', () => {
  it.each([
    ['as it is', `${BASE}/v1/apps/7/tasks/9/compile?html`],
    ['without html, which is added', ` ${BASE}/v1/apps/7/tasks/9/compile `],
    [
      'with a payload, which the panel has its own place for',
      `${BASE}/v1/apps/7/tasks/9/compile?html&payload=%7B%7D#x`,
    ],
    ['with a slash too many', `${BASE}/v1/apps/7/tasks/9/compile/`],
  ])('is accepted %s', (_how, pasted) => {
    expect(parseCompileUrl(pasted, BASE)).toEqual({ appId: 7, taskId: 9, url: compileUrl(BASE, 7, 9) });
  });

  it.each([
    ['URL_INVALID', 'v1/apps/7/tasks/9/compile'],
    ['URL_INVALID', ''],
    ['URL_OTHER_HOST', 'https://us.example.com/v1/apps/7/tasks/9/compile?html'],
    ['URL_OTHER_HOST', 'http://api.example.com/eu/v1/apps/7/tasks/9/compile?html'],
    ['URL_OTHER_HOST', 'https://api.example.com:444/eu/v1/apps/7/tasks/9/compile?html'],
    ['URL_NOT_COMPILE', 'https://api.example.com/us/v1/apps/7/tasks/9/compile?html'],
    ['URL_NOT_COMPILE', `${BASE}/v1/apps/7/tasks/x/compile?html`],
    ['URL_NOT_COMPILE', `${BASE}/v1/apps/7/tasks/9/compile/more`],
    ['URL_NOT_COMPILE', `${BASE}/v1/apps`],
    ['URL_INVALID', 'javascript'],
    ['URL_INVALID', 'javascript:alert(1)'],
  ])('is refused with %s: %s', (code, pasted) => {
    expect(() => parseCompileUrl(pasted, BASE)).toThrowError(expect.objectContaining({ code }) as CodedError);
  });

  it('is refused with both hosts when its host isn’t that of the environment', () => {
    expect(() => parseCompileUrl('https://us.example.com/v1/apps/7/tasks/9/compile?html', BASE)).toThrow(
      /us\.example\.com.*api\.example\.com/,
    );
  });
});
