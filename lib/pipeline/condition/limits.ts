/** Limits what one condition may use: its length, its nesting, and the work of one evaluation. */

/** Longest source, in characters. */
export const MAX_SOURCE = 10_000;
/** Deepest nesting, including the operators of one chain. Bounds the stack that parsing and evaluating need. */
export const MAX_DEPTH = 500;
/** Longest string that one operation may make, in characters. */
const MAX_STRING = 16_777_216;
/** Calls of arrow functions, items of new arrays, and every 16 characters of new strings, in one evaluation. */
const MAX_WORK = 5_000_000;

export const count = (value: number): string => value.toLocaleString('en');

let fuel = MAX_WORK;

/** Starts one evaluation. */
export function refuel(): void {
  fuel = MAX_WORK;
}

/** Counts work. @throws RangeError when the evaluation exceeds its limit */
export function spend(units: number): void {
  // Written so that NaN is refused as well.
  if (!((fuel -= units) >= 0)) {
    fuel = 0;
    throw new RangeError(`A condition is limited to ${count(MAX_WORK)} operations.`);
  }
}

/** The number of items of an array that a condition made, including those of arrays in it, as often as they occur. */
const weights = new WeakMap<object, number>();

/**
 * Counts a new value. Nested arrays count in full: an array that contains another one twice, thirty levels deep, is
 * small until it is converted to a string.
 * @throws RangeError when the evaluation exceeds its limit
 */
export function spendOn(created: unknown): void {
  if (typeof created === 'string') {
    boundLength(created.length);
    spend(created.length / 16);
  } else if (Array.isArray(created)) {
    spend(created.length);
    let weight = created.length;
    for (const item of created as unknown[]) if (Array.isArray(item)) weight += weights.get(item) ?? item.length;
    if (weight > MAX_WORK) spend(weight);
    if (weight > created.length) weights.set(created, weight);
  }
}

/** @throws RangeError when a string is too long */
export function boundLength(length: number): void {
  if (length > MAX_STRING)
    throw new RangeError(`Strings in a condition are limited to ${count(MAX_STRING)} characters.`);
}
