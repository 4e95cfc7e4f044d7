/** The vault’s database: object stores, migrations, and errors. */
import type { DBSchema } from 'idb';
import { CodedError } from '../../platform-api/index.ts';
import { type Fault, faultErrors, type Migration, VAULT_DATABASE } from '../storage/index.ts';
import type { LockRecord } from './records.ts';

export interface VaultSchema extends DBSchema {
  /** Records are parsed when read because they might be damaged. */
  environments: { key: string; value: { id: string } };
  tokens: { key: string; value: { environmentId: string } };
  /**
   * The key that decrypts the tokens. Without a passphrase, `tokens` is a non-extractable key; with one, `lock` has the
   * wrapped key.
   * `id` identifies the current key and changes with it.
   */
  keys: { key: 'tokens' | 'lock' | 'id'; value: CryptoKey | LockRecord | string };
  /** Quarantined records. */
  aside: { key: number; value: { store: string; record: unknown; at: number } };
}

/** Entry n migrates version n to n + 1. Never change a released entry; add a new one instead. */
export const MIGRATIONS: readonly Migration<VaultSchema>[] = [
  (db) => {
    db.createObjectStore('environments', { keyPath: 'id' });
    db.createObjectStore('tokens', { keyPath: 'environmentId' });
    db.createObjectStore('keys');
    db.createObjectStore('aside', { autoIncrement: true });
  },
  // No schema change. From this version on, `keys` can contain a lock, which version 1 would ignore.
  () => {},
];
export const { name: VAULT_NAME, version: VAULT_VERSION, stores: STORES } = VAULT_DATABASE;

export const ERRORS = faultErrors('VAULT', 'the stored environments', 'Nothing was changed.');
export const vaultError = (fault: Fault, cause?: unknown): CodedError => new CodedError(ERRORS[fault], { cause });
