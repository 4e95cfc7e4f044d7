/** Owns the vault's one connection to its database: opened when it is needed, and anew when the browser took it away. */
import type { IDBPTransaction, StoreNames } from 'idb';
import { CodedError } from '../contract/index.ts';
import type { VaultDatabase, VaultSchema } from './database.ts';
import { asVaultError, openVaultDatabase, transact, vaultError } from './database.ts';
import { deleteDatabase } from './delete-database.ts';

type Names = StoreNames<VaultSchema>;

export interface Store {
  /** Runs `work` in one transaction: when it resolves, what it wrote is on disk; when it rejects, nothing is. */
  transact<S extends Names, M extends 'readonly' | 'readwrite', T>(stores: readonly S[], mode: M, work: (transaction: IDBPTransaction<VaultSchema, S[], M>) => Promise<T>): Promise<T>;
  /** Deletes the whole database, also one that is damaged or newer. @throws `VAULT_BLOCKED` */
  erase(): Promise<void>;
}

/** `patience` in milliseconds: how long another connection may hold up what needs the database alone. */
export function createStore(name: string, patience: number): Store {
  let opened: Promise<VaultDatabase> | null = null;

  /** Runs `work` on an open database; once more when the browser had closed the connection meanwhile. */
  async function use<T>(work: (db: VaultDatabase) => Promise<T>, again = true): Promise<T> {
    opened ??= openVaultDatabase(name, patience, () => (opened = null));
    const mine = opened;
    try {
      return await work(await mine);
    } catch (error) {
      const closed = error instanceof Error && error.name === 'InvalidStateError';
      const isVaults = error instanceof CodedError && error.code.startsWith('VAULT_');
      if (opened === mine && (closed || isVaults)) opened = null;
      if (closed && again) return use(work, false);
      throw asVaultError(error);
    }
  }

  return {
    transact: (stores, mode, work) => use((db) => transact(db, stores, mode, work)),
    async erase() {
      await opened?.then((db) => db.close(), () => {});
      opened = null;
      const deleted = await deleteDatabase(name, patience).catch((error: unknown) => {
        throw asVaultError(error);
      });
      if (!deleted) throw vaultError('VAULT_BLOCKED');
    },
  };
}
