/** Owns deleting every database of the extension, whichever part of it made them. */
import { deleteDB } from 'idb';
import { CodedError } from '../../lib/contract/index.ts';

/** @throws CodedError `DATA_IN_USE` when an open panel holds on to one; the others are deleted then, too. */
export async function eraseDatabases(): Promise<void> {
  const names = (await indexedDB.databases()).flatMap(({ name }) => (name === undefined ? [] : [name]));
  const outcomes = await Promise.allSettled(names.map((name) => new Promise<void>((resolve, reject) => {
    deleteDB(name, { blocked: () => reject(new Error(name)) }).then(resolve, reject);
  })));
  if (outcomes.every(({ status }) => status === 'fulfilled')) return;
  throw new CodedError({
    code: 'DATA_IN_USE',
    message: 'Environments and tokens are erased, but a DevTools panel still uses the stored runs.',
    next: 'Close all DevTools windows, then erase again.',
  });
}
