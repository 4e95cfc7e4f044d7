/** A schema for objects with arbitrary fields. */
import * as v from 'valibot';
import { isFields } from './where.ts';

/**
 * An object that is not a list, answered as it came. A schema of records would make a copy that leaves out the keys `__proto__`,
 * `prototype` and `constructor`, which are data like any other.
 */
export const PlainObject = /* @__NO_SIDE_EFFECTS__ */ (message?: string) =>
  v.custom<Record<string, unknown>>(isFields, message ?? 'This must be an object.');
