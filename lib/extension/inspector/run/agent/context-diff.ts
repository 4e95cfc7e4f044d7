/** Owns the differences of a run's context: a copy of it is kept, compared with the live one at each step, and brought up to date. */
import type { Change, RemoteValue } from '../../contract.ts';
import { pointerPart } from '../../agent/json.ts';
import { ownValue } from '../../agent/describe-cursor.ts';
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

/** Values that one comparison looks at, while it may take its time and when it has taken enough. */
const NODES = 20_000;
const NODES_IN_HASTE = 500;
const DEEPEST = 50;
/** More differences than this inside one value are told as one of the whole value. */
const MOST_CHANGES = 50;
/** Milliseconds that comparing may always take, and the share of a run's time beyond. */
const FREE_TIME = 150;
const TIME_SHARE = 0.2;

/** On a copy, where no listing of keys shows them: the value that it copies, and how many values it holds. */
const LIVE: unique symbol = Symbol('live');
const SIZE: unique symbol = Symbol('size');
type Copy = Record<string, unknown> & { [LIVE]: object; [SIZE]: number };

export interface Shadow {
  /** What changed since the last call. */
  compare(context: object): { changes: Change[]; shallow: boolean };
}

/** Copies are replaced, never written to, once told: what a handle names stays what it was at that step. */
export function createShadow(initial: object, tell: (value: unknown) => RemoteValue): Shadow {
  const startedAt = now();
  let spent = 0;
  let limit = NODES;
  let left = NODES;
  let shallow = false;
  let changes: Change[] = [];
  const above: object[] = [];

  /** A copy of plain data; what is no plain data, or too large, is kept as it is and known by identity alone. */
  function copy(value: unknown): unknown {
    if (!isPlain(value) || above.length > DEEPEST) return value;
    if (isAbove(value)) return value;
    const before = left;
    const result: Copy = empty(value);
    above[above.length] = value;
    const names = keys(value);
    for (let i = 0; i < names.length && left > 0; i++) {
      left--;
      put(result, names[i]!, copy(ownValue(value, names[i]!)));
    }
    above.length--;
    if (left <= 0) return value;
    return sealed(result, value, before - left);
  }

  function differ(value: unknown, was: unknown, path: string): unknown {
    left--;
    if (!isPlain(value) || !isCopy(was) || isArray(value) !== isArray(was) || isAbove(value)) {
      if (is(value, was)) {
        if (isPlain(value)) shallow = true;
        return was;
      }
      return replaced(value, was, path);
    }
    if ((was[SIZE] > limit && above.length > 0) || left <= 0 || above.length > DEEPEST) {
      shallow = true;
      return was[LIVE] === value ? was : replaced(value, was, path);
    }
    return entries(value, was, path);
  }

  function entries(value: object, was: Copy, path: string): unknown {
    const firstChange = changes.length;
    const names = keys(value);
    const old = keys(was);
    // No handle names the context as a whole, so its own copy can be written to.
    const isRoot = above.length === 0;
    let next: Copy | null = isRoot ? was : was[LIVE] === value ? null : duplicate(was);
    above[above.length] = value;
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      const item = ownValue(value, name);
      const known = hasOwn(was, name);
      const kept = known ? differ(item, was[name], `${path}/${pointerPart(name)}`) : copy(item);
      if (!known) changes[changes.length] = { path: `${path}/${pointerPart(name)}`, after: tell(kept) };
      if (!known || !is(kept, was[name])) put((next ??= duplicate(was)), name, kept);
    }
    // From the end, so that an array's indexes stay true while a reader removes them one by one.
    for (let i = old.length - 1; i >= 0; i--) {
      const name = old[i]!;
      if (hasOwn(value, name)) continue;
      changes[changes.length] = { path: `${path}/${pointerPart(name)}`, before: tell(was[name]) };
      next ??= duplicate(was);
      delete next[name];
    }
    above.length--;
    if (next === null) return was;
    if (isArray(value)) (next as unknown as unknown[]).length = (value as unknown[]).length;
    const result = sealed(next, value, was[SIZE] + names.length - old.length);
    if (!isRoot && changes.length - firstChange > MOST_CHANGES) {
      changes.length = firstChange;
      changes[firstChange] = { path, before: tell(was), after: tell(result) };
    }
    return result;
  }

  function replaced(value: unknown, was: unknown, path: string): unknown {
    const next = copy(value);
    changes[changes.length] = { path, before: tell(was), after: tell(next) };
    return next;
  }

  function isAbove(value: object): boolean {
    for (let i = above.length - 1; i >= 0; i--) if (above[i] === value) return true;
    return false;
  }

  let shadow = copy(initial);
  return {
    compare(context) {
      const from = now();
      limit = spent > FREE_TIME + TIME_SHARE * (from - startedAt) ? NODES_IN_HASTE : NODES;
      left = limit === NODES ? NODES : 4 * NODES_IN_HASTE;
      shallow = false;
      changes = [];
      try {
        shadow = differ(context, shadow, '');
      } catch {
        // A proxy of the page threw: what was found so far stands, and the answer says that it is not all.
        above.length = 0;
        shallow = true;
      }
      spent += now() - from;
      return { changes, shallow };
    },
  };
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

function empty(like: object): Copy {
  return (isArray(like) ? [] : create(null)) as Copy;
}

function duplicate(was: Copy): Copy {
  if (isArray(was)) return copyArray(was as unknown as unknown[]) as unknown as Copy;
  const next = empty(was);
  const names = keys(was);
  for (let i = 0; i < names.length; i++) next[names[i]!] = was[names[i]!];
  return next;
}

/** Own property, whatever its name: on an array, assignment would ask `Array.prototype`. */
function put(target: Copy, name: string, value: unknown): void {
  if (isArray(target))
    defineProperty(target, name, {
      __proto__: null,
      value,
      writable: true,
      enumerable: true,
      configurable: true,
    } as PropertyDescriptor);
  else target[name] = value;
}

function sealed(target: Copy, live: object, size: number): Copy {
  target[LIVE] = live;
  target[SIZE] = size;
  return target;
}
