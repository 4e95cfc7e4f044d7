/** Computes when the user can try a passphrase again, and when an idle vault locks. */

/** Number of wrong attempts allowed without a wait. */
const FREE_TRIES = 2;
/** The longest wait, in milliseconds. */
export const MAX_WAIT = 5 * 60_000;

/** The wait after `wrong` wrong attempts, in milliseconds. */
export function waitAfter(wrong: number): number {
  return wrong <= FREE_TRIES ? 0 : Math.min(MAX_WAIT, 1000 * 2 ** (wrong - FREE_TRIES - 1));
}

interface Tries {
  wrong: number;
  triedAt: number;
}

/**
 * If the last attempt is in the future, the clock was set back. The wait then starts now; otherwise, it could take
 * years.
 */
export const withCurrentClock = <T extends Tries>(tries: T, now: number): T =>
  tries.triedAt > now ? { ...tries, triedAt: now } : tries;

/** When the user can try a passphrase again, in epoch milliseconds; null if right away. */
export function retryAt(tries: Tries, now: number): number | null {
  const at = tries.triedAt + waitAfter(tries.wrong);
  return at > now ? at : null;
}

/**
 * @param lastActive in epoch milliseconds. If it’s in the future by more than the idle time, the clock was set back.
 */
export function isIdle(lastActive: number, idleMinutes: number, now: number): boolean {
  const idle = idleMinutes * 60_000;
  return now - lastActive >= idle || lastActive - now > idle;
}
