/** Watches for properties that the page sets later, such as its `Platform`. */
import { defineProperty, descriptorOf, hasOwn, readyState } from './pristine.ts';
import { isObject } from './safe.ts';

/**
 * Calls `then` with `owner[key]` when that is an object, otherwise once an object is assigned. Until then the property is an
 * accessor that reads as `undefined`; afterwards it is plain data again, so that the page doesn't notice.
 */
export function whenSet(owner: object, key: string, then: (value: object) => void): void {
  const found = descriptorOf(owner, key);
  if (found) {
    if (hasOwn(found, 'value') && isObject(found.value)) then(found.value);
    return;
  }
  let value: unknown;
  try {
    defineProperty(owner, key, {
      __proto__: null,
      configurable: true,
      enumerable: true,
      get: () => value,
      set(assigned: unknown) {
        value = assigned;
        if (!isObject(assigned)) return;
        defineProperty(owner, key, {
          __proto__: null,
          value: assigned,
          writable: true,
          enumerable: true,
          configurable: true,
        } as PropertyDescriptor);
        then(assigned);
      },
    } as PropertyDescriptor);
  } catch {
    // A frozen object: nothing can be watched, and nothing was changed.
  }
}

/** `loading`, `interactive`, or `complete`. */
export function documentState(): string {
  return readyState ? readyState(document) : 'complete';
}
