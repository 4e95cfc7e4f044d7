/** Finds where two contexts, or other values, differ. Items of lists are aligned. */
import { escapeToken } from '../../shared/json-pointer.ts';
import { LostValueError } from '../recording/values.ts';
import { alignItems, movedPairs } from './align.ts';
import { valueItems } from './value-items.ts';
import { compileVolatile, type IsVolatile, type Volatile } from './volatile.ts';

export interface ContextDifference {
  /** JSON Pointer. Indexes are those in `now`, or in `before` for what only that has. */
  path: string;
  /** `moved`: a list’s item is at another place among the others. `unknown`: a recording doesn’t have the value. */
  kind: 'added' | 'removed' | 'changed' | 'moved' | 'unknown';
  /** Absent for `added` and `unknown`. */
  before?: unknown;
  /** Absent for `removed` and `unknown`. */
  now?: unknown;
}

export interface DifferenceOptions {
  ignored?: Volatile;
  /** Instead of `ignored`. */
  isIgnored?: IsVolatile;
  /** Maximum number of differences. Default 1,000. */
  limit?: number;
}

/** Deeper values are unknown. */
const MAX_DEPTH = 200;

export function contextDifferences(
  before: unknown,
  now: unknown,
  { ignored = [], isIgnored = compileVolatile(ignored), limit = 1_000 }: DifferenceOptions = {},
): ContextDifference[] {
  const comparison = new ValueComparison(isIgnored, limit);
  comparison.compare(before, now, '', 0);
  return comparison.found;
}

class ValueComparison {
  readonly found: ContextDifference[] = [];
  readonly #isIgnored: IsVolatile;
  readonly #limit: number;
  /** Pairs of objects that are being compared, or have no difference: an object can be at several places, and contain itself. */
  readonly #compared = new WeakMap<object, WeakSet<object>>();

  constructor(isIgnored: IsVolatile, limit: number) {
    this.#isIgnored = isIgnored;
    this.#limit = limit;
  }

  compare(before: unknown, now: unknown, path: string, depth: number): void {
    if (this.found.length >= this.#limit || Object.is(before, now)) return;
    if (!isObject(before) || !isObject(now) || !isSameKind(before, now))
      return this.#add({ path, kind: 'changed', before, now });
    if (before instanceof Date || now instanceof Date) {
      if (Number(before) !== Number(now)) this.#add({ path, kind: 'changed', before, now });
      return;
    }
    if (depth > MAX_DEPTH) return this.#add({ path, kind: 'unknown' });
    const known = this.#compared.get(before) ?? new WeakSet();
    if (known.has(now)) return;
    this.#compared.set(before, known.add(now));
    const { length } = this.found;
    if (Array.isArray(before)) this.#compareItems(before, now as unknown[], path, depth);
    else this.#compareProperties(before, now, path, depth);
    // It differs at each place. The limit bounds how often it’s compared.
    if (this.found.length > length) known.delete(now);
  }

  #add(difference: ContextDifference): void {
    if (this.found.length < this.#limit && !this.#isIgnored(difference.path)) this.found.push(difference);
  }

  #compareItems(before: readonly unknown[], now: readonly unknown[], path: string, depth: number): void {
    const [left, right] = [itemsOf(before), itemsOf(now)];
    const pairs = alignItems(left, right, valueItems(path, this.#isIgnored));
    const moved = movedPairs(pairs);
    for (const [index, [at, other]] of pairs.entries()) {
      const one = at === null ? NOTHING : left[at];
      const two = other === null ? NOTHING : right[other];
      const item = `${path}/${other ?? at}`;
      if (moved.has(index) && one !== LOST && two !== LOST)
        this.#add({ path: item, kind: 'moved', before: one, now: two });
      this.#compareValues(one, two, item, depth);
    }
  }

  #compareProperties(before: object, now: object, path: string, depth: number): void {
    for (const name of new Set([...Object.keys(before), ...Object.keys(now)]))
      this.#compareValues(read(before, name), read(now, name), `${path}/${escapeToken(name)}`, depth);
  }

  #compareValues(before: unknown, now: unknown, path: string, depth: number): void {
    if (before === LOST || now === LOST) this.#add({ path, kind: 'unknown' });
    else if (before === NOTHING) this.#add({ path, kind: 'added', now });
    else if (now === NOTHING) this.#add({ path, kind: 'removed', before });
    else this.compare(before, now, path, depth + 1);
  }
}

const NOTHING = Symbol('nothing');
const LOST = Symbol('lost');

const itemsOf = (list: readonly unknown[]): unknown[] =>
  Array.from({ length: list.length }, (_, index) => read(list, index));

function read(holder: object, key: string | number): unknown {
  if (!Object.hasOwn(holder, key)) return NOTHING;
  try {
    return (holder as Record<string | number, unknown>)[key];
  } catch (thrown) {
    if (thrown instanceof LostValueError) return LOST;
    throw thrown;
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isSameKind = (before: object, now: object): boolean =>
  Array.isArray(before) === Array.isArray(now) && before instanceof Date === now instanceof Date;
