/** Watches for properties that the page sets later, such as `Platform`. */
import {
  defineProperty,
  descriptorOf,
  getEntries,
  hasOwn,
  navigationStatus,
  readyState,
  workerStart,
} from './pristine.ts';
import { attempt, isObject, readProperty } from './safe.ts';

/**
 * Calls `then` with `owner[key]` if it's an object, or else when an object is assigned. Until then, the property is an
 * accessor that returns what the page has assigned. Afterward, it's a data property again, so that the page doesn't
 * notice. A value that the owner inherits, or gets from an accessor of the page, is only read.
 */
export function whenSet(owner: object, key: string, then: (value: object) => void): void {
  const found = descriptorOf(owner, key);
  if (found ? !hasOwn(found, 'value') || isObject(found.value) : attempt(() => key in owner) !== false) {
    const value = readProperty(owner, key);
    if (isObject(value)) then(value);
    return;
  }
  let value: unknown = found?.value;
  try {
    defineProperty(owner, key, {
      __proto__: null,
      configurable: true,
      enumerable: found ? found.enumerable : true,
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
    // The object is frozen, so it can't be watched. Nothing was changed.
  }
}

/** `loading`, `interactive`, or `complete`. */
export function documentState(): string {
  return readyState ? readyState(document) : 'complete';
}

/** The status of the document's response, and whether a service worker of the origin gave it. */
export function documentNavigation(): { status: number; isFromServiceWorker: boolean } | undefined {
  try {
    const entry = getEntries?.(performance, 'navigation')[0];
    if (!entry || !navigationStatus || !workerStart) return undefined;
    return { status: navigationStatus(entry), isFromServiceWorker: workerStart(entry) > 0 };
  } catch {
    return undefined;
  }
}
