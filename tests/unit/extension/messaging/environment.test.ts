/** Which base URLs and environments are accepted, and the access that they need. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { BaseUrl } from '../../../../lib/platform-api/base-url.ts';
import { EnvironmentInput, originPattern } from '../../../../lib/extension/messaging/model/environment.ts';

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

describe('an environment', () => {
  const input = { name: ' EU ', preset: 'eu', baseUrl: 'https://api.example.com' };

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
