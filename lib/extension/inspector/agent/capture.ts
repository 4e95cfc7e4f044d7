/** Owns the exchange of a page's functions for watched ones while a run goes, and their return. */
import { apply, defineProperty, descriptorOf, hasOwn, ProxyOf } from './pristine.ts';

type Fn = (...args: unknown[]) => unknown;
/** Calls the original with the same `this` and arguments, sees what there is to see, and answers what it answered. */
export type Watcher = (original: Fn, self: unknown, args: unknown[]) => unknown;

/**
 * Puts a watched function in the place of `owner[name]`. A proxy keeps its name, length and source text.
 * @returns how to put the original back; it leaves alone what the page put there meanwhile
 */
export function capture(owner: object | undefined, name: string, watch: Watcher): () => void {
  const found = owner && descriptorOf(owner, name);
  if (!owner || !found || !hasOwn(found, 'value') || typeof found.value !== 'function' || !found.configurable)
    return () => {};
  const original = found.value as Fn;
  const watched = new ProxyOf(original, {
    __proto__: null,
    apply: (target: Fn, self: unknown, args: unknown[]) => watch(target, self, args),
  } as ProxyHandler<Fn>);
  const put = (value: Fn) =>
    defineProperty(owner, name, {
      __proto__: null,
      value,
      writable: found.writable,
      enumerable: found.enumerable,
      configurable: true,
    } as PropertyDescriptor);
  put(watched);
  return () => {
    const current = descriptorOf(owner, name);
    if (current && hasOwn(current, 'value') && current.value === watched) put(original);
  };
}

/** The original call, unchanged. */
export function callThrough(original: Fn, self: unknown, args: unknown[]): unknown {
  return apply(original, self, args);
}
