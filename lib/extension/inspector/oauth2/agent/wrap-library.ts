/**
 * Owns what can be seen of a library that tells nothing of itself: its calls, its events, the windows that it opens and the
 * requests that it makes. The page's own functions are called with the same `this` and arguments, and their very answers handed on.
 * One thing differs: a rejection that nobody handles is not reported in the console, since it was looked at here.
 */
import { callThrough, capture } from '../../agent/capture.ts';
import { captureNetwork } from '../../agent/network.ts';
import {
  descriptorOf,
  getPrototypeOf,
  hasOwn,
  keys,
  listen,
  now,
  weakGet,
  WeakMapOf,
  weakSet,
} from '../../agent/pristine.ts';
import { attempt, callMethod, type Fn, isObject, isPromise } from '../../agent/safe.ts';
import { codeOf, instanceOf, looksConfigured, shortly } from './library.ts';
import type { Mask } from './mask.ts';
import type { Report } from './flow-log.ts';
import { type Begun, createSeenFlows } from './wrapped-flows.ts';
import type { Services } from './services.ts';

const METHODS = ['login', 'logout', 'refresh', 'api'] as const;
const EVENTS = ['auth.login', 'auth.fail', 'auth.logout'] as const;

/** @param root what holds `OAuth2` @param stale told when services or sessions may have changed */
export function wrapLibrary(
  root: object,
  fn: Fn,
  services: Services,
  mask: Mask,
  tell: Report,
  stale: () => void,
): { poll(): void } {
  const names = new WeakMapOf<object, string>();
  const hooked = new WeakMapOf<object, true>();
  const flows = createSeenFlows(services, mask, tell, stale);
  let proxied = false;
  /** How many of the services were hooked by `poll`. */
  let looked = 0;

  /** Again when the page, or the library itself a moment later, puts another there. */
  function hookConfigure(): void {
    const found: unknown = descriptorOf(fn, 'configure')?.value;
    if (typeof found !== 'function' || weakGet(hooked, found)) return;
    capture(fn, 'configure', (original, self, args) => {
      let answer: unknown;
      try {
        answer = callThrough(original, self, args);
      } catch (thrown) {
        // Reading, as the agent does too, configures nothing.
        if (args.length > 1 || isObject(args[0]))
          attempt(() =>
            tell(typeof args[0] === 'string' ? args[0] : '', {
              kind: 'refused',
              call: 'configure',
              code: codeOf(thrown, mask),
              message: shortly(thrown, mask),
              option: null,
            }),
          );
        throw thrown;
      }
      attempt(() => configured(args[0], args[1]));
      return answer;
    });
    const watched: unknown = descriptorOf(fn, 'configure')?.value;
    if (typeof watched === 'function') weakSet(hooked, watched, true);
  }
  hookConfigure();

  function configured(first: unknown, second: unknown): void {
    if (typeof first === 'string' && isObject(second)) return configuredOne(first, second);
    if (!isObject(first)) return;
    const given = keys(first);
    for (let i = 0; i < given.length; i++) {
      const one = descriptorOf(first, given[i]!)?.value as unknown;
      if (isObject(one) && looksConfigured(one)) configuredOne(given[i]!, one);
    }
  }
  function configuredOne(name: string, configuration: object): void {
    services.learn(name, configuration);
    tell(name, { kind: 'configured' });
    hookService(name);
    stale();
  }

  /** Watches the methods of a service, wherever they stand: on itself, or on what it and others inherit from. */
  function hookService(name: string): void {
    const instance = instanceOf(fn, name);
    if (!instance) return;
    const again = instanceOf(fn, name);
    hook(instance, name);
    listenTo(instance, name);
    // One object for each call: those that the page gets must be known as well.
    if (again !== instance && !proxied) {
      proxied = true;
      capture(root, 'OAuth2', (original, self, args) => {
        const given = callThrough(original, self, args);
        attempt(() => {
          if (typeof args[0] !== 'string' || !isObject(given)) return;
          services.named(args[0]);
          hook(given, args[0]);
        });
        return given;
      });
    }
  }

  function hook(instance: object, name: string): void {
    weakSet(names, instance, name);
    for (let i = 0; i < METHODS.length; i++) {
      const method = METHODS[i]!;
      const owner = ownerOf(instance, method);
      const found = owner && descriptorOf(owner, method)?.value;
      if (!owner || typeof found !== 'function' || weakGet(hooked, found as object)) continue;
      const nameOf = (self: unknown): string =>
        (isObject(self) ? weakGet(names, self) : undefined) ?? (owner === instance ? name : '');
      capture(owner, method, (original, self, args) => watch(method, nameOf(self), original, self, args));
      const watched: unknown = descriptorOf(owner, method)?.value;
      if (typeof watched === 'function') weakSet(hooked, watched, true);
    }
  }

  const listening = new WeakMapOf<object, true>();
  const listened: string[] = [];
  /** By the specified way in; an object for each call would have as many listeners, so by name once. */
  function listenTo(instance: object, name: string): void {
    if (weakGet(listening, instance)) return;
    for (let i = 0; i < listened.length; i++) if (listened[i] === name) return;
    weakSet(listening, instance, true);
    listened[listened.length] = name;
    for (let i = 0; i < EVENTS.length; i++) {
      const event = EVENTS[i]!;
      attempt(() =>
        callMethod(instance, 'on', [
          event,
          (detail: unknown) => {
            attempt(() =>
              tell(name, { kind: 'event', name: event, code: event === 'auth.fail' ? codeOf(detail, mask) : null }),
            );
            stale();
          },
        ]),
      );
    }
  }

  function watch(
    method: (typeof METHODS)[number],
    service: string,
    original: Fn,
    self: unknown,
    args: unknown[],
  ): unknown {
    const started = now();
    const begun = attempt(() => flows.begin(method, service, args[0])) ?? null;
    let answer: unknown;
    try {
      answer = callThrough(original, self, args);
    } catch (thrown) {
      attempt(() => flows.ended(method, service, begun, started, thrown, true));
      throw thrown;
    }
    if (isPromise(answer)) void follow(answer, method, service, begun, started);
    else attempt(() => flows.ended(method, service, begun, started, undefined, false));
    return answer;
  }
  async function follow(
    answer: Promise<unknown>,
    method: string,
    service: string,
    begun: Begun,
    started: number,
  ): Promise<void> {
    try {
      await answer;
      attempt(() => flows.ended(method, service, begun, started, undefined, false));
    } catch (thrown) {
      attempt(() => flows.ended(method, service, begun, started, thrown, true));
    }
  }

  capture(globalThis, 'open', (original, self, args) => {
    const popup = callThrough(original, self, args);
    attempt(() => flows.opened(isObject(popup) ? popup : null, args[0]));
    return popup;
  });
  listen?.(globalThis, 'message', (event) => {
    if (flows.hasLogins()) attempt(() => flows.received(event));
  });
  captureNetwork({ started: (_method, url) => flows.requested(url), ended: flows.answered });

  return {
    /** Services that came since, and windows that were closed. */
    poll() {
      hookConfigure();
      const list = services.list();
      for (; looked < list.length; looked++) hookService(list[looked]!.name);
      flows.lookAtPopups();
    },
  };
}

/** The object that has the method as its own; null when a getter stands there, which is not called. */
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
