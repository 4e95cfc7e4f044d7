/** Which base URLs and environments are accepted, and the access that they need. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { BaseUrl } from '../../../../lib/platform-api/base-url.ts';
import { EnvironmentInput, labelOf, originPattern } from '../../../../lib/extension/messaging/model/environment.ts';

describe('a base URL', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['  https://api.example.com/// ', 'https://api.example.com'],
    ['https://API.example.com/eu/', 'https://api.example.com/eu'],
    ['http://localhost:4400', 'http://localhost:4400'],
    ['http://127.0.0.1:4400/', 'http://127.0.0.1:4400'],
    ['https://[::1]:8443', 'https://[::1]:8443'],
    ['localhost:4400', 'http://localhost:4400'],
    ['127.0.0.1', 'http://127.0.0.1'],
  ])('%s is normalized to %s', (given, taken) => expect(v.parse(BaseUrl, given)).toBe(taken));

  it.each([
    'api.example.com',
    '',
    '/v1',
    'http://api.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'http://[::1]:4400',
    'ftp://localhost',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'https://me@api.example.com',
    'https://api.example.com?x',
    'https://api.example.com/#x',
    'https://api.example.com/a*b',
    'https://api.example.com/a|b',
  ])('%s is rejected', (given) => expect(v.safeParse(BaseUrl, given).success).toBe(false));

  it.each([
    ['api.example.com:8443', 'Enter a full URL, such as https://api.example.com:8443.'],
    ['localhost.example.com:80', 'Enter a full URL, such as https://localhost.example.com:80.'],
    ['javascript:alert(1)', 'Enter a full URL, such as https://api.example.com.'],
  ])('without a scheme, %s is rejected with the fix', (given, message) =>
    expect(v.safeParse(BaseUrl, given).issues?.[0]?.message).toBe(message),
  );

  it('requires access to its origin, whose match pattern has no port', () => {
    expect(originPattern('http://localhost:4400/eu')).toBe('http://localhost/*');
    expect(originPattern('https://api.example.com')).toBe('https://api.example.com/*');
  });
});

describe('the name of an environment among others', () => {
  const one = (id: string, name: string, baseUrl: string) => ({ id, name, baseUrl });
  const eu = one('1', 'EU', 'https://api.example.com');
  it.each([
    ['is alone', [one('2', 'US', 'https://us.example.com')], 'EU'],
    ['is another’s, too', [one('2', 'EU', 'https://evil.example/eu')], 'EU (api.example.com)'],
    ['is another’s in other case', [one('2', 'e U', 'https://evil.example')], 'EU (api.example.com)'],
  ])('that %s', (_what, others, label) => expect(labelOf(eu, [eu, ...others])).toBe(label));

  it.each([
    ['has letters that look like others', 'Е\u0055'],
    ['has the form of a name with a URL', 'EU (api.example.com)'],
    ['is a host', 'api.example.com'],
    ['was stored with invisible characters', 'E\u200bU'],
  ])('that %s has its URL beside it', (_what, name) => {
    expect(labelOf(one('2', name, 'http://evil.example:1/a'), [eu])).toBe(`${name} (evil.example:1/a)`);
  });

  it('has the whole host beside it, and the start of a long path', () => {
    const host = `api.example.com.${'a'.repeat(60)}.evil.example`;
    expect(labelOf(one('2', 'EU', `https://${host}/${'b'.repeat(1000)}`), [eu])).toBe(
      `EU (${host}/${'b'.repeat(23)}…)`,
    );
  });

  it('takes 1 and l, and 0 and O for the same', () => {
    expect(labelOf(one('2', 'Pr0d 1', 'https://evil.example'), [one('1', 'prod-L', 'https://a.example')])).toBe(
      'Pr0d 1 (evil.example)',
    );
  });
});

describe('an environment', () => {
  const input = { name: ' EU ', preset: 'eu', baseUrl: 'https://api.example.com' };

  it.each([
    [
      'a name that turns the direction',
      'name',
      'exe.\u202efdp',
      String.raw`A name must be one line of visible characters. This one is “exe.\u202efdp”.`,
    ],
    [
      'a name without width',
      'name',
      '\u200b',
      String.raw`A name must be one line of visible characters. This one is “\u200b”.`,
    ],
    [
      'a NUL in the name',
      'name',
      'E\0U',
      String.raw`A name must be one line of visible characters. This one is “E\u0000U”.`,
    ],
    [
      'a command for a terminal in the name',
      'name',
      '\u001b[2J',
      String.raw`A name must be one line of visible characters. This one is “\u001b[2J”.`,
    ],
    ['a name of two lines', 'name', 'EU\nUS', 'A name must be one line of visible characters. This one is “EU\nUS”.'],
    ['a namespace of 500,000 letters', 'namespace', 'P'.repeat(500_000), 'A namespace is limited to 80 characters.'],
    [
      'a base URL that breaks the layout',
      'baseUrl',
      `https://api.example.com/${'a'.repeat(2048)}`,
      'A URL is limited to 2,048 characters.',
    ],
    [
      'a page URL that breaks the layout',
      'pageUrls',
      [`https://api.example.com/${'a'.repeat(2048)}`],
      'A URL is limited to 2,048 characters.',
    ],
  ])('is rejected with %s', (_what, field, value, message) => {
    expect(v.safeParse(EnvironmentInput, { ...input, [field]: value }).issues?.[0]?.message).toBe(message);
  });

  it('has the namespace Platform, and is not production by default', () => {
    expect(v.parse(EnvironmentInput, input)).toEqual({
      name: 'EU',
      preset: 'eu',
      baseUrl: 'https://api.example.com',
      namespace: 'Platform',
      production: false,
    });
  });

  it.each(['1st', 'a.b', 'a b', 'a-b', ''])('rejects the namespace “%s”', (namespace) => {
    expect(v.safeParse(EnvironmentInput, { ...input, namespace }).success).toBe(false);
  });

  it.each(['two words', 'line\nbreak', 'ünïcode', '   ', 'x'.repeat(4097)])(
    'rejects a token that isn’t a valid header',
    (token) => {
      expect(v.safeParse(EnvironmentInput, { ...input, token }).success).toBe(false);
    },
  );
});
