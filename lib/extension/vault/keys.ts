/** Determines which key currently decrypts the tokens: the browser’s key, the unlocked key, or none. */
import type { IDBPObjectStore, IDBPTransaction, StoreNames } from 'idb';
import * as v from 'valibot';
import type { ErrorValue } from '../../platform-api/index.ts';
import { CodedError } from '../../platform-api/index.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import type { VaultSchema } from './database.ts';
import { LOCKED, LOCK_DAMAGED } from './lock-errors.ts';
import { importDataKey } from './passphrase.ts';
import { UnlockedKey, LockRecord } from './records.ts';
import type { VaultStore } from './store.ts';
import { isIdle } from './tries.ts';

/** The unlocked data key, as JSON. */
export type SessionKey = v.InferInput<typeof UnlockedKey>;

/** Stores the data key while the vault is unlocked, in memory that outlives the worker but not the browser. */
export interface SessionKeys {
  /** Returns the last value that was set, unparsed. */
  get(): Promise<unknown>;
  /** @param until when to check for idleness, in epoch milliseconds */
  set(key: SessionKey, until: number): Promise<void>;
  clear(): Promise<void>;
}

/** For a vault that locks whenever its worker stops. */
export function sessionInMemory(): SessionKeys {
  let current: SessionKey | undefined;
  return {
    get: () => Promise.resolve(current),
    set: (key) => Promise.resolve(void (current = key)),
    clear: () => Promise.resolve(void (current = undefined)),
  };
}

/** The stored keys. `id` is null if there is no key yet. */
export interface StoredKeys {
  id: string | null;
  browserKey: CryptoKey | null;
  lock: LockRecord | 'damaged' | null;
}

export type Access =
  | { kind: 'open'; id: string | null; key: CryptoKey | null }
  | { kind: 'unlocked'; id: string; key: CryptoKey; lock: LockRecord; sessionKey: SessionKey }
  | { kind: 'locked'; id: string; lock: LockRecord | null; problem: ErrorValue };

type Reading = IDBPTransaction<VaultSchema, StoreNames<VaultSchema>[], 'readonly'>;
type Keys<M extends IDBTransactionMode> = IDBPObjectStore<VaultSchema, StoreNames<VaultSchema>[], 'keys', M>;

export async function readKeys(keys: Pick<Keys<'readonly'>, 'get'>): Promise<StoredKeys> {
  const id = await keys.get('id');
  const key = await keys.get('tokens');
  const stored = await keys.get('lock');
  const browserKey = isTokenKey(key) ? key : null;
  const lock = v.safeParse(LockRecord, stored);
  return {
    // Version 1 didn’t give its key an ID.
    id: browserKey === null && stored === undefined ? null : typeof id === 'string' ? id : '',
    browserKey,
    lock: stored === undefined ? null : lock.success ? lock.output : 'damaged',
  };
}

function isTokenKey(stored: unknown): stored is CryptoKey {
  return (
    stored instanceof CryptoKey &&
    stored.algorithm.name === 'AES-GCM' &&
    stored.usages.includes('encrypt') &&
    stored.usages.includes('decrypt')
  );
}

/** Replaces the key. Operations that encrypted with the old key notice that its ID is gone, and start over. */
export async function writeKeys(
  keys: Pick<Keys<'readwrite'>, 'put' | 'delete'>,
  { id, browserKey, lock }: { id: string; browserKey: CryptoKey | null; lock: LockRecord | null },
): Promise<void> {
  await keys.put(id, 'id');
  await (browserKey ? keys.put(browserKey, 'tokens') : keys.delete('tokens'));
  await (lock ? keys.put(lock, 'lock') : keys.delete('lock'));
}

const EVERYTHING = ['environments', 'tokens', 'keys', 'aside'] as const;

export const newBrowserKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);

export class KeyAccess {
  readonly #store: VaultStore;
  readonly #session: SessionKeys;
  readonly #queue = new SerialQueue();

  constructor(store: VaultStore, session: SessionKeys) {
    this.#store = store;
    this.#session = session;
  }

  /** Changes the key in the database and in the session, without any reads in between. */
  change<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work);
  }

  /** Reads the database together with the key that decrypts it. The key can’t change in between. */
  read<T>(read: (transaction: Reading) => Promise<T>): Promise<[T, Access]> {
    return this.change(async () => {
      const { value, keys } = await this.#store.transact(EVERYTHING, 'readonly', async (transaction) => ({
        value: await read(transaction),
        keys: await readKeys(transaction.objectStore('keys')),
      }));
      return [value, await this.#accessTo(keys)];
    });
  }

  async current(): Promise<Access> {
    return (await this.read(() => Promise.resolve()))[1];
  }

  /**
   * The key to encrypt a token with. Creates one if needed.
   * @throws `VAULT_LOCKED`, `VAULT_LOCK_DAMAGED`
   */
  async encryptionKey(): Promise<{ id: string; key: CryptoKey }> {
    for (;;) {
      const access = await this.current();
      if (access.kind === 'locked') throw new CodedError(access.problem);
      if (access.id !== null && access.key) return { id: access.id, key: access.key };
      const browserKey = await newBrowserKey();
      await this.#store.transact(['keys'], 'readwrite', async (transaction) => {
        const keys = transaction.objectStore('keys');
        if ((await readKeys(keys)).id === null)
          await writeKeys(keys, { id: crypto.randomUUID(), browserKey, lock: null });
      });
    }
  }

  async #accessTo({ id, browserKey, lock }: StoredKeys): Promise<Access> {
    if (id === null || lock === null) return { kind: 'open', id, key: browserKey };
    const stored = await this.#session.get();
    const parsed = v.safeParse(UnlockedKey, stored);
    if (lock !== 'damaged' && parsed.success && parsed.output.id === id) {
      const { key, lastActive } = parsed.output;
      if (!isIdle(lastActive, lock.idleMinutes, Date.now()))
        return { kind: 'unlocked', id, key: await importDataKey(key), lock, sessionKey: stored as SessionKey };
    }
    if (stored !== undefined) await this.#session.clear();
    return lock === 'damaged'
      ? { kind: 'locked', id, lock: null, problem: LOCK_DAMAGED }
      : { kind: 'locked', id, lock, problem: LOCKED };
  }
}

/** What was changed before isn’t known here. */
const MEMORY_FAILED = {
  code: 'VAULT_UNAVAILABLE',
  message: 'Couldn’t use the browser’s memory, which has the key of the tokens while they’re unlocked.',
  hint: 'Check the environments on the options page, then try again.',
};

/** Converts session failures to errors with a code. */
export function sessionWithErrors(session: SessionKeys): SessionKeys {
  const withError = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw new CodedError(MEMORY_FAILED, { cause: error });
    });
  return {
    get: () => withError(session.get()),
    set: (key, until) => withError(session.set(key, until)),
    clear: () => withError(session.clear()),
  };
}
