/** Owns what a condition can see of a value: own properties, and no function but those of the language. */

/** A function that conditions may call: of the safe list, or an arrow function of a condition. */
export type SafeFunction = (...args: unknown[]) => unknown;

const safe = new WeakSet<object>();

/** Names that no condition gets at, by any route. */
export const FORBIDDEN: ReadonlySet<string> = new Set(['constructor', '__proto__', 'prototype']);

/** Makes a function one that conditions may call. */
export function allow<F extends object>(fn: F): F {
  safe.add(fn);
  return fn;
}

export function isSafeFunction(value: unknown): value is SafeFunction {
  return typeof value === 'function' && safe.has(value);
}

/** A function of the context would be a way out of it, so it reads as undefined. */
export function visible(value: unknown): unknown {
  return typeof value === 'function' && !safe.has(value) ? undefined : value;
}

/** An own property, or undefined; `object` is neither undefined nor null. */
export function own(object: unknown, key: string | number): unknown {
  return Object.hasOwn(object as object, key) ? visible((object as Record<string | number, unknown>)[key]) : undefined;
}

/** A computed key as a property name, turned into text once. @throws TypeError for a forbidden name */
export function toKey(key: unknown): string | number {
  if (typeof key === 'number') return key;
  if (typeof key === 'symbol') throw new TypeError('A condition cannot use a symbol as a name.');
  const name = String(key);
  if (FORBIDDEN.has(name)) throw new TypeError(`A condition cannot use the name ${name}.`);
  return name;
}
