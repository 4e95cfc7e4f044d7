/** Defines the safe list: the global names available to conditions. */
import { spend, spendOnText } from './limits.ts';
import { now, random } from './sources.ts';
import { allow, readProperty } from './values.ts';

/** Also those that aren’t enumerable. */
const members = (source: object): object =>
  Object.fromEntries(Object.getOwnPropertyNames(source).map((name) => [name, Reflect.get(source, name)]));

const MATH = { ...members(Math), random };
const DATE = { now, parse: Date.parse, UTC: Date.UTC };
/** Their functions convert what they get to numbers or strings. */
const CONVERTING: ReadonlySet<object> = new Set<object>([MATH, DATE, Number, String]);

/**
 * Copies members of `source` to `target` and freezes them, so that conditions can’t change them or reach other objects
 * through them.
 */
function copyMembers(target: object, source: object, names: readonly string[]): object {
  const converts = CONVERTING.has(source);
  for (const name of names) {
    const value: unknown = Reflect.get(source, name);
    Object.defineProperty(target, name, {
      value:
        typeof value === 'function'
          ? allow((...args: unknown[]) => {
              if (converts) args.forEach((arg) => spendOnText(arg));
              return Reflect.apply(value, source, args) as unknown;
            })
          : value,
      enumerable: true,
    });
  }
  return Object.freeze(target);
}

const namespace = (source: object, names: readonly string[]): object =>
  copyMembers(Object.create(null) as object, source, names);
const callable = (fn: (...args: unknown[]) => unknown, source: object, names: string): object =>
  copyMembers(allow(fn), source, names.split(' '));
const call = (fn: (...args: never[]) => unknown) =>
  allow((...args: unknown[]): unknown => {
    if (fn !== Boolean) args.forEach((arg) => spendOnText(arg));
    return Reflect.apply(fn, undefined, args);
  });

function createArray(args: unknown[]): unknown[] {
  if (args.length === 1 && typeof args[0] === 'number') spend(args[0]);
  return Reflect.apply(Array, undefined, args);
}

function arrayFrom(items: unknown, map?: (item: unknown, index: number) => unknown): unknown[] {
  const length = (items as { length?: unknown } | null | undefined)?.length;
  spend(Number(length ?? 0) || 0);
  return map === undefined ? Array.from(items as unknown[]) : Array.from(items as unknown[], map);
}

function parse(given: unknown, reviver?: (key: string, value: unknown) => unknown): unknown {
  const text = `${given as string}`;
  spend(text.length / 16);
  return JSON.parse(text, reviver);
}

/** JSON.stringify that counts the values it visits: a small value can produce endless JSON. */
function stringify(value: unknown, replacer?: unknown, space?: string | number): string | undefined {
  const replace =
    typeof replacer === 'function'
      ? (replacer as (key: string, item: unknown) => unknown)
      : Array.isArray(replacer)
        ? picker(replacer)
        : (_key: string, item: unknown) => item;
  return JSON.stringify(
    value,
    (key, item: unknown) => {
      // JSON.stringify checks for cycles at each value, and deeper values take longer.
      spend(10);
      return replace(key, item);
    },
    space,
  );
}

/** Replaces objects with copies that list only these keys, in this order. */
function picker(list: readonly unknown[]): (key: string, item: unknown) => unknown {
  const keys = [...new Set(list.filter((key) => typeof key === 'string' || typeof key === 'number').map(String))];
  // The same copy each time, so that JSON.stringify finds cycles.
  const copies = new WeakMap<object, object>();
  return (_key, item) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item) || isBoxed(item)) return item;
    spend(keys.length);
    const copy =
      copies.get(item) ??
      // An object would list keys such as "1" first.
      new Proxy(Object.fromEntries(keys.map((key) => [key, readProperty(item, key)])), { ownKeys: () => keys });
    copies.set(item, copy);
    return copy;
  };
}

/** JSON.stringify converts these to primitives. */
// oxlint-disable unicorn/no-instanceof-builtins -- primitives aren’t objects
const isBoxed = (item: object): boolean =>
  item instanceof Number || item instanceof String || item instanceof Boolean || item instanceof BigInt;
// oxlint-enable unicorn/no-instanceof-builtins

const SafeArray = allow((...args: unknown[]) => createArray(args));
Object.defineProperty(SafeArray, 'from', { value: allow(arrayFrom) });

const NUMBER_MEMBERS =
  'isFinite isInteger isNaN isSafeInteger parseFloat parseInt EPSILON MAX_SAFE_INTEGER MIN_SAFE_INTEGER MAX_VALUE MIN_VALUE NaN ' +
  'POSITIVE_INFINITY NEGATIVE_INFINITY';

export const GLOBALS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['Math', namespace(MATH, Object.getOwnPropertyNames(Math))],
  ['JSON', namespace({ parse, stringify }, ['parse', 'stringify'])],
  ['Object', namespace(Object, ['keys', 'values', 'entries'])],
  ['Date', callable(() => new Date(now()).toString(), DATE, 'now parse UTC')],
  ['Number', callable(call(Number), Number, NUMBER_MEMBERS)],
  ['String', callable(call(String), String, 'fromCharCode fromCodePoint')],
  ['Boolean', callable(call(Boolean), Boolean, 'length')],
  ['Array', callable(SafeArray, Array, 'isArray of')],
  ['isNaN', call(isNaN)],
  ['parseInt', call(parseInt)],
  ['parseFloat', call(parseFloat)],
]);
