/**
 * Keeps a library's services as the page reports them: names, configurations, and sessions, described without secrets.
 */
import { write } from '../../agent/json.ts';
import { isArray, mapGet, MapOf, mapSet, now } from '../../agent/pristine.ts';
import { attempt, callMethod, type Fn, isObject, isPromise, readProperty } from '../../agent/safe.ts';
import type { PageService, ServiceSession } from '../contract.ts';
import { type Configured, instanceOf, readConfigurations, summarize } from './library.ts';
import type { Mask } from './mask.ts';
import { describeOptions } from './options.ts';
import { describeSession } from './session.ts';

const MAX_SERVICES = 200;
const MAX_NAME = 200;

interface Service {
  /** The service's name in the page. */
  readonly name: string;
  /** The service's masked name, which identifies it in the panel. */
  readonly displayName: string;
  configuration: object | null;
  session: ServiceSession | null;
  /** The session as JSON, to detect changes. */
  sessionText: string;
  sessionKnown: boolean;
  sessionProblem: string | null;
  readAt: number;
}

export class Services {
  readonly #fn: Fn;
  readonly #mask: Mask;
  readonly #list: Service[] = [];
  readonly #byName = new MapOf<string, Service>();
  readonly #byDisplayName = new MapOf<string, Service>();
  #more = 0;
  #isReadable = false;
  #version = 0;

  constructor(fn: Fn, mask: Mask) {
    this.#fn = fn;
    this.#mask = mask;
  }

  list(): readonly Service[] {
    return this.#list;
  }

  /** The number of services beyond the limit. */
  more(): number {
    return this.#more;
  }

  /** Whether `configure()` returned configurations. */
  isReadable(): boolean {
    return this.#isReadable;
  }

  /** Changes when the description of the services changes. */
  version(): number {
    return this.#version;
  }

  byDisplayName(displayName: string): Service | null {
    return mapGet(this.#byDisplayName, displayName) ?? null;
  }

  /** A service's display name. Unlike `named`, doesn't add an unknown service. */
  displayName(name: string): string {
    return mapGet(this.#byName, name)?.displayName ?? this.#mask.plain(name, MAX_NAME);
  }

  /** The service with this name in the page. Adds it if it's new. Returns null beyond the limit. */
  named(name: string): Service | null {
    const known = mapGet(this.#byName, name);
    if (known) return known;
    if (this.#list.length >= MAX_SERVICES) {
      this.#more++;
      return null;
    }
    const masked = this.#mask.plain(name, MAX_NAME);
    const service: Service = {
      name,
      // Different names might look the same once masked. A number distinguishes them.
      displayName: mapGet(this.#byDisplayName, masked) ? `${masked} (${this.#list.length + 1})` : masked,
      configuration: null,
      session: null,
      sessionText: '',
      sessionKnown: false,
      sessionProblem: null,
      readAt: -Infinity,
    };
    this.#list[this.#list.length] = service;
    mapSet(this.#byName, name, service);
    mapSet(this.#byDisplayName, service.displayName, service);
    this.#version++;
    return service;
  }

  configure(name: string, configuration: object): void {
    const service = this.named(name);
    if (!service) return;
    service.configuration = configuration;
    this.#version++;
  }

  /** Reads all configurations from the library. */
  readAll(): void {
    this.#more = 0;
    const configurations = attempt(() => callMethod(this.#fn, 'configure', []));
    if (isPromise(configurations)) return void this.#readLater(configurations);
    const found = attempt(() => readConfigurations(configurations)) ?? null;
    if (found) return this.#add(found);
    // Some libraries can only return one configuration at a time.
    for (let i = 0; i < this.#list.length; i++) {
      const { name } = this.#list[i]!;
      const one = attempt(() => callMethod(this.#fn, 'configure', [name]));
      if (isObject(one) && typeof one !== 'function' && !isArray(one)) this.configure(name, one);
    }
  }

  /** @param maxAge milliseconds until a session is read again */
  readSessions(maxAge: number): void {
    for (let i = 0; i < this.#list.length; i++)
      if (now() - this.#list[i]!.readAt >= maxAge) void this.#readSession(this.#list[i]!);
  }

  describe(): PageService[] {
    const described: PageService[] = [];
    for (let i = 0; i < this.#list.length; i++) {
      const { displayName: name, configuration, session, sessionKnown, sessionProblem } = this.#list[i]!;
      const options = configuration && (attempt(() => describeOptions(configuration, this.#mask)) ?? null);
      described[i] = { name, options, session, sessionKnown, sessionProblem };
    }
    return described;
  }

  #add(found: Configured[]): void {
    this.#isReadable = true;
    for (let i = 0; i < found.length; i++) this.configure(found[i]!.name, found[i]!.configuration);
  }

  async #readLater(pending: Promise<unknown>): Promise<void> {
    try {
      const found = readConfigurations(await pending);
      if (found) this.#add(found);
    } catch {
      // The configurations aren't readable, so `isReadable` stays false.
    }
  }

  async #readSession(service: Service): Promise<void> {
    service.readAt = now();
    try {
      const instance = instanceOf(this.#fn, service.name);
      if (!instance || typeof readProperty(instance, 'getAuthResponse') !== 'function')
        return this.#setSession(service, null, 'The library has no getAuthResponse().');
      const session = describeSession(await callMethod(instance, 'getAuthResponse', []), this.#mask);
      this.#setSession(service, session, null);
    } catch (thrown) {
      this.#setSession(service, null, summarize(thrown, this.#mask));
    }
  }

  #setSession(service: Service, session: ServiceSession | null, problem: string | null): void {
    const sessionText = `${problem ?? ''}${write(session)}`;
    if (service.sessionKnown && sessionText === service.sessionText) return;
    service.session = session;
    service.sessionText = sessionText;
    service.sessionProblem = problem;
    service.sessionKnown = true;
    this.#version++;
  }
}
