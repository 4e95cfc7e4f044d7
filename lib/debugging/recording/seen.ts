/** What was last seen of an object: its properties, one level deep, in two lists, which are compared fast. */

type Fields = Record<string | number, unknown>;

/** Objects with more properties than this get a table of their indexes once one is looked up. */
const FEW = 20;

export class Seen {
  /** The names of an object's properties, in order. Null for an array. */
  names: string[] | null;
  values: unknown[];
  /** Where it was when it was seen first, or when it was last looked for. */
  path: string;
  /** The number of values in it, as of the last comparison. */
  size = 1;
  /** The number of the last look that compared it. */
  look: number;
  /** The number of the changes that it was new in. */
  take = 0;
  #indexes: Map<string, number> | null = null;

  private constructor(names: string[] | null, values: unknown[], path: string, look: number) {
    this.names = names;
    this.values = values;
    this.path = path;
    this.look = look;
  }

  /** Null if a Proxy refuses to be copied. */
  static of(value: object, path: string, look: number): Seen | null {
    try {
      const values: unknown[] = [];
      if (Array.isArray(value)) {
        for (let index = 0; index < value.length; index++) values.push(read(value as never, index));
        return new Seen(null, values, path, look);
      }
      const names = Object.keys(value);
      for (let index = 0; index < names.length; index++) values.push(read(value as Fields, names[index]!));
      return new Seen(names, values, path, look);
    } catch {
      return null;
    }
  }

  /** The index of a property or item; -1 if there is none. */
  indexOf(name: string): number {
    const { names } = this;
    if (names === null) return Object.hasOwn(this.values, name) ? Number(name) : -1;
    if (names.length <= FEW) return names.indexOf(name);
    this.#indexes ??= new Map(names.map((each, index) => [each, index]));
    return this.#indexes.get(name) ?? -1;
  }

  /** @param at the index; -1 for a new property or item */
  set(at: number, name: string | number, value: unknown): void {
    if (at >= 0) {
      this.values[at] = value;
      return;
    }
    const index = this.values.push(value) - 1;
    this.names?.push(name as string);
    this.#indexes?.set(name as string, index);
  }

  removeAll(removed: ReadonlySet<string>): void {
    const { names, values } = this;
    this.values = values.filter((_, index) => !removed.has(names![index]!));
    this.names = names!.filter((name) => !removed.has(name));
    this.#indexes = null;
  }

  /** @param names the same names in another order */
  reorder(names: string[]): void {
    this.values = names.map((name) => this.values[this.indexOf(name)]);
    this.names = names;
    this.#indexes = null;
  }
}

/** A value that throws when it's read is always the same. */
export function read(holder: Fields, key: string | number): unknown {
  try {
    return holder[key];
  } catch {
    return UNREADABLE;
  }
}

const UNREADABLE = Symbol('unreadable');
