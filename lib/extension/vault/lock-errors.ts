/** Errors of the vault’s lock. */
import type { ErrorValue } from '../../platform-api/index.ts';
import { CodedError } from '../../platform-api/index.ts';
import { plural } from '../../shared/format.ts';

export const LOCKED: ErrorValue = {
  code: 'VAULT_LOCKED',
  message: 'Couldn’t use the token: tokens are locked.',
  hint: 'Enter the passphrase to unlock them.',
};
/** Another extension page locked the vault after the user entered the passphrase. */
export const LOCKED_MEANWHILE: ErrorValue = {
  code: 'VAULT_LOCKED_MEANWHILE',
  message: 'Couldn’t use the passphrase: the tokens were locked again while it was being checked.',
  hint: 'Enter the passphrase again.',
};
export const LOCK_DAMAGED: ErrorValue = {
  code: 'VAULT_LOCK_DAMAGED',
  message: 'Couldn’t unlock the tokens: the stored lock is damaged. Nothing was deleted.',
  hint: 'Remove all tokens on the options page, then enter them again.',
};
export const PROTECTED: ErrorValue = {
  code: 'VAULT_PROTECTED',
  message: 'Couldn’t set a passphrase: one is already set.',
  hint: 'Reload the page, then change the passphrase.',
};
export const NOT_PROTECTED: ErrorValue = {
  code: 'VAULT_NOT_PROTECTED',
  message: 'Couldn’t use the passphrase: none is set.',
  hint: 'Reload the page to see the current state.',
};
/** Two extension pages changed or used the lock at the same time. */
export const CHANGED: ErrorValue = {
  code: 'VAULT_CHANGED',
  message: 'Couldn’t use the passphrase: the lock has changed since it was read. Nothing was saved.',
  hint: 'Reload the page, then try again.',
};

/** @param wait milliseconds until the next attempt is allowed */
export const wrongPassphrase = (wait: number): CodedError =>
  passphraseError('PASSPHRASE_WRONG', 'The passphrase is wrong, or the stored key is damaged.', wait);
/** @param wait milliseconds until the next attempt is allowed */
export const tooSoon = (wait: number): CodedError =>
  passphraseError('PASSPHRASE_TOO_SOON', 'Couldn’t check the passphrase: there were too many wrong attempts.', wait);

function passphraseError(code: string, message: string, wait: number): CodedError {
  const seconds = Math.ceil(Math.max(0, wait) / 1000);
  if (seconds === 0) return new CodedError({ code, message, hint: 'Try again.' });
  return new CodedError({ code, message, hint: `Try again in ${plural(seconds, 'second')}.`, retryAfter: seconds });
}
