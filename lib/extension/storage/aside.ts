/** Owns damaged records: they are moved out of the way whole, kept, and not used. */
import type { DBSchema, IDBPTransaction, StoreNames } from 'idb';

/** A record that could not be read, as it was found. */
export interface AsideRecord {
  /** The object store that it was in, and its key there. */
  store: string;
  key: IDBValidKey;
  record: unknown;
  /** When it was found, in epoch milliseconds. */
  at: number;
}

export interface AsideSchema extends DBSchema {
  aside: { key: number; value: AsideRecord };
}

/** The migration that makes room for them. */
export function createAside(db: {
  createObjectStore(name: 'aside', options: IDBObjectStoreParameters): unknown;
}): void {
  db.createObjectStore('aside', { autoIncrement: true });
}

type Whole<S extends AsideSchema> = IDBPTransaction<S, StoreNames<S>[], 'readwrite'>;

/** Every record of `store` as `parse` reads it; those that it answers undefined for are set aside in the same transaction. */
export async function readOrSetAside<S extends AsideSchema, T>(
  transaction: Whole<S>,
  store: StoreNames<S>,
  parse: (record: unknown) => T | undefined,
): Promise<T[]> {
  const from = transaction.objectStore(store);
  const [keys, records] = await Promise.all([from.getAllKeys(), from.getAll()]);
  const good: T[] = [];
  for (const [index, key] of keys.entries()) {
    const record: unknown = records[index];
    const parsed = parse(record);
    if (parsed !== undefined) good.push(parsed);
    else await setAside(transaction, store, key as IDBValidKey, record);
  }
  return good;
}

export async function setAside<S extends AsideSchema>(
  transaction: Whole<S>,
  store: StoreNames<S>,
  key: IDBValidKey,
  record: unknown,
): Promise<void> {
  const found: AsideRecord = { store: String(store), key, record, at: Date.now() };
  await transaction.objectStore('aside' as StoreNames<S>).add(found as never);
  await transaction.objectStore(store).delete(key as never);
}
