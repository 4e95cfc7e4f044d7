/** The system’s keychain: Keychain on macOS, Credential Manager on Windows, a Secret Service on Linux. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { moduleFile } from '../../local-platform/installation.ts';
import { CodedError } from '../../platform-api/coded-error.ts';
import { type Host, withoutSecrets } from '../command/host.ts';
import { commandSignal } from '../command/signal.ts';

/**
 * All reject if the keychain can’t be used: the system has none, or it’s locked, or it doesn’t respond; and with `ABORTED`
 * if the command is interrupted.
 */
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
      if (!mayHaveKeychain(env)) throw new Error('There’s no D-Bus session.');
      const signal = commandSignal.getStore();
      const options = { env: withoutSecrets(env), timeout: limit, killSignal: 'SIGKILL', windowsHide: true } as const;
      const child = execFile(process.execPath, [PROCESS, operation, account], { ...options, signal }, (error, out) =>
        error ? reject(signal?.aborted ? interrupted(error) : error) : resolve(out),
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

/** On Linux, a Secret Service needs a session bus. Where none can be, such as in a container, starting a process is in vain. */
const mayHaveKeychain = ({ DBUS_SESSION_BUS_ADDRESS, XDG_RUNTIME_DIR }: NodeJS.ProcessEnv): boolean =>
  process.platform !== 'linux' ||
  Boolean(DBUS_SESSION_BUS_ADDRESS) ||
  existsSync(join(XDG_RUNTIME_DIR || `/run/user/${process.getuid!()}`, 'bus'));

const interrupted = (cause: Error): CodedError =>
  new CodedError({ code: 'ABORTED', message: 'The wait for the system’s keychain was interrupted.' }, { cause });

/** For `catch`: null, because the keychain can’t be used. @throws CodedError `ABORTED` */
export function unusable(error: unknown): null {
  if (error instanceof CodedError) throw error;
  return null;
}

/** Null if it can’t store a token, which only storing something shows. */
export async function writableKeychain(host: WithKeychain): Promise<Keychain | null> {
  const keychain = systemKeychain(host);
  const probe = `probe-${randomUUID()}`;
  try {
    await keychain?.set(probe, probe);
    const isKept = (await keychain?.get(probe)) === probe;
    return (await keychain?.delete(probe)) && isKept ? keychain : null;
  } catch (error) {
    return unusable(error);
  }
}
