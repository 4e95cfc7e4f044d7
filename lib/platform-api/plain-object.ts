/** A schema for objects with arbitrary fields. */
import * as v from 'valibot';
import { isFields } from './where.ts';

/**
 * Accepts any object that isn’t an array, and returns it unchanged. A record schema would return a copy without the
 * keys `__proto__`, `prototype`, and `constructor`, which are ordinary data here.
 */
export const PlainObject = /* @__NO_SIDE_EFFECTS__ */ (message?: string) =>
  v.custom<Record<string, unknown>>(isFields, message ?? 'This must be an object.');
