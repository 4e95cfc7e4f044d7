/** Computes when a passphrase may be tried again, and when an idle vault locks. */

/** Wrong tries without a wait. */
const FREE_TRIES = 2;
/** The longest wait, in milliseconds. */
export const MAX_WAIT = 5 * 60_000;

/** Milliseconds to wait after `wrong` wrong tries. */
export function waitAfter(wrong: number): number {
  return wrong <= FREE_TRIES ? 0 : Math.min(MAX_WAIT, 1000 * 2 ** (wrong - FREE_TRIES - 1));
}

interface Tries {
  wrong: number;
  triedAt: number;
}

/** A try in the future means that the clock was set back. Its wait starts now, or it could take years. */
export const withCurrentClock = <T extends Tries>(tries: T, now: number): T =>
  tries.triedAt > now ? { ...tries, triedAt: now } : tries;

/** When the passphrase may be tried again, in epoch milliseconds; null for now. */
export function retryAt(tries: Tries, now: number): number | null {
  const at = tries.triedAt + waitAfter(tries.wrong);
  return at > now ? at : null;
}

/** @param lastActive epoch milliseconds; more than the idle time in the future, it means that the clock was set back */
export function isIdle(lastActive: number, idleMinutes: number, now: number): boolean {
  const idle = idleMinutes * 60_000;
  return now - lastActive >= idle || lastActive - now > idle;
}
