/** Which environment and app a command uses, and what protects a token. */
import { chmod, mkdir, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { makeSecret } from '../../../../lib/local-platform/own-secrets.ts';
import { CliContext, type GlobalOptions } from '../../../../lib/cli/command/context.ts';
import { type CliOptions, runCli, testHost } from '../../../support/run-cli.ts';

let home: string;
let project: string;
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'config-'));
  home = join(folder, 'home');
  project = join(folder, 'project', 'src');
  await mkdir(project, { recursive: true });
});

interface Given {
  options?: GlobalOptions;
  env?: NodeJS.ProcessEnv;
  /** The content of the project file, which is in the folder above the current one. */
  projectFile?: object;
}

async function contextOf({
  options = {},
  env,
  projectFile,
}: Given): Promise<{ context: CliContext; warnings: string[] }> {
  if (projectFile) await writeFile(join(project, '..', 'platform-devtools.json'), JSON.stringify(projectFile));
  const warnings: string[] = [];
  const host = testHost({
    cwd: project,
    env: { PLATFORM_DEVTOOLS_HOME: home, ...env },
    error: (text) => void warnings.push(text),
  });
  return { context: new CliContext(host, options), warnings };
}

const cli = (args: string[], options: CliOptions = {}) =>
  runCli(args, { ...options, env: { PLATFORM_DEVTOOLS_HOME: home, ...options.env } });

async function chosen(given: Given): Promise<string> {
  return (await (await contextOf(given)).context.environment()).name;
}

describe('the environment of a command', () => {
  beforeEach(async () => {
    await cli(['environments', 'add', 'staging', 'https://staging.example.com/v1/']);
    await cli(['environments', 'add', 'live', 'https://live.example.com', '--production']);
  });

  test('is that of --env, before all others', async () => {
    const env = { PLATFORM_URL: 'https://x.example.com', PLATFORM_ENV: 'live' };
    expect(await chosen({ options: { env: 'staging' }, env })).toBe('staging');
  });
  test('is that of PLATFORM_ENV, before that of the project', async () =>
    expect(await chosen({ env: { PLATFORM_ENV: 'live' }, projectFile: { environment: 'staging' } })).toBe('live'));
  test('is that of the project, before the default one', async () => {
    await cli(['environments', 'default', 'live']);
    expect(await chosen({ projectFile: { environment: 'staging' } })).toBe('staging');
    expect(await chosen({ projectFile: {} })).toBe('live');
  });
  test('is the only one that was added', async () => {
    await expect((await contextOf({})).context.environment()).rejects.toMatchObject({
      value: { code: 'NO_ENVIRONMENT' },
    });
    await cli(['environments', 'remove', 'live']);
    expect(await chosen({})).toBe('staging');
  });
  test('can be the local platform without being added', async () => {
    const { context } = await contextOf({ options: { env: 'local' } });
    expect(await context.environment()).toMatchObject({ baseUrl: 'http://localhost:4400', isProduction: false });
  });
  test('has a base URL without the version', async () => {
    const { context } = await contextOf({ options: { env: 'staging' } });
    expect((await context.environment()).baseUrl).toBe('https://staging.example.com');
  });
  test('is production if its URL is given and belongs to a production environment', async () => {
    const { context } = await contextOf({ options: { url: 'https://live.example.com/' } });
    expect(await context.environment()).toMatchObject({ name: 'live', isProduction: true });
  });
  test('is production if its URL is given, and belongs to one that is production beside one that isn’t', async () => {
    await cli(['environments', 'add', 'a', 'https://live.example.com/v1']);
    await cli(['environments', 'add', 'z', 'https://STAGING.example.com:443/', '--production']);
    for (const url of ['https://live.example.com', 'https://staging.example.com/v1']) {
      const { context } = await contextOf({ options: { url } });
      expect(await context.environment()).toMatchObject({ baseUrl: url.replace('/v1', ''), isProduction: true });
    }
  });
  test('is the local platform if none was added', async () => {
    await cli(['environments', 'remove', 'staging']);
    await cli(['environments', 'remove', 'live']);
    expect(await chosen({})).toBe('local');
    const { code, error } = await cli(['apps']);
    expect(error).toBe(
      'Couldn’t find a token for local. Run platform-devtools platform in this folder, or add your platform with platform-devtools environments add. (TOKEN_MISSING)\n',
    );
    expect(code).toBe(77);
  });
  test('that doesn’t exist is an error with a suggestion', async () => {
    const { code, error } = await cli(['apps', '--env', 'stagin']);
    expect(error).toMatch(/^There’s no environment “stagin”\. Did you mean “staging”\? .*\(ENVIRONMENT_NOT_FOUND\)\n$/);
    expect(code).toBe(64);
  });
  test.each(['constructor', '__proto__', 'toString'])('%s isn’t one that exists', async (name) =>
    expect(chosen({ options: { env: name } })).rejects.toMatchObject({ value: { code: 'ENVIRONMENT_NOT_FOUND' } }),
  );
  test.each(['http://api.example.com', 'ftp://x', 'https://a:b@x.example', 'x'])(
    'can’t have the URL %s',
    async (url) => {
      const { code, error } = await cli(['environments', 'add', 'new', url]);
      expect([code, error]).toEqual([64, expect.stringContaining('(ARGUMENT_INVALID)')]);
    },
  );
});

describe('an environment that is added again', () => {
  const settingsOf = async (name: string): Promise<unknown> =>
    JSON.parse(await readFile(join(home, 'config.json'), 'utf8')).environments[name];
  const settings = { production: true, namespace: 'Acme', pageUrls: ['https://pages.example.com'] };
  beforeEach(async () => {
    const options = ['--production', '--namespace', 'Acme', '--page-url', 'https://pages.example.com'];
    await cli(['environments', 'add', 'live', 'https://live.example.com', ...options]);
  });

  test('keeps the settings that aren’t given, such as its protection', async () => {
    const { out } = await cli(['environments', 'add', 'live', 'https://live.example.com/v1']);
    expect(out).toBe('Changed the settings of live. It’s still production.\n');
    expect(await settingsOf('live')).toEqual({ url: 'https://live.example.com', ...settings });
  });
  test('is changed where settings are given', async () => {
    const options = ['--no-production', '--namespace', 'Other', '--page-url', 'https://other.example.com'];
    const { out } = await cli(['environments', 'add', 'live', 'https://live.example.com', ...options]);
    expect(out).toBe('Changed the settings of live.\n');
    expect(await settingsOf('live')).toEqual({
      url: 'https://live.example.com',
      production: false,
      namespace: 'Other',
      pageUrls: ['https://other.example.com'],
    });
  });
  test('with another URL leaves no token of the former one', async () => {
    await cli(['environments', 'login', '--env', 'live'], { input: 'secret-token' });
    const { out } = await cli(['environments', 'add', 'live', 'https://new.example.com']);
    expect(out).toBe(
      'Changed the settings of live. It’s still production. The token of https://live.example.com was removed. Log in with platform-devtools environments login --env live\n',
    );
    expect(JSON.parse(await readFile(join(home, 'tokens.json'), 'utf8'))).toEqual({});
  });
  test('as local with another URL leaves no token of the local platform', async () => {
    await cli(['environments', 'login', '--env', 'local'], { input: 'secret-token' });
    const { out } = await cli(['environments', 'add', 'local', 'http://localhost:4500']);
    expect(out).toContain('The token of http://localhost:4400 was removed.');
  });
});

describe('a name', () => {
  test.each(['__proto__', 'constructor', 'prototype', 'a b', ''])('can’t be “%s”', async (name) => {
    const { code, error } = await cli(['environments', 'add', name, 'https://a.example.com']);
    expect([code, error]).toEqual([64, expect.stringMatching(`^“${name}” can’t be used: .*\\(ARGUMENT_INVALID\\)`)]);
  });
  test.each(['toString', 'hasOwnProperty'])('can be “%s”', async (name) => {
    expect((await cli(['environments', 'remove', name])).error).toContain('(ENVIRONMENT_NOT_FOUND)');
    await cli(['environments', 'add', name, 'https://a.example.com']);
    expect(await chosen({})).toBe(name);
    expect((await cli(['environments', 'remove', name])).code).toBe(0);
  });
});

describe('the project file', () => {
  test('can’t have a URL, which could lead a token to someone else’s server', async () => {
    const projectFile = { environment: 'staging', url: 'https://evil.example.com' };
    await expect(chosen({ projectFile })).rejects.toMatchObject({ value: { code: 'PROJECT_INVALID' } });
  });
  test('names the app, unless --app does', async () => {
    const { context } = await contextOf({ projectFile: { app: 7 } });
    expect([await context.app(undefined), await context.app('8')]).toEqual([7, 8]);
  });
  test('without an app leads to a hint', async () =>
    expect((await contextOf({})).context.app(undefined)).rejects.toMatchObject({
      value: { code: 'NO_APP', hint: expect.stringContaining('--app') },
    }));
});

describe('a token', () => {
  const login = (input: string, url = 'https://a.example.com') =>
    cli(['environments', 'login', '--url', url], { input });
  const tokenAt = async (url: string, env: NodeJS.ProcessEnv = {}): Promise<string> =>
    (await (await contextOf({ options: { url }, env })).context.connect()).connection.token;

  test('from standard input is stored for its owner only, and never printed', async () => {
    const { code, out, error } = await login('secret-token\n');
    expect([code, error]).toEqual([0, '']);
    const file = join(home, 'tokens.json');
    expect(out).toBe(`Stored the token in ${file}. A token in the system’s keychain would be used first.\n`);
    for (const name of await readdir(home)) expect((await stat(join(home, name))).mode & 0o777).toBe(0o600);
    expect(await tokenAt('https://a.example.com')).toBe('secret-token');
  });
  test('is only used for the URL that it was stored for', async () => {
    await login('secret-token');
    await expect(tokenAt('https://b.example.com')).rejects.toMatchObject({ value: { code: 'TOKEN_MISSING' } });
  });
  test('of PLATFORM_TOKEN is used before the stored one', async () => {
    await login('secret-token');
    expect(await tokenAt('https://a.example.com', { PLATFORM_TOKEN: 'of-env' })).toBe('of-env');
  });
  test('of the local platform is read from its data folder, if this user’s platform made it', async () => {
    await mkdir(join(project, '.platform'));
    const made = await makeSecret(home, 'token');
    const tokenOf = async (text: string): Promise<string> => {
      await writeFile(join(project, '.platform', 'auth-token'), `${text}\n`, { mode: 0o600 });
      return tokenAt('http://localhost:4400');
    };
    expect(await tokenOf(made)).toBe(made);
    for (const foreign of [
      'of-the-repository',
      await makeSecret(project, 'token'),
      await makeSecret(home, 'page-token-key'),
    ])
      await expect(tokenOf(foreign)).rejects.toMatchObject({ value: { code: 'TOKEN_MISSING' } });
    await expect(tokenAt('https://a.example.com')).rejects.toMatchObject({ value: { code: 'TOKEN_MISSING' } });
  });
  test('in a file that others can read leads to a warning', async () => {
    await login('secret-token');
    await chmod(join(home, 'tokens.json'), 0o644);
    const { context, warnings } = await contextOf({ options: { url: 'https://a.example.com' } });
    await context.connect();
    expect(warnings.join('')).toMatch(/^Warning: Other users of this machine can read .*tokens\.json\. Run chmod 600/);
  });
  test('is removed with its environment, and by logging out', async () => {
    await cli(['environments', 'add', 'a', 'https://a.example.com']);
    await login('secret-token');
    await cli(['environments', 'remove', 'a']);
    expect(JSON.parse(await readFile(join(home, 'tokens.json'), 'utf8'))).toEqual({});
    await login('secret-token');
    const logout = () => cli(['environments', 'logout', '--url', 'https://a.example.com']);
    expect((await logout()).out).toBe('Removed the stored token of https://a.example.com.\n');
    expect(JSON.parse(await readFile(join(home, 'tokens.json'), 'utf8'))).toEqual({});
    const { out, error } = await logout();
    expect(out).toBe('No token of https://a.example.com was found.\n');
    expect(error).toContain('The system’s keychain can’t be used here, and may still have a token.');
  });
  test('is removed with the last environment that has its URL', async () => {
    await cli(['environments', 'add', 'a', 'https://a.example.com/v1']);
    await cli(['environments', 'add', 'b', 'https://A.example.com:443/']);
    await login('secret-token');
    expect((await cli(['environments', 'remove', 'a'])).out).toBe(
      'Removed a. A stored token of https://a.example.com stays for b.\n',
    );
    expect(await tokenAt('https://a.example.com')).toBe('secret-token');
    expect((await cli(['environments', 'remove', 'b'])).out).toBe(
      'Removed b. The token of https://a.example.com was removed.\n',
    );
    await expect(tokenAt('https://a.example.com')).rejects.toMatchObject({ value: { code: 'TOKEN_MISSING' } });
  });
  test('of the local platform stays when another environment with its URL is removed', async () => {
    await cli(['environments', 'add', 'mine', 'http://localhost:4400']);
    await login('secret-token', 'http://localhost:4400');
    await cli(['environments', 'remove', 'mine']);
    expect(await tokenAt('http://localhost:4400')).toBe('secret-token');
  });
  test('is removed by logging out of any environment with its URL, which names the others', async () => {
    await cli(['environments', 'add', 'a', 'https://a.example.com/v1']);
    await cli(['environments', 'add', 'b', 'https://a.example.com']);
    await login('secret-token');
    const { out } = await cli(['environments', 'logout', '--env', 'a']);
    expect(out).toBe('Removed the stored token of a, b.\n');
  });
  test.each(['', 'two words', 'ünicode', 'x'.repeat(4097)])('can’t be %j', async (input) => {
    const { code, error } = await login(input);
    expect([code, error]).toEqual([77, expect.stringContaining('(TOKEN_MISSING)')]);
  });
  test('isn’t lost when others are stored at the same time', async () => {
    const urls = ['https://a.example.com', 'https://b.example.com', 'https://c.example.com'];
    const all = await Promise.all(urls.map((url, index) => login(`token-${index}`, url)));
    expect(all.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await Promise.all(urls.map((url) => tokenAt(url)))).toEqual(['token-0', 'token-1', 'token-2']);
  });
});

describe('a configuration that is damaged', () => {
  test.each([
    ['{', 'it isn’t JSON'],
    ['"text"', 'Expected Object'],
    ['{"environments": {"a": {"url": "http://a.example.com"}}}', 'environments.a.url: Use https'],
    ['{"environments": {"a": {"url": "https://a.example.com", "token": "x"}}}', 'environments.a.token'],
  ])('such as %s names the file and the place', async (text, message) => {
    await mkdir(home, { recursive: true });
    await writeFile(join(home, 'config.json'), text, { mode: 0o600 });
    const { code, error } = await cli(['apps', '--env', 'a']);
    expect(error).toContain(`Couldn’t use ${join(home, 'config.json')}: `);
    expect(error).toContain(message);
    expect(code).toBe(78);
    expect(await readFile(join(home, 'config.json'), 'utf8')).toBe(text);
  });
  test('that others can change leads to a warning', async () => {
    await cli(['environments', 'add', 'a', 'https://a.example.com']);
    await chmod(join(home, 'config.json'), 0o666);
    const { context, warnings } = await contextOf({ options: { env: 'a' } });
    await context.environment();
    expect(warnings.join('')).toContain('can change');
  });
  test('with a BOM, as editors on Windows write it, isn’t damaged', async () => {
    await mkdir(home, { recursive: true });
    await writeFile(join(home, 'config.json'), '\uFEFF{"environments":{}}', { mode: 0o600 });
    expect((await cli(['environments'])).code).toBe(0);
  });
});
