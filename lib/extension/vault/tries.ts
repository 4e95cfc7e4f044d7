/** Owns how wrong passphrases are slowed down, and when an idle vault locks itself: plain sums over the wall clock. */

/** Wrong tries that cost no waiting. */
const FREE = 2;
/** The longest wait, in milliseconds. */
export const LONGEST_WAIT = 5 * 60_000;

/** Milliseconds to wait after so many wrong tries. */
export function waitAfter(wrong: number): number {
  return wrong <= FREE ? 0 : Math.min(LONGEST_WAIT, 1000 * 2 ** (wrong - FREE - 1));
}

interface Tries {
  wrong: number;
  triedAt: number;
}

/** A try in the future was one before the clock was set back: its wait begins now, or it could last for years. */
export const asOfNow = <T extends Tries>(tries: T, now: number): T =>
  tries.triedAt > now ? { ...tries, triedAt: now } : tries;

/** When the passphrase may be tried again, in epoch milliseconds; null for now. */
export function retryAt(tries: Tries, now: number): number | null {
  const at = tries.triedAt + waitAfter(tries.wrong);
  return at > now ? at : null;
}

/** @param lastActive epoch milliseconds; ahead of `now` by more than the idle time it tells that the clock was set back */
export function isIdle(lastActive: number, idleMinutes: number, now: number): boolean {
  const idle = idleMinutes * 60_000;
  return now - lastActive >= idle || lastActive - now > idle;
}
