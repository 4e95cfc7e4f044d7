/** Wraps the page's functions to watch their calls, and restores them. */
import { apply, defineProperty, descriptorOf, hasOwn, ProxyOf } from './pristine.ts';
import { attempt, type Fn } from './safe.ts';

/** Must call the original with the same `this` and arguments, and return its result. */
export type Watcher = (original: Fn, self: unknown, args: unknown[]) => unknown;

/**
 * Replaces `owner[name]` with a watched function. A proxy preserves its name, length, and source text.
 * @returns a function that restores the original, unless the page has replaced it in the meantime
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
  replaceProperty(owner, name, watched, found);
  return () => {
    const current = descriptorOf(owner, name);
    // A page that has frozen the owner keeps the watched function. Nothing else may be left undone because of it.
    if (current && hasOwn(current, 'value') && current.value === watched)
      attempt(() => replaceProperty(owner, name, original, found));
  };
}

/** @throws TypeError if the owner has been frozen */
export function replaceProperty(owner: object, name: string, value: Fn, like: PropertyDescriptor): void {
  defineProperty(owner, name, {
    __proto__: null,
    value,
    writable: like.writable,
    enumerable: like.enumerable,
    configurable: like.configurable,
  } as PropertyDescriptor);
}

/** Calls the original without watching it. */
export function callThrough(original: Fn, self: unknown, args: unknown[]): unknown {
  return apply(original, self, args);
}
