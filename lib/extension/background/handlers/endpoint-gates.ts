/**
 * Keeps requests beyond the specification from platforms that don’t offer such endpoints, which the first request finds
 * out, if the platform lists its apps. Remembers it per base URL, until the connection is tested.
 */
import * as v from 'valibot';
import { type ErrorValue, toErrorValue } from '../../../platform-api/index.ts';
import { endpointMissing, type EndpointGate, type GatedRequest, notSent } from '../../../rest/index.ts';
import { Endpoints } from '../../messaging/model/environment.ts';

/** Whether the platform itself responds. */
type Check = (signal: AbortSignal | undefined) => Promise<boolean>;

/** The subset of `storage.local` that this module uses. */
export interface LocalArea {
  get(keys: string | null): Promise<Record<string, unknown>>;
  set(items: Record<string, unknown>): Promise<void>;
  remove(keys: string | string[]): Promise<void>;
}

const PREFIX = 'endpoints ';
/** Where earlier versions remembered platforms without one-time tokens. */
const OLD_KEY = 'oneTimeTokens.without';
/** How long requests wait for the first one, in milliseconds. A slow platform must not make them fail one by one. */
const TIMEOUT = 5_000;

export class EndpointGates {
  readonly #local: LocalArea;
  readonly #onChange: () => void;
  /** By base URL. Written before `storage.local`, so that no request decides on an older value. */
  readonly #known = new Map<string, Endpoints | null>();
  /** The request that is finding out, by base URL. */
  readonly #first = new Map<string, Promise<void>>();
  /** Responses to requests that were sent before data was erased are no longer noted. */
  #epoch = 0;

  /** @param onChange called when it has become known, or unknown, which endpoints a platform has */
  constructor(local: LocalArea, onChange: () => void) {
    this.#local = local;
    this.#onChange = onChange;
  }

  /**
   * The gate of the platform at this base URL.
   * @param listApps requests what every platform has; a proxy that wants its user to sign in doesn’t
   */
  at(baseUrl: string, listApps: (signal: AbortSignal | undefined) => Promise<unknown>): EndpointGate {
    const isPlatform = (signal: AbortSignal | undefined): Promise<boolean> =>
      listApps(signal).then(
        () => true,
        () => false,
      );
    return { pass: (request, send) => this.#pass(baseUrl, request, isPlatform, send) };
  }

  /** Null if it’s unknown which endpoints the platform has. */
  async known(baseUrl: string): Promise<Endpoints | null> {
    const known = this.#known.get(baseUrl);
    if (known !== undefined) return known;
    const key = PREFIX + baseUrl;
    const stored = v.safeParse(Endpoints, (await this.#local.get(key).catch(() => null))?.[key]);
    if (!this.#known.has(baseUrl)) this.#known.set(baseUrl, stored.success ? stored.output : null);
    return this.#known.get(baseUrl)!;
  }

  /** Makes the next request find out again. */
  async forget(baseUrl: string): Promise<void> {
    const known = await this.known(baseUrl);
    this.#known.set(baseUrl, null);
    await this.#local.remove(PREFIX + baseUrl);
    if (known) this.#onChange();
  }

  /** Forgets all platforms except those at these base URLs. */
  async keepOnly(baseUrls: readonly string[]): Promise<void> {
    this.#epoch++;
    const kept = new Set(baseUrls);
    for (const baseUrl of this.#known.keys()) if (!kept.has(baseUrl)) this.#known.delete(baseUrl);
    const keys = Object.keys(await this.#local.get(null)).filter(
      (key) => key === OLD_KEY || (key.startsWith(PREFIX) && !kept.has(key.slice(PREFIX.length))),
    );
    if (keys.length > 0) await this.#local.remove(keys);
  }

  async #pass<T>(baseUrl: string, request: GatedRequest, isPlatform: Check, send: () => Promise<T>): Promise<T> {
    const { known, done } = await this.#enter(baseUrl, request.signal);
    try {
      if (known === 'specified') throw endpointMissing();
      return await this.#observe(baseUrl, request, isPlatform, send);
    } finally {
      done?.();
    }
  }

  /** Waits while another request is finding out. `done` ends the wait of others for this one. */
  async #enter(
    baseUrl: string,
    signal: AbortSignal | undefined,
  ): Promise<{ known: Endpoints | null; done?: () => void }> {
    const over = Promise.withResolvers<'over'>();
    const onAbort = (): void => over.reject(notSent(signal?.reason, signal));
    const timer = setTimeout(() => over.resolve('over'), TIMEOUT);
    signal?.addEventListener('abort', onAbort);
    over.promise.catch(() => {});
    try {
      for (;;) {
        await this.known(baseUrl);
        // From here to `#lead`, nothing else runs: there is one first request.
        const known = this.#known.get(baseUrl) ?? null;
        const first = this.#first.get(baseUrl);
        if (known) return { known };
        if (!first) return { known, done: this.#lead(baseUrl) };
        if ((await Promise.race([first, over.promise])) === 'over') return { known };
      }
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  #lead(baseUrl: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#first.set(baseUrl, promise);
    return () => {
      this.#first.delete(baseUrl);
      resolve();
    };
  }

  async #observe<T>(
    baseUrl: string,
    { isRead, isPage, signal }: GatedRequest,
    isPlatform: Check,
    send: () => Promise<T>,
  ): Promise<T> {
    const epoch = this.#epoch;
    const note = async (endpoints: Endpoints | null): Promise<void> => {
      if (endpoints && epoch === this.#epoch) await this.#note(baseUrl, endpoints);
    };
    try {
      const result = await send();
      // A server for any URL has pages at all of them.
      if (!isPage) await note('all');
      return result;
    } catch (error) {
      const value = toErrorValue(error);
      const shown = endpointsShownBy(value);
      const isDoubtful = shown === 'specified' && this.#known.get(baseUrl) === 'all';
      // After a gateway's own 404, as during a restart, the next request finds out again.
      if (isDoubtful && isMissing(value) && epoch === this.#epoch) await this.forget(baseUrl);
      const isKnown = !isDoubtful && (shown !== 'specified' || (await isPlatform(signal)));
      const endpoints = isKnown ? shown : null;
      await note(endpoints);
      // After a change, a response other than these doesn’t say whether it was made.
      const isRefused = isRead || isMissing(value) || value.status === 400;
      throw endpoints === 'specified' && isRefused ? endpointMissing(error) : error;
    }
  }

  async #note(baseUrl: string, endpoints: Endpoints): Promise<void> {
    if (this.#known.get(baseUrl) === endpoints) return;
    this.#known.set(baseUrl, endpoints);
    // If it can’t be stored, the next worker finds out again.
    await this.#local.set({ [PREFIX + baseUrl]: endpoints }).catch(() => {});
    this.#onChange();
  }
}

/** Statuses of a platform that doesn’t know a URL or method. */
const MISSING: ReadonlySet<number> = new Set([404, 405, 501]);
const isMissing = ({ status = 0 }: Pick<ErrorValue, 'status'>): boolean => MISSING.has(status);
/** Statuses that an endpoint itself responds with. Others can come from a proxy in front of it. */
const FROM_ENDPOINT: ReadonlySet<number> = new Set([409, 422]);
/** The code of a 404 that only an endpoint knows. Any router can send `NOT_FOUND`. */
const NO_ACTION = 'ACTION_NOT_FOUND';
/** Web frameworks respond with `error` and `message`, too, but not with a code: `{"error": "Not Found", …}`. */
const OUR_CODE = /^[A-Z][A-Z\d_]*$/;

/** Codes of responses that aren't data, although their status is a success or a redirect. */
const NOT_DATA: ReadonlySet<string> = new Set([
  'ANSWER_HTML',
  'ANSWER_NOT_JSON',
  'ANSWER_EMPTY',
  'ANSWER_INVALID',
  'ANSWER_REDIRECTED',
]);

/**
 * Which endpoints a failed request shows that the platform has. Null if it shows nothing: a refused token, a rate limit,
 * and failures say the same about every URL.
 */
function endpointsShownBy({ code, status = 0, said, failure }: ErrorValue): Endpoints | null {
  if (failure) return 'all';
  if (NOT_DATA.has(code)) return 'specified';
  if (said !== undefined && OUR_CODE.test(said.code))
    return said.code === NO_ACTION || FROM_ENDPOINT.has(status) ? 'all' : null;
  // Some gateways respond to URLs that they don't know with 400 or 403.
  return isMissing({ status }) || status === 400 || status === 403 ? 'specified' : null;
}
