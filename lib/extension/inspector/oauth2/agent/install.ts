/** Owns the OAuth2 agent's place in the document: it finds the library, has it watched in the way that it allows, and answers the panel. */
import {
  apply,
  defineProperty,
  freeze,
  random,
  slice,
  wallClock,
  WeakMapOf,
  weakGet,
  weakSet,
} from '../../agent/pristine.ts';
import { write } from '../../agent/json.ts';
import { documentState, whenSet } from '../../agent/registrations.ts';
import {
  OAUTH2_KEY,
  OAUTH2_PROTOCOL,
  type OAuth2Agent,
  type OAuth2Page,
  type OAuth2Port,
  type OAuth2Tracing,
} from '../contract.ts';
import { createActions } from './actions.ts';
import { findLibrary, type FoundLibrary, instanceOf, memberOf, textsOf } from './library.ts';
import { createFlowLog } from './flow-log.ts';
import { createMask } from './mask.ts';
import { secretAt } from './options.ts';
import { metaPolicies, origin, storageState } from './document.ts';
import { after, attempt, blockedAddress, callMethod, type Fn, listen, violatedDirective } from './built-ins.ts';
import { createProbes } from './probe.ts';
import type { Tell } from './wrapped-flows.ts';
import { createServices, type Services } from './services.ts';
import { readTold } from './observed-event.ts';
import { wrapLibrary } from './wrap-library.ts';

/** Milliseconds after which a session is asked for anew: of a library that tells its flow, where asking is reading; of another, on a change alone. */
const SESSION_AGE = 1_500;
/** Libraries that a page may put in the place of one another. */
const MOST_LIBRARIES = 20;

interface Attached {
  services: Services;
  seeing: OAuth2Tracing;
  features: string[];
  version: string | null;
  look: (() => void) | null;
  reread: boolean;
  stale: boolean;
}

/** Installs the agent, unless the document has one that speaks the same protocol. */
export function installOAuth2Agent(): void {
  const there = (globalThis as unknown as Record<string, OAuth2Port | undefined>)[OAUTH2_KEY];
  if (there?.protocol === OAUTH2_PROTOCOL) return;
  defineProperty(globalThis, OAUTH2_KEY, {
    __proto__: null,
    value: createAgent(),
    writable: false,
    enumerable: false,
    configurable: true,
  } as PropertyDescriptor);
}

/** An answer that is JSON text already. */
class Written {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

function createAgent(): OAuth2Port {
  const documentId = `${wallClock()}-${slice(`${random()}`, 2)}`;
  const mask = createMask();
  const log = createFlowLog();
  const probes = createProbes(mask);
  const libraries = new WeakMapOf<Fn, Attached>();
  let attachedCount = 0;
  let current: Attached | null = null;
  let currentFn: Fn | null = null;
  let early = false;

  const toldBy =
    (services: Services): Tell =>
    (service, detail) =>
      log.add(services.toldName(service), detail);
  const actions = createActions(
    (told) => {
      const known = current?.services.byTold(told);
      return known && currentFn ? { instance: instanceOf(currentFn, known.name), name: told } : null;
    },
    mask,
    (service, detail) => log.add(service, detail),
    () => {
      if (current) current.stale = true;
    },
  );
  if (listen) {
    listen(document, 'securitypolicyviolation', (event) => {
      attempt(() =>
        log.add('', {
          kind: 'csp',
          directive: mask.word(violatedDirective!(event)),
          blocked: mask.url(blockedAddress!(event)),
        }),
      );
    });
    listen(globalThis, 'storage', () => {
      if (current) current.stale = true;
    });
  }

  function attach(found: FoundLibrary): Attached {
    const { fn, root } = found as { fn: Fn; root: object };
    const features = textsOf(memberOf(fn, 'features'), mask);
    const version = memberOf(fn, 'version');
    const services = createServices(fn, mask);
    const one: Attached = {
      services,
      seeing: early ? 'wrapped' : 'late',
      features,
      version: typeof version === 'string' ? mask.word(version) : null,
      look: null,
      reread: true,
      stale: true,
    };
    weakSet(libraries, fn, one);
    services.readAll();
    const stale = (): void => {
      one.stale = true;
    };
    if (has(features, 'observe') && attempt(() => observe(fn, one)) === true) one.seeing = 'observed';
    else {
      one.look = attempt(() => wrapLibrary(root, fn, services, mask, toldBy(services), stale).look) ?? null;
      // A proxy may stand in the library's place now.
      const now = memberOf(root, 'OAuth2');
      if (typeof now === 'function' && now !== fn) weakSet(libraries, now as Fn, one);
    }
    return one;
  }
  function observe(fn: Fn, one: Attached): boolean {
    callMethod(fn, 'observe', [
      (event: unknown) => {
        attempt(() => {
          const told = readTold(event, mask);
          if (!told) return;
          if (told.detail.kind === 'configured') one.reread = true;
          if (told.detail.kind === 'session' || told.detail.kind === 'event') one.stale = true;
          log.add(one.services.toldName(told.service), told.detail, told.at);
        });
      },
    ]);
    return true;
  }

  /** Finds the library as it is now, and brings up to date what is known of its services. */
  function update(namespace: string, again: boolean): FoundLibrary {
    const found = findLibrary(namespace, mask);
    if (!found.fn) {
      current = null;
      currentFn = null;
      return found;
    }
    let one = weakGet(libraries, found.fn);
    if (!one && attachedCount < MOST_LIBRARIES) {
      attachedCount++;
      one = attach(found);
    }
    current = one ?? null;
    currentFn = found.fn;
    if (!one) return found;
    if (one.reread || again) {
      one.reread = false;
      one.services.readAll();
    }
    attempt(() => one.look?.());
    if (one.stale || again) {
      one.stale = false;
      one.services.askSessions(0);
    } else if (one.seeing === 'observed') one.services.askSessions(SESSION_AGE);
    else one.services.askSessions(Infinity);
    return found;
  }
  function markOf(found: FoundLibrary): string {
    return `${documentState()} ${found.library} ${found.detail ?? ''} ${attachedCount} ${current?.services.version() ?? ''}`;
  }

  const agent: { [M in keyof OAuth2Agent]: (...args: Parameters<OAuth2Agent[M]>) => unknown } = {
    look(namespace, again): OAuth2Page {
      const found = update(namespace, again);
      const one = current;
      const instance =
        one && currentFn && one.services.list()[0] ? instanceOf(currentFn, one.services.list()[0]!.name) : null;
      return {
        protocol: OAUTH2_PROTOCOL,
        documentId,
        origin: origin(),
        url: mask.url(location.href),
        secure: globalThis.isSecureContext === true,
        library: found.library,
        detail: found.detail,
        tracing: one?.seeing ?? (early ? 'wrapped' : 'late'),
        version: one?.version ?? null,
        features: one?.features ?? [],
        readable: one?.services.readable() ?? false,
        canRefresh: instance !== null && typeof memberOf(instance, 'refresh') === 'function',
        csp: metaPolicies(mask),
        storage: storageState(),
        services: one?.services.describe() ?? [],
        moreServices: one?.services.more() ?? 0,
      };
    },
    read(after, chars, namespace) {
      const found = update(namespace, false);
      const { events, dropped } = log.read(after, chars);
      return new Written(
        `{"events":${events},${slice(write({ documentId, last: log.last(), dropped, mark: markOf(found) }), 1)}`,
      );
    },
    reveal(service, path) {
      const configuration = current?.services.byTold(service)?.configuration;
      return configuration ? (attempt(() => secretAt(configuration, path)) ?? null) : null;
    },
    act: (request) => actions.act(request),
    cancel: (id) => actions.cancel(id),
    answer: (id) => actions.answer(id),
    probe: (request) => probes.probe(request),
    probed: (id) => probes.probed(id),
  };

  return freeze({
    protocol: OAUTH2_PROTOCOL,
    call(method: keyof OAuth2Agent, args: readonly unknown[]): string {
      const answer: unknown = apply(agent[method] as (...given: unknown[]) => unknown, agent, args);
      return answer instanceof Written ? answer.text : write(answer);
    },
    watch(namespace: string): void {
      early = true;
      const find = (): void => void attempt(() => update(namespace, false));
      // As soon as it is there, and when the script that made it is through: what the page does with it next is seen.
      whenSet(globalThis, namespace, (root) =>
        whenSet(root, 'OAuth2', () => {
          find();
          after(find, 0);
        }),
      );
    },
  });
}

function has(list: readonly string[], item: string): boolean {
  for (let i = 0; i < list.length; i++) if (list[i] === item) return true;
  return false;
}
