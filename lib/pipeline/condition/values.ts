/** Decides what a condition can see of a value: own properties, and only the safe list’s functions and getters. */
import { inheritedProperty } from './getters.ts';
import { spendOnText } from './limits.ts';

/** A function that conditions can call: from the safe list, or a condition’s arrow function. */
export type SafeFunction = (...args: unknown[]) => unknown;

const safeFunctions = new WeakSet<object>();

/** Names that conditions can never access, whatever the syntax. */
export const FORBIDDEN: ReadonlySet<string> = new Set(['constructor', '__proto__', 'prototype']);

/** Allows conditions to call a function. */
export function allow<F extends object>(fn: F): F {
  safeFunctions.add(fn);
  return fn;
}

export function isSafeFunction(value: unknown): value is SafeFunction {
  return typeof value === 'function' && safeFunctions.has(value);
}

/** Functions in the context read as undefined, since conditions could use them to escape. */
export function visible(value: unknown): unknown {
  return typeof value === 'function' && !safeFunctions.has(value) ? undefined : value;
}

// Benchmarks show that this is faster than Object.hasOwn.
const { hasOwnProperty } = Object.prototype;

/**
 * Reads a property that is the object’s own, or a getter of the safe list. `object` is neither undefined nor null.
 * @throws TypeError for any other property that is inherited and isn’t a function
 */
export function readProperty(object: unknown, key: string | number): unknown {
  if (hasOwnProperty.call(object, key)) return visible((object as Record<string | number, unknown>)[key]);
  return visible(inheritedProperty(Object(object) as object, key));
}

/** Reads an own property, or undefined. `object` is neither undefined nor null. */
export function ownProperty(object: unknown, key: string | number): unknown {
  return hasOwnProperty.call(object, key) ? visible((object as Record<string | number, unknown>)[key]) : undefined;
}

/** Converts a computed key to a property name, exactly once. @throws TypeError for a forbidden name */
export function toKey(key: unknown): string | number {
  if (typeof key === 'number') return key;
  if (typeof key === 'symbol') throw new TypeError('Conditions can’t use a symbol as a property name.');
  spendOnText(key);
  const name = String(key);
  if (FORBIDDEN.has(name)) throw new TypeError(`Conditions can’t use the name ${name}.`);
  return name;
}
