/** `structuredClone` for a run’s context: data, with shared and circular references. */

const { getPrototypeOf } = Object;
const TypedArray = getPrototypeOf(Uint8Array) as { prototype: object };
const kindOf = Object.getOwnPropertyDescriptor(TypedArray.prototype, Symbol.toStringTag)!.get!;

function clone(value: unknown, seen: Map<object, unknown>): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') throw notCloned(value);
  if (typeof value !== 'object' || value === null) return value;
  return seen.get(value) ?? cloneObject(value, seen);
}

function cloneObject(value: object, seen: Map<object, unknown>): object {
  const whole = cloneWhole(value);
  const copy = whole ?? empty(value);
  seen.set(value, copy);
  if (whole) return whole;
  if (copy instanceof Map)
    for (const [key, each] of value as Map<unknown, unknown>) copy.set(clone(key, seen), clone(each, seen));
  if (copy instanceof Set) for (const each of value as Set<unknown>) copy.add(clone(each, seen));
  if (Array.isArray(copy)) copy.length = (value as unknown[]).length;
  for (const [name, each] of Object.entries(value))
    Object.defineProperty(copy, name, { ...OWN, value: clone(each, seen) });
  return copy;
}

const OWN = { writable: true, enumerable: true, configurable: true };

/** Null for what contains other values. */
function cloneWhole(value: object): object | null {
  if (value instanceof Date) return new Date(value.getTime());
  if (value instanceof RegExp) return new RegExp(value.source, value.flags);
  const kind = kindOf.call(value) as 'Uint8Array' | undefined;
  return kind ? new globalThis[kind](value as Uint8Array) : null;
}

function empty(value: object): object {
  if (Array.isArray(value)) return [];
  if (value instanceof Map) return new Map();
  if (value instanceof Set) return new Set();
  return value instanceof Error ? Object.assign(new Error(value.message), { name: value.name }) : {};
}

const notCloned = (value: unknown): Error =>
  Object.assign(new Error(`${String(value).slice(0, 100)} could not be cloned.`), { name: 'DataCloneError' });

export function installClone(): void {
  Object.assign(globalThis, { structuredClone: (value: unknown) => clone(value, new Map()) });
}
