/** Tests that URLs can be pasted as chats, emails, and documents write them. */
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { BaseUrl } from '../../../lib/platform-api/base-url.ts';
import { cleanUrl } from '../../../lib/platform-api/runs/pasted-url.ts';
import { parseCompileUrl, payloadInUrl } from '../../../lib/platform-api/runs/compile-url.ts';

const URL_OF_PAGE = 'https://api.example.com/v1/apps/1/tasks/2/compile?html';

describe('a pasted URL', () => {
  it.each([
    ['spaces', `  ${URL_OF_PAGE}\n`],
    ['a zero-width space', `\u200b${URL_OF_PAGE}\u200b`],
    ['a byte order mark', `\ufeff${URL_OF_PAGE}`],
    ['marks of its direction', `\u2068\u200e${URL_OF_PAGE}\u2069`],
    ['angle brackets', `<${URL_OF_PAGE}>`],
    ['quotes', `"${URL_OF_PAGE}"`],
    ['curly quotes', `“${URL_OF_PAGE}”`],
    ['a code mark', `\`${URL_OF_PAGE}\``],
    ['several of them', `\u200b“<${URL_OF_PAGE}> ”`],
    ['a soft hyphen within', URL_OF_PAGE.replace('tasks', 'ta\u00adsks')],
  ])('is read without %s', (_what, pasted) => {
    expect(cleanUrl(pasted)).toBe(URL_OF_PAGE);
    expect(parseCompileUrl(pasted, 'https://api.example.com')).toMatchObject({ appId: 1, taskId: 2 });
  });

  it('keeps what can’t be seen in its query, such as a payload', () => {
    const payload = '{"name":"a\u200db"}';
    expect(payloadInUrl(`<${URL_OF_PAGE}&payload=${payload}>`)).toBe(payload);
    expect(payloadInUrl(`${URL_OF_PAGE}&payload=${encodeURIComponent(payload)}`)).toBe(payload);
    expect(payloadInUrl(URL_OF_PAGE)).toBeNull();
    expect(payloadInUrl('7')).toBeNull();
  });

  it('can be a base URL', () => {
    expect(v.parse(BaseUrl, '\u200b<https://api.example.com/>')).toBe('https://api.example.com');
  });
});
