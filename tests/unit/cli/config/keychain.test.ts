/** Tests where tokens are stored, and what is said where the keychain can’t be used. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { commandSignal } from '../../../../lib/cli/command/signal.ts';
import { CliContext } from '../../../../lib/cli/command/context.ts';
import { type Keychain, systemKeychain, writableKeychain } from '../../../../lib/cli/config/keychain.ts';
import { examine } from '../../../../lib/cli/operations/doctor.ts';
import { runCli, testHost } from '../../../support/run-cli.ts';

/** Without a platform, so that `doctor` doesn’t wait for one. */
const URL = 'http://127.0.0.1:1';

let entries: Map<string, string>;
/** Whether it’s there and unlocked, and whether it can be written to. */
let state: 'writable' | 'readable' | 'unusable';
const usable = (isIt: boolean) => (isIt ? entries : Promise.reject(new Error('locked')));
const keychain: Keychain = {
  get: async (account) => (await usable(state !== 'unusable')).get(account) ?? null,
  set: async (account, secret) => void (await usable(state === 'writable')).set(account, secret),
  delete: async (account) => (await usable(state === 'writable')).delete(account),
};

const childrenOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
const environmentsOf = (pids: readonly string[]): string =>
  pids.map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8')).join('\n');

let home: string;
beforeEach(async () => {
  [entries, state] = [new Map(), 'writable'];
  home = await mkdtemp(join(tmpdir(), 'keychain-'));
  onTestFinished(() => rm(home, { recursive: true }));
});
const cli = (args: string[], input = '') => runCli(args, { input, keychain, env: { PLATFORM_DEVTOOLS_HOME: home } });
const login = () => cli(['environments', 'login', '--url', URL], 'secret');

/** What `doctor` says about new tokens, and about this one. */
async function examined(): Promise<string[]> {
  vi.stubEnv('CHROME_PATH', '/no/such/browser');
  onTestFinished(() => void vi.unstubAllEnvs());
  const host = testHost({ keychain, env: { PLATFORM_DEVTOOLS_HOME: home } });
  const checks = await examine(new CliContext(host, { url: URL }));
  return checks.filter(({ name }) => name === 'keychain' || name === 'token').map(({ message }) => message);
}

describe('on a system with a keychain', () => {
  test('a token is stored in the keychain also beside a damaged file of tokens', async () => {
    await writeFile(join(home, 'tokens.json'), '{', { mode: 0o600 });
    expect((await login()).code).toBe(0);
    expect([...entries]).toEqual([[URL, 'secret']]);
  });
  test('login and doctor name the same place', async () => {
    expect((await login()).out).toBe('Stored the token in the system’s keychain.\n');
    expect(await examined()).toEqual([
      'New tokens go to the system’s keychain.',
      'The token is from the system’s keychain.',
    ]);
  });
  test('a token is removed from it with its environment, whose URL ended in /v1', async () => {
    await cli(['environments', 'add', 'a', `${URL}/v1`]);
    await login();
    expect((await cli(['environments', 'remove', 'a'])).out).toBe(`Removed a. The token of ${URL} was removed.\n`);
    expect([...entries]).toEqual([]);
  });
});

describe('where the keychain can’t be used', () => {
  test('a token that it may have isn’t said to be missing', async () => {
    await login();
    state = 'unusable';
    const { code, error } = await cli(['apps', '--url', URL]);
    expect(error).toContain(
      `Couldn’t find a token for ${URL}: the system’s keychain, which might have one, can’t be used here.`,
    );
    expect(code).toBe(77);
  });
  test.each(['unusable', 'readable'] as const)('login and doctor name the file if it’s %s', async (how) => {
    state = how;
    const file = join(home, 'tokens.json');
    expect((await login()).out).toBe(
      `Stored the token in ${file}. A token in the system’s keychain would be used first.\n`,
    );
    expect(await examined()).toEqual([
      `No keychain can be used here. New tokens go to ${file}.`,
      `The token is from ${file}.`,
    ]);
  });
});

describe('on Linux', () => {
  const busAt = (path: string) => ({ env: { DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` } });

  test('without a Secret Service, nothing is stored in the kernel’s memory instead', async () => {
    const host = busAt(join(home, 'none'));
    expect(await writableKeychain(host)).toBeNull();
    await expect(systemKeychain(host)!.set(URL, 'secret')).rejects.toThrow('DBus');
  });
  /** Of a session whose Secret Service waits for its user. */
  const silentBus = async (): Promise<Server> => {
    const bus = createServer(() => {});
    await new Promise<void>((resolve) => void bus.listen(join(home, 'bus'), resolve));
    onTestFinished(() => void bus.close());
    return bus;
  };

  test('a Secret Service that doesn’t respond is given up', async () => {
    await silentBus();
    await expect(systemKeychain(busAt(join(home, 'bus')), 500)!.get(URL)).rejects.toMatchObject({ signal: 'SIGKILL' });
  });
  test.each([
    ['login', ['environments', 'login', '--url', URL]],
    ['logout', ['environments', 'logout', '--url', URL]],
    ['apps', ['apps', '--url', URL]],
  ])('Ctrl+C ends the wait for one that is locked, and nothing is changed instead: %s', async (_, args) => {
    const bus = await silentBus();
    await writeFile(join(home, 'tokens.json'), `{"${URL}":"before"}`, { mode: 0o600 });
    const controller = new AbortController();
    bus.once('connection', () => controller.abort());
    const env = { PLATFORM_DEVTOOLS_HOME: home, PLATFORM_DEVTOOLS_KEYCHAIN: '', ...busAt(join(home, 'bus')).env };
    const { code, out, error } = await runCli(args, { input: 'secret', env, signal: controller.signal });
    expect({ code, out, error }).toEqual({
      code: 130,
      out: '',
      error: 'The wait for the system’s keychain was interrupted. (ABORTED)\n',
    });
    expect(await readFile(join(home, 'tokens.json'), 'utf8')).toBe(`{"${URL}":"before"}`);
  });
  test.runIf(process.platform === 'linux')('the process that uses it gets no token of the environment', async () => {
    const bus = await silentBus();
    const given = {
      ...busAt(join(home, 'bus')).env,
      PLATFORM_TOKEN: 'secret-of-env',
      PLATFORM_AUTH_TOKEN: 'other-secret',
    };
    const controller = new AbortController();
    let environments = '';
    bus.once('connection', () => {
      environments = environmentsOf(childrenOf(process.pid));
      controller.abort();
    });
    await commandSignal.run(controller.signal, () =>
      systemKeychain({ env: given })!
        .get(URL)
        .catch(() => null),
    );
    expect(environments).toContain('DBUS_SESSION_BUS_ADDRESS=');
    expect(environments).not.toMatch(/secret-of-env|other-secret/);
  });
  test('without a session bus, no process is started to find that out', async () => {
    const host = { env: { XDG_RUNTIME_DIR: home } };
    await expect(systemKeychain(host)!.get(URL)).rejects.toThrow('There’s no D-Bus session.');
    await writeFile(join(home, 'bus'), '');
    await expect(systemKeychain(host)!.get(URL)).rejects.toThrow('DBus');
  });
});
