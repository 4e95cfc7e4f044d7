/** Inspects the page's OAuth2 services, sessions, and logins: the panel's counterpart to the agent's OAuth2 part. */
import type { Result } from '../../../platform-api/errors.ts';
import { DEFAULT_NAMESPACE } from '../../../platform-api/limits.ts';
import { type AgentConnection, parsed, parseJson, toResult } from '../agent-connection.ts';
import { EventStream, type StreamEvent } from '../event-stream.ts';
import type {
  ActionRequest,
  ApiResponse,
  OAuth2Agent,
  OAuth2Event,
  OAuth2Page,
  ProbeRequest,
  ProbeResult,
} from './contract.ts';
import { parseApiResponse, parseBatch, parsePage, parseProbeResult, parseStarted } from './parse.ts';

/** How long to poll frequently after an event, in milliseconds, since the flow's next step is likely to follow. */
const BUSY_TIME = 3_000;
const PROBE_TIMEOUT = 12_000;
const PROBE_INTERVAL = 100;

interface Place {
  documentId: string;
  origin: string;
}

export type OAuth2InspectorEvent = StreamEvent<OAuth2Page, OAuth2Event>;

/**
 * One instance per panel. Methods never throw or reject: all failures are values. What the user asks for fails with
 * `PAGE_LEFT` in a page of another origin than the one that was read last, which gets nothing of it. In another
 * document of that origin, actions and probes do.
 */
export interface OAuth2Inspector {
  readonly canReload: boolean;
  /** Starts watching the page, or polls it now. Also rereads everything that the library reported before. */
  attach(namespace?: string): Promise<Result<OAuth2Page>>;
  /** Returns a function that unsubscribes. */
  subscribe(listener: (event: OAuth2InspectorEvent) => void): () => void;
  /** A secret option's clear text, or null if the page has no such option. */
  reveal(service: string, path: string[]): Promise<Result<{ text: string | null }>>;
  /** Starts an action. Events of kind `action` report its progress. */
  startAction(request: ActionRequest): Promise<Result<{ id: number }>>;
  /** Resolves with false if the action isn't pending. */
  cancel(id: number): Promise<Result<boolean>>;
  /** The response to an API call that `startAction` made, or null while it's pending. */
  apiResponse(id: number): Promise<Result<{ response: ApiResponse | null }>>;
  /** Requests a URL from the page. Fails with `PROBE_LOST` if the page goes away before the response arrives. */
  probe(request: ProbeRequest): Promise<Result<ProbeResult>>;
  /** Reloads the page and installs the agent before the page's first script runs. Fails with `RELOAD_UNSUPPORTED`. */
  reloadWithAgent(): Promise<Result<null>>;
  dispose(): void;
}

export class OAuth2InspectorClient implements OAuth2Inspector {
  readonly canReload: boolean;
  readonly #connection: AgentConnection;
  readonly #stream: EventStream<OAuth2Page, OAuth2Event>;
  readonly #listeners = new Set<(event: OAuth2InspectorEvent) => void>();
  #namespace = DEFAULT_NAMESPACE;
  /** The page that was read last: its agent’s ID of the document, and its origin, which is the browser’s. */
  #place: Place | null = null;
  /** Whether the next page description rereads everything that the library reported before. */
  #refresh = false;
  #busyUntil = 0;
  #isDisposed = false;

  /** @param intervals milliseconds between polls: `busy` while events are expected, otherwise `idle` */
  constructor(connection: AgentConnection, intervals = { busy: 150, idle: 1_000 }) {
    const { transport } = connection;
    this.#connection = connection;
    this.canReload = transport.reload !== undefined;
    this.#stream = new EventStream({
      source: {
        readDocument: () => this.#readPage(),
        readEvents: (after, maxChars) =>
          this.#connection.call('oauth2', 'read', [after, maxChars, this.#namespace], parseBatch),
        startAfter: () => 0,
      },
      emit: (event) => {
        if (event.kind === 'events') this.#busyUntil = performance.now() + BUSY_TIME;
        for (const listener of this.#listeners) listener(event);
      },
      intervals,
      isBusy: () => performance.now() < this.#busyUntil,
      onNavigated: transport.onNavigated,
    });
  }

  async attach(namespace = this.#namespace): Promise<Result<OAuth2Page>> {
    this.#namespace = namespace;
    this.#connection.useNamespace(namespace);
    this.#refresh = true;
    const page = await this.#stream.refresh({ announce: true });
    this.#stream.pollSoon();
    return page;
  }

  subscribe(listener: (event: OAuth2InspectorEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  reveal(service: string, path: string[]): Promise<Result<{ text: string | null }>> {
    return this.#call('reveal', [service, path], (text) =>
      text === null || typeof text === 'string' ? { text } : null,
    );
  }

  async startAction(request: ActionRequest): Promise<Result<{ id: number }>> {
    const started = await this.#start('startAction', request, this.#place);
    this.#expectEvents();
    return started;
  }

  async cancel(id: number): Promise<Result<boolean>> {
    const response = await this.#call('cancelAction', [id], (done) => (typeof done === 'boolean' ? done : null));
    this.#expectEvents();
    return response;
  }

  apiResponse(id: number): Promise<Result<{ response: ApiResponse | null }>> {
    return this.#call('apiResponse', [id], parseApiResponse);
  }

  async probe(request: ProbeRequest): Promise<Result<ProbeResult>> {
    // Polls continue, and can find another page in the tab.
    const place = this.#place;
    const started = await this.#start('startProbe', request, place);
    if (!started.ok) return started;
    for (const end = performance.now() + PROBE_TIMEOUT; performance.now() < end && !this.#isDisposed;) {
      const response = await this.#callIn(place, 'probeResult', [started.value.id], parseProbeResult);
      if (!response.ok) return response;
      const { result } = response.value;
      if (result === null) break;
      if (result !== 'pending') return { ok: true, value: result };
      await new Promise((resolve) => setTimeout(resolve, PROBE_INTERVAL));
    }
    return {
      ok: false,
      error: {
        code: 'PROBE_LOST',
        message: 'Couldn’t check the URL: the page navigated or was too busy.',
        hint: 'Try again.',
      },
    };
  }

  reloadWithAgent(): Promise<Result<null>> {
    return this.#connection.reload('oauth2', this.#namespace);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#stream.dispose();
    this.#listeners.clear();
  }

  #readPage(): Promise<Result<OAuth2Page>> {
    return toResult(async () => {
      const args = [this.#namespace, this.#takeRefresh()];
      const { line, rest } = await this.#connection.callAfter('location.origin', 'oauth2', 'page', args);
      const page = parsed(parsePage(parseJson(rest)));
      this.#place = { documentId: page.documentId, origin: line };
      return page;
    });
  }

  async #start(
    method: 'startAction' | 'startProbe',
    request: ActionRequest | ProbeRequest,
    place: Place | null,
  ): Promise<Result<{ id: number }>> {
    const response = await this.#callIn(place, method, [request, place?.documentId ?? null], parseStarted);
    if (!response.ok) return response;
    const { value } = response;
    return value.ok ? { ok: true, value: { id: value.id } } : { ok: false, error: value.error };
  }

  #call<T>(
    method: keyof OAuth2Agent,
    args: readonly unknown[],
    parse: (response: unknown) => T | null,
  ): Promise<Result<T>> {
    return this.#callIn(this.#place, method, args, parse);
  }

  #callIn<T>(
    place: Place | null,
    method: keyof OAuth2Agent,
    args: readonly unknown[],
    parse: (response: unknown) => T | null,
  ): Promise<Result<T>> {
    return this.#connection.call('oauth2', method, args, parse, place?.origin);
  }

  #takeRefresh(): boolean {
    const refresh = this.#refresh;
    this.#refresh = false;
    return refresh;
  }

  /** Polls frequently, because events that the user caused arrive soon. */
  #expectEvents(): void {
    this.#busyUntil = performance.now() + BUSY_TIME;
    this.#stream.pollSoon();
  }
}
