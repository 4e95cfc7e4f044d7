/** The passphrase’s rules and the state of the vault’s lock. */
import * as v from 'valibot';
import type { ErrorValue } from '../../../platform-api/errors.ts';

/** In characters. On a copy of the disk, tries are unlimited, so a passphrase must be long. */
export const PASSPHRASE_LENGTH = { least: 12, most: 1024 } as const;

/** A passphrase to set. It isn’t trimmed. */
export const NewPassphrase = v.pipe(
  v.string(),
  v.minLength(
    PASSPHRASE_LENGTH.least,
    `A passphrase must have at least ${PASSPHRASE_LENGTH.least} characters. Try several words.`,
  ),
  v.maxLength(PASSPHRASE_LENGTH.most, 'A passphrase is limited to 1,024 characters.'),
);

/** A passphrase to check. */
export const Passphrase = v.pipe(
  v.string(),
  v.nonEmpty('Enter the passphrase.'),
  v.maxLength(PASSPHRASE_LENGTH.most, 'A passphrase is limited to 1,024 characters.'),
);

/** Minutes without user activity after which the vault locks. */
export const IdleMinutes = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1, 'The idle time must be at least 1 minute.'),
  v.maxValue(24 * 60, 'The idle time is limited to 1 day.'),
);
export const DEFAULT_IDLE_MINUTES = 15;

/**
 * `open`: without a passphrase; the browser keeps the key. `unlocked`: until `locksAt`, which user activity postpones.
 * `locked`: no token can be read until the passphrase is entered, which is possible from `retryAt` on; null for now. `problem` is
 * set when the stored lock is damaged, so that no passphrase can unlock it. Times are epoch milliseconds.
 */
export type LockState =
  | { kind: 'open' }
  | { kind: 'unlocked'; idleMinutes: number; locksAt: number }
  | { kind: 'locked'; idleMinutes: number; retryAt: number | null; problem?: ErrorValue };

/** `quarantined` counts damaged records, which are stored but not used. */
export interface VaultState {
  quarantined: number;
  lock: LockState;
}

/** Counts environments that an import added, those that were present already, and imported tokens. */
export interface ImportOutcome {
  added: number;
  present: number;
  tokens: number;
}
