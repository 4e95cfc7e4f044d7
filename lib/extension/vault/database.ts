/** Owns the vault's database: its stores, its migrations, and what is said when it cannot be opened or used. */
import type { DBSchema } from 'idb';
import type { ErrorValue } from '../../platform-api/index.ts';
import { CodedError } from '../../platform-api/index.ts';
import type { Fault, FaultWords, KnownDatabase, Migration } from '../storage/index.ts';
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

/** Entry n brings version n to n + 1. Never change one that was released; add another. */
export const MIGRATIONS: readonly Migration<VaultSchema>[] = [
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
export const STORES = ['environments', 'tokens', 'keys', 'aside'] as const;
/** Neither tokens nor keys are ever handed out. */
export const VAULT: KnownDatabase = {
  name: VAULT_NAME,
  title: 'Environments',
  version: VAULT_VERSION,
  stores: STORES,
  open: ['environments', 'aside'],
};

const error = (code: string, message: string, hint: string): ErrorValue => ({ code, message, hint });
export const SAY: FaultWords = {
  newer: error(
    'VAULT_NEWER',
    'The stored environments were written by a newer version of this extension. Nothing was changed.',
    'Update the extension.',
  ),
  blocked: error(
    'VAULT_BLOCKED',
    'Another part of the extension holds on to the stored environments.',
    'Close other pages of the extension and restart it, then try again.',
  ),
  damaged: error(
    'VAULT_DAMAGED',
    'The stored environments cannot be read: the browser’s database is damaged. Nothing was deleted.',
    'Restart the browser; if it stays, erase all data on the options page and enter them anew.',
  ),
  unavailable: error(
    'VAULT_UNAVAILABLE',
    'The browser does not let the extension store anything.',
    'Allow it to store data (private windows may not), then try again.',
  ),
  full: error(
    'VAULT_FULL',
    'The disk or the browser’s storage is full. Nothing was changed.',
    'Free some space, then try again.',
  ),
};

export const vaultError = (fault: Fault, cause?: unknown): CodedError => new CodedError(SAY[fault], { cause });
