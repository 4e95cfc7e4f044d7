/** Owns the vault's one connection to its database, and deleting it. */
import type { Store as OpenStore } from '../storage/index.ts';
import { asFault, openStore } from '../storage/index.ts';
import type { VaultSchema } from './database.ts';
import { MIGRATIONS, SAY, STORES, vaultError } from './database.ts';
import { deleteDatabase } from './delete-database.ts';

export interface Store extends Pick<OpenStore<VaultSchema>, 'transact'> {
  /** Deletes the whole database, also one that is damaged or newer. @throws `VAULT_BLOCKED` */
  erase(): Promise<void>;
}

/** `patience` in milliseconds: how long another connection may hold up what needs the database alone. */
export function createStore(name: string, patience: number): Store {
  const { transact, close } = openStore<VaultSchema>({
    name,
    migrations: MIGRATIONS,
    stores: STORES,
    say: SAY,
    patience,
  });
  return {
    transact,
    async erase() {
      await close();
      const deleted = await deleteDatabase(name, patience).catch((error: unknown) => {
        throw asFault(error, SAY, false);
      });
      if (!deleted) throw vaultError('blocked');
    },
  };
}
