/**
 * What was last seen of an object: its properties, one level deep, in two lists, which are compared fast. A run can have
 * many thousand objects, so what they have in common is shared: the names of neighbors, and the start of their paths.
 */
import { escapeToken } from '../../shared/json-pointer.ts';

type Fields = Record<string | number, unknown>;

/** Where an object was: a key in another object, or a whole path if there is none. */
export interface Place {
  within: Seen | null;
  key: string | number;
}

/** Objects with more properties than this get a table of their indexes once one is looked up. */
const FEW = 20;

export class Seen implements Place {
  /** The names of an object's properties, in order. Null for an array. */
  names: string[] | null;
  values: unknown[];
  /** What was seen of the objects among the values, as far as it's known. Null if there are none. */
  children: (Seen | undefined)[] | null = null;
  /** The number of the last look that compared it. */
  look: number;
  /** The number of values in it, as of the last comparison. */
  size = 1;
  /** Where it was when it was seen first, or when it was last looked for. */
  within: Seen | null;
  key: string | number;
  /** The number of the changes that it was new in. */
  take = 0;
  private hasSharedNames = false;
  private indexes: Map<string, number> | null = null;

  private constructor(names: string[] | null, values: unknown[], { within, key }: Place, look: number) {
    this.names = names;
    this.values = values;
    this.within = within;
    this.key = key;
    this.look = look;
  }

  /**
   * Null if a Proxy refuses to be copied.
   * @param known what was seen of the same object before, which is then updated
   */
  static of(value: object, place: Place, look: number, known?: Seen): Seen | null {
    try {
      const names = Array.isArray(value) ? null : Object.keys(value);
      const values = valuesOf(value as Fields, names);
      return known ? known.update(names, values, place, look) : new Seen(names, values, place, look);
    } catch {
      return null;
    }
  }

  private update(names: string[] | null, values: unknown[], { within, key }: Place, look: number): this {
    this.names = names;
    this.values = values;
    this.children = null;
    this.within = within;
    this.key = key;
    this.look = look;
    this.size = 1;
    this.hasSharedNames = false;
    this.indexes = null;
    return this;
  }

  /** Shares the names of another object, if they are the same. */
  shareNames(other: Seen): void {
    const { names } = this;
    if (names === null || other.names === null || names.length !== other.names.length) return;
    for (let index = 0; index < names.length; index++) if (names[index] !== other.names[index]) return;
    this.names = other.names;
    this.hasSharedNames = other.hasSharedNames = true;
  }

  /** The index of a property or item; -1 if there is none. */
  indexOf(name: string): number {
    const { names } = this;
    if (names === null) return Object.hasOwn(this.values, name) ? Number(name) : -1;
    if (names.length <= FEW) return names.indexOf(name);
    this.indexes ??= new Map(names.map((each, index) => [each, index]));
    return this.indexes.get(name) ?? -1;
  }

  /** @param at the index; -1 for a new property or item. Returns its index. */
  set(at: number, name: string | number, value: unknown): number {
    if (at >= 0) {
      this.values[at] = value;
      if (this.children) this.children[at] = undefined;
      return at;
    }
    const index = this.values.push(value) - 1;
    if (this.names === null) return index;
    if (this.hasSharedNames) this.names = this.names.slice();
    this.hasSharedNames = false;
    this.names.push(name as string);
    this.indexes?.set(name as string, index);
    return index;
  }

  setChild(at: number, child: Seen): void {
    // A list that grows with holes would become a slow table.
    this.children ??= this.values.map(() => undefined);
    this.children[at] = child;
  }

  /** Of an array. */
  shorten(length: number): void {
    this.values.length = length;
    this.children = null;
  }

  removeAll(removed: ReadonlySet<string>): void {
    const { names, values } = this;
    this.values = values.filter((_, index) => !removed.has(names![index]!));
    this.rename(names!.filter((name) => !removed.has(name)));
  }

  /** @param names the same names in another order */
  reorder(names: string[]): void {
    this.values = names.map((name) => this.values[this.indexOf(name)]);
    this.rename(names);
  }

  private rename(names: string[]): void {
    this.names = names;
    this.hasSharedNames = false;
    this.children = null;
    this.indexes = null;
  }
}

/** A JSON Pointer. */
export function pathOf(place: Place): string {
  let path = '';
  let at = place;
  for (; at.within; at = at.within) path = `/${escapeToken(at.key)}${path}`;
  return at.key + path;
}

/** Whether a place is inside an object, at any depth. */
export function isWithin(place: Place, object: Seen): boolean {
  let at = place.within;
  while (at && at !== object) at = at.within;
  return at !== null;
}

function valuesOf(value: Fields, names: readonly string[] | null): unknown[] {
  if (names === null) return itemsOf(value as unknown as unknown[]);
  try {
    const values = Object.values(value);
    if (values.length === names.length) return values;
  } catch {
    // A getter has thrown.
  }
  return names.map((name) => read(value, name));
}

function itemsOf(value: readonly unknown[]): unknown[] {
  const items: unknown[] = [];
  for (let index = 0; index < value.length; index++) items.push(read(value as never, index));
  return items;
}

/** As `Object.is`, which takes longer. */
export const isSame = (one: unknown, other: unknown): boolean =>
  one === other && one !== 0 ? true : Object.is(one, other);

/** Whether an object, with all objects in it, is as it was when it was last seen. */
export function isUnchanged(
  value: object,
  seen: Seen,
  seenOf: WeakMap<object, Seen>,
  visited = new Set<Seen>(),
): boolean {
  if (visited.has(seen)) return true;
  visited.add(seen);
  const { names, values } = seen;
  const keys = names === null ? null : Object.keys(value);
  if ((keys ?? (value as unknown[])).length !== values.length) return false;
  return values.every((known, index) => {
    const item = read(value as Fields, keys ? keys[index]! : index);
    if ((keys && keys[index] !== names![index]) || !isSame(item, known)) return false;
    const nested = typeof item === 'object' && item !== null ? seenOf.get(item) : undefined;
    return !nested || isUnchanged(item as object, nested, seenOf, visited);
  });
}

/** A value that throws when it's read is always the same. */
export function read(holder: Fields, key: string | number): unknown {
  try {
    return holder[key];
  } catch {
    return UNREADABLE;
  }
}

export const UNREADABLE = Symbol('unreadable');
