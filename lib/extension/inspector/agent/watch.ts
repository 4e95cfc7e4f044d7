/** Watches for properties that the page sets later, such as `Platform`. */
import {
  defineProperty,
  descriptorOf,
  entryName,
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
  const value = readProperty(owner, key);
  if (isObject(value)) return then(value);
  let unwatch = (): void => {};
  unwatch = whenever(owner, key, (assigned) => {
    unwatch();
    then(assigned);
  });
}

/**
 * Calls `then` with `owner[key]` if it's an object, and with each object that is assigned, because a page may replace a
 * stub. What `then` returns, if anything, replaces the object.
 * @returns a function that makes it a data property again
 */
export function whenever(owner: object, key: string, then: (value: object) => object | void): () => void {
  const found = descriptorOf(owner, key);
  const isWatchable = found ? hasOwn(found, 'value') && found.writable : attempt(() => key in owner) === false;
  if (!isWatchable) {
    const value = readProperty(owner, key);
    if (isObject(value)) then(value);
    return () => {};
  }
  const replaced = (assigned: unknown): unknown => (isObject(assigned) ? (then(assigned) ?? assigned) : assigned);
  let value: unknown = found?.value;
  const enumerable = found ? found.enumerable : true;
  const get = (): unknown => value;
  const set = (assigned: unknown): void => {
    // `then` can read the property.
    value = assigned;
    value = replaced(assigned);
  };
  // A frozen object can't be watched. Nothing is changed.
  attempt(() =>
    defineProperty(owner, key, { __proto__: null, configurable: true, enumerable, get, set } as PropertyDescriptor),
  );
  value = replaced(value);
  return () => {
    if (descriptorOf(owner, key)?.get !== get) return;
    const data = { __proto__: null, value, writable: true, enumerable, configurable: true } as PropertyDescriptor;
    attempt(() => defineProperty(owner, key, data));
  };
}

/** `loading`, `interactive`, or `complete`. */
export function documentState(): string {
  return readyState ? readyState(document) : 'complete';
}

/** Before the page could change it, if the agent started first. */
const firstUrl = attempt(() => location.href) ?? '';

/** The URL that the document was loaded with, as far as it's known. */
export function loadedUrl(): string {
  const entry = attempt(() => getEntries?.(performance, 'navigation')[0]);
  return (entry && attempt(() => entryName?.(entry))) || firstUrl;
}

/** Whether the page has an opaque origin. */
export const isSandboxed = (): boolean => attempt(() => globalThis.origin) === 'null';

/** The status of the document's response, and whether a service worker of the origin handled the request. */
export function documentNavigation(): { status: number; isFromServiceWorker: boolean } | undefined {
  try {
    const entry = getEntries?.(performance, 'navigation')[0];
    if (!entry || !navigationStatus || !workerStart) return undefined;
    return { status: navigationStatus(entry), isFromServiceWorker: workerStart(entry) > 0 };
  } catch {
    return undefined;
  }
}

/** Calls `then` when the document is left or frozen. The browser can bring it back later, with everything in it. */
export function whenLeft(then: () => void): void {
  // Before the page’s own listeners, which could keep the event from others.
  const options = { __proto__: null, capture: true } as AddEventListenerOptions;
  attempt(() => globalThis.addEventListener('pagehide', then, options));
  attempt(() => document.addEventListener('freeze', then, options));
}
