/**
 * Detects changes to a run's context: keeps a copy, compares it with the live context at each step, and updates the
 * copy.
 */
import { ownValue } from '../../agent/describe-cursor.ts';
import { pointerToken } from '../../agent/json.ts';
import {
  copyArray,
  create,
  defineProperty,
  getPrototypeOf,
  hasOwn,
  is,
  isArray,
  keys,
  now,
  ObjectPrototype,
} from '../../agent/pristine.ts';
import { includes } from '../../agent/safe.ts';
import type { Change, RemoteValue } from '../../contract.ts';

/** How many values one comparison visits: normally, and when comparisons have already taken too much time. */
const MAX_NODES = 20_000;
const MAX_NODES_IN_HASTE = 500;
const MAX_DEPTH = 50;
/** If there are more changes, the value is reported as replaced. */
const MAX_CHANGES = 50;
/** Comparisons can take this many milliseconds, plus this share of the run's time. */
const FREE_TIME = 150;
const TIME_SHARE = 0.2;

/** Properties of a copy: the live value, and the number of values. Symbols, so that `keys` doesn't list them. */
const LIVE: unique symbol = Symbol('live');
const SIZE: unique symbol = Symbol('size');
type Copy = Record<string, unknown> & { [LIVE]: object; [SIZE]: number };

/** Once a copy has been described, it never changes, so that its handle keeps referring to the value at that step. */
export class ContextDiff {
  readonly #describe: (value: unknown) => RemoteValue;
  readonly #startedAt = now();
  readonly #ancestors: object[] = [];
  #copy: unknown;
  #spent = 0;
  #limit = MAX_NODES;
  #nodesLeft = MAX_NODES;
  #isShallow = false;
  #changes: Change[] = [];

  constructor(initial: object, describe: (value: unknown) => RemoteValue) {
    this.#describe = describe;
    this.#copy = this.#copyOf(initial);
  }

  /** The changes since the last call. `shallow`: some values were too large or too slow for a deep comparison. */
  compare(context: object): { changes: Change[]; shallow: boolean } {
    const from = now();
    const isSlow = this.#spent > FREE_TIME + TIME_SHARE * (from - this.#startedAt);
    this.#limit = isSlow ? MAX_NODES_IN_HASTE : MAX_NODES;
    this.#nodesLeft = isSlow ? 4 * MAX_NODES_IN_HASTE : MAX_NODES;
    this.#isShallow = false;
    this.#changes = [];
    try {
      this.#copy = this.#compareValues(context, this.#copy, '');
    } catch {
      // A proxy in the page threw an error. The changes found so far are reported and marked as incomplete.
      this.#ancestors.length = 0;
      this.#isShallow = true;
    }
    this.#spent += now() - from;
    return { changes: this.#changes, shallow: this.#isShallow };
  }

  /** Copies plain data. Other values and very large ones aren't copied, only compared by identity. */
  #copyOf(value: unknown): unknown {
    if (!isPlain(value) || this.#ancestors.length > MAX_DEPTH || includes(this.#ancestors, value)) return value;
    const before = this.#nodesLeft;
    const copy = emptyCopy(value);
    this.#ancestors[this.#ancestors.length] = value;
    const names = keys(value);
    for (let i = 0; i < names.length && this.#nodesLeft > 0; i++) {
      this.#nodesLeft--;
      put(copy, names[i]!, this.#copyOf(ownValue(value, names[i]!)));
    }
    this.#ancestors.length--;
    return this.#nodesLeft <= 0 ? value : mark(copy, value, before - this.#nodesLeft);
  }

  /** Adds the changes from `old` to `value`, and returns the copy that replaces `old`. */
  #compareValues(value: unknown, old: unknown, path: string): unknown {
    this.#nodesLeft--;
    if (!isPlain(value) || !isCopy(old) || isArray(value) !== isArray(old) || includes(this.#ancestors, value)) {
      if (!is(value, old)) return this.#replace(value, old, path);
      if (isPlain(value)) this.#isShallow = true;
      return old;
    }
    const depth = this.#ancestors.length;
    if ((old[SIZE] > this.#limit && depth > 0) || this.#nodesLeft <= 0 || depth > MAX_DEPTH) {
      this.#isShallow = true;
      return old[LIVE] === value ? old : this.#replace(value, old, path);
    }
    return this.#compareEntries(value, old, path);
  }

  #compareEntries(value: object, old: Copy, path: string): unknown {
    const firstChange = this.#changes.length;
    const names = keys(value);
    const oldNames = keys(old);
    // No handle refers to the whole context, so its copy can be modified in place.
    const isRoot = this.#ancestors.length === 0;
    let next: Copy | null = isRoot ? old : old[LIVE] === value ? null : duplicate(old);
    this.#ancestors[this.#ancestors.length] = value;
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      const copy = this.#compareEntry(ownValue(value, name), old, name, path);
      if (!hasOwn(old, name) || !is(copy, old[name])) put((next ??= duplicate(old)), name, copy);
    }
    // From the end, so that indexes stay valid while a reader removes array items one by one.
    for (let i = oldNames.length - 1; i >= 0; i--) {
      const name = oldNames[i]!;
      if (hasOwn(value, name)) continue;
      this.#add({ path: `${path}/${pointerToken(name)}`, before: this.#describe(old[name]) });
      next ??= duplicate(old);
      delete next[name];
    }
    this.#ancestors.length--;
    if (next === null) return old;
    if (isArray(value)) (next as unknown as unknown[]).length = (value as unknown[]).length;
    const result = mark(next, value, old[SIZE] + names.length - oldNames.length);
    if (!isRoot && this.#changes.length - firstChange > MAX_CHANGES) {
      this.#changes.length = firstChange;
      this.#add({ path, before: this.#describe(old), after: this.#describe(result) });
    }
    return result;
  }

  #compareEntry(item: unknown, old: Copy, name: string, parentPath: string): unknown {
    const path = `${parentPath}/${pointerToken(name)}`;
    if (hasOwn(old, name)) return this.#compareValues(item, old[name], path);
    const copy = this.#copyOf(item);
    this.#add({ path, after: this.#describe(copy) });
    return copy;
  }

  #replace(value: unknown, old: unknown, path: string): unknown {
    const copy = this.#copyOf(value);
    this.#add({ path, before: this.#describe(old), after: this.#describe(copy) });
    return copy;
  }

  #add(change: Change): void {
    this.#changes[this.#changes.length] = change;
  }
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (isArray(value)) return true;
  const proto = getPrototypeOf(value) as object | null;
  return proto === ObjectPrototype || proto === null;
}

function isCopy(value: unknown): value is Copy {
  return typeof value === 'object' && value !== null && hasOwn(value, LIVE);
}

function emptyCopy(like: object): Copy {
  return (isArray(like) ? [] : create(null)) as Copy;
}

function duplicate(copy: Copy): Copy {
  if (isArray(copy)) return copyArray(copy as unknown as unknown[]) as unknown as Copy;
  const next = emptyCopy(copy);
  const names = keys(copy);
  for (let i = 0; i < names.length; i++) next[names[i]!] = copy[names[i]!];
  return next;
}

/** Defines an own property, whatever its name. Assigning to an array could run a setter on `Array.prototype`. */
function put(target: Copy, name: string, value: unknown): void {
  if (!isArray(target)) {
    target[name] = value;
    return;
  }
  defineProperty(target, name, {
    __proto__: null,
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  } as PropertyDescriptor);
}

function mark(target: Copy, live: object, size: number): Copy {
  target[LIVE] = live;
  target[SIZE] = size;
  return target;
}
