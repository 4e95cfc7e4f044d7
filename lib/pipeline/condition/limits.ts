/** Owns how much one condition may ask for: its source, its nesting, and the work of one evaluation. */

/** Longest source, in characters. */
export const MAX_SOURCE = 10_000;
/** Deepest nesting, operators of one chain included: it bounds the stack that parsing and evaluating need. */
export const MAX_DEPTH = 500;
/** Longest text that one operation may make, in characters. */
export const MAX_TEXT = 16_777_216;
/** Calls of arrow functions, items of new arrays, and every 16 characters of new texts, in one evaluation. */
const MAX_WORK = 5_000_000;

let fuel = MAX_WORK;

/** Starts one evaluation. */
export function refuel(): void {
  fuel = MAX_WORK;
}

/** Counts work. @throws RangeError when the evaluation asks for too much */
export function spend(units: number): void {
  // Written so that NaN is refused as well.
  if (!((fuel -= units) >= 0)) {
    fuel = 0;
    throw new RangeError(`The condition asks for more than ${MAX_WORK.toLocaleString('en')} steps of work.`);
  }
}

/** How many items a list that a condition made has in all, where lists in it count as often as they are in it. */
const weights = new WeakMap<object, number>();

/**
 * Counts a value that was made. Lists in lists are counted in full: a list that holds one list twice, and so on thirty times,
 * is small until it is turned into text.
 * @throws RangeError when the evaluation asks for too much
 */
export function spendOn(made: unknown): void {
  if (typeof made === 'string') {
    boundText(made.length);
    spend(made.length / 16);
  } else if (Array.isArray(made)) {
    spend(made.length);
    let weight = made.length;
    for (const item of made as unknown[]) if (Array.isArray(item)) weight += weights.get(item) ?? item.length;
    if (weight > MAX_WORK) spend(weight);
    if (weight > made.length) weights.set(made, weight);
  }
}

/** @throws RangeError when a text gets longer than `MAX_TEXT` */
export function boundText(length: number): void {
  if (length > MAX_TEXT) throw new RangeError('The condition makes a text that is too long.');
}
