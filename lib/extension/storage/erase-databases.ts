/** Deletes the extension’s databases. A private window has databases of its own, which only its pages can delete. */
import { CodedError } from '../../platform-api/coded-error.ts';
import { DATABASES } from './databases.ts';
import { deleteDatabase } from './delete-database.ts';

/**
 * Deletes all databases that aren’t in use.
 * @throws CodedError `DATA_IN_USE` with the names of the others, which the browser deletes later
 */
export async function eraseDatabases(timeout?: number): Promise<void> {
  const names = (await indexedDB.databases()).flatMap(({ name }) => (name === undefined ? [] : [name]));
  const inUse = await Promise.all(names.map(async (name) => ((await deleteDatabase(name, timeout)) ? [] : [name])));
  if (inUse.flat().length > 0) throw stillInUse(inUse.flat());
}

/** The error for databases whose deletion is requested and hasn’t happened yet. */
export function stillInUse(names: readonly string[]): CodedError {
  const titles = names.map((name) => DATABASES.find((one) => one.name === name)?.title ?? name);
  return new CodedError({
    code: 'DATA_IN_USE',
    message: `Couldn’t erase yet: ${titles.join(', ')}. The browser erases them when no other page uses them.`,
    hint: 'Close all other pages of the extension and all DevTools windows, then erase all data again.',
  });
}

/** Erases what the worker can’t reach: the data of the private window that this page is in, if it’s in one. */
export async function erasePrivateData(isPrivate: boolean | undefined, memory: Pick<Storage, 'clear'>): Promise<void> {
  if (!isPrivate) return;
  memory.clear();
  // What is left is gone once the window is closed.
  await eraseDatabases().catch(() => {});
}
