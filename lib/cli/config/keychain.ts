/** The system’s keychain: Keychain on macOS, Credential Manager on Windows, a Secret Service on Linux. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { moduleFile } from '../../local-platform/installation.ts';
import type { Host } from '../command/host.ts';

/** All reject if the keychain can’t be used: the system has none, or it’s locked, or it doesn’t respond. */
export interface Keychain {
  get(account: string): Promise<string | null>;
  set(account: string, secret: string): Promise<void>;
  /** Whether there was a secret. */
  delete(account: string): Promise<boolean>;
}

const PROCESS = fileURLToPath(moduleFile('keychain-process', import.meta.url));
/** For one call, in milliseconds. A locked keychain waits for its user. A script has no one to unlock it. */
const LIMIT = 30_000;

type WithKeychain = Pick<Host, 'env' | 'keychain'>;

/** Null if the user has turned it off. */
export function systemKeychain({ env, keychain }: WithKeychain, limit = LIMIT): Keychain | null {
  if (keychain) return keychain;
  if (env.PLATFORM_DEVTOOLS_KEYCHAIN === 'off') return null;
  const call = (operation: keyof Keychain, account: string, secret = ''): Promise<string> =>
    new Promise((resolve, reject) => {
      const options = { env, timeout: limit, killSignal: 'SIGKILL', windowsHide: true } as const;
      const child = execFile(process.execPath, [PROCESS, operation, account], options, (error, out) =>
        error ? reject(error) : resolve(out),
      );
      // A process that ended can’t be written to. Its end says why.
      child.stdin!.on('error', () => undefined);
      child.stdin!.end(secret);
    });
  return {
    get: async (account) => (await call('get', account)) || null,
    set: async (account, secret) => void (await call('set', account, secret)),
    delete: async (account) => (await call('delete', account)) === 'true',
  };
}

/** Null if it can’t store a token, which only storing something shows. */
export async function writableKeychain(host: WithKeychain): Promise<Keychain | null> {
  const keychain = systemKeychain(host);
  const probe = `probe-${randomUUID()}`;
  try {
    await keychain?.set(probe, probe);
    const isKept = (await keychain?.get(probe)) === probe;
    return (await keychain?.delete(probe)) && isKept ? keychain : null;
  } catch {
    return null;
  }
}
