/** Remembers functions as the page registers them, and wraps them so that each call can be reported as a step. */
import { callThrough, capture, replaceProperty } from '../../agent/capture.ts';
import { callerUrl } from './caller-url.ts';
import {
  apply,
  currentScript,
  descriptorOf,
  hasOwn,
  listen,
  mapDelete,
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
import { readNamespace, whenDeclared } from '../../agent/namespace.ts';
import { attempt, type Fn, isObject, readProperty } from '../../agent/safe.ts';
import { documentState, whenever } from '../../agent/watch.ts';

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
  /** The types of what was registered in place of functions. */
  readonly #others = new MapOf<string, string>();
  #namespace: string | null = null;
  /** Make the watched properties data properties again. */
  #unwatch: (() => void)[] = [];
  #isRegistering = false;
  /** Whether the watched properties will be data properties again when the page has loaded. */
  #isLoading = false;

  constructor(options: RegistrationOptions) {
    this.#options = options;
  }

  /** Watches `namespace.Functions.register`, waiting for each part that doesn't exist yet. */
  watch(namespace: string): void {
    if (this.#namespace !== null) return;
    this.#namespace = namespace;
    const release: (() => void)[] = [];
    const onFunctions = (functions: object): void => {
      for (let i = 0; i < release.length; i++) release[i]!();
      this.#watchRegister(functions);
    };
    const onRoot = (root: object): void => this.#watch(root, 'Functions', onFunctions);
    // A frozen object can't be hooked, so it's hooked right before.
    release[0] = capture(PageObject, 'freeze', (original, self, args) => {
      const object = args[0];
      if (isObject(object) && !isObject(this.#functions())) this.#hook(object);
      return callThrough(original, self, args);
    });
    // Defining a property replaces its watching accessor.
    release[1] = capture(PageObject, 'defineProperty', (original, self, args) => {
      const defined = callThrough(original, self, args);
      const root = args[1] === namespace || args[1] === 'Functions' ? this.#root() : null;
      if (isObject(root)) onRoot(root);
      return defined;
    });
    this.#watch(globalThis, namespace, onRoot);
    whenDeclared(namespace, onRoot);
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

  /** The type of what the page has registered under this name; undefined if it's a function, or nothing was seen. */
  otherTypeOf(name: string): string | undefined {
    return mapGet(this.#registered, name) ? undefined : mapGet(this.#others, name);
  }

  #functions(): unknown {
    return readProperty(this.#root(), 'Functions');
  }

  #root(): unknown {
    return attempt(() => readNamespace(this.#namespace!));
  }

  #watch(owner: object, key: string, then: (value: object) => object | void): void {
    // Watching an object that exists watches its properties first.
    const unwatch = whenever(owner, key, then);
    this.#unwatch[this.#unwatch.length] = unwatch;
  }

  /** A stub's `register` can be replaced, too. */
  #watchRegister(functions: object): void {
    const own = descriptorOf(functions, 'register');
    const isReplaceable = own ? own.configurable : readProperty(functions, 'register') === undefined;
    if (isReplaceable) this.#watch(functions, 'register', (register) => this.#hookOf(functions, register));
    this.#hook(functions);
  }

  /** Replaces `register`, which the object may inherit. */
  #hook(functions: object): void {
    const register = readProperty(functions, 'register');
    const own = descriptorOf(functions, 'register');
    const hook = isObject(register) && this.#hookOf(functions, register);
    if (!hook || hook === register || (own && !hasOwn(own, 'value'))) return;
    const like = own ?? { writable: true, enumerable: false, configurable: true };
    // If the object has been frozen in the meantime, the page keeps its own function.
    attempt(() => replaceProperty(functions, 'register', hook, like));
  }

  /** A proxy of `register` that remembers and wraps the second argument. Undefined if it isn't a function. */
  #hookOf(functions: object, register: object): Fn | undefined {
    if (typeof register !== 'function' || weakGet(this.#hooks, register)) return register as Fn | undefined;
    const proxy = new ProxyOf(
      register as Fn,
      {
        __proto__: null,
        apply: (target: Fn, self: unknown, args: unknown[]) => {
          const name = args[0];
          const fn = args[1];
          // Another object may have had a `register` when it was frozen.
          const isOurs = typeof name === 'string' && this.#functions() === functions;
          if (isOurs && typeof fn === 'function')
            return this.#register(name, fn as Fn, args, () => apply(target, self, args));
          const returned = apply(target, self, args);
          if (isOurs) mapSet(this.#others, name, fn === null ? 'null' : typeof fn);
          return returned;
        },
      } as ProxyHandler<Fn>,
    );
    weakSet(this.#hooks, proxy, true);
    return proxy;
  }

  /** Remembers a function, unless `register` refuses it, and replaces it in the arguments. */
  #register(name: string, fn: Fn, args: unknown[], register: () => unknown): unknown {
    const before = mapGet(this.#registered, name);
    // A page's own `register` can call the one that it replaces with the wrapper, or with a function that calls it.
    const isNested = this.#isRegistering;
    const original = this.unwrap(fn) as Fn;
    if (!isNested && original === fn) args[1] = this.#wrap(name, fn);
    if (before === undefined) this.#names[this.#names.length] = name;
    mapSet(this.#registered, name, { fn: original, url: original === fn ? scriptUrl() : (before?.url ?? scriptUrl()) });
    this.#isRegistering = true;
    try {
      return register();
    } catch (thrown) {
      if (before) mapSet(this.#registered, name, before);
      else this.#forget(name);
      throw thrown;
    } finally {
      this.#isRegistering = isNested;
      attempt(() => this.#unwatchOnceLoaded());
    }
  }

  #forget(name: string): void {
    mapDelete(this.#registered, name);
    let kept = 0;
    for (let i = 0; i < this.#names.length; i++) if (this.#names[i] !== name) this.#names[kept++] = this.#names[i]!;
    this.#names.length = kept;
  }

  /** While the page loads, its runtime can replace a stub that has queued registrations. */
  #unwatchOnceLoaded(): void {
    const unwatch = (): void => {
      for (let i = 0; i < this.#unwatch.length; i++) this.#unwatch[i]!();
      this.#unwatch = [];
    };
    if (mapSize(this.#registered) === 0) return;
    if (documentState() === 'complete') return unwatch();
    if (!this.#isLoading) listen?.(globalThis, 'load', unwatch, { __proto__: null, once: true } as object);
    this.#isLoading = true;
  }

  /** What the page gets instead of a function. */
  #wrap(name: string, fn: Fn): Fn {
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
