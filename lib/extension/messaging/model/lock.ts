/** The passphrase’s rules and the state of the vault’s lock. */
import * as v from 'valibot';
import type { ErrorValue } from '../../../platform-api/errors.ts';

/** In characters. A copy of the disk can be tried without end, so short ones are not taken. */
export const PASSPHRASE_LENGTH = { least: 12, most: 1024 } as const;

/** One that is being chosen. White space counts; nothing is trimmed. */
export const NewPassphrase = v.pipe(
  v.string(),
  v.minLength(
    PASSPHRASE_LENGTH.least,
    `A passphrase has at least ${PASSPHRASE_LENGTH.least} characters: several words are easier to keep than signs.`,
  ),
  v.maxLength(PASSPHRASE_LENGTH.most, 'A passphrase has at most 1,024 characters.'),
);

/** One that is being tried. */
export const Passphrase = v.pipe(
  v.string(),
  v.nonEmpty('Enter the passphrase.'),
  v.maxLength(PASSPHRASE_LENGTH.most, 'A passphrase has at most 1,024 characters.'),
);

/** Minutes without a person's doing after which the vault locks itself. */
export const IdleMinutes = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1, 'At least one minute.'),
  v.maxValue(24 * 60, 'At most a day.'),
);
export const DEFAULT_IDLE_MINUTES = 15;

/**
 * `open`: no passphrase; the browser keeps the key. `unlocked`: until `locksAt`, which each sign of a person moves on.
 * `locked`: no token can be read; `retryAt` is when the passphrase may be tried again after wrong ones, null for now; `problem` tells
 * why no passphrase can help, when what is stored of the lock is damaged.
 * Times are epoch milliseconds.
 */
export type LockState =
  | { kind: 'open' }
  | { kind: 'unlocked'; idleMinutes: number; locksAt: number }
  | { kind: 'locked'; idleMinutes: number; retryAt: number | null; problem?: ErrorValue };

/** `aside`: how many damaged records are kept but not used. */
export interface VaultState {
  quarantined: number;
  lock: LockState;
}

/** What became of a file of environments: how many are new, how many were there already, and how many tokens came with them. */
export interface ImportOutcome {
  added: number;
  present: number;
  tokens: number;
}
