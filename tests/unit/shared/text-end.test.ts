import { expect, it } from 'vitest';
import { curlOf } from '../../../lib/extension/panel/oauth2/curl.ts';
import { joinFault } from '../../../lib/extension/panel/oauth2/doctor/base-url.ts';
import { print } from '../../../lib/migrate/print/doc.ts';
import { redactUrl } from '../../../lib/oauth2/flow.ts';
import { withoutEnd } from '../../../lib/shared/text-end.ts';

it.each([
  ['a//', 'a'],
  ['//a', '//a'],
  ['//', ''],
  ['', ''],
])('%j ends without slashes as %j', (text, expected) => expect(withoutEnd(text, '/')).toBe(expected));

const slashes = '/'.repeat(1_000_000);

it.each<[string, () => unknown]>([
  [
    'a base URL of a cURL command',
    () =>
      curlOf({ options: [{ name: 'baseUrl', value: `https://a.test${slashes}b` }] } as never, {
        method: 'get',
        path: 'c',
        data: null,
      }),
  ],
  ['a base URL that is checked', () => joinFault(`https://a.test${slashes}b`, 'https://a.test/c')],
  ['a URL in the log of logins', () => redactUrl(`https:${slashes}`)],
  ['a line of printed code', () => print([`${' '.repeat(1_000_000)}a`, { line: 'hard' }, 'b'] as never)],
])('%s with a million slashes or spaces takes linear time', (_, run) => expect(run).not.toThrow());
