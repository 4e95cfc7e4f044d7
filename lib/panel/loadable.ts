/** Owns the states of something that is fetched. */
import type { ErrorValue, Result } from '../contract/errors.ts';

export type Loadable<T> =
  | { state: 'idle'; value: null; error: null }
  /** `value` is what was there before, when it is asked again. */
  | { state: 'loading'; value: T | null; error: null }
  | { state: 'ready'; value: T; error: null }
  | { state: 'failed'; value: null; error: ErrorValue };

export const IDLE: Loadable<never> = { state: 'idle', value: null, error: null };

export function loaded<T>(result: Result<T>): Loadable<T> {
  return result.ok ? { state: 'ready', value: result.value, error: null } : { state: 'failed', value: null, error: result.error };
}
