/** Matches records against a trigger’s `where` (decisions, "Actions"), and reports the fields that differ. */
import { isDeeperThan } from './json-depth.ts';
import { WHERE_DEPTH, WHERE_LIMIT } from './limits.ts';
import { errorTypeSpellings } from './runs/error-type.ts';

/** A field in `where` that the record doesn’t match. `path` is a JSON Pointer into `where`. */
export interface Mismatch {
  path: string;
  expected: unknown;
  found: unknown;
}

type Fields = Record<string, unknown>;

/** The `errorType` of a failed run’s record. */
const ERROR_TYPE = '/data/result/errorType';

/**
 * The fields of `where` that don’t equal those of `record`. Empty if the record matches. Objects in `where` are
 * compared field by field, so the record can have additional fields. Arrays must be equal as a whole. null also matches
 * an absent field.
 */
export function whereMismatches(where: Fields, record: Fields, path = ''): Mismatch[] {
  return Object.entries(where).flatMap(([field, expected]) => {
    const found = Object.hasOwn(record, field) ? record[field] : undefined;
    const pointer = `${path}/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (isFields(expected) && isFields(found)) return whereMismatches(expected, found, pointer);
    const spellings = pointer === ERROR_TYPE ? errorTypeSpellings(expected) : [expected ?? null];
    return spellings.some((each) => same(each, found ?? null))
      ? []
      : [{ path: pointer, expected, found: found ?? null }];
  });
}

/** Whether a value can be used as a `where`: an object within the length and depth limits. */
export function isWhere(value: unknown): value is Fields {
  return isFields(value) && !isDeeperThan(value, WHERE_DEPTH) && JSON.stringify(value).length <= WHERE_LIMIT;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => same(item, b[index]));
  if (!isFields(a) || !isFields(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}
