/** Owns deleting a whole database, whatever is in it. */
import { deleteDB } from 'idb';

/** Browsers say "blocked" also for a moment while a connection that was just closed goes away; in milliseconds. */
export const PATIENCE = 3000;

/** False when somebody still holds on to it after `patience`: it is then deleted as soon as that connection goes. */
export async function deleteDatabase(name: string, patience: number = PATIENCE): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { promise: held, resolve: isHeld } = Promise.withResolvers<false>();
  const deleted = deleteDB(name, {
    blocked: () => {
      timer = setTimeout(() => isHeld(false), patience);
    },
  }).then(() => true);
  return Promise.race([deleted, held]).finally(() => clearTimeout(timer));
}
