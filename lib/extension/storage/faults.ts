/** Classifies exceptions that browsers throw for a database, and converts them to that database’s errors. */
import { CodedError } from '../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../platform-api/errors.ts';

/**
 * `newer`: written by a newer version of the extension. `blocked`: it didn’t open in time, mostly because another
 * extension page has an older version open. `damaged`: the database can’t be opened or read. `unavailable`: the browser
 * doesn’t allow storage. `full`: the disk is full, or the storage quota is used up.
 */
export type Fault = 'newer' | 'blocked' | 'damaged' | 'unavailable' | 'full';

/** The error for each fault, with the database’s error codes. */
export type FaultErrors = Readonly<Record<Fault, ErrorValue>>;

/**
 * Creates the errors of one database, with codes such as `RUNS_NEWER`.
 * @param data what the database contains, in the plural
 * @param consequence a sentence about what is safe or lost, if that’s the same for all that is done with the data
 */
export function faultErrors(prefix: string, data: string, consequence = ''): FaultErrors {
  const error = (code: string, message: string, hint: string): ErrorValue => ({
    code: `${prefix}_${code}`,
    message: `${message} ${consequence}`.trimEnd(),
    hint,
  });
  return {
    newer: error(
      'NEWER',
      `Couldn’t open ${data}: they were written by a newer version of this extension.`,
      'Update the extension.',
    ),
    blocked: error(
      'BLOCKED',
      `Couldn’t open ${data} in time: another page of the extension may block them.`,
      'Close other pages of the extension and all DevTools windows, then try again.',
    ),
    damaged: error(
      'DAMAGED',
      `Couldn’t read ${data}: the browser’s database failed or is damaged. Nothing was deleted.`,
      'Restart the browser. If it fails again, save quarantined data on the options page, then erase all data.',
    ),
    unavailable: error(
      'UNAVAILABLE',
      `Couldn’t open ${data}: the browser doesn’t let the extension store data.`,
      'Allow the extension to store data, then try again. Private windows may block it.',
    ),
    full: error(
      'FULL',
      `Couldn’t save ${data}: the disk or the browser’s storage is full.`,
      'Free up some disk space, then try again.',
    ),
  };
}

/**
 * Returns an exception that says nothing about the database, such as one of a bug, unchanged.
 * @param opening whether the exception was thrown while opening the database
 */
export function asFault(error: unknown, errors: FaultErrors, opening: boolean): unknown {
  if (error instanceof CodedError || (!opening && BUGS.includes(errorName(error)))) return error;
  return new CodedError(errors[faultOf(error, opening)], { cause: error });
}

const BUGS = ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'DataCloneError'];

function faultOf(error: unknown, opening: boolean): Fault {
  switch (errorName(error)) {
    case 'VersionError':
      return 'newer';
    case 'QuotaExceededError':
      return 'full';
    case 'SecurityError':
    case 'ReferenceError':
      return 'unavailable';
    case 'InvalidStateError':
      // Firefox throws this in windows where storage isn’t allowed.
      return opening ? 'unavailable' : 'damaged';
    default:
      return 'damaged';
  }
}

export function errorName(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : '';
}
