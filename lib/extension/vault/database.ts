/** The vault’s database: its object stores, its migrations, and its errors. */
import type { DBSchema } from 'idb';
import { CodedError } from '../../platform-api/index.ts';
import { type Fault, faultErrors, type Migration, VAULT_DATABASE } from '../storage/index.ts';
import type { LockRecord } from './records.ts';

export interface VaultSchema extends DBSchema {
  /** Parsed on reading, because records may be damaged. */
  environments: { key: string; value: { id: string } };
  tokens: { key: string; value: { environmentId: string } };
  /**
   * The key that decrypts the tokens: `tokens`, a non-extractable key, without a passphrase; `lock` with one.
   * `id` names the current key and changes with it.
   */
  keys: { key: 'tokens' | 'lock' | 'id'; value: CryptoKey | LockRecord | string };
  /** Quarantined records. */
  aside: { key: number; value: { store: string; record: unknown; at: number } };
}

/** Entry n brings version n to n + 1. Never change one that was released; add another. */
export const MIGRATIONS: readonly Migration<VaultSchema>[] = [
  (db) => {
    db.createObjectStore('environments', { keyPath: 'id' });
    db.createObjectStore('tokens', { keyPath: 'environmentId' });
    db.createObjectStore('keys');
    db.createObjectStore('aside', { autoIncrement: true });
  },
  // No change, but `keys` may contain a lock from here on, which version 1 would ignore.
  () => {},
];
export const { name: VAULT_NAME, version: VAULT_VERSION, stores: STORES } = VAULT_DATABASE;

export const ERRORS = faultErrors('VAULT', 'the stored environments', 'Nothing was changed.');
export const vaultError = (fault: Fault, cause?: unknown): CodedError => new CodedError(ERRORS[fault], { cause });
