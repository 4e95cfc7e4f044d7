/**
 * Traces a library that doesn't report its flow: its calls, events, popups, and requests. The page's functions get the
 * same `this` and arguments, and the page gets their original results. There is one difference: since the agent handles
 * rejections, the console doesn't report them as unhandled.
 */
import { callThrough, capture } from '../../agent/capture.ts';
import { captureNetwork } from '../../agent/network/network.ts';
import {
  descriptorOf,
  getPrototypeOf,
  hasOwn,
  keys,
  listen,
  now,
  WeakMapOf,
  weakGet,
  weakSet,
} from '../../agent/pristine.ts';
import { attempt, callMethod, type Fn, includes, isObject, isPromise } from '../../agent/safe.ts';
import type { Report } from './flow-log.ts';
import { errorCode, instanceOf, looksConfigured, summarize } from './library.ts';
import type { Mask } from './mask.ts';
import type { Services } from './services.ts';
import { type CallEnd, WrappedFlows } from './wrapped-flows.ts';

const METHODS = ['login', 'logout', 'refresh', 'api'] as const;
const EVENTS = ['auth.login', 'auth.fail', 'auth.logout'] as const;

export interface WrappedLibraryOptions {
  /** The object that contains `OAuth2`. */
  root: object;
  fn: Fn;
  services: Services;
  mask: Mask;
  report: Report;
  /** Called when services or sessions might have changed. */
  onChange: () => void;
}

export class WrappedLibrary {
  readonly #options: WrappedLibraryOptions;
  readonly #flows: WrappedFlows;
  /** The service name of each instance. */
  readonly #names = new WeakMapOf<object, string>();
  readonly #hooked = new WeakMapOf<object, true>();
  readonly #withListeners = new WeakMapOf<object, true>();
  readonly #namesWithListeners: string[] = [];
  #isProxied = false;
  /** How many services `poll` has hooked so far. */
  #hookedServices = 0;

  constructor(options: WrappedLibraryOptions) {
    this.#options = options;
    this.#flows = new WrappedFlows(options.services, options.mask, options.report, options.onChange);
    const flows = this.#flows;
    this.#hookConfigure();
    capture(globalThis, 'open', (original, self, args) => {
      const popup = callThrough(original, self, args);
      attempt(() => flows.windowOpened(isObject(popup) ? popup : null, args[0]));
      return popup;
    });
    listen?.(globalThis, 'message', (event) => {
      if (flows.hasLogins()) attempt(() => flows.messageReceived(event));
    });
    captureNetwork({
      records: 'urls',
      started: (_method, url) => flows.requestStarted(url),
      ended: (request, status, bytes, error) => flows.requestEnded(request, status, bytes, error),
    });
  }

  /** Hooks new services and detects closed windows. */
  poll(): void {
    this.#hookConfigure();
    const list = this.#options.services.list();
    for (; this.#hookedServices < list.length; this.#hookedServices++)
      this.#hookService(list[this.#hookedServices]!.name);
    this.#flows.pollWindows();
  }

  /** Called on every poll, because the page or the library itself might replace `configure` later. */
  #hookConfigure(): void {
    const { fn } = this.#options;
    const found: unknown = descriptorOf(fn, 'configure')?.value;
    if (typeof found !== 'function' || weakGet(this.#hooked, found)) return;
    capture(fn, 'configure', (original, self, args) => {
      let returned: unknown;
      try {
        returned = callThrough(original, self, args);
      } catch (thrown) {
        attempt(() => this.#onConfigureError(args, thrown));
        throw thrown;
      }
      attempt(() => this.#onConfigure(args[0], args[1]));
      return returned;
    });
    this.#markHooked(fn, 'configure');
  }

  #onConfigureError(args: unknown[], thrown: unknown): void {
    // Ignore calls that only read, such as the agent's own. They aren't rejected configurations.
    if (args.length < 2 && !isObject(args[0])) return;
    const { mask, report } = this.#options;
    report(typeof args[0] === 'string' ? args[0] : '', {
      kind: 'refused',
      call: 'configure',
      code: errorCode(thrown, mask),
      message: summarize(thrown, mask),
      option: null,
    });
  }

  #onConfigure(first: unknown, second: unknown): void {
    if (typeof first === 'string' && isObject(second)) return this.#onConfigured(first, second);
    if (!isObject(first)) return;
    const names = keys(first);
    for (let i = 0; i < names.length; i++) {
      const configuration: unknown = descriptorOf(first, names[i]!)?.value;
      if (isObject(configuration) && looksConfigured(configuration)) this.#onConfigured(names[i]!, configuration);
    }
  }

  #onConfigured(name: string, configuration: object): void {
    this.#options.services.configure(name, configuration);
    this.#options.report(name, { kind: 'configured' });
    this.#hookService(name);
    this.#options.onChange();
  }

  /** Watches a service's methods, on the instance or on its prototypes. */
  #hookService(name: string): void {
    const { fn, root, services } = this.#options;
    const instance = instanceOf(fn, name);
    if (!instance) return;
    const another = instanceOf(fn, name);
    this.#hookInstance(instance, name);
    this.#listenTo(instance, name);
    if (another === instance || this.#isProxied) return;
    // The library returns a new instance for each call. Hook the instances that the page gets, too.
    this.#isProxied = true;
    capture(root, 'OAuth2', (original, self, args) => {
      const returned = callThrough(original, self, args);
      attempt(() => {
        if (typeof args[0] !== 'string' || !isObject(returned)) return;
        services.named(args[0]);
        this.#hookInstance(returned, args[0]);
      });
      return returned;
    });
  }

  #hookInstance(instance: object, name: string): void {
    weakSet(this.#names, instance, name);
    for (let i = 0; i < METHODS.length; i++) {
      const method = METHODS[i]!;
      const owner = ownerOf(instance, method);
      const found: unknown = owner && descriptorOf(owner, method)?.value;
      if (!owner || typeof found !== 'function' || weakGet(this.#hooked, found)) continue;
      const nameOf = (self: unknown): string =>
        (isObject(self) ? weakGet(this.#names, self) : undefined) ?? (owner === instance ? name : '');
      capture(owner, method, (original, self, args) => this.#onCall(method, nameOf(self), original, self, args));
      this.#markHooked(owner, method);
    }
  }

  #markHooked(owner: object, method: string): void {
    const watched: unknown = descriptorOf(owner, method)?.value;
    if (typeof watched === 'function') weakSet(this.#hooked, watched, true);
  }

  /**
   * Adds listeners with the service's `on` method. Does so once per name, since each new instance would get its own
   * listeners.
   */
  #listenTo(instance: object, name: string): void {
    if (weakGet(this.#withListeners, instance) || includes(this.#namesWithListeners, name)) return;
    weakSet(this.#withListeners, instance, true);
    this.#namesWithListeners[this.#namesWithListeners.length] = name;
    const { mask, report, onChange } = this.#options;
    for (let i = 0; i < EVENTS.length; i++) {
      const event = EVENTS[i]!;
      const listener = (detail: unknown): void => {
        const code = event === 'auth.fail' ? attempt(() => errorCode(detail, mask)) : null;
        attempt(() => report(name, { kind: 'event', name: event, code: code ?? null }));
        onChange();
      };
      attempt(() => callMethod(instance, 'on', [event, listener]));
    }
  }

  #onCall(method: (typeof METHODS)[number], service: string, original: Fn, self: unknown, args: unknown[]): unknown {
    const startedAt = now();
    const started = attempt(() => this.#flows.start(method, service, args[0])) ?? null;
    const call = { method, service, started, startedAt };
    let returned: unknown;
    try {
      returned = callThrough(original, self, args);
    } catch (thrown) {
      attempt(() => this.#flows.end({ ...call, thrown, hasFailed: true }));
      throw thrown;
    }
    if (isPromise(returned)) void this.#follow(returned, call);
    else attempt(() => this.#flows.end({ ...call, thrown: undefined, hasFailed: false }));
    return returned;
  }

  async #follow(pending: Promise<unknown>, call: Omit<CallEnd, 'thrown' | 'hasFailed'>): Promise<void> {
    try {
      await pending;
      attempt(() => this.#flows.end({ ...call, thrown: undefined, hasFailed: false }));
    } catch (thrown) {
      attempt(() => this.#flows.end({ ...call, thrown, hasFailed: true }));
    }
  }
}

/** The object that has the method as an own property, or null if it's a getter, which must not be called. */
function ownerOf(instance: object, method: string): object | null {
  for (
    let owner: object | null = instance, i = 0;
    owner !== null && i < 10;
    owner = getPrototypeOf(owner) as object | null, i++
  ) {
    const found = descriptorOf(owner, method);
    if (found) return hasOwn(found, 'value') ? owner : null;
  }
  return null;
}
