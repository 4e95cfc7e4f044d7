/** Tests that masking takes time in proportion to a text’s length, whatever the text repeats. */
import { expect, it } from 'vitest';
import { maskCredentials } from '../../../../lib/shared/secrets/credentials.ts';
import { KnownSecrets } from '../../../../lib/shared/secrets/known-secrets.ts';
import { maskForeignText } from '../../../../lib/shared/secrets/secret-text.ts';

const known = new KnownSecrets(['tok-7f3a/9c+2e1b.Zq~84==']);

// Read in steps as many as the square of it, each would take hours.
it.each([
  '  ',
  ' \n',
  'a ',
  '"',
  "'",
  '\\',
  '\\"',
  '\\\\u',
  '%',
  '%ff',
  '%C3',
  '&',
  '&#',
  '&amp;',
  '=',
  '=\n',
  '\\n',
  ':',
  'a:',
  '{',
  '[',
  '[[',
  '["',
  '<',
  '<a',
  '<a:',
  '<a>',
  '://',
  '://a@',
  '@',
  'ey',
  'ey.',
  'eyaaaaaaaaa.',
  '-',
  '{{',
  'password',
  'password ',
  'password:',
  'password=',
  '"password"',
  '"password",',
  '["password",',
  '[["token",[',
  '"password":{',
  '"value":{',
  'value:',
  'value="',
  '{"value":{',
  '{"name":"token","value":{',
  'name="token"',
  'name:"token" value:',
  '<token>',
  '<a name="token" ',
  '<![CDATA[',
  '<token><![CDATA[',
  'form-data; name="token"',
  'Bearer ',
  'Bearer=',
  'authorization:',
  'cookie: "',
  '…[1',
  '••••',
  'password=…[',
  'Bearer {{',
  'é',
  '\u{1f600}',
])('a text of many %j is masked', { timeout: 120_000 }, (text) => {
  const long = text.repeat(Math.ceil(2_000_000 / text.length));
  for (const given of [long, `password ${long}`, `"password":"${long}`, `${long} password=x`]) {
    expect(known.mask(given)).toBe(given);
    expect(maskCredentials(given)).not.toBe('');
    expect(maskForeignText(given, true)).not.toBe('');
  }
});
