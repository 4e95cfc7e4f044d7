/** Reads the `errorType` of failures that older versions spelled differently on servers than in pages. */
import type { RunFailure } from '../errors.ts';

interface Former {
  now: string;
  /** How the platform’s own message starts. A function can throw an error with the same name. */
  message: string;
}
const FORMER: Record<string, Former> = {
  Timeout: { now: 'TIMEOUT', message: 'The action ran longer than ' },
  ResultTooLarge: { now: 'RESULT_TOO_LARGE', message: 'The result is limited to ' },
};

/** All spellings of an `errorType` that a filter names. Other values are returned as they are. */
export function errorTypeSpellings(type: unknown): unknown[] {
  const found = Object.entries(FORMER).find(([former, { now }]) => type === former || type === now);
  return found ? [found[0], found[1].now] : [type ?? null];
}

/** The failure of a stored record, with the current spelling. */
export function withCurrentErrorType<T extends Partial<Record<keyof RunFailure, unknown>>>(failure: T): T {
  const { errorType, errorMessage } = failure;
  const former = typeof errorType === 'string' && Object.hasOwn(FORMER, errorType) ? FORMER[errorType]! : null;
  const isOwn = former !== null && typeof errorMessage === 'string' && errorMessage.startsWith(former.message);
  return isOwn ? { ...failure, errorType: former.now } : failure;
}
