/** Owns deleting every database of the extension, whichever part of it made them. */
import { CodedError } from '../../lib/contract/index.ts';
import { deleteDatabase } from '../../lib/vault/index.ts';

/** @throws CodedError `DATA_IN_USE` when an open panel holds on to one; the others are deleted all the same. */
export async function eraseDatabases(patience?: number): Promise<void> {
  const names = (await indexedDB.databases()).flatMap(({ name }) => (name === undefined ? [] : [name]));
  const deleted = await Promise.all(names.map((name) => deleteDatabase(name, patience)));
  if (deleted.every(Boolean)) return;
  throw new CodedError({
    code: 'DATA_IN_USE',
    message: 'Environments and tokens are erased, but a DevTools panel still uses the stored runs.',
    next: 'Close all DevTools windows: the runs are erased with the last one.',
  });
}
