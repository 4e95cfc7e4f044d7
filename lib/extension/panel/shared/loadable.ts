/** Owns the states of something that is fetched. */
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';

export type Loadable<T> =
  | { state: 'idle'; value: null; error: null }
  /** `value` is what was there before, here and when it failed. */
  | { state: 'loading'; value: T | null; error: null }
  | { state: 'ready'; value: T; error: null }
  | { state: 'failed'; value: T | null; error: ErrorValue };

export const IDLE: Loadable<never> = { state: 'idle', value: null, error: null };

/** @param before what was there when it was asked for: it stays where there is nothing newer */
export function loaded<T>(result: Result<T>, before: T | null): Loadable<T> {
  return result.ok
    ? { state: 'ready', value: result.value, error: null }
    : { state: 'failed', value: before, error: result.error };
}
