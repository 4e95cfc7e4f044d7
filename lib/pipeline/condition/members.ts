/**
 * Reads members with constant keys, such as `records[0].data.email`. Most conditions do little else, so this code
 * determines their speed.
 */
import type { Evaluate } from './evaluate.ts';
import { type SourceLocation, conditionFailed, excerpt, quoteKey } from './failures.ts';
import type { Key } from './syntax/tree.ts';
import { readProperty, visible } from './values.ts';

type Value = Record<Key, unknown>;
type Reader = (value: Value, key: Key) => unknown;

const { getPrototypeOf, prototype: base } = Object;
const { hasOwnProperty } = base;

// Engines cache object shapes per location in the source. So each name gets a copy of this line, in which all checks
// become one comparison of shapes: three times as fast as Object.hasOwn. `in` goes first because it doesn’t run
// getters.
const unusedReaders: Reader[] = [
  (v, k) => (k in v && !(k in base) && getPrototypeOf(v) === base ? visible(v[k]) : readProperty(v, k)),
  (v, k) => (k in v && !(k in base) && getPrototypeOf(v) === base ? visible(v[k]) : readProperty(v, k)),
  (v, k) => (k in v && !(k in base) && getPrototypeOf(v) === base ? visible(v[k]) : readProperty(v, k)),
  (v, k) => (k in v && !(k in base) && getPrototypeOf(v) === base ? visible(v[k]) : readProperty(v, k)),
  (v, k) => (k in v && !(k in base) && getPrototypeOf(v) === base ? visible(v[k]) : readProperty(v, k)),
  (v, k) => (k in v && !(k in base) && getPrototypeOf(v) === base ? visible(v[k]) : readProperty(v, k)),
  (v, k) => (k in v && !(k in base) && getPrototypeOf(v) === base ? visible(v[k]) : readProperty(v, k)),
  (v, k) => (k in v && !(k in base) && getPrototypeOf(v) === base ? visible(v[k]) : readProperty(v, k)),
  (v, k) => (k in v && !(k in base) && getPrototypeOf(v) === base ? visible(v[k]) : readProperty(v, k)),
  (v, k) => (k in v && !(k in base) && getPrototypeOf(v) === base ? visible(v[k]) : readProperty(v, k)),
  (v, k) => (k in v && !(k in base) && getPrototypeOf(v) === base ? visible(v[k]) : readProperty(v, k)),
  (v, k) => (k in v && !(k in base) && getPrototypeOf(v) === base ? visible(v[k]) : readProperty(v, k)),
  (v, k) => (k in v && !(k in base) && getPrototypeOf(v) === base ? visible(v[k]) : readProperty(v, k)),
  (v, k) => (k in v && !(k in base) && getPrototypeOf(v) === base ? visible(v[k]) : readProperty(v, k)),
  (v, k) => (k in v && !(k in base) && getPrototypeOf(v) === base ? visible(v[k]) : readProperty(v, k)),
  (v, k) => (k in v && !(k in base) && getPrototypeOf(v) === base ? visible(v[k]) : readProperty(v, k)),
];
const readers = new Map<Key, Reader>();

const readIndex: Reader = (value, key) =>
  hasOwnProperty.call(value, key) ? visible(value[key]) : readProperty(value, key);

function readerFor(key: Key): Reader {
  if (typeof key === 'number') return readIndex;
  const reader = readers.get(key) ?? unusedReaders.pop();
  if (!reader) return readProperty;
  readers.set(key, reader);
  return reader;
}

type Other = (value: unknown, index: number) => unknown;
type MakePath = (object: Evaluate, keys: readonly Key[], readers: readonly Reader[], other: Other) => Evaluate;

// One closure per length, because engines inline only small functions.
const PATHS: readonly MakePath[] = [
  (object) => object,
  (object, [a], [readA], other) =>
    (context, scope) => {
      const value = object(context, scope);
      return isObject(value) ? readA!(value, a!) : other(value, 0);
    },
  (object, [a, b], [readA, readB], other) =>
    (context, scope) => {
      let value = object(context, scope);
      value = isObject(value) ? readA!(value, a!) : other(value, 0);
      return isObject(value) ? readB!(value, b!) : other(value, 1);
    },
  (object, [a, b, c], [readA, readB, readC], other) =>
    (context, scope) => {
      let value = object(context, scope);
      value = isObject(value) ? readA!(value, a!) : other(value, 0);
      value = isObject(value) ? readB!(value, b!) : other(value, 1);
      return isObject(value) ? readC!(value, c!) : other(value, 2);
    },
  (object, [a, b, c, d], [readA, readB, readC, readD], other) =>
    (context, scope) => {
      let value = object(context, scope);
      value = isObject(value) ? readA!(value, a!) : other(value, 0);
      value = isObject(value) ? readB!(value, b!) : other(value, 1);
      value = isObject(value) ? readC!(value, c!) : other(value, 2);
      return isObject(value) ? readD!(value, d!) : other(value, 3);
    },
];

/**
 * Reads the keys one after another, starting from `object`.
 * @param locations the location of the value that each key is read from
 */
export function readPath(object: Evaluate, keys: readonly Key[], locations: readonly SourceLocation[]): Evaluate {
  if (keys.length > 4)
    return readPath(readPath(object, keys.slice(0, 4), locations), keys.slice(4), locations.slice(4));
  const other: Other = (value, index) => {
    if (value !== undefined && value !== null) return readProperty(value, keys[index] as Key);
    const location = locations[index] as SourceLocation;
    const message = `Couldn’t read ${quoteKey(keys[index] as Key)}: ${excerpt(location.text)} is ${String(value)}.`;
    throw conditionFailed(message, location);
  };
  return (PATHS[keys.length] as MakePath)(object, keys, keys.map(readerFor), other);
}

function isObject(value: unknown): value is Value {
  return typeof value === 'object' && value !== null;
}
