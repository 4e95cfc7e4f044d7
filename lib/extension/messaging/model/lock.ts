/** Passphrase rules, and the state of the vault’s lock. */
import * as v from 'valibot';
import type { ErrorValue } from '../../../platform-api/errors.ts';

/** In characters. Passphrases must be long, because someone with a copy of the disk can try any number of them. */
export const PASSPHRASE_LENGTH = { least: 12, most: 1024 } as const;

/** A new passphrase. It isn’t trimmed. */
export const NewPassphrase = v.pipe(
  v.string(),
  v.minLength(
    PASSPHRASE_LENGTH.least,
    `A passphrase must have at least ${PASSPHRASE_LENGTH.least} characters. Try several words.`,
  ),
  v.maxLength(PASSPHRASE_LENGTH.most, 'A passphrase is limited to 1,024 characters.'),
);

/** A passphrase entered for verification. */
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
 * `open`: no passphrase is set, and the browser stores the key. `unlocked`: tokens can be read until `locksAt`, which
 * user activity postpones. `locked`: tokens can’t be read until the user enters the passphrase, which is possible at
 * `retryAt` or later; null means right away. `problem` is set if the stored lock is damaged, so that no passphrase can
 * unlock it. Times are in epoch milliseconds.
 */
export type LockState =
  | { kind: 'open' }
  | { kind: 'unlocked'; idleMinutes: number; locksAt: number }
  | { kind: 'locked'; idleMinutes: number; retryAt: number | null; problem?: ErrorValue };

/** `quarantined` counts damaged records, which are kept but not used. */
export interface VaultState {
  quarantined: number;
  lock: LockState;
}

/** What an environments file has, before anything of it is imported. */
export interface ImportPreview {
  /** Whether importing it needs a passphrase. */
  hasTokens: boolean;
  environments: {
    name: string;
    baseUrl: string;
    production: boolean;
    pageUrls: string[];
    hasToken: boolean;
    /** Skipped, because there is one with the same name and base URL. */
    isPresent: boolean;
  }[];
}

/** Counts environments that were added, environments that already existed, and imported tokens. */
export interface ImportOutcome {
  added: number;
  present: number;
  tokens: number;
}
