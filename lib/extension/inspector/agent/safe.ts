/** Helpers for hostile pages: none of them calls a method from the page's prototypes. */
import { apply, getPrototypeOf, isArray, PromisePrototype, setPrototypeOf } from './pristine.ts';

export type Fn = (...args: unknown[]) => unknown;

/** Returns undefined if `run` throws. */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** Whether the value is an object or a function. */
export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Whether the value is a Promise. Awaiting any other thenable calls its `then`, which could do anything. */
export function isPromise(value: unknown): value is Promise<unknown> {
  if (typeof value !== 'object' || value === null) return false;
  for (
    let proto = getPrototypeOf(value) as object | null, i = 0;
    proto !== null && i < 5;
    proto = getPrototypeOf(proto) as object | null, i++
  )
    if (proto === PromisePrototype) return true;
  return false;
}

/**
 * A list without a prototype, so that accessors on the page's `Array.prototype` never see its items. It has no methods.
 */
export function bareList<T>(): T[] {
  return setPrototypeOf([], null);
}

export function includes<T>(list: readonly T[], item: T): boolean {
  for (let i = 0; i < list.length; i++) if (list[i] === item) return true;
  return false;
}

/** The strings among the first `most` items of a list from the page. */
export function stringsIn(value: unknown, most: number): string[] {
  const list: string[] = [];
  const items = isArray(value) ? (value as unknown[]) : [];
  for (let i = 0; i < items.length && i < most; i++) {
    const item = items[i];
    if (typeof item === 'string') list[list.length] = item;
  }
  return list;
}

/** Joins without `Array.prototype.join`. */
export function join(parts: readonly string[], by: string): string {
  let text = '';
  for (let i = 0; i < parts.length; i++) text += i ? by + parts[i]! : parts[i]!;
  return text;
}

/** Calls a method of a page object just as the page would. Throws whatever the method throws. */
export function callMethod(owner: object, name: string, args: unknown[]): unknown {
  return apply((owner as Record<string, unknown>)[name] as Fn, owner, args);
}

/** Reads a property as page code would, including getters. Returns undefined if reading it throws. */
export function readProperty(owner: unknown, name: string): unknown {
  return isObject(owner) ? attempt(() => (owner as Record<string, unknown>)[name]) : undefined;
}
