/** Tests where tokens are stored, and what is said where the keychain can’t be used. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type * as Keychains from '../../../../lib/cli/config/keychain.ts';
import { storeToken } from '../../../../lib/cli/config/tokens.ts';
import { examine } from '../../../../lib/cli/operations/doctor.ts';
import { CliContext } from '../../../../lib/cli/command/context.ts';
import { runCli, testHost } from '../../../support/run-cli.ts';

const MODULE = '../../../../lib/cli/config/keychain.ts';
/** Without a platform, so that `doctor` doesn’t wait for one. */
const URL = 'http://127.0.0.1:1';

/** Its entries, or null if it can’t be used. */
let entries: Map<string, string> | null;
vi.mock('../../../../lib/cli/config/keychain.ts', () => {
  const use = () => entries ?? Promise.reject(new Error('locked'));
  const keychain: Keychains.Keychain = {
    get: async (account) => (await use()).get(account) ?? null,
    set: async (account, secret) => void (await use()).set(account, secret),
    delete: async (account) => (await use()).delete(account),
  };
  return { systemKeychain: () => keychain, writableKeychain: async () => entries && keychain };
});

vi.mock('../../../../lib/cli/run/browser.ts', () => ({ startBrowser: () => Promise.reject(new Error('none')) }));

let home: string;
beforeEach(async () => {
  entries = new Map();
  home = await mkdtemp(join(tmpdir(), 'keychain-'));
  onTestFinished(() => rm(home, { recursive: true }));
});
const cli = (args: string[], input = '') => runCli(args, { input, env: { PLATFORM_DEVTOOLS_HOME: home } });
const login = () => cli(['environments', 'login', '--url', URL], 'secret');

describe('on a system with a keychain', () => {
  test('a token is stored in the keychain also beside a damaged file of tokens', async () => {
    await writeFile(join(home, 'tokens.json'), '{', { mode: 0o600 });
    expect(await storeToken(URL, 'secret', { PLATFORM_DEVTOOLS_HOME: home })).toBe('keychain');
    expect(entries?.get(URL)).toBe('secret');
  });
  test('login and doctor name the same place', async () => {
    expect((await login()).out).toBe('Stored the token in the system’s keychain.\n');
    expect(await placesOfDoctor()).toEqual([
      'New tokens go to the system’s keychain.',
      'The token is from the system’s keychain.',
    ]);
  });
  test('a token is removed from it with its environment, whose URL ended in /v1', async () => {
    await cli(['environments', 'add', 'a', `${URL}/v1`]);
    await login();
    expect((await cli(['environments', 'remove', 'a'])).out).toBe(`Removed a. The token of ${URL} was removed.\n`);
    expect([...entries!]).toEqual([]);
  });
});

describe('where the keychain can’t be used', () => {
  test('a token that it may have isn’t said to be missing', async () => {
    await login();
    entries = null;
    const { code, error } = await cli(['apps', '--url', URL]);
    expect(error).toContain(
      `Couldn’t find a token for ${URL}: the system’s keychain, where it may be, can’t be used here.`,
    );
    expect(code).toBe(77);
  });
  test('login and doctor name the file', async () => {
    entries = null;
    const file = join(home, 'tokens.json');
    expect((await login()).out).toBe(
      `Stored the token in ${file}. A token in the system’s keychain would be used first.\n`,
    );
    expect(await placesOfDoctor()).toEqual([
      `No keychain can be used here. New tokens go to ${file}.`,
      `The token is from ${file}.`,
    ]);
  });
});

async function placesOfDoctor(): Promise<string[]> {
  const host = testHost({ env: { PLATFORM_DEVTOOLS_HOME: home } });
  const checks = await examine(new CliContext(host, { url: URL }));
  return checks.filter(({ name }) => name === 'keychain' || name === 'token').map(({ message }) => message);
}

describe('on Linux', () => {
  const real = () => vi.importActual<typeof Keychains>(MODULE);
  const busAt = (path: string): NodeJS.ProcessEnv => ({ DBUS_SESSION_BUS_ADDRESS: `unix:path=${path}` });

  test('without a Secret Service, nothing is stored in the kernel’s memory instead', async () => {
    const { systemKeychain, writableKeychain } = await real();
    const env = busAt(join(home, 'none'));
    expect(await writableKeychain(env)).toBeNull();
    await expect(systemKeychain(env)!.set(URL, 'secret')).rejects.toThrow('DBus');
  });
  test('a Secret Service that doesn’t respond is given up', async () => {
    const bus = createServer(() => {});
    await new Promise<void>((resolve) => void bus.listen(join(home, 'bus'), resolve));
    onTestFinished(() => void bus.close());
    const { systemKeychain } = await real();
    await expect(systemKeychain(busAt(join(home, 'bus')), 500)!.get(URL)).rejects.toMatchObject({ signal: 'SIGKILL' });
  });
});
