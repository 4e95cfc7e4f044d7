/** Wraps functions when the page registers them, so that each call can be reported as a step. */
import { replaceProperty } from '../../agent/capture.ts';
import {
  apply,
  currentScript,
  descriptorOf,
  hasOwn,
  MapOf,
  mapGet,
  mapSet,
  mapSize,
  ProxyOf,
  scriptSrc,
  WeakMapOf,
  weakGet,
  weakSet,
} from '../../agent/pristine.ts';
import { attempt, type Fn } from '../../agent/safe.ts';
import { whenSet } from '../../agent/watch.ts';

/** Must invoke `call` exactly once and return its result. */
export type CallWatcher = (name: string, args: unknown[], call: () => unknown) => unknown;

export interface Registrations {
  /** Watches `namespace.Functions.register`, waiting for each part that doesn't exist yet. */
  watch(namespace: string): void;
  /** The number of wrapped functions. */
  count(): number;
  list(): { name: string; url: string | null }[];
  /** The wrapper's original function, or the value itself if it isn't a wrapper. */
  unwrap(value: unknown): unknown;
  get(name: string): unknown;
}

export function createRegistrations(onCall: CallWatcher): Registrations {
  const originals = new WeakMapOf<object, Fn>();
  const hooked = new WeakMapOf<object, true>();
  const names: string[] = [];
  const registered = new MapOf<string, { fn: Fn; url: string | null }>();

  function wrap(name: string, fn: Fn): Fn {
    const wrapper = new ProxyOf(fn, {
      __proto__: null,
      apply: (target: Fn, self: unknown, args: unknown[]) => onCall(name, args, () => apply(target, self, args)),
    } as ProxyHandler<Fn>);
    weakSet(originals, wrapper, fn);
    if (mapGet(registered, name) === undefined) names[names.length] = name;
    mapSet(registered, name, { fn, url: scriptUrl() });
    return wrapper;
  }

  /** Replaces `register` with a proxy that wraps the second argument. */
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
    // If the object has been frozen in the meantime, the page keeps its own function.
    attempt(() => replaceProperty(functions, 'register', register, found));
  }

  return {
    watch(namespace) {
      whenSet(globalThis, namespace, (root) =>
        whenSet(root, 'Functions', (functions) => whenSet(functions, 'register', () => hookRegister(functions))),
      );
    },
    count: () => mapSize(registered),
    list() {
      const list: { name: string; url: string | null }[] = [];
      for (let i = 0; i < names.length; i++) list[i] = { name: names[i]!, url: mapGet(registered, names[i]!)!.url };
      return list;
    },
    unwrap: (value) => (typeof value === 'function' ? (weakGet(originals, value) ?? value) : value),
    get: (name) => mapGet(registered, name)?.fn,
  };
}

/** The URL of the running script, or null for an inline script or a module. */
function scriptUrl(): string | null {
  const script = attempt(() => currentScript?.(document));
  return (script && attempt(() => scriptSrc?.(script))) || null;
}
