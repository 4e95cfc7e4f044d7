/**
 * Finds what has changed in a run's context since the last look. Objects are known by their identity, so a change that is
 * visible at several places, such as in a loop's `currentItem` and in the array, is reported once.
 */
import type { Context } from '../../pipeline/index.ts';
import { escapeToken, parsePointer, valueAt } from '../../shared/json-pointer.ts';
import { isSame, isUnchanged, isWithin, pathOf, type Place, read, Seen, UNREADABLE } from './seen.ts';
import { type SharedObject, sharedObjects } from './shared-objects.ts';
import {
  type Budget,
  isPlain,
  MAX_DEPTH,
  laterReference,
  type RecordedValue,
  reference,
  writeValue,
} from './values.ts';

/** A property of the context that was set, or removed if there is no value. The path is a JSON Pointer. */
export type RecordedChange = [path: string, value: RecordedValue] | [path: string];

export interface Look {
  changes: RecordedChange[];
  /** Changes of what not every look compares. They happened after step `since` had started, at an unknown time. */
  late: RecordedChange[];
  since: number;
}

/**
 * Whether a look compares what is large, too: only if nothing can have changed at an unknown time, because the last look
 * did so; whenever the allowance is enough; or in any case.
 */
export type Scope = 'exact' | 'due' | 'whole';

type Fields = Record<string | number, unknown>;

interface Pending {
  seen: Seen;
  key: string | number;
  /** Its index in what was seen; -1 if it's new, or if its place has no importance. */
  at: number;
  path: string;
  value: unknown;
  isRemoved: boolean;
}

/**
 * Every look compares values of up to this size in each property of the context, and as many names of the context itself.
 * What is larger waits until the allowance is enough for all of it.
 */
const FREE_SIZE = 2_000;
/** Short runs are compared as a whole. In long ones, the work is in proportion to the number of steps. */
const ALLOWANCE = 200_000;
const ALLOWANCE_PER_LOOK = 4;
/** Browsers keep objects with so many names as tables, whose names are listed faster than they’re visited. */
const MANY_NAMES = 1_000;
const LOOP_NAMES = ['currentItem', 'currentIndex'];

export class ContextChanges {
  readonly #context: Fields;
  readonly #budget: Budget;
  readonly #seen = new WeakMap<object, Seen>();
  readonly #root: Seen;
  #look = 0;
  #allowance = ALLOWANCE;
  /** The size of what is large, as of the last look. */
  #large = 0;
  /** Whether this look, or the last one, compares what is large. */
  #isWhole = true;
  /** The last step that had started when a look compared everything. */
  #compared = 0;
  #pending: Pending[] = [];
  readonly #late: Pending[] = [];
  /** What was seen of the objects that the context has, while changes are written. Null until it's needed. */
  #places: Map<unknown, Seen> | null = null;
  /** While changes are remembered: the objects that they refer to. All others are new, or were written again. */
  #referenced: Set<Seen> | null = new Set();
  /** What is new at several places. */
  #same: RecordedChange[] = [];
  #takes = 0;
  /** The object that was remembered last at each depth. */
  readonly #neighbors: Seen[] = [];
  /** The property that is being compared, from the outside in. */
  readonly #keys: (string | number)[] = [];

  constructor(context: Context, budget: Budget) {
    this.#context = context;
    this.#budget = budget;
    this.#root = this.#remember(context, CONTEXT, 0)!;
    this.#referenced = null;
  }

  /**
   * What the run has changed since the last look.
   * @param step index of the last step that has started
   */
  look(step: number, scope: Scope): Look {
    const since = this.#compareContext(step, scope);
    if (this.#late.length === 0 && this.#pending.length === 0 && this.#same.length === 0) return NOTHING;
    const ofPayload = this.#same.splice(0);
    const late = this.#take(this.#late);
    const changes = this.#take(this.#pending);
    return { changes: ofPayload.length > 0 ? [...ofPayload, ...changes] : changes, late, since };
  }

  /**
   * What has changed at an unknown time once the run has ended: paths, and whole arrays whose length has changed.
   * @param step index of the last step that has started
   */
  unseen(step: number): { paths: string[]; since: number } {
    if (this.#large === 0) return { paths: [], since: step };
    const since = this.#compareContext(step, 'whole');
    const paths = new Set<string>();
    const arrays = new Set<string>();
    for (const { seen, at, path, isRemoved } of this.#late) {
      const hasOtherLength = seen.names === null && (at < 0 || isRemoved);
      if (hasOtherLength) arrays.add(path.slice(0, path.lastIndexOf('/')));
      else paths.add(path);
    }
    // From the inside out, so that each of them is still there.
    return { paths: [...paths, ...[...arrays].sort((one, other) => other.length - one.length)], since };
  }

  /** Returns the step since which what is large hasn’t been compared. */
  #compareContext(step: number, scope: Scope): number {
    this.#look++;
    this.#allowance += ALLOWANCE_PER_LOOK;
    const isAllowed = this.#large <= this.#allowance && (scope === 'due' || this.#isWhole);
    this.#isWhole = isAllowed || scope === 'whole';
    const since = this.#compared;
    if (this.#isWhole) this.#compared = step;
    const root = this.#root;
    const isLarge = root.values.length > FREE_SIZE;
    if (isLarge && !this.#isWhole) return since;
    const pending = this.#pending;
    if (root.look < this.#look - 1) this.#pending = this.#late;
    this.#large = 0;
    this.#compare(this.#context, root);
    this.#pending = pending;
    if (isLarge) this.#large = root.size;
    if (isAllowed) this.#allowance -= this.#large;
    return since;
  }

  /** Leaves out what the engine itself has changed: the names that a loop sets and restores. */
  skipLoopNames(): void {
    const [context, root] = [this.#context, this.#root];
    for (let index = 0; index < LOOP_NAMES.length; index++) {
      const name = LOOP_NAMES[index]!;
      const value = context[name];
      const at = root.indexOf(name);
      if (at >= 0 && value !== undefined && root.values[at] === value) continue;
      if (Object.hasOwn(context, name)) this.#set(root, { key: name, at, path: `/${name}`, value });
      else if (at >= 0) root.removeAll(new Set([name]));
    }
  }

  #compare(value: object, seen: Seen): void {
    seen.look = this.#look;
    seen.size = 1 + seen.values.length;
    if (seen.names === null) this.#compareItems(value as unknown[], seen);
    else if (seen.names.length < MANY_NAMES) this.#compareProperties(value as Fields, seen, seen.names);
    else this.#compareListed(value as Fields, seen, seen.names, Object.keys(value));
  }

  #compareItems(value: readonly unknown[], seen: Seen): void {
    const { values } = seen;
    const { length } = values;
    for (let index = 0; index < value.length; index++) {
      const item = read(value as never, index);
      if (index >= length) this.#add(seen, index, item, -1);
      else if (!isSame(item, values[index])) this.#add(seen, index, item, index);
      else if (typeof item === 'object' && item !== null) this.#compareChild(seen, index, item, index);
    }
    for (let index = length - 1; index >= value.length; index--) this.#add(seen, index, undefined, index, true);
  }

  #compareProperties(value: Fields, seen: Seen, names: readonly string[]): void {
    const { values } = seen;
    let index = 0;
    // Most objects keep their properties. Unlike `Object.keys`, this makes no list of them.
    for (const key in value) {
      if (key !== names[index] || !hasOwnProperty.call(value, key))
        return this.#compareOthers(value, seen, Object.keys(value), index);
      let item: unknown;
      try {
        item = value[key];
      } catch {
        item = UNREADABLE;
      }
      if (!isSame(item, values[index])) this.#add(seen, key, item, index);
      else if (typeof item === 'object' && item !== null) this.#compareChild(seen, key, item, index);
      index++;
    }
    if (index < names.length) this.#compareOthers(value, seen, Object.keys(value), index);
  }

  #compareListed(value: Fields, seen: Seen, names: readonly string[], keys: string[]): void {
    for (let index = 0; index < names.length; index++) {
      const key = names[index]!;
      if (key !== keys[index]) return this.#compareOthers(value, seen, keys, index);
      this.#compareProperty(seen, key, read(value, key), index);
    }
    if (keys.length > names.length) this.#compareOthers(value, seen, keys, names.length);
  }

  /** Compares the properties from an index on, where others have been added, removed, or moved. */
  #compareOthers(value: Fields, seen: Seen, keys: string[], from: number): void {
    const known = new Map<string, number>();
    for (let index = from; index < seen.names!.length; index++) known.set(seen.names![index]!, index);
    const hasOnlyMoved =
      keys.length === seen.names!.length && keys.every((key, index) => index < from || known.has(key));
    for (let index = from; index < keys.length; index++) {
      const key = keys[index]!;
      const at = known.get(key);
      known.delete(key);
      if (at === undefined) this.#add(seen, key, read(value, key), -1);
      else this.#compareProperty(seen, key, read(value, key), at);
    }
    for (const [name, at] of known) if (!Object.hasOwn(value, name)) this.#add(seen, name, undefined, at, true);
    if (hasOnlyMoved && !this.#pending.some((each) => each.seen === seen)) seen.reorder(keys);
  }

  #compareProperty(seen: Seen, key: string | number, item: unknown, at: number): void {
    if (!isSame(item, seen.values[at])) this.#add(seen, key, item, at);
    else if (typeof item === 'object' && item !== null) this.#compareChild(seen, key, item, at);
  }

  /** Compares the object that is still at a property or index. */
  #compareChild(seen: Seen, key: string | number, item: object, at: number): void {
    const known = seen.children?.[at] ?? this.#childOf(seen, at, item);
    if (!known) return;
    const keys = this.#keys;
    if (known.look !== this.#look && keys.length <= MAX_DEPTH) {
      keys.push(key);
      if (keys.length === 1) this.#compareLarge(item, known);
      else this.#compare(item, known);
      keys.pop();
    }
    seen.size += known.size;
  }

  #childOf(seen: Seen, at: number, item: object): Seen | undefined {
    const known = this.#seen.get(item);
    if (known) seen.setChild(at, known);
    return known;
  }

  /** Compares a property of the context, unless it’s large and this look isn’t whole. */
  #compareLarge(item: object, known: Seen): void {
    if (known.size > FREE_SIZE) {
      this.#large += known.size;
      if (!this.#isWhole) return;
    }
    const pending = this.#pending;
    if (known.look < this.#look - 1) this.#pending = this.#late;
    this.#compare(item, known);
    this.#pending = pending;
  }

  #add(seen: Seen, key: string | number, value: unknown, at: number, isRemoved = false): void {
    let path = '';
    for (let index = 0; index < this.#keys.length; index++) path += `/${escapeToken(this.#keys[index]!)}`;
    this.#pending.push({ seen, key, at, path: `${path}/${escapeToken(key)}`, value, isRemoved });
  }

  /** Writes the changes, and then remembers them: references are to objects at their places before the changes. */
  #take(pending: Pending[]): RecordedChange[] {
    if (pending.length === 0) return NONE;
    this.#takes++;
    this.#referenced = new Set();
    const changes = pending.map(({ path, value, isRemoved }): RecordedChange =>
      isRemoved ? [path] : [path, writeValue(value, this.#budget, this.#refer)],
    );
    // The recording ends here, so a large value isn't also copied.
    if (this.#budget.isFinal && this.#budget.left < 0) return changes;
    const removed = new Map<Seen, Set<string>>();
    for (const { seen, key, at, path, value, isRemoved } of pending) {
      if (!isRemoved) this.#set(seen, { key, at, path, value });
      else if (seen.names === null) seen.shorten(key as number);
      else removed.set(seen, (removed.get(seen) ?? new Set()).add(key as string));
    }
    // Other indexes change only now.
    for (const [seen, names] of removed) seen.removeAll(names);
    pending.length = 0;
    this.#places = null;
    this.#referenced = null;
    changes.push(...this.#same.splice(0));
    return changes;
  }

  /** The objects in a value that the context had at the last look. */
  sharedIn(value: unknown): SharedObject[] {
    const shared = sharedObjects(value, (object) => this.#placeOf(object));
    this.#places = null;
    return shared;
  }

  /** Whether the context has, or had, this object. */
  has(object: object): boolean {
    return this.#seen.has(object);
  }

  readonly #refer = (object: object): RecordedValue | undefined => {
    const place = this.#placeOf(object);
    if (place === undefined) return undefined;
    const seen = this.#seen.get(object)!;
    if (seen.look !== this.#look && !this.#isAtNow(object, place)) {
      // This look hasn't compared it, and a reference would be to what it was.
      if (!isUnchanged(object, seen, this.#seen)) return undefined;
      seen.look = this.#look;
    }
    this.#referenced!.add(seen);
    return reference(place);
  };

  #isAtNow(object: object, path: string): boolean {
    try {
      return valueAt(this.#context, path) === object;
    } catch {
      return false;
    }
  }

  /** Where the context had an object when it was last seen. */
  #placeOf(object: object): string | undefined {
    const seen = this.#seen.get(object);
    if (!seen) return undefined;
    if (!this.#isAt(object, pathOf(seen))) {
      this.#findPlaces();
      if (this.#places!.get(object) === undefined) return undefined;
    }
    return pathOf(seen);
  }

  /** Finds where all objects were when the context was last seen, once some have moved. */
  #findPlaces(): void {
    if (this.#places) return;
    const places = (this.#places = new Map<unknown, Seen>());
    const visit = (value: unknown, { within, key }: Place, depth: number): void => {
      const seen = typeof value === 'object' && value !== null ? this.#seen.get(value) : undefined;
      if (!seen || depth > MAX_DEPTH || places.has(value)) return;
      places.set(value, seen);
      seen.within = within;
      seen.key = key;
      const { names, values } = seen;
      for (let index = 0; index < values.length; index++)
        visit(values[index], { within: seen, key: names ? names[index]! : index }, depth + 1);
    };
    visit(this.#context, CONTEXT, 0);
  }

  /** Whether an object was at this path when the context was last seen. */
  #isAt(object: object, path: string): boolean {
    let value: unknown = this.#context;
    for (const token of parsePointer(path)) {
      const seen = typeof value === 'object' && value !== null ? this.#seen.get(value) : undefined;
      const at = seen ? seen.indexOf(token) : -1;
      if (!seen || at < 0) return false;
      value = seen.values[at];
    }
    return value === object;
  }

  /** Remembers a property as it's now. */
  #set(seen: Seen, { key, at, path, value }: Pick<Pending, 'key' | 'at' | 'path' | 'value'>): void {
    const index = seen.set(at, key, value);
    if (typeof value !== 'object' || value === null) return;
    const child = this.#remember(value, { within: null, key: path }, 1);
    if (child) seen.setChild(index, child);
  }

  /** Null if it isn't data. */
  #remember(value: object, place: Place, depth: number): Seen | null {
    if (depth > MAX_DEPTH || !isPlain(value)) return null;
    const known = this.#seen.get(value);
    return known && this.#isRemembered(known, place) ? known : this.#rememberNew(value, place, depth, known);
  }

  #isRemembered(known: Seen, place: Place): boolean {
    if (!this.#referenced || this.#referenced.has(known)) return true;
    if (known.take !== this.#takes) return false;
    // What contains itself was written as lost.
    if (!isWithin(place, known)) this.#same.push([pathOf(place), laterReference(pathOf(known))]);
    return true;
  }

  #rememberNew(value: object, place: Place, depth: number, known: Seen | undefined): Seen | null {
    const seen = Seen.of(value, place, this.#look, known);
    if (!seen) return null;
    seen.take = this.#takes;
    if (!known) this.#seen.set(value, seen);
    const { names, values } = seen;
    let size = 1 + values.length;
    // Most are like the one before, such as in a list of records.
    const neighbor = this.#neighbors[depth];
    if (neighbor) seen.shareNames(neighbor);
    this.#neighbors[depth] = seen;
    for (let index = 0; index < values.length; index++) {
      const item = values[index];
      if (typeof item !== 'object' || item === null) continue;
      const child = this.#remember(item, { within: seen, key: names ? names[index]! : index }, depth + 1);
      if (!child) continue;
      seen.setChild(index, child);
      size += child.size;
    }
    seen.size = size;
    return seen;
  }
}

// In a loop over an object's names, this one takes no time, unlike `Object.hasOwn`.
const { hasOwnProperty } = Object.prototype;
/** The place of the context itself. */
const CONTEXT: Place = { within: null, key: '' };
const NONE: RecordedChange[] = [];
const NOTHING: Look = { changes: NONE, late: NONE, since: 0 };
