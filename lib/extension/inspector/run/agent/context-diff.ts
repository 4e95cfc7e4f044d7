/**
 * Detects changes to a run's context: keeps a copy, compares it with the live context at each step, and updates the
 * copy.
 */
import type { ChangedNames } from '../../../../debugging/recording/changed-names.ts';
import { ownValue } from '../../agent/describe/describe-cursor.ts';
import { pointerToken } from '../../agent/json.ts';
import { create, getPrototypeOf, hasOwn, is, isArray, keys, ObjectPrototype } from '../../agent/pristine.ts';
import { bareList, includes } from '../../agent/safe.ts';
import type { CompactValue } from '../../compact-value.ts';
import type { Absent, CompactChange } from '../event-format.ts';

const MAX_DEPTH = 50;
/** If there are more changes, the value is reported as replaced. */
const MAX_CHANGES = 50;
/** The number of values in the copy of the initial context. */
const MAX_NODES = 20_000;
/** The number of a context's own names that are compared even in haste. */
const MAX_NAMES_IN_HASTE = 1_000;
const ABSENT: Absent = [];
const NONE: CompactChange[] = [];

/**
 * Properties of a copy: the live value, the numbers of values and of own properties, and the description. Symbols, so
 * that `keys` doesn't list them.
 */
const LIVE: unique symbol = Symbol('live');
const SIZE: unique symbol = Symbol('size');
const COUNT: unique symbol = Symbol('count');
const DESCRIBED: unique symbol = Symbol('described');
type Copy = Record<string, unknown> & {
  [LIVE]: object;
  [SIZE]: number;
  [COUNT]: number;
  [DESCRIBED]: CompactValue | undefined;
};

/** Once a copy has been described, it never changes, so that its handle keeps referring to the value at that step. */
export class ContextDiff {
  readonly #describe: (value: unknown) => CompactValue;
  readonly #ancestors: object[] = [];
  #copy: unknown;
  /** The names and values of the context's own properties. */
  #names: readonly string[] = [];
  readonly #values: unknown[] = [];
  #limit = MAX_NODES;
  #nodesLeft = MAX_NODES;
  #isDeep = true;
  #isShallow = false;
  /** Whether the last call didn't compare the context. */
  #isSkipped = false;
  #changes = NONE;

  constructor(initial: object, describe: (value: unknown) => CompactValue) {
    this.#describe = describe;
    this.#copy = this.#copyOf(initial);
  }

  /** Whether some values, or the context itself, were too large for the last deep comparison. */
  get isShallow(): boolean {
    return this.#isShallow;
  }

  /**
   * The changes since the last call.
   * @param maxNodes the number of nested values beyond which a value is compared by identity only. Below the default, a
   * context with very many names isn't compared
   * @param changed by default, any property
   */
  compare(context: object, maxNodes: number, changed?: ChangedNames): CompactChange[] {
    this.#isDeep = true;
    this.#limit = maxNodes;
    this.#nodesLeft = maxNodes < MAX_NODES ? 4 * maxNodes : MAX_NODES;
    // The changes found now can also be from before a start that wasn't compared.
    this.#isShallow = this.#isSkipped;
    this.#isSkipped = !changed && this.#isTooLarge(maxNodes);
    this.#isShallow ||= this.#isSkipped;
    return this.#isSkipped ? NONE : this.#compare(context, changed);
  }

  /** The properties of the context itself that have other values since the last call. @param maxNodes as of `compare` */
  compareProperties(context: object, maxNodes: number, changed?: ChangedNames): CompactChange[] {
    this.#isDeep = false;
    this.#nodesLeft = this.#limit = MAX_NODES;
    this.#isSkipped = !changed && this.#isTooLarge(maxNodes);
    return this.#isSkipped ? NONE : this.#compare(context, changed);
  }

  /** Whether even the context's own names take too long in haste. */
  #isTooLarge(maxNodes: number): boolean {
    return maxNodes < MAX_NODES && this.#names.length > MAX_NAMES_IN_HASTE;
  }

  #compare(context: object, changed?: ChangedNames): CompactChange[] {
    this.#changes = NONE;
    try {
      // A context that is too large to be copied is compared by identity only.
      if (changed && this.#copy === context) this.#isShallow = true;
      else if (changed && isCopyOf(this.#copy, context)) this.#compareNames(context, this.#copy as Copy, changed);
      else if (this.#readProperties(context)) this.#copy = this.#compareValues(context, this.#copy, '');
    } catch {
      // A proxy in the page threw an error. The changes found so far are reported and marked as incomplete.
      this.#names = [];
      this.#ancestors.length = 0;
      this.#isShallow = true;
    }
    return this.#changes;
  }

  /** Returns false if nothing has changed since the last call, which is the case before and after most steps. */
  #readProperties(context: object): boolean {
    const names = keys(context);
    const { length } = names;
    let isChanged = length !== this.#names.length || !isCopyOf(this.#copy, context) || !isPlain(context);
    for (let i = 0; i < length; i++) {
      const item = ownValue(context, names[i]!);
      const isDeep = this.#isDeep && typeof item === 'object' && item !== null;
      isChanged ||= isDeep || names[i] !== this.#names[i] || !is(item, this.#values[i]);
      this.#values[i] = item;
    }
    this.#names = names;
    return isChanged;
  }

  #compareNames(context: object, root: Copy, { names, shared }: ChangedNames): void {
    this.#ancestors[0] = context;
    for (let i = 0; i < shared.length; i++) {
      if (this.#nodesLeft <= 0) {
        this.#isShallow = true;
        break;
      }
      this.#compareName(context, root, shared[i]!);
      this.#removeName(context, root, shared[i]!);
    }
    for (let i = 0; i < names.length; i++) this.#compareName(context, root, names[i]!);
    for (let i = names.length - 1; i >= 0; i--) this.#removeName(context, root, names[i]!);
    this.#ancestors.length = 0;
  }

  #removeName(context: object, root: Copy, name: string): void {
    if (hasOwn(context, name) || !hasOwn(root, name)) return;
    this.#add([childPath('', name), this.#describeOnce(root[name]), ABSENT]);
    delete root[name];
    mark(root, context, root[SIZE] - 1, root[COUNT] - 1);
  }

  #compareName(context: object, root: Copy, name: string): void {
    if (!hasOwn(context, name)) return;
    const item = ownValue(context, name);
    if (hasOwn(root, name)) root[name] = this.#compareValues(item, root[name], childPath('', name));
    else {
      root[name] = this.#added(item, '', name);
      mark(root, context, root[SIZE] + 1, root[COUNT] + 1);
    }
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
      copy[names[i]!] = this.#copyOf(ownValue(value, names[i]!));
    }
    this.#ancestors.length--;
    return this.#nodesLeft <= 0 ? value : mark(copy, value, before - this.#nodesLeft, names.length);
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
    if (depth > 0 && !this.#isDeep && old[LIVE] === value) return old;
    if ((old[SIZE] > this.#limit && depth > 0) || this.#nodesLeft <= 0 || depth > MAX_DEPTH) {
      this.#isShallow = true;
      return old[LIVE] === value ? old : this.#replace(value, old, path);
    }
    return this.#compareEntries(value, old, path);
  }

  #compareEntries(value: object, old: Copy, path: string): unknown {
    const firstChange = this.#changes.length;
    // No handle refers to the whole context, so its copy can be modified in place.
    const isRoot = this.#ancestors.length === 0;
    const names = isRoot ? this.#names : keys(value);
    const count = old[COUNT];
    this.#ancestors[this.#ancestors.length] = value;
    const next = this.#nextCopy(value, names, old, isRoot ? old : old[LIVE] === value ? null : duplicate(old), path);
    this.#ancestors.length--;
    if (next === null) return old;
    if (isArray(value)) (next as unknown as unknown[]).length = (value as unknown[]).length;
    const result = mark(next, value, old[SIZE] + names.length - count, names.length);
    if (!isRoot && this.#changes.length - firstChange > MAX_CHANGES) {
      this.#changes.length = firstChange;
      this.#add([path, this.#describeOnce(old), this.#describeOnce(result)]);
    }
    return result;
  }

  /** @param given the copy to change; null to duplicate the old one at the first change */
  #nextCopy(value: object, names: readonly string[], old: Copy, given: Copy | null, path: string): Copy | null {
    const count = old[COUNT];
    const isRoot = this.#ancestors.length === 1;
    let next = given;
    let known = 0;
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      const item = isRoot ? this.#values[i] : ownValue(value, name);
      const isKnown = hasOwn(old, name);
      if (isKnown) known++;
      // Most values are simple and haven't changed.
      if (isKnown && (typeof item !== 'object' || item === null) && is(item, old[name])) continue;
      const copy = isKnown
        ? this.#compareValues(item, old[name], childPath(path, name))
        : this.#added(item, path, name);
      if (!isKnown || !is(copy, old[name])) (next ??= duplicate(old))[name] = copy;
    }
    return known < count ? this.#removeOthers(value, old, next, path) : next;
  }

  /** From the end, so that indexes stay valid while a reader removes array items one by one. */
  #removeOthers(value: object, old: Copy, changed: Copy | null, path: string): Copy | null {
    const names = keys(old);
    let next = changed;
    for (let i = names.length - 1; i >= 0; i--) {
      const name = names[i]!;
      if (hasOwn(value, name)) continue;
      this.#add([childPath(path, name), this.#describeOnce(old[name]), ABSENT]);
      next ??= duplicate(old);
      delete next[name];
    }
    return next;
  }

  #added(item: unknown, path: string, name: string): unknown {
    const copy = this.#copyOf(item);
    this.#add([childPath(path, name), ABSENT, this.#describeOnce(copy)]);
    return copy;
  }

  #replace(value: unknown, old: unknown, path: string): unknown {
    const copy = this.#copyOf(value);
    this.#add([path, this.#describeOnce(old), this.#describeOnce(copy)]);
    return copy;
  }

  #describeOnce(value: unknown): CompactValue {
    return isCopy(value) ? (value[DESCRIBED] ??= this.#describe(value)) : this.#describe(value);
  }

  #add(change: CompactChange): void {
    if (this.#changes === NONE) this.#changes = [];
    this.#changes[this.#changes.length] = change;
  }
}

function childPath(path: string, name: string): string {
  return `${path}/${pointerToken(name)}`;
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

const isCopyOf = (copy: unknown, live: object): boolean => isCopy(copy) && copy[LIVE] === live;

/** Neither kind has a prototype, so that assigning a property can't run a setter of the page. */
function emptyCopy(like: object): Copy {
  return (isArray(like) ? bareList() : create(null)) as Copy;
}

function duplicate(copy: Copy): Copy {
  const next = emptyCopy(copy);
  const names = keys(copy);
  for (let i = 0; i < names.length; i++) next[names[i]!] = copy[names[i]!];
  if (isArray(copy)) (next as unknown as unknown[]).length = (copy as unknown as unknown[]).length;
  return mark(next, copy[LIVE], copy[SIZE], names.length);
}

function mark(target: Copy, live: object, size: number, count: number): Copy {
  target[LIVE] = live;
  target[SIZE] = size;
  target[COUNT] = count;
  target[DESCRIBED] = undefined;
  return target;
}
