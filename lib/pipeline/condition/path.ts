/** Owns reading members with fixed names, such as `records[0].data.email`: what conditions mostly do, so it decides how fast they are. */
import { type Evaluate, type Place, brief, failed } from './closure.ts';
import { visible } from './values.ts';

export type Key = string | number;
type Value = Record<Key, unknown>;

// Measured: quicker than Object.hasOwn.
const { hasOwnProperty: hasOwn } = Object.prototype;

// The same text four times, and not a loop, because an engine remembers the shapes of objects by place in the code: when few
// conditions run, as in a loop of a pipeline, each of these places sees one shape, and reading takes half the time.
const own0 = (value: Value, key: Key): unknown => {
  const found = hasOwn.call(value, key) ? value[key] : undefined;
  return typeof found === 'function' ? visible(found) : found;
};
const own1 = (value: Value, key: Key): unknown => {
  if (typeof key === 'number' && Array.isArray(value))
    return visible(key < value.length && hasOwn.call(value, key) ? value[key] : undefined);
  const found = hasOwn.call(value, key) ? value[key] : undefined;
  return typeof found === 'function' ? visible(found) : found;
};
const own2 = (value: Value, key: Key): unknown => {
  const found = hasOwn.call(value, key) ? value[key] : undefined;
  return typeof found === 'function' ? visible(found) : found;
};
const own3 = (value: Value, key: Key): unknown => {
  const found = hasOwn.call(value, key) ? value[key] : undefined;
  return typeof found === 'function' ? visible(found) : found;
};

interface Path {
  base: Evaluate | null;
  keys: readonly Key[];
  /** What stands before each key, but not before one of the context. */
  places: readonly Place[];
}
const paths = new WeakMap<Evaluate, Path>();

/** Reads one key after the other, the first from the context when `base` is null. */
export function path(base: Evaluate | null, keys: readonly Key[], places: readonly Place[]): Evaluate {
  const count = keys.length;
  const [key0, key1, key2, key3] = keys as [Key, Key, Key, Key];
  const some = (value: unknown, index: number): Value => {
    if (value !== undefined && value !== null) return value as Value;
    const place = places[base ? index : index - 1] as Place;
    throw failed(
      `${brief(place.text)} is ${String(value)}, so its member ${JSON.stringify(keys[index])} cannot be read.`,
      place,
    );
  };
  const read: Evaluate = (context, scope) => {
    let value = own0(base ? some(base(context, scope), 0) : context, key0);
    if (count === 1) return value;
    value = own1(some(value, 1), key1);
    if (count === 2) return value;
    value = own2(some(value, 2), key2);
    if (count === 3) return value;
    value = own3(some(value, 3), key3);
    for (let index = 4; index < count; index++) value = own3(some(value, index), keys[index] as Key);
    return value;
  };
  paths.set(read, { base, keys, places });
  return read;
}

/** `object[key]`, in one closure with the path that `object` may already be. */
export function extend(object: Evaluate, key: Key, place: Place): Evaluate {
  const before = paths.get(object);
  return before ? path(before.base, [...before.keys, key], [...before.places, place]) : path(object, [key], [place]);
}
