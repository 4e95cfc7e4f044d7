/** What was last seen of an object: its properties, one level deep, in two lists, which are compared fast. */

type Fields = Record<string | number, unknown>;

/** Objects with more properties than this get a table of their indexes once one is looked up. */
const FEW = 20;

export class Seen {
  /** The names of an object's properties, in order. Null for an array. */
  names: string[] | null;
  values: unknown[];
  /** What was seen of the objects among the values, as far as it was looked up. */
  children: (Seen | undefined)[] = [];
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

  /**
   * Null if a Proxy refuses to be copied.
   * @param known what was seen of the same object before, which is then updated
   */
  static of(value: object, path: string, look: number, known?: Seen): Seen | null {
    try {
      const names = Array.isArray(value) ? null : Object.keys(value);
      const values: unknown[] = [];
      const length = names?.length ?? (value as unknown[]).length;
      for (let index = 0; index < length; index++) values.push(read(value as Fields, names ? names[index]! : index));
      return known ? known.#update(names, values, path, look) : new Seen(names, values, path, look);
    } catch {
      return null;
    }
  }

  #update(names: string[] | null, values: unknown[], path: string, look: number): this {
    this.names = names;
    this.values = values;
    this.children = [];
    this.path = path;
    this.look = look;
    this.size = 1;
    this.#indexes = null;
    return this;
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
      this.children[at] = undefined;
      return;
    }
    const index = this.values.push(value) - 1;
    this.names?.push(name as string);
    this.#indexes?.set(name as string, index);
  }

  /** Of an array. */
  shorten(length: number): void {
    this.values.length = length;
    this.children = [];
  }

  removeAll(removed: ReadonlySet<string>): void {
    const { names, values } = this;
    this.values = values.filter((_, index) => !removed.has(names![index]!));
    this.names = names!.filter((name) => !removed.has(name));
    this.children = [];
    this.#indexes = null;
  }

  /** @param names the same names in another order */
  reorder(names: string[]): void {
    this.values = names.map((name) => this.values[this.indexOf(name)]);
    this.names = names;
    this.children = [];
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
