/** A schema for objects with arbitrary fields. */
import * as v from 'valibot';
import { isFields } from './where.ts';

/**
 * An object that isn’t an array, unchanged. A schema of records would return a copy without the keys `__proto__`,
 * `prototype`, and `constructor`, which are data like any other.
 */
export const PlainObject = /* @__NO_SIDE_EFFECTS__ */ (message?: string) =>
  v.custom<Record<string, unknown>>(isFields, message ?? 'This must be an object.');
