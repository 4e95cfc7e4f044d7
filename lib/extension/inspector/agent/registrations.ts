/** Owns the functions that were registered under the agent's eyes: each call of one can be told as a step. */
import {
  apply,
  currentScript,
  defineProperty,
  descriptorOf,
  hasOwn,
  MapOf,
  mapGet,
  mapSet,
  mapSize,
  ProxyOf,
  readyState,
  scriptSrc,
  WeakMapOf,
  weakGet,
  weakSet,
} from './pristine.ts';

type Fn = (...args: unknown[]) => unknown;
/** Runs one call of a registered function; it must call `go` once and answer what that answers. */
export type CallWatcher = (name: string, args: unknown[], go: () => unknown) => unknown;

export interface Registrations {
  /** Watches `namespace.Functions.register`, now or as soon as each of the three appears. */
  watch(namespace: string): void;
  /** How many functions were wrapped. */
  count(): number;
  list(): { name: string; url: string | null }[];
  /** The function behind a wrapper, or the value itself. */
  unwrap(value: unknown): unknown;
  get(name: string): unknown;
}

export function createRegistrations(onCall: CallWatcher): Registrations {
  const raw = new WeakMapOf<object, Fn>();
  const hooked = new WeakMapOf<object, true>();
  const names: string[] = [];
  const known = new MapOf<string, { fn: Fn; url: string | null }>();

  function wrap(name: string, fn: Fn): Fn {
    const wrapped = new ProxyOf(fn, {
      __proto__: null,
      apply: (target: Fn, self: unknown, args: unknown[]) => onCall(name, args, () => apply(target, self, args)),
    } as ProxyHandler<Fn>);
    weakSet(raw, wrapped, fn);
    if (mapGet(known, name) === undefined) names[names.length] = name;
    mapSet(known, name, { fn, url: scriptUrl() });
    return wrapped;
  }

  /** The `register` that the page gets instead: it differs in wrapping its second argument alone. */
  function hookRegister(functions: object): void {
    const found = descriptorOf(functions, 'register');
    if (
      !found ||
      !hasOwn(found, 'value') ||
      typeof found.value !== 'function' ||
      weakGet(hooked, found.value) ||
      !found.configurable
    )
      return;
    const register = new ProxyOf(
      found.value as Fn,
      {
        __proto__: null,
        apply(target: Fn, self: unknown, args: unknown[]) {
          const name = args[0];
          const fn = args[1];
          if (typeof name === 'string' && typeof fn === 'function') args[1] = wrap(name, fn as Fn);
          return apply(target, self, args);
        },
      } as ProxyHandler<Fn>,
    );
    weakSet(hooked, register, true);
    replace(functions, 'register', register, found);
  }

  return {
    watch(namespace) {
      whenSet(globalThis, namespace, (root) =>
        whenSet(root, 'Functions', (functions) => whenSet(functions, 'register', () => hookRegister(functions))),
      );
    },
    count: () => mapSize(known),
    list() {
      const list: { name: string; url: string | null }[] = [];
      for (let i = 0; i < names.length; i++) list[i] = { name: names[i]!, url: mapGet(known, names[i]!)!.url };
      return list;
    },
    unwrap: (value) => (typeof value === 'function' ? (weakGet(raw, value) ?? value) : value),
    get: (name) => mapGet(known, name)?.fn,
  };
}

/**
 * Calls `then` with `owner[key]` when that is an object, else once it is assigned one. Until then an accessor stands there,
 * which reads as `undefined`; afterwards the property is plain data again, so that the page sees nothing of it.
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
      set(given: unknown) {
        value = given;
        if (!isObject(given)) return;
        defineProperty(owner, key, {
          __proto__: null,
          value: given,
          writable: true,
          enumerable: true,
          configurable: true,
        } as PropertyDescriptor);
        then(given);
      },
    } as PropertyDescriptor);
  } catch {
    // A frozen object: nothing can be watched, and nothing was changed.
  }
}

function replace(owner: object, key: string, value: unknown, like: PropertyDescriptor): void {
  try {
    defineProperty(owner, key, {
      __proto__: null,
      value,
      writable: like.writable,
      enumerable: like.enumerable,
      configurable: true,
    } as PropertyDescriptor);
  } catch {
    // Frozen meanwhile: the page keeps its own.
  }
}

/** Where the script that runs now came from; null for an inline one or a module. */
function scriptUrl(): string | null {
  try {
    const script = currentScript && currentScript(document);
    const url = script && scriptSrc ? scriptSrc(script) : '';
    return url === '' ? null : url;
  } catch {
    return null;
  }
}

/** `loading`, `interactive` or `complete`. */
export function documentState(): string {
  return readyState ? readyState(document) : 'complete';
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
