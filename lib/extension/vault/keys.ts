/** Owns which key opens the tokens now: the browser's own, the one that is unlocked, or none. */
import type { IDBPObjectStore, IDBPTransaction, StoreNames } from 'idb';
import * as v from 'valibot';
import type { ErrorValue } from '../../platform-api/index.ts';
import { CodedError } from '../../platform-api/index.ts';
import type { VaultSchema } from './database.ts';
import { vaultError } from './database.ts';
import { LOCKED, LOCK_DAMAGED } from './lock-errors.ts';
import { importDataKey } from './passphrase.ts';
import { HeldKey, LockRecord } from './records.ts';
import type { VaultStore } from './store.ts';
import { isIdle } from './tries.ts';

/** The unlocked data key as it is handed to `SessionKeys`: JSON. */
export type SessionKey = v.InferInput<typeof HeldKey>;

/** Where the data key is while the vault is unlocked: a memory that outlives the worker, and not the browser. */
export interface SessionKeys {
  /** What was set last, as it comes back; it is parsed here. */
  get(): Promise<unknown>;
  /** @param until epoch milliseconds: somebody must come and look then, also when nobody asks for a token */
  set(key: SessionKey, until: number): Promise<void>;
  clear(): Promise<void>;
}

/** For a vault that is to be locked whenever its worker stops. */
export function sessionInMemory(): SessionKeys {
  let held: SessionKey | undefined;
  return {
    get: () => Promise.resolve(held),
    set: (key) => Promise.resolve(void (held = key)),
    clear: () => Promise.resolve(void (held = undefined)),
  };
}

/** What is stored about keys. `id` is null before there is a key. */
export interface StoredKeys {
  id: string | null;
  browserKey: CryptoKey | null;
  lock: LockRecord | 'damaged' | null;
}

export type Access =
  | { kind: 'open'; id: string | null; key: CryptoKey | null }
  | { kind: 'unlocked'; id: string; key: CryptoKey; lock: LockRecord; held: SessionKey }
  | { kind: 'locked'; id: string; lock: LockRecord | null; problem: ErrorValue };

type Reading = IDBPTransaction<VaultSchema, StoreNames<VaultSchema>[], 'readonly'>;
type Keys<M extends IDBTransactionMode> = IDBPObjectStore<VaultSchema, StoreNames<VaultSchema>[], 'keys', M>;

export interface KeyAccess {
  /** Reads the database, and which key opens what was read, with no change of the key between the two. */
  look<T>(read: (transaction: Reading) => Promise<T>): Promise<[T, Access]>;
  /** The key to seal a token with, and its name: it is made when there is none. @throws `VAULT_LOCKED`, `VAULT_LOCK_DAMAGED` */
  sealing(): Promise<{ id: string; key: CryptoKey }>;
  /** Does what changes the key in the database and in the session with nobody looking in between. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

export async function readKeys(keys: Pick<Keys<'readonly'>, 'get'>): Promise<StoredKeys> {
  const id = await keys.get('id');
  const key = await keys.get('tokens');
  const stored = await keys.get('lock');
  const browserKey = isTokenKey(key) ? key : null;
  const lock = v.safeParse(LockRecord, stored);
  return {
    // Version 1 gave its one key no name.
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

/** Puts one key in the place of another; whoever sealed something with that other finds its name gone. */
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

export function createKeyAccess(store: VaultStore, session: SessionKeys): KeyAccess {
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  }

  async function accessTo({ id, browserKey, lock }: StoredKeys): Promise<Access> {
    if (id === null || lock === null) return { kind: 'open', id, key: browserKey };
    const stored = await session.get();
    const held = v.safeParse(HeldKey, stored);
    if (
      lock !== 'damaged' &&
      held.success &&
      held.output.id === id &&
      !isIdle(held.output.lastActive, lock.idleMinutes, Date.now())
    ) {
      return { kind: 'unlocked', id, key: await importDataKey(held.output.key), lock, held: stored as SessionKey };
    }
    if (stored !== undefined) await session.clear();
    return lock === 'damaged'
      ? { kind: 'locked', id, lock: null, problem: LOCK_DAMAGED }
      : { kind: 'locked', id, lock, problem: LOCKED };
  }

  const look: KeyAccess['look'] = (read) =>
    inTurn(async () => {
      const { value, keys } = await store.transact(EVERYTHING, 'readonly', async (transaction) => ({
        value: await read(transaction),
        keys: await readKeys(transaction.objectStore('keys')),
      }));
      return [value, await accessTo(keys)];
    });

  async function makeKey(): Promise<void> {
    const browserKey = await newBrowserKey();
    await store.transact(['keys'], 'readwrite', async (transaction) => {
      const keys = transaction.objectStore('keys');
      if ((await readKeys(keys)).id === null)
        await writeKeys(keys, { id: crypto.randomUUID(), browserKey, lock: null });
    });
  }

  return {
    look,
    inTurn,
    async sealing() {
      for (;;) {
        const [, access] = await look(() => Promise.resolve());
        if (access.kind === 'locked') throw new CodedError(access.problem);
        if (access.id !== null && access.key) return { id: access.id, key: access.key };
        await makeKey();
      }
    },
  };
}

/** The session with its failures told by code, and not as the database's. */
export function toldSession(session: SessionKeys): SessionKeys {
  const told = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw vaultError('unavailable', error);
    });
  return {
    get: () => told(session.get()),
    set: (key, until) => told(session.set(key, until)),
    clear: () => told(session.clear()),
  };
}
