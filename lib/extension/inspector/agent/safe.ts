/** Helpers that stay safe in a hostile page: they call no method of a page's prototype. */
import { apply, getPrototypeOf, isArray, PromisePrototype, setPrototypeOf } from './pristine.ts';

export type Fn = (...args: unknown[]) => unknown;

/** Undefined when `run` throws. */
export function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}

/** An object or a function. */
export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Whether awaiting the value only awaits it. Another thenable's `then` could start anything. */
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

/** A list without a prototype, so that no accessor of the page's `Array.prototype` sees its items. It has no methods. */
export function bareList<T>(): T[] {
  return setPrototypeOf([], null);
}

export function includes<T>(list: readonly T[], item: T): boolean {
  for (let i = 0; i < list.length; i++) if (list[i] === item) return true;
  return false;
}

/** The strings of a list of the page, up to `most` of its items. */
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

/** Calls a method of a page's object as the page would. Throws what the method throws. */
export function callMethod(owner: object, name: string, args: unknown[]): unknown {
  return apply((owner as Record<string, unknown>)[name] as Fn, owner, args);
}

/** A property as any reader in the page gets it, getters included; undefined when reading throws. */
export function readProperty(owner: unknown, name: string): unknown {
  return isObject(owner) ? attempt(() => (owner as Record<string, unknown>)[name]) : undefined;
}
