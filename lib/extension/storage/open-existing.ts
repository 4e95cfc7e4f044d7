/** Opens databases only if they exist, whatever their version. */
import { type IDBPDatabase, openDB } from 'idb';
import { errorName } from './faults.ts';

/** Null if the database was deleted. @throws DOMException */
export async function openExisting(name: string): Promise<IDBPDatabase | null> {
  try {
    return await openDB(name, undefined, {
      // Don’t create an empty one.
      upgrade: (_db, _from, _to, transaction) => {
        transaction.done.catch(() => {});
        transaction.abort();
      },
    });
  } catch (error) {
    if (errorName(error) === 'AbortError') return null;
    throw error;
  }
}
