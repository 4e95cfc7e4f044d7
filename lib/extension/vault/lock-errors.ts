/** Owns what is said about the lock. */
import type { ErrorValue } from '../../platform-api/index.ts';
import { CodedError } from '../../platform-api/index.ts';

export const LOCKED: ErrorValue = {
  code: 'VAULT_LOCKED',
  message: 'Tokens are locked.',
  hint: 'Unlock them with the passphrase.',
};
/** A lock was asked for, in another window as a rule, after the passphrase had been entered. */
export const LOCKED_MEANWHILE: ErrorValue = {
  code: 'VAULT_LOCKED_MEANWHILE',
  message:
    'The tokens were locked again, here or in another window, while the passphrase was checked. They stay locked.',
  hint: 'Enter the passphrase again if you want to use them.',
};
export const LOCK_DAMAGED: ErrorValue = {
  code: 'VAULT_LOCK_DAMAGED',
  message: 'What is stored about the passphrase is damaged, so the tokens cannot be unlocked. Nothing was deleted.',
  hint: 'Reset the passphrase on the options page: the tokens go, the environments stay.',
};
export const PROTECTED: ErrorValue = {
  code: 'VAULT_PROTECTED',
  message: 'The tokens are under a passphrase already.',
  hint: 'Change the passphrase instead.',
};
export const NOT_PROTECTED: ErrorValue = {
  code: 'VAULT_NOT_PROTECTED',
  message: 'The tokens are under no passphrase.',
  hint: 'Reload this page: it shows how things stand.',
};
/** Two pages of the extension did something to the lock at the same moment. */
export const CHANGED: ErrorValue = {
  code: 'VAULT_CHANGED',
  message: 'The passphrase was changed elsewhere meanwhile. Nothing was changed here.',
  hint: 'Reload this page, and try again if you still want to.',
};

/** @param wait milliseconds until the next try */
export const wrongPassphrase = (wait: number): CodedError =>
  refused('PASSPHRASE_WRONG', 'The passphrase is wrong.', wait);
/** @param wait milliseconds until the next try */
export const tooSoon = (wait: number): CodedError =>
  refused('PASSPHRASE_TOO_SOON', 'The passphrase was wrong several times, so it was not tried again yet.', wait);

function refused(code: string, message: string, wait: number): CodedError {
  const seconds = Math.ceil(Math.max(0, wait) / 1000);
  if (seconds === 0) return new CodedError({ code, message, hint: 'Try again.' });
  return new CodedError({
    code,
    message,
    hint: `Try again in ${seconds === 1 ? 'one second' : `${seconds} seconds`}.`,
    retryAfter: seconds,
  });
}
