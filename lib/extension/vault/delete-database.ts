/** Owns deleting a whole database, whatever is in it. */
import { deleteDB } from 'idb';

/** Browsers say "blocked" also for a moment while a connection that was just closed goes away; in milliseconds. */
export const PATIENCE = 3000;

/** False when somebody still holds on to it after `patience`, four times that where nobody is known to: it is then deleted as soon as it can be. */
export async function deleteDatabase(name: string, patience: number = PATIENCE): Promise<boolean> {
  const { promise: held, resolve: isHeld } = Promise.withResolvers<false>();
  // A second deletion waits behind the first, and is not told by what.
  let timer = setTimeout(() => isHeld(false), 4 * patience);
  const deleted = deleteDB(name, {
    blocked: () => {
      clearTimeout(timer);
      timer = setTimeout(() => isHeld(false), patience);
    },
  }).then(() => true);
  return Promise.race([deleted, held]).finally(() => clearTimeout(timer));
}
