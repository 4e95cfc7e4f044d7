/** Deletes a database regardless of its state. */
import { deleteDB } from 'idb';

/** In milliseconds. Browsers report “blocked” for a moment even after the connection has been closed. */
export const TIMEOUT = 3000;

/**
 * Returns false if another connection still blocks the deletion after `timeout` milliseconds. If the browser doesn’t
 * report that it’s blocked, the wait is four times as long. The browser then deletes the database as soon as possible.
 */
export async function deleteDatabase(name: string, timeout: number = TIMEOUT): Promise<boolean> {
  const { promise: blocked, resolve: giveUp } = Promise.withResolvers<false>();
  // While this deletion waits for another one, no event is fired.
  let timer = setTimeout(() => giveUp(false), 4 * timeout);
  const deleted = deleteDB(name, {
    blocked: () => {
      clearTimeout(timer);
      timer = setTimeout(() => giveUp(false), timeout);
    },
  }).then(() => true);
  return Promise.race([deleted, blocked]).finally(() => clearTimeout(timer));
}
