/** How long production environments stay unlocked, so that the panel doesn’t ask before every change. */

/** In milliseconds. */
export const UNLOCK_TIME = 15 * 60_000;

export interface UnlockedProduction {
  environmentId: string;
  /** Epoch milliseconds. */
  until: number;
}

/** Whether an unlock is still valid. After the clock was set back, one that would last longer than allowed isn’t. */
export const isUnlocked = ({ until }: UnlockedProduction, now: number): boolean =>
  until > now && until <= now + UNLOCK_TIME;
