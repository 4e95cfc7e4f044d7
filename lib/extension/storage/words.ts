/** Owns what can be wrong with a database, and how what a browser throws is told by it. */
import type { ErrorValue } from '../../platform-api/errors.ts';
import { CodedError } from '../../platform-api/coded-error.ts';

/**
 * `newer`: written by a newer version of the extension. `blocked`: another page of the extension holds on to an older one.
 * `damaged`: it cannot be opened or read. `unavailable`: the browser does not let us store. `full`: the disk or the quota is.
 */
export type Fault = 'newer' | 'blocked' | 'damaged' | 'unavailable' | 'full';

/** What a person is told of each, under a code of this database's own. */
export type FaultWords = Readonly<Record<Fault, ErrorValue>>;

/** @param opening whether it was thrown while the database was being opened */
export function asFault(error: unknown, say: FaultWords, opening: boolean): CodedError {
  return error instanceof CodedError ? error : new CodedError(say[faultOf(error, opening)], { cause: error });
}

function faultOf(error: unknown, opening: boolean): Fault {
  switch (nameOf(error)) {
    case 'VersionError':
      return 'newer';
    case 'QuotaExceededError':
      return 'full';
    case 'SecurityError':
    case 'ReferenceError':
      return 'unavailable';
    case 'InvalidStateError':
      // What Firefox says in a window that stores nothing.
      return opening ? 'unavailable' : 'damaged';
    default:
      return 'damaged';
  }
}

export function nameOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : '';
}
