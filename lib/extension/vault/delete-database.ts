/** Deletes a database in any state. */
import { deleteDB } from 'idb';

/** Browsers report “blocked” for a moment even after a connection was closed; in milliseconds. */
export const PATIENCE = 3000;

/**
 * False when another connection still blocks it after `patience`; four times that when the browser reports no blocker. The browser
 * then deletes it as soon as it can.
 */
export async function deleteDatabase(name: string, patience: number = PATIENCE): Promise<boolean> {
  const { promise: blocked, resolve: giveUp } = Promise.withResolvers<false>();
  // No event is fired for a deletion that waits behind another one.
  let timer = setTimeout(() => giveUp(false), 4 * patience);
  const deleted = deleteDB(name, {
    blocked: () => {
      clearTimeout(timer);
      timer = setTimeout(() => giveUp(false), patience);
    },
  }).then(() => true);
  return Promise.race([deleted, blocked]).finally(() => clearTimeout(timer));
}
