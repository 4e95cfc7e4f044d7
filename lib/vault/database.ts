/** Owns the vault's database: its stores, its migrations, and what is said when it cannot be opened or used. It is never wiped here. */
import type { DBSchema, IDBPDatabase, IDBPTransaction, StoreNames } from 'idb';
import { openDB } from 'idb';
import { CodedError } from '../contract/index.ts';
import type { LockRecord } from './records.ts';

export interface VaultSchema extends DBSchema {
  /** Parsed when read: what is in it may be damaged. */
  environments: { key: string; value: { id: string } };
  tokens: { key: string; value: { environmentId: string } };
  /**
   * What opens the tokens: without a passphrase `tokens`, a key that is not extractable, whose bytes the browser itself keeps;
   * with one `lock`. `id` names the key that seals the tokens now, and changes with it.
   */
  keys: { key: 'tokens' | 'lock' | 'id'; value: CryptoKey | LockRecord | string };
  /** Damaged records, kept but not used. */
  aside: { key: number; value: { store: string; record: unknown; at: number } };
}
export type VaultDatabase = IDBPDatabase<VaultSchema>;
type Upgrade = IDBPTransaction<VaultSchema, StoreNames<VaultSchema>[], 'versionchange'>;

/** Entry n brings version n to n + 1. Never change one that was released; add another. */
const MIGRATIONS: readonly ((db: VaultDatabase, transaction: Upgrade) => void)[] = [
  (db) => {
    db.createObjectStore('environments', { keyPath: 'id' });
    db.createObjectStore('tokens', { keyPath: 'environmentId' });
    db.createObjectStore('keys');
    db.createObjectStore('aside', { autoIncrement: true });
  },
  // Nothing moves: from here on `keys` may hold a lock. Version 1 knows none, and would seal tokens past it.
  () => {},
];
export const VAULT_NAME = 'platform-devtools-vault';
export const VAULT_VERSION = MIGRATIONS.length;

/**
 * Opens the vault and brings it up to date. `onClosed` is called when the browser takes the connection away.
 * @throws CodedError `VAULT_NEWER`, `VAULT_BLOCKED`, `VAULT_DAMAGED`, `VAULT_UNAVAILABLE`
 */
export async function openVaultDatabase(name: string, patience: number, onClosed: () => void): Promise<VaultDatabase> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { promise: blocked, reject: refuse } = Promise.withResolvers<never>();
  const opening = openDB<VaultSchema>(name, VAULT_VERSION, {
    upgrade(db, oldVersion, _newVersion, transaction) {
      for (const migrate of MIGRATIONS.slice(oldVersion)) migrate(db, transaction);
    },
    blocked: () => {
      timer = setTimeout(() => refuse(vaultError('VAULT_BLOCKED')), patience);
    },
    blocking(_current, _wanted, event) {
      (event.target as IDBDatabase).close();
      onClosed();
    },
    terminated: onClosed,
  });
  // Opened after all, when nobody waits for it any more: let go, or it would block in its turn.
  blocked.catch(() => opening.then((db) => db.close(), () => {}));
  const db = await Promise.race([opening, blocked]).catch((error: unknown) => {
    throw asVaultError(error);
  }).finally(() => clearTimeout(timer));
  const stores = db.objectStoreNames;
  if (!(['environments', 'tokens', 'keys', 'aside'] as const).every((store) => stores.contains(store))) {
    db.close();
    throw vaultError('VAULT_DAMAGED');
  }
  return db;
}

/** Runs `work` in one transaction: when it resolves, what it wrote is on disk; when it rejects, nothing is. */
export async function transact<S extends StoreNames<VaultSchema>, M extends 'readonly' | 'readwrite', T>(
  db: VaultDatabase,
  stores: readonly S[],
  mode: M,
  work: (transaction: IDBPTransaction<VaultSchema, S[], M>) => Promise<T>,
): Promise<T> {
  const transaction = db.transaction([...stores], mode, { durability: 'strict' });
  transaction.done.catch(() => {});
  try {
    const value = await work(transaction);
    await transaction.done;
    return value;
  } catch (error) {
    try {
      transaction.abort();
    } catch {
      // It has ended by itself already.
    }
    throw error;
  }
}

const SAY = {
  VAULT_NEWER: ['The stored environments were written by a newer version of this extension. Nothing was changed.', 'Update the extension.'],
  VAULT_BLOCKED: ['Another part of the extension holds on to the stored environments.', 'Close other pages of the extension and restart it, then try again.'],
  VAULT_DAMAGED: ['The stored environments cannot be read: the browser’s database is damaged. Nothing was deleted.', 'Restart the browser; if it stays, erase all data on the options page and enter them anew.'],
  VAULT_UNAVAILABLE: ['The browser does not let the extension store anything.', 'Allow it to store data (private windows may not), then try again.'],
  VAULT_FULL: ['The disk or the browser’s storage is full. Nothing was changed.', 'Free some space, then try again.'],
} as const;

export function vaultError(code: keyof typeof SAY, cause?: unknown): CodedError {
  const [message, next] = SAY[code];
  return new CodedError({ code, message, next }, { cause });
}

/** What the database threw, by code. */
export function asVaultError(error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  const name = error instanceof Error || error instanceof DOMException ? error.name : '';
  if (name === 'VersionError') return vaultError('VAULT_NEWER', error);
  if (name === 'QuotaExceededError') return vaultError('VAULT_FULL', error);
  if (name === 'SecurityError' || name === 'ReferenceError') return vaultError('VAULT_UNAVAILABLE', error);
  return vaultError('VAULT_DAMAGED', error);
}
