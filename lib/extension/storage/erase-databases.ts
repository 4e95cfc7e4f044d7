/** Deletes the extension’s databases. A private window has databases of its own, which only its pages can delete. */
import { CodedError } from '../../platform-api/coded-error.ts';
import { deleteDatabase } from './delete-database.ts';

/**
 * Deletes all databases that aren’t in use.
 * @throws CodedError `DATA_IN_USE` if an open panel still uses one
 */
export async function eraseDatabases(patience?: number): Promise<void> {
  const names = (await indexedDB.databases()).flatMap(({ name }) => (name === undefined ? [] : [name]));
  const deleted = await Promise.all(names.map((name) => deleteDatabase(name, patience)));
  if (deleted.every(Boolean)) return;
  throw new CodedError({
    code: 'DATA_IN_USE',
    message: 'Couldn’t erase stored runs: a DevTools panel is using them. Environments and tokens are erased.',
    hint: 'Close all DevTools windows to erase the runs.',
  });
}

/** Erases what the worker can’t reach: the data of the private window that this page is in, if it’s in one. */
export async function erasePrivateData(isPrivate: boolean | undefined, memory: Pick<Storage, 'clear'>): Promise<void> {
  if (!isPrivate) return;
  memory.clear();
  // What is left is gone once the window is closed.
  await eraseDatabases().catch(() => {});
}
