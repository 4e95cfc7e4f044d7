/**
 * The OAuth2 part of the agent: finds the library, watches it with the methods that it supports, and reports its
 * events.
 */
import { AGENT_PROTOCOL, PAGE_LEFT } from '../../agent-protocol.ts';
import { writeBatch } from '../../agent/batch.ts';
import type { JsonText } from '../../agent/json.ts';
import { whenDeclared } from '../../agent/namespace.ts';
import { blockedUrl, later, listen, violatedDirective, weakGet, WeakMapOf, weakSet } from '../../agent/pristine.ts';
import { attempt, type Fn, readProperty } from '../../agent/safe.ts';
import { documentState, whenSet } from '../../agent/watch.ts';
import type {
  ActionRequest,
  ApiResponse,
  OAuth2Agent,
  OAuth2Page,
  ProbeRequest,
  ProbeResult,
  Started,
} from '../contract.ts';
import { Actions } from './actions.ts';
import { AttachedLibrary, type LibraryState } from './attached-library.ts';
import { metaPolicies, origin, storageState } from './document.ts';
import { createFlowLog } from './flow-log.ts';
import { findLibrary, type FoundLibrary, instanceOf } from './library.ts';
import { Mask } from './mask.ts';
import { secretAt } from './options.ts';
import { Probes } from './probe.ts';

/** Limits how many libraries are watched, since a page could keep replacing its library. */
const MAX_LIBRARIES = 20;

const OTHER_DOCUMENT: Started = { ok: false, error: PAGE_LEFT };

const NO_LIBRARY: Omit<LibraryState, 'tracing'> = {
  version: null,
  features: [],
  readable: false,
  canRefresh: false,
  services: [],
  moreServices: 0,
};

export class OAuth2Part implements Omit<OAuth2Agent, 'read'> {
  readonly #documentId: string;
  readonly #mask = new Mask();
  readonly #log = createFlowLog();
  readonly #probes = new Probes(this.#mask);
  readonly #actions = new Actions(
    (displayName) => this.#findService(displayName),
    this.#mask,
    (service, detail) => this.#log.add(service, detail),
    () => this.#library?.invalidate(),
  );
  readonly #libraries = new WeakMapOf<Fn, AttachedLibrary>();
  #libraryCount = 0;
  #library: AttachedLibrary | null = null;
  #fn: Fn | null = null;
  #isEarly = false;

  constructor(documentId: string) {
    this.#documentId = documentId;
    listen?.(document, 'securitypolicyviolation', (event) => void attempt(() => this.#onViolation(event)));
    listen?.(globalThis, 'storage', () => this.#library?.invalidate());
  }

  page(namespace: string, refresh: boolean): OAuth2Page {
    const found = this.#update(namespace, refresh);
    return {
      protocol: AGENT_PROTOCOL,
      documentId: this.#documentId,
      fingerprint: this.#fingerprintOf(found),
      origin: origin(),
      url: this.#mask.url(location.href),
      secure: globalThis.isSecureContext === true,
      library: found.library,
      detail: found.detail,
      csp: metaPolicies(this.#mask),
      storage: storageState(),
      ...(this.#library?.describe() ?? { ...NO_LIBRARY, tracing: this.#isEarly ? 'wrapped' : 'late' }),
    };
  }

  read(after: number, maxChars: number, namespace: string): JsonText {
    const found = this.#update(namespace, false);
    const { events, dropped } = this.#log.read(after, maxChars);
    const fingerprint = this.#fingerprintOf(found);
    return writeBatch(events, { documentId: this.#documentId, lastSeq: this.#log.lastSeq(), dropped, fingerprint });
  }

  reveal(service: string, path: string[]): string | null {
    const configuration = this.#library?.services.byDisplayName(service)?.configuration;
    return configuration ? (attempt(() => secretAt(configuration, path)) ?? null) : null;
  }

  startAction(request: ActionRequest, documentId: string | null = null): Started {
    return this.#isOther(documentId) ? OTHER_DOCUMENT : this.#actions.start(request);
  }

  cancelAction(id: number): boolean {
    return this.#actions.cancel(id);
  }

  apiResponse(id: number): ApiResponse | null {
    return this.#actions.apiResponse(id);
  }

  startProbe(request: ProbeRequest, documentId: string | null = null): Started {
    return this.#isOther(documentId) ? OTHER_DOCUMENT : { ok: true, id: this.#probes.start(request) };
  }

  probeResult(id: number): ProbeResult | 'pending' | null {
    return this.#probes.result(id);
  }

  /** Watches `namespace.OAuth2` from the start, even if it doesn't exist yet. */
  watch(namespace: string): void {
    this.#isEarly = true;
    const find = (): void => void attempt(() => this.#update(namespace, false));
    // Runs when the library exists, and again when its script has finished, so that the page's next calls are seen.
    const onRoot = (root: object): void =>
      whenSet(root, 'OAuth2', () => {
        find();
        later(find, 0);
      });
    whenSet(globalThis, namespace, onRoot);
    whenDeclared(namespace, onRoot);
  }

  #isOther(documentId: string | null): boolean {
    return documentId !== null && documentId !== this.#documentId;
  }

  #findService(displayName: string): { instance: object | null; name: string } | null {
    const service = this.#library?.services.byDisplayName(displayName);
    return service && this.#fn ? { instance: instanceOf(this.#fn, service.name), name: displayName } : null;
  }

  #onViolation(event: Event): void {
    this.#log.add('', {
      kind: 'csp',
      directive: this.#mask.word(violatedDirective!(event)),
      blocked: this.#mask.url(blockedUrl!(event)),
    });
  }

  /** Finds the current library and updates its services. */
  #update(namespace: string, refresh: boolean): FoundLibrary {
    const found = findLibrary(namespace, this.#mask);
    this.#fn = found.fn;
    this.#library = found.fn ? this.#attach(found) : null;
    this.#library?.update(refresh);
    return found;
  }

  #attach(found: FoundLibrary): AttachedLibrary | null {
    const { fn, root } = found as { fn: Fn; root: object };
    const attached = weakGet(this.#libraries, fn);
    if (attached) return attached;
    if (this.#libraryCount >= MAX_LIBRARIES) return null;
    this.#libraryCount++;
    const library = new AttachedLibrary({ ...found, fn, root }, this.#isEarly, this.#mask, this.#log.add);
    weakSet(this.#libraries, fn, library);
    // Wrapping might have replaced the library with a proxy.
    const current = readProperty(root, 'OAuth2');
    if (typeof current === 'function' && current !== fn) weakSet(this.#libraries, current as Fn, library);
    return library;
  }

  #fingerprintOf({ library, detail }: FoundLibrary): string {
    const version = this.#library?.services.version() ?? '';
    return `${documentState()} ${library} ${detail ?? ''} ${this.#libraryCount} ${version}`;
  }
}
