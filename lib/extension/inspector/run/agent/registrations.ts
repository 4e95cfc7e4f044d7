/** Remembers functions as the page registers them, and wraps them so that each call can be reported as a step. */
import { callThrough, capture, replaceProperty } from '../../agent/capture.ts';
import { callerUrl } from './caller-url.ts';
import {
  apply,
  currentScript,
  descriptorOf,
  hasOwn,
  MapOf,
  mapGet,
  mapSet,
  mapSize,
  PageObject,
  ProxyOf,
  scriptSrc,
  WeakMapOf,
  weakGet,
  weakSet,
} from '../../agent/pristine.ts';
import { attempt, type Fn, isObject, readProperty } from '../../agent/safe.ts';
import { whenever, whenSet } from '../../agent/watch.ts';

/** Must invoke `call` exactly once and return its result. */
export type CallWatcher = (name: string, args: unknown[], call: () => unknown) => unknown;

export interface RegistrationOptions {
  onCall: CallWatcher;
  /** Whether the runtime reports its steps, so that its functions need no wrapper. */
  isObserved: (namespace: string) => boolean;
}

export class Registrations {
  readonly #options: RegistrationOptions;
  readonly #originals = new WeakMapOf<object, Fn>();
  readonly #hooks = new WeakMapOf<object, true>();
  readonly #names: string[] = [];
  readonly #registered = new MapOf<string, { fn: Fn; url: string | null }>();
  #namespace: string | null = null;
  /** Make the watched properties data properties again. */
  #unwatch: (() => void)[] = [];

  constructor(options: RegistrationOptions) {
    this.#options = options;
  }

  /** Watches `namespace.Functions.register`, waiting for each part that doesn't exist yet. */
  watch(namespace: string): void {
    if (this.#namespace !== null) return;
    this.#namespace = namespace;
    // A frozen object can't be hooked, so it's hooked right before.
    const release = capture(PageObject, 'freeze', (original, self, args) => {
      const object = args[0];
      if (isObject(object) && !isObject(this.#functions())) this.#hook(object);
      return callThrough(original, self, args);
    });
    const onFunctions = (functions: object): void => {
      release();
      whenSet(functions, 'register', () => this.#hook(functions));
    };
    const unwatch = this.#unwatch;
    unwatch[unwatch.length] = whenever(globalThis, namespace, (root) => {
      unwatch[unwatch.length] = whenever(root, 'Functions', onFunctions);
    });
  }

  /** Whether registrations have been watched since before the page could make any. */
  isWatching(): boolean {
    return this.#namespace !== null;
  }

  /** The number of functions that have been registered. */
  count(): number {
    return mapSize(this.#registered);
  }

  list(): { name: string; url: string | null }[] {
    const list: { name: string; url: string | null }[] = [];
    for (let i = 0; i < this.#names.length; i++) {
      const name = this.#names[i]!;
      list[i] = { name, url: mapGet(this.#registered, name)!.url };
    }
    return list;
  }

  /** The wrapper's original function, or the value itself if it isn't a wrapper. */
  unwrap(value: unknown): unknown {
    return typeof value === 'function' ? (weakGet(this.#originals, value) ?? value) : value;
  }

  get(name: string): Fn | undefined {
    return mapGet(this.#registered, name)?.fn;
  }

  #functions(): unknown {
    return readProperty(readProperty(globalThis, this.#namespace!), 'Functions');
  }

  /** Replaces `register`, which the object may inherit, with a proxy that remembers and wraps the second argument. */
  #hook(functions: object): void {
    const register = readProperty(functions, 'register');
    const own = descriptorOf(functions, 'register');
    if (typeof register !== 'function' || weakGet(this.#hooks, register) || (own && !hasOwn(own, 'value'))) return;
    const proxy = new ProxyOf(
      register as Fn,
      {
        __proto__: null,
        apply: (target: Fn, self: unknown, args: unknown[]) => {
          const name = args[0];
          const fn = args[1];
          // Another object may have had a `register` when it was frozen.
          const isOurs = typeof name === 'string' && typeof fn === 'function' && this.#functions() === functions;
          if (isOurs) args[1] = this.#add(name, fn as Fn);
          return apply(target, self, args);
        },
      } as ProxyHandler<Fn>,
    );
    weakSet(this.#hooks, proxy, true);
    const like = own ?? { writable: true, enumerable: false, configurable: true };
    // If the object has been frozen in the meantime, the page keeps its own function.
    attempt(() => replaceProperty(functions, 'register', proxy, like));
  }

  /** Remembers a function, and returns what the page gets instead. */
  #add(name: string, fn: Fn): Fn {
    for (let i = 0; i < this.#unwatch.length; i++) this.#unwatch[i]!();
    this.#unwatch = [];
    if (mapGet(this.#registered, name) === undefined) this.#names[this.#names.length] = name;
    mapSet(this.#registered, name, { fn, url: scriptUrl() });
    if (this.#options.isObserved(this.#namespace!)) return fn;
    const wrapper = new ProxyOf(fn, {
      __proto__: null,
      apply: (target: Fn, self: unknown, args: unknown[]) =>
        this.#options.onCall(name, args, () => apply(target, self, args)),
    } as ProxyHandler<Fn>);
    weakSet(this.#originals, wrapper, fn);
    return wrapper;
  }
}

/** The URL of the running script, or null for an inline script. */
function scriptUrl(): string | null {
  const script = attempt(() => currentScript?.(document));
  if (script) return attempt(() => scriptSrc?.(script)) || null;
  return attempt(callerUrl) ?? null;
}
