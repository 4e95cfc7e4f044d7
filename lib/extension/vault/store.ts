/** Connects to the vault’s database, and deletes it. */
import { asFault, IndexedStore, stillInUse } from '../storage/index.ts';
import type { VaultSchema } from './database.ts';
import { ERRORS, MIGRATIONS, STORES } from './database.ts';
import { deleteDatabase } from '../storage/delete-database.ts';

export class VaultStore extends IndexedStore<VaultSchema> {
  readonly #name: string;
  readonly #timeout: number;

  /** @param timeout how long to wait for another connection that blocks opening or deleting, in milliseconds */
  constructor(name: string, timeout: number) {
    super({ name, migrations: MIGRATIONS, stores: STORES, errors: ERRORS, timeout });
    this.#name = name;
    this.#timeout = timeout;
  }

  /** Deletes the database, even a damaged or newer one. @throws `DATA_IN_USE` */
  async erase(): Promise<void> {
    await this.close();
    const isDeleted = await deleteDatabase(this.#name, this.#timeout).catch((error: unknown) => {
      throw asFault(error, ERRORS, false);
    });
    if (!isDeleted) throw stillInUse([this.#name]);
  }
}
