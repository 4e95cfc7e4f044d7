/** Limits what a condition can use: length, nesting, and the work of each evaluation. */

/** Maximum source length, in characters. */
export const MAX_SOURCE = 10_000;
/** Maximum nesting, including a chain’s operators. Bounds the stack that parsing and evaluating need. */
export const MAX_DEPTH = 500;
/** Maximum length of a string created by one operation, in characters. */
const MAX_STRING = 16_777_216;
/**
 * Maximum work per evaluation. Each call of an arrow function, each item of a new array, and every 16 characters of a
 * new string count as one, and so does every 64 characters of long strings that are compared, converted, or used as a name.
 */
const MAX_WORK = 5_000_000;

export const count = (value: number): string => value.toLocaleString('en');

/** Characters that the browser’s matcher may compare per evaluation, at worst. It does so in a fraction of a second. */
const MAX_COMPARED = 100_000_000;

let fuel = MAX_WORK;
let compared = 0;

/** Starts an evaluation. */
export function refuel(): void {
  fuel = MAX_WORK;
  compared = 0;
}

/** Whether the browser’s matcher can do this work, in characters that it compares at worst. */
export function mayCompare(characters: number): boolean {
  if (!(compared + characters <= MAX_COMPARED)) return false;
  compared += characters;
  return true;
}

/** Counts work. @throws RangeError if the evaluation exceeds its limit */
export function spend(units: number): void {
  // Written so that NaN is refused too.
  if (!((fuel -= units) >= 0)) {
    fuel = 0;
    throw new RangeError(`A condition is limited to ${count(MAX_WORK)} operations.`);
  }
}

/** Strings up to this length are compared and converted in next to no time. */
const SHORT = 256;

export const isLong = (value: unknown): boolean => typeof value === 'string' && value.length > SHORT;

/** Counts the comparison of two strings for their order. @throws RangeError if the evaluation exceeds its limit */
export function spendOnOrder(one: string, other: string): void {
  if (one.length > SHORT && other.length > SHORT) spend(Math.min(one.length, other.length) / 64);
}

/** Counts the comparison of two strings: those of different lengths differ. @throws RangeError as `spendOnOrder` */
export function spendOnEquality(one: string, other: string): void {
  if (one.length > SHORT && one.length === other.length) spend(one.length / 64);
}

/** Counts what reading all of a value takes, such as its conversion to a number. @throws RangeError as `spendOnOrder` */
export function spendOnText(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.length > SHORT) spend(value.length / 64);
  } else if (Array.isArray(value) && depth < MAX_DEPTH) {
    spend(value.length);
    for (let index = 0; index < value.length; index++) spendOnText(value[index], depth + 1);
  }
}

/** How many items an array created by a condition contains, including nested arrays each time they occur. */
const weights = new WeakMap<object, number>();

/**
 * Counts a new value. Nested arrays count in full: when each of thirty arrays contains the previous one twice, they are
 * small until they are converted to a string.
 * @throws RangeError if the evaluation exceeds its limit
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

/** @throws RangeError if a string is too long */
export function boundLength(length: number): void {
  if (length > MAX_STRING)
    throw new RangeError(`Strings in a condition are limited to ${count(MAX_STRING)} characters.`);
}
