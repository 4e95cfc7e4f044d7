import { afterEach, describe, expect, it, vi } from 'vitest';
import { configuration, Tab } from './world.ts';

const GIVEN = configuration('https://service.example');
const { oauth2 } = new Tab();

afterEach(() => void vi.restoreAllMocks());

/** The error of a call that throws. */
function refused(work: () => unknown): { code: string; option: string; message: string; service: string } {
  try {
    work();
  } catch (error) {
    return error as ReturnType<typeof refused>;
  }
  throw new Error('Nothing was refused.');
}

describe('Platform.OAuth2.configure', () => {
  it('configures one or several services, and returns copies of their configurations', () => {
    const { oauth2 } = new Tab();
    expect(oauth2.configure()).toEqual({});
    expect(oauth2.configure('one', GIVEN)).toBe(oauth2);
    expect(oauth2.configure({ two: { ...GIVEN, clientId: 'second' }, three: GIVEN })).toBe(oauth2);
    expect(oauth2.configure('one')).toEqual(GIVEN);
    expect(Object.keys(oauth2.configure())).toEqual(['one', 'two', 'three']);
    expect(oauth2.configure('unknown')).toBeNull();

    oauth2.configure('one')!.clientId = 'changed';
    oauth2.configure().two!.clientId = 'changed';
    expect([oauth2.configure('one')!.clientId, oauth2.configure('two')!.clientId]).toEqual(['client', 'second']);
    expect(oauth2('one')).toBe(oauth2('one'));
  });

  it('copies nested objects of a configuration', () => {
    const grantData = { audience: 'a' };
    oauth2.configure('nested', { ...GIVEN, grantData });
    grantData.audience = 'b';
    expect(oauth2.configure('nested')!.grantData).toEqual({ audience: 'a' });
  });

  it.each(['clientId', 'clientSecret', 'redirectUrl', 'authUrl'] as const)(
    'refuses a configuration without %s, and names the option',
    (option) => {
      const { [option]: _, ...rest } = GIVEN;
      for (const given of [rest, { ...rest, [option]: null }, { ...rest, [option]: undefined }]) {
        expect(refused(() => oauth2.configure('bad', given as never))).toMatchObject({
          code: 'OPTION_MISSING',
          option,
          service: 'bad',
          message: expect.stringContaining(option) as string,
        });
      }
      expect(oauth2.configure('bad')).toBeNull();
    },
  );

  it.each([undefined, null, 7, 'text'])('refuses %j as a configuration', (given) => {
    expect(refused(() => oauth2.configure('bad', given as never)).code).toMatch(/^OPTION_/);
  });

  it('accepts an empty clientSecret for a public client, but not an empty clientId', () => {
    oauth2.configure('public', { ...GIVEN, clientSecret: '' });
    expect(oauth2.configure('public')!.clientSecret).toBe('');
    expect(refused(() => oauth2.configure('bad', { ...GIVEN, clientId: '' }))).toMatchObject({
      code: 'OPTION_MISSING',
      option: 'clientId',
    });
  });

  it('refuses grantType code without grantUrl', () => {
    const { grantUrl: _, ...rest } = GIVEN;
    expect(refused(() => oauth2.configure('bad', { ...rest, grantType: 'code' }))).toMatchObject({
      code: 'OPTION_MISSING',
      option: 'grantUrl',
    });
    expect(oauth2.configure('implicit', { ...rest, grantType: 'token' })).toBe(oauth2);
  });

  it.each([
    ['clientID', 'clientId'],
    ['client_id', 'clientId'],
    ['cleintSecret', 'clientSecret'],
    ['redirectUri', 'redirectUrl'],
    ['authURL', 'authUrl'],
    ['granttype', 'grantType'],
    ['scopes', 'scope'],
    ['refersh', 'refresh'],
  ])('refuses the misspelled %s and suggests %s', (wrong, right) => {
    const error = refused(() => oauth2.configure('bad', { ...GIVEN, [wrong]: 'x' } as never));
    expect(error).toMatchObject({ code: 'OPTION_UNKNOWN', option: wrong });
    expect(error.message).toContain(`Did you mean ${right}?`);
  });

  it('reports a misspelled required option by its misspelling, and suggests nothing without a similar name', () => {
    const { clientId, ...rest } = GIVEN;
    expect(refused(() => oauth2.configure('bad', { ...rest, clientID: clientId } as never))).toMatchObject({
      code: 'OPTION_UNKNOWN',
      option: 'clientID',
    });
    expect(refused(() => oauth2.configure('bad', { ...GIVEN, colour: 'red' } as never)).message).not.toContain(
      'Did you mean',
    );
  });

  it.each([
    ['clientId', 7],
    ['redirectUrl', '/callback'],
    ['authUrl', 'javascript:alert(1)'],
    ['grantUrl', 'http://service.example/token'],
    ['grantType', 'password'],
    ['useProxy', 'yes'],
    ['grantData', 'a=b'],
    ['grantData', { nested: { a: 1 } }],
    ['grantData', { call: () => 1 }],
    ['timeout', 0],
    ['timeout', Number.NaN],
    ['loginTimeout', Infinity],
  ])('refuses %s: %j', (option, value) => {
    expect(refused(() => oauth2.configure('bad', { ...GIVEN, [option]: value } as never))).toMatchObject({
      code: 'OPTION_INVALID',
      option,
    });
  });

  it('changes an http authUrl to https with a warning, and keeps http on loopback', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const authUrlFor = (authUrl: string) => {
      oauth2.configure('changed', { ...GIVEN, authUrl });
      return oauth2.configure('changed')!.authUrl;
    };
    expect(authUrlFor('HTTP://service.example:8080/authorize?x=http://y')).toBe(
      'https://service.example:8080/authorize?x=http://y',
    );
    expect(warn.mock.calls).toEqual([
      [
        'authUrl must be an https URL without user, fragment, or spaces, or http on this machine. Using https for “changed”.',
      ],
    ]);
    expect(authUrlFor('http://localhost:8080/authorize')).toBe('http://localhost:8080/authorize');
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it.each(['redirectUrl', 'authUrl', 'grantUrl', 'revokeUrl', 'baseUrl'] as const)(
    'refuses a %s without a host, with a user, a fragment, or spaces',
    (option) => {
      for (const url of [
        'http:x',
        'https:x.example/a',
        'https:/x.example/a',
        'https:///x.example/a',
        'https:\\\\x.example/a',
        'https://user@x.example/a',
        'https://user:password@x.example/a',
        'https://x.example/a#',
        'https://x.example#fragment',
        'https://x.example/a b',
        ' https://x.example/a',
        'https://x.example/a\n',
      ])
        expect(refused(() => oauth2.configure('bad', { ...GIVEN, [option]: url }))).toMatchObject({
          code: 'OPTION_INVALID',
          option,
          message: expect.stringContaining(option) as string,
        });
      for (const url of [
        'https://x.example',
        'https://x.example?a=@b',
        'https://x.example/@user/a',
        'https://[::1]:8/',
      ])
        expect(oauth2.configure('good', { ...GIVEN, [option]: url })).toBe(oauth2);
    },
  );

  it.each(['http://localhost:8/a', 'http://127.0.0.1/a', 'http://[::1]:9/a', 'http://service.localhost/a'])(
    'accepts the loopback URL %s as authUrl',
    (authUrl) => {
      expect(oauth2.configure('loopback', { ...GIVEN, authUrl })).toBe(oauth2);
    },
  );

  it.each([undefined, null, 7, true])('refuses %j instead of the services object', (services) => {
    expect(refused(() => oauth2.configure(services as never))).toMatchObject({
      code: 'ARGUMENT_INVALID',
      message: 'Couldn’t call configure(): services must be an object.',
    });
  });

  it('configures all services or none, and reports the refused one to observers', () => {
    const { oauth2, events: reported } = new Tab();
    expect(refused(() => oauth2.configure({ good: GIVEN, bad: { ...GIVEN, clientId: 7 as never } })).service).toBe(
      'bad',
    );
    expect(oauth2.configure()).toEqual({});
    expect(reported).toMatchObject([
      { kind: 'refused', service: 'bad', call: 'configure', code: 'OPTION_INVALID', option: 'clientId' },
    ]);
  });

  it.each(['__proto__', 'constructor', 'toString', ''])('accepts %j as the name of a service', async (name) => {
    const { oauth2, events: reported } = new Tab();
    expect(oauth2.configure(name)).toBeNull();
    await expect(oauth2(name).getAuthResponse()).rejects.toMatchObject({ code: 'SERVICE_UNKNOWN' });
    oauth2.configure(
      JSON.parse(
        JSON.stringify({ '': 0 }).replace('""', JSON.stringify(name)).replace('0', JSON.stringify(GIVEN)),
      ) as never,
    );
    expect(oauth2.configure(name)).toEqual(GIVEN);
    expect(Object.entries(oauth2.configure())).toEqual([[name, GIVEN]]);
    expect(await oauth2(name).getAuthResponse()).toBeNull();
    expect(reported).toMatchObject([{ kind: 'configured', service: name }]);
    expect(Object.hasOwn(Object.prototype, 'clientId')).toBe(false);
  });
});
