/** States of a value that is loaded asynchronously. */
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';

/** `value` keeps the previous value while reloading and after a failure. */
export type Loadable<T> =
  | { state: 'idle'; value: null; error: null }
  | { state: 'loading'; value: T | null; error: null }
  | { state: 'ready'; value: T; error: null }
  | { state: 'failed'; value: T | null; error: ErrorValue };

export const IDLE: Loadable<never> = { state: 'idle', value: null, error: null };

/** @param previous the value to keep if loading failed */
export function loaded<T>(result: Result<T>, previous: T | null): Loadable<T> {
  return result.ok
    ? { state: 'ready', value: result.value, error: null }
    : { state: 'failed', value: previous, error: result.error };
}
