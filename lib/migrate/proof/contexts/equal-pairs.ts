/** Compares values that are expected to be equal, as fast as possible, and remembers which objects are. */
import { LostValueError } from '../../../debugging/recording/values.ts';
import { escapeToken } from '../../../shared/json-pointer.ts';

/** What isn’t known of two values that are otherwise equal: the JSON Pointer of the first such place, or null. */
export type Unknown = string | null;
export const DIFFERENT = Symbol('different');

interface Pair {
  one: object;
  other: object;
  unknown: Unknown;
  round: number;
  /** The same first object, compared with another one. */
  next: Pair | undefined;
  /** The same second object, compared with another one. */
  nextOfOther: Pair | undefined;
}

/** Deeper values are unknown. */
const MAX_DEPTH = 200;

export class EqualPairs {
  readonly #pairs = new WeakMap<object, Pair>();
  /** By the second object. */
  readonly #ofOthers = new WeakMap<object, Pair>();
  #round = 0;
  #roots: [one: object, other: object] | null = null;
  /** Whether one of the values contains itself, so that it changes with each of its properties. */
  #isCyclic = false;

  /** Objects in the values can have changed since they were compared. */
  forget(): void {
    this.#round++;
  }

  /**
   * Only these objects have changed, on either side. If all of their pairs are as before, so are all that contain them,
   * at any place.
   */
  changed(objects: Iterable<object>): void {
    for (const object of objects) if (this.#hasOtherResults(object)) return this.forget();
  }

  #hasOtherResults(object: object): boolean {
    for (let pair = this.#pairs.get(object); pair; pair = pair.next) if (this.#hasOtherResult(pair)) return true;
    for (let pair = this.#ofOthers.get(object); pair; pair = pair.nextOfOther)
      if (this.#hasOtherResult(pair)) return true;
    return false;
  }

  #hasOtherResult({ one, other, unknown, round }: Pair): boolean {
    return round === this.#round && this.#parts(one, other, 0) !== unknown;
  }

  /**
   * The values themselves can have changed.
   * @param skipped names of properties of the values themselves that aren’t compared
   */
  compare(one: unknown, other: unknown, skipped: ReadonlySet<string>): Unknown | typeof DIFFERENT {
    if (!isPlainObject(one) || !isPlainObject(other)) return DIFFERENT;
    if (this.#isCyclic) this.forget();
    this.#roots = [one, other];
    const { list, areOwn } = namesIn(one, other);
    return this.#properties(one, other, { list: list.filter((name) => !skipped.has(name)), areOwn }, 0);
  }

  #values(one: unknown, other: unknown, depth: number): Unknown | typeof DIFFERENT {
    if (one === LOST || other === LOST) return '';
    if (Object.is(one, other)) return null;
    if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return DIFFERENT;
    if (Array.isArray(one) !== Array.isArray(other)) return DIFFERENT;
    if (one instanceof Date || other instanceof Date) {
      const areDates = one instanceof Date && other instanceof Date;
      return areDates && Number(one) === Number(other) ? null : DIFFERENT;
    }
    return depth > MAX_DEPTH ? '' : this.#objects(one, other, depth);
  }

  #objects(one: object, other: object, depth: number): Unknown | typeof DIFFERENT {
    if (this.#roots?.[0] === one || this.#roots?.[1] === other) this.#isCyclic = true;
    const first = this.#pairs.get(one);
    let pair = first;
    while (pair && pair.other !== other) pair = pair.next;
    if (pair?.round === this.#round) return pair.unknown;
    pair ??= this.#add(one, other, first);
    // Objects can contain themselves.
    [pair.unknown, pair.round] = [null, this.#round];
    const found = this.#parts(one, other, depth);
    if (found === DIFFERENT) pair.round = -1;
    else pair.unknown = found;
    return found;
  }

  #add(one: object, other: object, next: Pair | undefined): Pair {
    const pair = { one, other, unknown: null, round: 0, next, nextOfOther: this.#ofOthers.get(other) };
    this.#pairs.set(one, pair);
    this.#ofOthers.set(other, pair);
    return pair;
  }

  #parts(one: object, other: object, depth: number): Unknown | typeof DIFFERENT {
    return Array.isArray(one)
      ? this.#items(one, other as unknown[], depth)
      : this.#properties(one, other, namesIn(one, other), depth);
  }

  #items(one: readonly unknown[], other: readonly unknown[], depth: number): Unknown | typeof DIFFERENT {
    if (one.length !== other.length) return DIFFERENT;
    let unknown: Unknown = null;
    for (let index = 0; index < one.length; index++) {
      const found = this.#values(itemOf(one, index), itemOf(other, index), depth + 1);
      if (found === DIFFERENT) return DIFFERENT;
      if (found !== null) unknown ??= `/${index}${found}`;
    }
    return unknown;
  }

  #properties(one: object, other: object, names: Names, depth: number): Unknown | typeof DIFFERENT {
    const property = names.areOwn ? read : ownProperty;
    let unknown: Unknown = null;
    for (const name of names.list) {
      const found = this.#values(property(one, name), property(other, name), depth + 1);
      if (found === DIFFERENT) return DIFFERENT;
      if (found !== null) unknown ??= `/${escapeToken(name)}${found}`;
    }
    return unknown;
  }
}

/** Names of two objects, and whether both have all of them. */
interface Names {
  list: readonly string[];
  areOwn: boolean;
}

/** In the order of the first one. */
function namesIn(one: object, other: object): Names {
  const [names, others] = [Object.keys(one), Object.keys(other)];
  let areOwn = names.length === others.length;
  for (let index = 0; areOwn && index < names.length; index++) areOwn = names[index] === others[index];
  return { list: areOwn ? names : [...new Set([...names, ...others])], areOwn };
}

const NOTHING = Symbol('nothing');
const LOST = Symbol('lost');

/** `hasOwn` takes longer than the rest. */
function itemOf(list: readonly unknown[], index: number): unknown {
  const item = read(list, index);
  return item === undefined && !Object.hasOwn(list, index) ? NOTHING : item;
}

const ownProperty = (holder: object, name: string): unknown =>
  Object.hasOwn(holder, name) ? read(holder, name) : NOTHING;

function read(holder: object, key: string | number): unknown {
  try {
    return (holder as Record<string | number, unknown>)[key];
  } catch (thrown) {
    if (thrown instanceof LostValueError) return LOST;
    throw thrown;
  }
}

const isPlainObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
