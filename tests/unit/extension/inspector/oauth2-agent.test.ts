/** Tests the OAuth2 part of the agent with any library and page. No token or secret is ever reported. */
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import {
  CONFIGURATION,
  foreignLibrary,
  JWT,
  librarySource,
  type LoginPage,
  openLoginPage,
  REFRESH,
  SECRETS,
  SESSION,
} from './support/oauth2-page.ts';
import { agentSource } from './support/page.ts';

let page: LoginPage;
afterEach(async () => {
  // Nothing that was reported in a test contains a secret.
  const reported = page.responses.join('\n');
  for (const secret of SECRETS) expect(reported.includes(secret)).toBe(false);
  await page.close();
});
const configured = (name = 'box', configuration: object = CONFIGURATION) =>
  `Platform.OAuth2.configure(${JSON.stringify(name)}, ${JSON.stringify(configuration)});`;
const kinds = () => page.flow().map((event) => event.kind);

describe('the description of a page', () => {
  it.each([
    ['no Platform', '', 'absent', null],
    ['a Platform without OAuth2', 'Platform = {}', 'absent', null],
    ['an OAuth2 that isn’t a function', 'Platform = { OAuth2: {} }', 'not-a-function', 'object'],
    ['a getter that throws', 'Platform = { get OAuth2() { throw new TypeError("mine") } }', 'throws', 'mine'],
    ['a revoked proxy', 'r = Proxy.revocable({}, {}); r.revoke(); Platform = r.proxy', 'throws', undefined],
    ['a function that does nothing', 'Platform = { OAuth2() {} }', 'ready', null],
    [
      'a function that throws whenever it is touched',
      'Platform = { OAuth2: new Proxy(function () {}, { get() { throw 1 }, apply() { throw 2 }, ownKeys() { throw 3 }, getOwnPropertyDescriptor() { throw 4 } }) }',
      'ready',
      null,
    ],
  ])('reports %s', async (_name, before, library, detail) => {
    page = await openLoginPage({ before });
    const seen = page.inspect();
    expect(seen.library).toBe(library);
    if (detail !== undefined) expect(seen.detail).toBe(detail);
    expect(page.flow()).toEqual([]);
  });

  it('finds the library of a namespace that isn’t a property of the window', async () => {
    page = await openLoginPage({ before: 'const Platform = { OAuth2() {} };' });
    expect(page.inspect().library).toBe('absent');
    page.lookUp();
    expect(page.inspect().library).toBe('ready');
  });

  it('omits secrets from the URL', async () => {
    page = await openLoginPage();
    expect(page.inspect().url).toBe('https://app.example/page?code=…#…');
    expect(page.responses.join()).not.toContain('4711abcdefg');
  });
});

describe('the platform’s own library', () => {
  it('is observed without changing the page', async () => {
    page = await openLoginPage({
      before: `${await librarySource()}; ${configured()} was = { open: window.open, fetch: window.fetch, OAuth2: Platform.OAuth2, configure: Platform.OAuth2.configure }`,
    });
    const seen = page.inspect();
    expect(seen).toMatchObject({
      library: 'ready',
      tracing: 'observed',
      version: '0.1',
      readable: true,
      canRefresh: true,
      services: [{ name: 'box' }],
    });
    expect(page.flow()).toMatchObject([{ kind: 'configured', service: 'box' }]);
    expect(
      page.run(
        'was.open === window.open && was.fetch === window.fetch && was.OAuth2 === Platform.OAuth2 && was.configure === Platform.OAuth2.configure',
      ),
    ).toBe(true);
  });

  it('reports what was configured or refused after the agent was installed', async () => {
    page = await openLoginPage({ before: await librarySource() });
    expect(page.inspect()).toMatchObject({ library: 'ready', services: [] });
    page.run(`${configured()} try { Platform.OAuth2.configure('bad', { clientID: 'x' }) } catch {}`);
    expect(page.inspect().services).toMatchObject([{ name: 'box' }]);
    expect(page.flow()).toMatchObject([
      { kind: 'configured' },
      { kind: 'refused', service: 'bad', call: 'configure', code: 'OPTION_UNKNOWN', option: 'clientID' },
    ]);
  });

  it('reports a session that is stored, changed, and removed', async () => {
    page = await openLoginPage({
      before: `${await librarySource()}; localStorage.setItem('platform-oauth2:box', ${JSON.stringify(JSON.stringify(SESSION))}); ${configured()}`,
    });
    const seen = await page.when(({ services }) => services[0]?.session != null);
    expect(seen.services[0]?.session).toMatchObject({
      tokenType: 'Bearer',
      expires: 1_900_000_000,
      expiresIn: 600,
      scope: 'read write',
      accessToken: { masked: `${JWT.slice(0, 2)}…${JWT.slice(-2)}`, length: JWT.length },
      refreshToken: { length: REFRESH.length },
    });
    page.run("void Platform.OAuth2('box').logout()");
    await page.when(({ services }) => services[0]?.sessionKnown === true && services[0].session === null);
    expect(kinds()).toEqual(['configured', 'session', 'event']);
  });

  it('is found when it is loaded later, and watched at once when the agent was installed first', async () => {
    page = await openLoginPage();
    expect(page.inspect().library).toBe('absent');
    page.run(`${await librarySource()}; ${configured()}`);
    expect(page.inspect()).toMatchObject({ library: 'ready', tracing: 'observed', services: [{ name: 'box' }] });
  });
});

describe('options', () => {
  it('are reported with masked secrets, URLs without values, and grantData one level deep', async () => {
    page = await openLoginPage({ before: `${await librarySource()}; ${configured()}` });
    const options = page.inspect().services[0]?.options ?? [];
    const of = (name: string) => options.find((option) => option.name === name);
    expect(of('clientId')).toMatchObject({ value: CONFIGURATION.clientId, secret: false });
    expect(of('clientSecret')).toMatchObject({ value: null, secret: true, masked: { masked: 'S3…89', length: 28 } });
    expect(of('authUrl')).toMatchObject({ value: 'https://id.example/authorize?tenant=…' });
    expect(of('state')).toMatchObject({ value: null, secret: true });
    expect(of('refresh')).toMatchObject({ value: true });
    expect(of('grantData')?.entries).toMatchObject([
      { name: 'audience', value: 'api' },
      { name: 'client_assertion', value: null, secret: true },
    ]);
  });

  it('reveal one secret on request, but never a token or an option that isn’t secret', async () => {
    page = await openLoginPage({ before: `${await librarySource()}; ${configured()}` });
    page.inspect();
    const reveal = (...path: string[]) =>
      JSON.parse(page.port().call('oauth2', 'reveal', ['box', path])) as string | null;
    expect(reveal('clientSecret')).toBe(CONFIGURATION.clientSecret);
    expect(reveal('grantData', 'client_assertion')).toBe(CONFIGURATION.grantData.client_assertion);
    for (const path of [['clientId'], ['access_token'], ['grantData'], ['__proto__'], ['constructor', 'name'], []])
      expect(reveal(...path)).toBeNull();
  });

  it.each(['__proto__', 'constructor', 'toString', ''])(
    'of a service named %j are like those of any other service',
    async (name) => {
      page = await openLoginPage({ before: `${await librarySource()}; ${configured(name)}` });
      expect(page.inspect().services).toMatchObject([
        {
          name,
          options: expect.arrayContaining([
            expect.objectContaining({ name: 'clientId', value: CONFIGURATION.clientId }) as unknown,
          ]) as unknown,
        },
      ]);
      expect(page.run('({}).clientId')).toBeUndefined();
    },
  );
});

describe('a token', () => {
  it('is decoded on the page when it is a JWT: header and claims, but never the signature', async () => {
    page = await openLoginPage({ before: `${foreignLibrary()}; ${configured()}` });
    const seen = await page.when(({ services }) => services[0]?.session != null);
    const { jwt } = seen.services[0]!.session!.accessToken!;
    expect(jwt?.header).toMatchObject({
      entries: [
        ['alg', { v: 'RS256' }],
        ['typ', { v: 'JWT' }],
        ['kid', { v: 'k1' }],
      ],
    });
    expect(jwt?.claims).toMatchObject({
      entries: [
        ['iss', { v: 'https://id.example' }],
        ['sub', { v: 'dana' }],
        ['aud', { v: 'api' }],
        ['exp', { v: 1_900_000_000 }],
        ['scope', { v: 'read' }],
        ['name', { v: 'Dana Ü' }],
      ],
    });
    expect(seen.services[0]!.session!.others).toEqual([
      {
        name: 'state',
        type: 'string',
        value: null,
        secret: true,
        masked: expect.any(Object) as unknown,
        entries: null,
      },
      expect.objectContaining({ name: 'nickname', value: null, secret: true }),
    ]);
  });

  it.each([
    ['opaque', 'opaque-token-0123456789abcdef', null],
    ['of 1 MB', 'x1'.repeat(524_288), null],
    ['with claims that aren’t JSON', 'eyJhbGciOiJub25lIn0.bm90IGpzb24.', 'The token’s payload isn’t a JSON object.'],
    [
      'encrypted',
      `${Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url')}.a.b.c.d`,
      'The token is encrypted: only the service can read its claims.',
    ],
    [
      'with claims of 1 MB',
      `eyJhbGciOiJub25lIn0.${Buffer.from(JSON.stringify({ a: 'b'.repeat(1_000_000) })).toString('base64url')}.x`,
      'Claims are limited to 64000 characters. These have 1333344.',
    ],
  ])('that is %s is handled', async (_name, token, problem) => {
    page = await openLoginPage({ before: `${foreignLibrary({ session: { access_token: token } })}; ${configured()}` });
    const { accessToken } = (await page.when(({ services }) => services[0]?.session != null)).services[0]!.session!;
    expect(accessToken?.length).toBe(token.length);
    expect(accessToken?.jwt?.problem ?? null).toBe(problem);
    if (token.length > 20) expect(page.responses.join()).not.toContain(token);
  });

  it.each([
    [
      { access_token: JWT, expires: 1_900_000_000_123 },
      { expires: 1_900_000_000.123, scope: null },
    ],
    [
      { access_token: JWT, expires_in: '300', scope: ['a', 'b'] },
      { expiresIn: 300, scope: 'a b' },
    ],
    [
      { accessToken: JWT, expiresAt: 1_900_000_000, refreshToken: REFRESH },
      { expires: 1_900_000_000, refreshToken: { length: REFRESH.length } },
    ],
    [{ authResponse: { access_token: JWT }, network: 'x' }, { accessToken: { length: JWT.length } }],
    [{ access_token: JWT, expires: 'soon' }, { expires: null }],
  ])('is recognized in the formats of common libraries: %#', async (session, expected) => {
    page = await openLoginPage({ before: `${foreignLibrary({ session })}; ${configured()}` });
    expect((await page.when(({ services }) => services[0]?.session != null)).services[0]?.session).toMatchObject(
      expected,
    );
  });

  it.each([null, {}, { status: 'unknown' }, 0])('isn’t found in %j', async (session) => {
    page = await openLoginPage({ before: `${foreignLibrary({ session: session as object })}; ${configured()}` });
    expect((await page.when(({ services }) => services[0]?.sessionKnown === true)).services[0]?.session).toBeNull();
  });
});

describe('another library', () => {
  it.each(['all', 'promise', 'map', 'list'] as const)('is read when configure() returns %s', async (configure) => {
    page = await openLoginPage({ before: `${foreignLibrary({ configure })}; ${configured()}` });
    expect(await page.when(({ services }) => services.length === 1)).toMatchObject({
      tracing: 'late',
      readable: true,
      services: [{ name: 'box' }],
    });
  });

  it.each(['throws', 'itself'] as const)(
    'can’t be read when configure() %s, but later configurations are reported',
    async (configure) => {
      page = await openLoginPage({ before: `${foreignLibrary({ configure })}; ${configured('before')}` });
      expect(page.inspect(true)).toMatchObject({ readable: false, services: [] });
      // The agent’s own call isn’t reported as a call of the page.
      expect(page.flow()).toEqual([]);
      page.run(configured());
      expect(page.inspect().services).toMatchObject([{ name: 'box' }]);
    },
  );

  it('is watched from its start when the agent was installed first', async () => {
    page = await openLoginPage({ early: true, before: `${foreignLibrary({ configure: 'throws' })}; ${configured()}` });
    expect(await page.when(({ services }) => services.length === 1)).toMatchObject({
      tracing: 'wrapped',
      services: [{ name: 'box' }],
    });
  });

  it.each(['cached', 'fresh', 'prototype'] as const)(
    'has its logins, calls, and events reported with %s objects',
    async (shape) => {
      page = await openLoginPage({
        before: `${foreignLibrary({ shape })}; ${configured()}; opened = []; window.open = (url) => { opened.push(url); return { closed: false } }; window.fetch = async (url) => ({ status: 207, headers: new Headers({ 'content-length': '12' }), url })`,
      });
      page.inspect();
      page.run(
        "done = (async () => { const s = Platform.OAuth2('box'); results = [await s.login(), await s.api('items?token=abc&q=1'), await s.logout()]; finished = true })(); void 0",
      );
      await page.until(() => page.run('typeof finished') === 'boolean');
      await page.until(() => kinds().includes('settled') && kinds().filter((kind) => kind === 'settled').length === 2);
      const events = page.flow().filter(({ kind }) => kind !== 'configured');
      expect(events.map(({ kind }) => kind)).toEqual([
        'login-started',
        'popup',
        'event',
        'settled',
        'api-started',
        'api-ended',
        'event',
        'settled',
      ]);
      expect(events).toMatchObject([
        { service: 'box', grantType: 'code', pkce: null, authUrl: 'https://id.example/authorize?tenant=…' },
        { state: 'opened' },
        { name: 'auth.login' },
        { call: 'login', code: null },
        { url: 'https://api.example/v1/items?token=…&q=…' },
        {},
        { name: 'auth.logout' },
        { call: 'logout' },
      ]);
      // The page got what its library returned.
      expect(page.run(`results[0] === session || results[0].access_token === ${JSON.stringify(JWT)}`)).toBe(true);
      expect(page.run('results[1].self')).toBe(true);
    },
  );

  it('reports why a login or call failed, without the token in the message', async () => {
    page = await openLoginPage({
      before: `${foreignLibrary()}; ${configured()}; window.open = () => null; window.fetch = async () => ({ status: 403, headers: new Headers() })`,
    });
    await page.when(({ services }) => services[0]?.session != null);
    page.run(
      "caught = []; done = Platform.OAuth2('box').login().catch((e) => caught.push(e)).then(() => Platform.OAuth2('box').api('bad')).catch((e) => { caught.push(e); finished = true }); void 0",
    );
    await page.until(() => page.run('typeof finished') === 'boolean' && kinds().includes('api-ended'));
    expect(page.flow()).toMatchObject([
      { kind: 'login-started' },
      { kind: 'popup', state: 'blocked' },
      { kind: 'event', name: 'auth.fail', code: 'blocked' },
      { kind: 'settled', code: 'blocked', message: 'popup blocked' },
      { kind: 'api-started' },
      { kind: 'api-ended', status: 403, code: 'forbidden' },
    ]);
    expect(page.run('caught[0].error.code + caught[1].message.length')).toBe(
      `blocked${`Bearer ${JWT} was refused`.length}`,
    );
  });

  it('preserves errors, identity, names, and lengths of what is watched', async () => {
    page = await openLoginPage({
      before: `${foreignLibrary()}; ${configured()}; before = [Platform.OAuth2('box'), Platform.OAuth2.configure.name, window.open.name, window.fetch.length]`,
    });
    page.inspect();
    expect(
      page.run(
        "before[0] === Platform.OAuth2('box') && before[1] === Platform.OAuth2.configure.name && before[2] === window.open.name && before[3] === window.fetch.length",
      ),
    ).toBe(true);
    expect(page.run("(() => { try { Platform.OAuth2.configure('x', {}) } catch (e) { return e.code } })()")).toBe(
      'E_OPTION',
    );
    expect(page.flow()).toMatchObject([
      { kind: 'refused', service: 'x', code: 'E_OPTION', message: 'clientId is missing' },
    ]);
  });

  it('is left unchanged when it is frozen', async () => {
    page = await openLoginPage({
      before: `${foreignLibrary()}; ${configured()}; Object.freeze(Platform.OAuth2); Object.freeze(Platform)`,
    });
    expect(page.inspect()).toMatchObject({ library: 'ready', services: [{ name: 'box' }] });
    await expect(page.run("(async () => (await Platform.OAuth2('box').getAuthResponse()).service)()")).resolves.toBe(
      'box',
    );
  });
});

describe('a page that redefines what the agent uses', () => {
  const sabotage = `
    boom = () => { throw new Error('touched') };
    JSON.stringify = JSON.parse = Object.keys = Object.defineProperty = Reflect.apply = Array.isArray = boom;
    Array.prototype.map = Array.prototype.push = Array.prototype.slice = Array.prototype.join = Array.prototype[Symbol.iterator] = boom;
    String.prototype.slice = String.prototype.split = String.prototype.indexOf = String.prototype.toLowerCase = RegExp.prototype.exec = boom;
    Map.prototype.get = Map.prototype.set = Map.prototype.clear = WeakMap.prototype.get = Function.prototype.call = Function.prototype.apply = Function.prototype.bind = boom;
    Object.prototype.toJSON = String.prototype.toJSON = Array.prototype.toJSON = () => 'forged';
    Promise = fetch = atob = TextDecoder = URL = boom; Date.now = setTimeout = boom; Symbol = undefined;`;

  it('neither breaks it nor reads its data', async () => {
    // A library that doesn't need built-ins, so that it can't break itself.
    page = await openLoginPage({
      before: `session = ${JSON.stringify(SESSION)}; box = { getAuthResponse: async () => session, on() {} }; services = { box: ${JSON.stringify(CONFIGURATION)} }; Platform = { OAuth2: () => box }; Platform.OAuth2.configure = () => services; stolen = []`,
    });
    page.run(
      `Object.defineProperty(Object.prototype, 'access_token', { set(value) { stolen[stolen.length] = value }, configurable: true }); ${sabotage}`,
    );
    let seen = page.inspect();
    await page.until(() => (seen = page.inspect()).services[0]?.session != null);
    expect(seen.services[0]).toMatchObject({
      name: 'box',
      session: { accessToken: { jwt: { claims: { t: 'object' } } } },
    });
    expect(page.run('stolen.length')).toBe(0);
  });

  it('can’t grow the log without limit: dropped events are counted', async () => {
    page = await openLoginPage({
      before: `Platform = { OAuth2: Object.assign(() => null, { features: ['observe'], configure: () => ({}), observe(fn) { tell = fn } }) }`,
    });
    page.inspect();
    page.run(
      "for (let i = 0; i < 12000; i++) tell({ kind: 'api-started', at: i, service: 's' + i, call: i, method: 'get', url: 'https://x.example/' + i, proxy: false })",
    );
    const { events, dropped, lastSeq } = page.ask('read', 0, 1e9, 'Platform');
    expect(lastSeq).toBe(12_000);
    expect(dropped + events.length).toBe(12_000);
    expect(events.length).toBeLessThanOrEqual(5_000);
  });

  it('has hostile events reported with the expected types, or not at all', async () => {
    page = await openLoginPage({
      before: `Platform = { OAuth2: Object.assign(() => null, { features: ['observe'], configure: () => ({}), observe(fn) { tell = fn } }) }`,
    });
    page.inspect();
    page.run(`for (const event of [null, 1, {}, { kind: '__proto__' }, { kind: 'constructor' }, { get kind() { throw 1 } }, new Proxy({}, { getOwnPropertyDescriptor() { throw 1 } })]) tell(event);
      tell({ kind: 'popup', at: NaN, service: 'box', state: { toString: () => 'x' } });
      tell({ kind: 'callback', at: 5, service: 'b'.repeat(1e6), origin: 'javascript:alert(1)', parameters: ['<img src=x onerror=alert(1)>', 7, 'p'.repeat(5000)], error: '<script>', description: 'd'.repeat(1e6), token: '${JWT}' });
      tell({ kind: 'api-ended', at: 6, service: 'box', call: 1, status: 'x', milliseconds: Infinity, bytes: -0, code: 'Bearer ${JWT}', headers: ['x-csrf-token: abcdef0123', 'x-sent: ${JWT}', 7, ...Array(100).fill('h'.repeat(5000))] });
      tell({ kind: 'api-ended', at: 7, service: 'box', call: 2, headers: 'x' });`);
    const events = page.flow();
    expect(events.map(({ kind }) => kind)).toEqual(['popup', 'callback', 'api-ended', 'api-ended']);
    expect(events[0]).toMatchObject({ state: '' });
    expect(events[1]).toMatchObject({ origin: 'javascript:…', error: '<script>' });
    expect(JSON.stringify(events[1]).length).toBeLessThan(2_000);
    expect(events[2]).toMatchObject({ status: null, milliseconds: 0 });
    const { headers } = events[2] as unknown as { headers: string[] };
    expect(headers.slice(0, 2)).toEqual(['x-csrf-token: …[10]', expect.stringMatching(/^x-sent: ey…/)]);
    expect(headers).toHaveLength(49);
    expect(Math.max(...headers.map(({ length }) => length))).toBeLessThanOrEqual(1_001);
    expect(events[3]).toMatchObject({ headers: null });
  });
});

describe('actions', () => {
  it('call the API, and return its response without tokens', async () => {
    page = await openLoginPage({
      before: `${foreignLibrary()}; ${configured()}; window.fetch = async () => ({ status: 200, headers: new Headers() })`,
    });
    await page.when(({ services }) => services[0]?.session != null);
    const started = page.ask('startAction', {
      action: 'api',
      service: 'box',
      path: 'items',
      method: 'get',
      data: '{"q":1}',
    });
    if (!started.ok) throw new Error(started.error.code);
    await page.until(() => page.ask('apiResponse', started.id) !== null);
    expect(page.ask('apiResponse', started.id)).toMatchObject({
      ok: true,
      body: {
        entries: [
          ['path', { v: 'items' }],
          ['token', { v: expect.stringContaining('…') as string }],
          ['self', { v: true }],
        ],
      },
    });
    expect(page.flow().filter(({ kind }) => kind === 'action')).toMatchObject([
      { state: 'started' },
      { state: 'done' },
    ]);
  });

  it('are refused with a hint, and can be canceled', async () => {
    page = await openLoginPage({
      before: `${foreignLibrary()}; ${configured()}; window.fetch = () => new Promise(() => {})`,
    });
    page.inspect();
    expect(page.ask('startAction', { action: 'logout', service: 'unknown' })).toMatchObject({
      ok: false,
      error: { code: 'SERVICE_UNKNOWN' },
    });
    expect(page.ask('startAction', { action: 'refresh', service: 'box' })).toMatchObject({
      ok: false,
      error: { code: 'METHOD_MISSING' },
    });
    expect(
      page.ask('startAction', { action: 'api', service: 'box', path: 'x', method: 'post', data: '{' }),
    ).toMatchObject({
      ok: false,
      error: { code: 'BODY_INVALID' },
    });
    const started = page.ask('startAction', { action: 'api', service: 'box', path: 'x', method: 'get', data: null });
    if (!started.ok) throw new Error(started.error.code);
    expect(page.ask('cancelAction', started.id)).toBe(true);
    expect(page.ask('cancelAction', started.id)).toBe(false);
    expect(page.flow().filter(({ kind }) => kind === 'action')).toMatchObject([
      { state: 'started' },
      { state: 'cancelled', code: 'CANCELLED' },
    ]);
  });
});

describe('the agent in the document', () => {
  it('stays the same one when it is installed twice, and isn’t enumerable', async () => {
    page = await openLoginPage();
    const { documentId } = page.inspect();
    const names = page.run('Object.keys(window).length');
    page.run(await agentSource());
    expect(page.inspect().documentId).toBe(documentId);
    expect(page.run('Object.keys(window).length')).toBe(names);
  });
});

describe('arbitrary secrets anywhere in a page', () => {
  it('are never reported', async () => {
    page = await openLoginPage({
      before: `Platform = { OAuth2: Object.assign(() => ({ getAuthResponse: async () => now_.session, on() {} }), { features: ['observe'], configure: () => ({ box: now_.configuration }), observe(fn) { tell = fn } }) }; now_ = { session: null, configuration: {} }`,
    });
    const secretText = fc.oneof(
      fc.base64String({ minLength: 8, maxLength: 200 }),
      fc.string({ unit: 'grapheme', minLength: 8, maxLength: 60 }),
      fc.stringMatching(/^[A-Za-z0-9_-]{8,90}$/),
    );
    let n = 0;
    await fc.assert(
      fc.asyncProperty(
        secretText,
        secretText,
        secretText,
        fc.string({ maxLength: 20 }),
        async (...[first, second, third, around]) => {
          n += 1;
          // The start of a secret may be reported, and can equal another secret (both made of toString, say) unless each has its own.
          const [access, refresh, secret] = [`${n}a${first}`, `${n}b${second}`, `${n}c${third}`];
          const from = page.responses.length;
          const mixed = `${around}${access}${around}${encodeURIComponent(refresh)} ${secret}`;
          page.run(
            `now_ = ${JSON.stringify({ session: { access_token: access, refresh_token: refresh, expires_in: 5, scope: around }, configuration: { clientId: 'id', clientSecret: secret, authUrl: 'https://x.example/' } })}`,
          );
          page.inspect(true);
          await page.when(
            ({ services }) =>
              services[0]?.session?.accessToken?.length === access.length &&
              services[0].session.refreshToken?.length === refresh.length,
          );
          page.run(
            `for (const kind of ['callback', 'refused', 'token-answered', 'api-started', 'api-ended', 'login-started']) tell(${JSON.stringify({ at: n, service: mixed, origin: mixed, parameters: [mixed], error: mixed, description: mixed, call: mixed, code: mixed, message: mixed, option: mixed, url: `https://h.example/${mixed}?${mixed}#${mixed}`, authUrl: mixed, scope: mixed, method: mixed, token: { type: mixed, scope: mixed } }).replace(/^\{/, '{ kind, ')})`,
          );
          page.flow();
          const reported = page.responses
            .slice(from)
            .map((text) => JSON.stringify(textsIn(JSON.parse(text))))
            .join('\n');
          for (const one of [access, refresh, secret])
            for (const form of [one, encodeURIComponent(one)])
              expect(
                reported.includes(JSON.stringify(form).slice(1, -1)),
                `${JSON.stringify(one)} in ${reported}`,
              ).toBe(false);
        },
      ),
      { numRuns: 60 },
    );
  });
});

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
