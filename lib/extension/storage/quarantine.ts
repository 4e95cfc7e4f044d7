/** Moves damaged records unchanged into their database’s `aside` object store. */
import type { DBSchema, IDBPTransaction, StoreNames } from 'idb';

/** A record that couldn’t be read, in its original form. */
export interface QuarantinedRecord {
  /** The record’s original object store and key. */
  store: string;
  key: IDBValidKey;
  record: unknown;
  /** When the damage was found, in epoch milliseconds. */
  at: number;
}

export interface QuarantineSchema extends DBSchema {
  aside: { key: number; value: QuarantinedRecord };
}

/** The migration that adds the object store. */
export function createQuarantine(db: {
  createObjectStore(name: 'aside', options: IDBObjectStoreParameters): unknown;
}): void {
  db.createObjectStore('aside', { autoIncrement: true });
}

type WriteTransaction<S extends QuarantineSchema> = IDBPTransaction<S, StoreNames<S>[], 'readwrite'>;

/**
 * Returns the parsed records of `store`. In the same transaction, quarantines records for which `parse` returns
 * undefined.
 */
export async function readOrQuarantine<S extends QuarantineSchema, T>(
  transaction: WriteTransaction<S>,
  store: StoreNames<S>,
  parse: (record: unknown) => T | undefined,
): Promise<T[]> {
  const source = transaction.objectStore(store);
  const [keys, records] = await Promise.all([source.getAllKeys(), source.getAll()]);
  const valid: T[] = [];
  for (const [index, key] of keys.entries()) {
    const record: unknown = records[index];
    const parsed = parse(record);
    if (parsed !== undefined) valid.push(parsed);
    else await quarantine(transaction, store, key as IDBValidKey, record);
  }
  return valid;
}

export async function quarantine<S extends QuarantineSchema>(
  transaction: WriteTransaction<S>,
  store: StoreNames<S>,
  key: IDBValidKey,
  record: unknown,
): Promise<void> {
  const found: QuarantinedRecord = { store: String(store), key, record, at: Date.now() };
  await transaction.objectStore('aside' as StoreNames<S>).add(found as never);
  await transaction.objectStore(store).delete(key as never);
}
