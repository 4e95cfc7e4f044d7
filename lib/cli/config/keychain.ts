/** The system’s keychain: Keychain on macOS, Credential Manager on Windows, a secret service on Linux. */

export interface Keychain {
  get(account: string): Promise<string | null>;
  set(account: string, secret: string): Promise<void>;
  delete(account: string): Promise<void>;
}

const SERVICE = 'platform-devtools';
/** A keychain that is locked may wait for its user. A script has no one to unlock it. */
const LIMIT = 10_000;

/** Null if this system has none, or none that this process can use. */
export async function systemKeychain(env: NodeJS.ProcessEnv): Promise<Keychain | null> {
  if (env.PLATFORM_DEVTOOLS_KEYCHAIN === 'off') return null;
  try {
    const { AsyncEntry } = await import('@napi-rs/keyring');
    const limit = (): AbortSignal => AbortSignal.timeout(LIMIT);
    const keychain: Keychain = {
      get: async (account) => (await new AsyncEntry(SERVICE, account).getPassword(limit())) ?? null,
      set: (account, secret) => new AsyncEntry(SERVICE, account).setPassword(secret, limit()),
      delete: async (account) => void (await new AsyncEntry(SERVICE, account).deletePassword(limit())),
    };
    // Fails where there is no keychain, such as in a container.
    await keychain.get('probe');
    return keychain;
  } catch {
    return null;
  }
}
