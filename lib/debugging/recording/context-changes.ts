/**
 * Finds what has changed in a run's context since the last look. Objects are known by their identity, so a change that is
 * visible at several places, such as in a loop's `currentItem` and in the array, is reported once.
 */
import type { Context } from '../../pipeline/index.ts';
import { escapeToken, parsePointer } from '../../shared/json-pointer.ts';
import { type Budget, isPlain, MAX_DEPTH, type RecordedValue, reference, writeValue } from './values.ts';

/** A property of the context that was set, or removed if there is no value. The path is a JSON Pointer. */
export type RecordedChange = [path: string, value: RecordedValue] | [path: string];

export interface Look {
  changes: RecordedChange[];
  /** Changes of large values that weren't compared in every look, so they might have happened before this one. */
  late: RecordedChange[];
}

type Fields = Record<string | number, unknown>;

/** What was last seen of an object. */
interface Seen {
  /** Its properties: a copy of one level. */
  copy: Fields;
  /** Where it was when it was seen first. */
  path: string;
  /** The number of values in it, as of the last comparison. */
  size: number;
  /** The number of the last look that compared it. */
  look: number;
}

interface Pending {
  seen: Seen;
  key: string | number;
  path: string;
  value: unknown;
  isRemoved: boolean;
}

/** Values that every look compares in each property of the context. Larger ones wait until the allowance is enough. */
const FREE_SIZE = 2_000;
const ALLOWANCE_PER_LOOK = 4;
const LOOP_NAMES = ['currentItem', 'currentIndex'];

export class ContextChanges {
  readonly #context: Fields;
  readonly #budget: Budget;
  readonly #seen = new WeakMap<object, Seen>();
  #look = 0;
  #allowance = 0;
  #pending: Pending[] = [];
  readonly #late: Pending[] = [];
  /** The property that is being compared, from the outside in. */
  readonly #keys: (string | number)[] = [];

  constructor(context: Context, budget: Budget) {
    this.#context = context;
    this.#budget = budget;
    this.#remember(context, '', 0);
  }

  /** What the run has changed since the last look. */
  look(): Look {
    this.#look++;
    this.#allowance += ALLOWANCE_PER_LOOK;
    this.#compare(this.#context, this.#seen.get(this.#context)!);
    const late = this.#take(this.#late);
    return { changes: this.#take(this.#pending), late };
  }

  /** As `look`, but compares everything. */
  lookAtAll(): Look {
    this.#allowance = Infinity;
    const look = this.look();
    this.#allowance = 0;
    return look;
  }

  /** Leaves out what the engine itself has changed: the names that a loop sets and restores. */
  skipLoopNames(): void {
    const { copy } = this.#seen.get(this.#context)!;
    for (const name of LOOP_NAMES) {
      if (!Object.hasOwn(this.#context, name)) delete copy[name];
      else if (copy[name] !== this.#context[name]) {
        copy[name] = this.#context[name];
        this.#remember(copy[name], `/${name}`, 1);
      }
    }
  }

  #compare(value: object, seen: Seen): void {
    seen.look = this.#look;
    seen.size = 1;
    if (Array.isArray(value)) this.#compareItems(value, seen);
    else this.#compareProperties(value as Fields, seen);
  }

  #compareItems(value: readonly unknown[], seen: Seen): void {
    for (let index = 0; index < value.length; index++) this.#compareProperty(value as never, seen, index);
    for (let index = (seen.copy as unknown as unknown[]).length - 1; index >= value.length; index--)
      this.#add(seen, index, undefined, true);
  }

  #compareProperties(value: Fields, seen: Seen): void {
    const keys = Object.keys(value);
    for (const key of keys) this.#compareProperty(value, seen, key);
    const { copy } = seen;
    const before = Object.keys(copy);
    // Most objects keep their properties.
    if (before.length === keys.length && before.every((key, index) => key === keys[index])) return;
    for (const key of before) if (!Object.hasOwn(value, key)) this.#add(seen, key, undefined, true);
  }

  #compareProperty(value: Fields, seen: Seen, key: string | number): void {
    const item = read(value, key);
    const before = seen.copy[key];
    if (!Object.is(item, before) || (item === undefined && !Object.hasOwn(seen.copy, key)))
      return this.#add(seen, key, item, false);
    seen.size++;
    if (typeof item !== 'object' || item === null) return;
    const known = this.#seen.get(item);
    if (!known) return;
    if (known.look !== this.#look && this.#keys.length <= MAX_DEPTH) {
      this.#keys.push(key);
      if (this.#keys.length === 1) this.#compareLarge(item, known);
      else this.#compare(item, known);
      this.#keys.pop();
    }
    seen.size += known.size;
  }

  /** Compares a property of the context, unless it’s large and the allowance isn’t enough. */
  #compareLarge(item: object, known: Seen): void {
    if (known.size > FREE_SIZE) {
      if (known.size > this.#allowance) return;
      this.#allowance -= known.size;
    }
    const pending = this.#pending;
    if (known.look < this.#look - 1) this.#pending = this.#late;
    this.#compare(item, known);
    this.#pending = pending;
  }

  #add(seen: Seen, key: string | number, value: unknown, isRemoved: boolean): void {
    const path = [...this.#keys, key].map((each) => `/${escapeToken(each)}`).join('');
    this.#pending.push({ seen, key, path, value, isRemoved });
  }

  /** Writes the changes, and then remembers them: references are to objects at their places before the changes. */
  #take(pending: Pending[]): RecordedChange[] {
    if (pending.length === 0) return NONE;
    const changes = pending.map(({ path, value, isRemoved }): RecordedChange =>
      isRemoved ? [path] : [path, writeValue(value, this.#budget, (object) => this.#known(object))],
    );
    // The recording ends here, so a large value isn't also copied.
    if (this.#budget.isFinal && this.#budget.left < 0) return changes;
    for (const { seen, key, path, value, isRemoved } of pending) {
      if (!isRemoved) {
        seen.copy[key] = value;
        this.#remember(value, path, 1);
      } else if (Array.isArray(seen.copy)) seen.copy.length = key as number;
      else delete seen.copy[key];
    }
    pending.length = 0;
    return changes;
  }

  #known(object: object): RecordedValue | undefined {
    const seen = this.#seen.get(object);
    return seen && this.#isAt(object, seen.path) ? reference(seen.path) : undefined;
  }

  /** Whether an object was at this path when the context was last seen. */
  #isAt(object: object, path: string): boolean {
    let value: unknown = this.#context;
    for (const token of parsePointer(path)) {
      const seen = typeof value === 'object' && value !== null ? this.#seen.get(value) : undefined;
      if (!seen || !Object.hasOwn(seen.copy, token)) return false;
      value = seen.copy[token];
    }
    return value === object;
  }

  #remember(value: unknown, path: string, depth: number): number {
    if (typeof value !== 'object' || value === null || !isPlain(value) || depth > MAX_DEPTH) return 1;
    const known = this.#seen.get(value);
    if (known) return known.size;
    const copy = copyOf(value);
    if (!copy) return 1;
    const seen: Seen = { copy, path, size: 1, look: this.#look };
    this.#seen.set(value, seen);
    for (const key of Object.keys(copy))
      seen.size += this.#remember(copy[key], `${path}/${escapeToken(key)}`, depth + 1);
    return seen.size;
  }
}

/** An array's copy is an array, so that its length is known. Null if a Proxy refuses to be copied. */
function copyOf(value: object): Fields | null {
  try {
    return propertiesOf(value);
  } catch {
    return null;
  }
}

function propertiesOf(value: object): Fields {
  if (Array.isArray(value))
    return Array.from({ length: value.length }, (_, index) => read(value as never, index)) as never;
  const copy = Object.create(null) as Fields;
  for (const key of Object.keys(value)) copy[key] = read(value as Fields, key);
  return copy;
}

/** A value that throws when it's read is always the same. */
function read(holder: Fields, key: string | number): unknown {
  try {
    return holder[key];
  } catch {
    return UNREADABLE;
  }
}

const NONE: RecordedChange[] = [];
const UNREADABLE = Symbol('unreadable');
