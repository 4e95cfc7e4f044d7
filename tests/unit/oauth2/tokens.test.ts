import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readError, readFields, readToken } from '../../../lib/oauth2/tokens.ts';

const NOW = 1_000_000_000_000;
const token = (fields: object) => readToken({ access_token: 'abc', ...fields }, NOW);

/** What RFC 6749 appendix A.12 allows in an access token. */
const accessToken = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
});

describe('The fields of a token response', () => {
  it('are the same from JSON and form encoding', () => {
    fc.assert(
      fc.property(accessToken, fc.nat(), (access_token, expires_in) => {
        const json = readToken(readFields(JSON.stringify({ access_token, expires_in })), NOW);
        expect(
          readToken(readFields(new URLSearchParams({ access_token, expires_in: String(expires_in) }).toString()), NOW),
        ).toEqual(json);
        expect(json).toEqual({ access_token, token_type: 'Bearer', expires_in, expires: NOW / 1000 + expires_in });
      }),
    );
  });

  it('are empty for HTML, and for JSON that is not an object', () => {
    for (const text of [
      '<a href="?a=1&access_token=stolen&error=x">',
      '',
      'null',
      '7',
      '"access_token=x"',
      '[{"access_token":"x"}]',
      '{"access_token":"x"',
    ]) {
      expect(readFields(text)).not.toHaveProperty('access_token');
      expect(readError(readFields(text))).toEqual({ error: '', description: '' });
    }
  });

  it('can be read from any text without throwing', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readToken(readFields(text), NOW)));
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('access_token', 'token_type', 'expires_in', 'scope', 'refresh_token', 'error', '__proto__'),
          fc.jsonValue(),
        ),
        (fields) => {
          const found = readToken(fields, NOW);
          // Either a token that fits into a header, or a short message.
          if (typeof found === 'string')
            expect(found).toMatch(/^(access_token is missing or invalid|token_type is “.{1,30}”, not Bearer)$/s);
          else
            expect(new Headers({ authorization: `Bearer ${found.access_token}` }).get('authorization')).toBe(
              `Bearer ${found.access_token}`,
            );
        },
      ),
    );
  });
});

describe('A token', () => {
  it.each([
    [3600, 3600],
    ['3600', 3600],
    [0, 0],
    ['0', 0],
    [-5, -5],
    [1.5, 1.5],
    ['3600 s', 3600],
    [' 60seconds ', 60],
  ])('with expires_in %j expires in %d seconds', (expires_in, seconds) => {
    expect(token({ expires_in })).toMatchObject({ expires_in: seconds, expires: Math.floor(NOW / 1000 + seconds) });
  });

  it.each([undefined, null, '', '  ', 'soon', true, {}, 'Infinity', 'NaN', '1 hour', '0x10', '1.2.3', [60, 60]])(
    'with expires_in %j has no expiry',
    (expires_in) => {
      expect(token({ expires_in })).toEqual({ access_token: 'abc', token_type: 'Bearer' });
    },
  );

  it('keeps its type in upper or lower case, and is refused with an unknown type (RFC 6749 section 7.1)', () => {
    expect(token({ token_type: 'bearer' })).toMatchObject({ token_type: 'bearer' });
    expect(token({ token_type: 'mac' })).toBe('token_type is “mac”, not Bearer');
    expect(token({ token_type: 'DPoP' })).toBe('token_type is “DPoP”, not Bearer');
    expect(token({ access_token: 's3cret', token_type: 'with s3cret' })).toBe('token_type is “with …”, not Bearer');
    expect(token({ token_type: 'x'.repeat(99) })).toBe(`token_type is “${'x'.repeat(30)}”, not Bearer`);
    for (const token_type of [null, '', false, {}, []])
      expect(token({ token_type })).toMatchObject({ token_type: 'Bearer' });
  });

  it('has scopes separated by spaces, even if they come as an array', () => {
    expect(token({ scope: 'a b' })).toMatchObject({ scope: 'a b' });
    expect(token({ scope: ['a', 'b'] })).toMatchObject({ scope: 'a b' });
    expect(token({ scope: 'a,b, c' })).toMatchObject({ scope: 'a b c' });
    expect(token({ scope: ['a,b', 'c'] })).toMatchObject({ scope: 'a b c' });
  });

  it('has no scopes when scope is empty, and does not report any when scope is missing (RFC 6749 section 5.1)', () => {
    for (const scope of ['', ' ', []]) expect(token({ scope })).toMatchObject({ scope: '' });
    for (const scope of [undefined, null]) expect(token({ scope })).not.toHaveProperty('scope');
  });

  it.each([undefined, null, '', 7, {}, 'two words', 'line\r\nbreak', 'ü'])(
    'is refused when access_token is %j',
    (access_token) => {
      expect(readToken({ access_token }, NOW)).toBe('access_token is missing or invalid');
    },
  );
});

describe('A field that only the service knows', () => {
  it('is kept with the token', () => {
    const others = { id_token: 'a.b.c', instance_url: 'https://eu.example', user: { id: 7 }, none: null };
    expect(token(others)).toEqual({ access_token: 'abc', token_type: 'Bearer', ...others });
  });

  it('can’t have the name of one of the session’s own', () => {
    const given = { service: 'other', state: 'x', expires: 1, refreshed: true, expires_in: 'soon', scope: null };
    const found = token({ ...given, ...(JSON.parse('{"__proto__": {"evil": 1}}') as object) });
    expect(found).toStrictEqual({ access_token: 'abc', token_type: 'Bearer' });
    expect(Object.hasOwn(found as object, '__proto__')).toBe(false);
  });

  it.each([{}, [], true, null])('is no refresh token if it isn’t text, such as %j', (refresh_token) => {
    expect(token({ refresh_token })).toEqual({ access_token: 'abc', token_type: 'Bearer' });
  });
});

describe('The error of a token response', () => {
  it.each<[object, string, string]>([
    [{ error: 'invalid_grant' }, 'invalid_grant', ''],
    [{ error: 'invalid_grant', error_description: 'Used.' }, 'invalid_grant', 'Used.'],
    [{ error: { code: 190, type: 'OAuthException', message: 'Expired.' } }, '190', 'Expired.'],
    [{ error: { type: 'OAuthException' } }, 'OAuthException', ''],
    [{ error: { message: 'Expired.' } }, '', 'Expired.'],
    [{ error: { code: {}, message: ['a'] }, message: 'Expired.' }, '', 'Expired.'],
    [{ error_code: 100, error_message: 'Wrong app.' }, '100', 'Wrong app.'],
    [{ error: true, message: 'Wrong app.' }, '', 'Wrong app.'],
    [{ error: false, error_description: null }, '', ''],
    [{}, '', ''],
  ])('in %j has a code and a message', (fields, error, description) => {
    expect(readError(fields as Record<string, unknown>)).toEqual({ error, description });
  });
});
