/** Inspects the page's pipeline and its runs: the panel's counterpart to the agent's run part. */
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import { DEFAULT_NAMESPACE } from '../../../platform-api/limits.ts';
import { checkPayload } from '../../../platform-api/runs/payload.ts';
import { type AgentConnection, parsed, parseJson, toResult } from '../agent-connection.ts';
import { RUN_PAGE_LEFT } from '../agent-protocol.ts';
import type { AgentEvent, PageState, RemoteValue, RunAgent, StartOptions } from '../contract.ts';
import { EventStream, type StreamEvent } from '../event-stream.ts';
import { PageClock } from '../page-clock.ts';
import type { PagePosition } from '../page-pause.ts';
import { Breakpoints } from './breakpoints.ts';
import { RunDebuggerClient } from './debugger.ts';
import { readFunctionSource } from './function-source.ts';
import { compact } from './loaded-payload.ts';
import { parseBatch, parseFlag, parseHandle, parseRemoteValue, parseStart, parseState, parseStatus } from './parse.ts';
import { HANDLE_GONE, readText } from './remote-text.ts';
import { sendDebugOptions } from './send-text.ts';
import type { InspectorEvent, RunInspector } from './types.ts';

export class RunInspectorClient implements RunInspector {
  readonly capabilities: RunInspector['capabilities'];
  readonly #connection: AgentConnection;
  readonly #stream: EventStream<PageState, AgentEvent>;
  readonly #breakpoints: Breakpoints;
  readonly #listeners = new Set<(event: InspectorEvent) => void>();
  readonly #clock = new PageClock((event) => this.#emit(event));
  #namespace = DEFAULT_NAMESPACE;
  /** The page that was read last: its agent’s ID of the document, and its origin, which is the browser’s. */
  #place: { documentId: string; origin: string } | null = null;
  /** The current document's run in progress. */
  #runId: string | null = null;
  readonly debugger = new RunDebuggerClient({
    inspector: this,
    runId: () => this.#runId,
    onCommand: () => this.#stream.pollSoon(),
  });

  /** @param intervals milliseconds between polls: `busy` during a run and while the page loads, otherwise `idle` */
  constructor(connection: AgentConnection, intervals = { busy: 80, idle: 1_000 }) {
    const { transport } = connection;
    this.#connection = connection;
    this.#breakpoints = new Breakpoints(connection);
    this.capabilities = { source: transport.openResource !== undefined, reload: transport.reload !== undefined };
    this.#stream = new EventStream({
      source: {
        readDocument: () => this.#readState(),
        readEvents: (after, maxChars) => this.#readEvents(after, maxChars),
        // Read a run from its start, even if it started before the panel was opened.
        startAfter: (page) => (page.run ? 0 : page.lastSeq),
      },
      emit: (event) => this.#onStreamEvent(event),
      intervals,
      isBusy: (page) => this.#runId !== null || page?.ready === false,
      onNavigated: transport.onNavigated,
    });
  }

  async attach(namespace = this.#namespace): Promise<Result<PageState>> {
    this.#namespace = namespace;
    this.#connection.useNamespace(namespace);
    const state = await this.#stream.refresh({ announce: false });
    this.#stream.pollSoon();
    return state;
  }

  async start(payload: string, { debug, ...options }: StartOptions = {}): Promise<Result<{ runId: string }>> {
    const { error } = checkPayload(payload);
    if (error) return failure(error);
    const place = this.#place;
    if (options.documentId !== undefined && place && options.documentId !== place.documentId)
      return failure(RUN_PAGE_LEFT);
    // Polls go on, and can find another page in the tab.
    const call: RunInspector['call'] = (...given) => this.#callIn(place, ...given);
    const sent = debug && (await sendDebugOptions({ call }, debug));
    if (sent && !sent.ok) return sent;
    return this.#stream.exclusive(async () => {
      // The document might have changed since the last poll. Don't attribute the new run to the previous document.
      await this.#stream.poll();
      const runId = crypto.randomUUID();
      const response = await call(
        'start',
        [runId, payload, this.#namespace, { ...options, debug: sent?.value }],
        parseStart,
      );
      if (!response.ok) return response;
      if (!response.value.ok) return failure(response.value.error);
      this.#runId = runId;
      this.#stream.add(response.value.events);
      this.#stream.pollSoon();
      return { ok: true, value: { runId } };
    });
  }

  async stop(): Promise<Result<boolean>> {
    // Don't wait for polls, which never finish if a run never stops logging. Only wait for a run that is starting.
    if (this.#runId === null) await this.#stream.exclusive(() => Promise.resolve());
    if (this.#runId === null) return { ok: true, value: false };
    const response = await this.call('stop', [this.#runId], parseFlag);
    this.#stream.pollSoon();
    return response;
  }

  poll(): Promise<void> {
    return this.#stream.exclusive(() => this.#stream.poll());
  }

  call<T>(
    method: keyof RunAgent,
    args: readonly unknown[],
    parse: (response: unknown) => T | null,
  ): Promise<Result<T>> {
    return this.#callIn(this.#place, method, args, parse);
  }

  #callIn<T>(
    place: { origin: string } | null,
    method: keyof RunAgent,
    args: readonly unknown[],
    parse: (response: unknown) => T | null,
  ): Promise<Result<T>> {
    return this.#connection.call('run', method, args, parse, place?.origin);
  }

  namespace(): string {
    return this.#namespace;
  }

  subscribe(listener: (event: InspectorEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async expand(handle: number, from: number, count: number): Promise<Result<RemoteValue>> {
    const response = await this.call('expand', [handle, from, count], (value) => {
      const parsed = value === null ? null : parseRemoteValue(value);
      return value === null || parsed ? { parsed } : null;
    });
    if (!response.ok) return response;
    const { parsed } = response.value;
    return parsed ? { ok: true, value: parsed } : failure(HANDLE_GONE);
  }

  text(handle: number): Promise<Result<string>> {
    return readText(this, handle);
  }

  async recording(runId: string): Promise<Result<string | null>> {
    const found = await this.call('recording', [runId], parseHandle);
    if (!found.ok) return found;
    const { handle } = found.value;
    return handle === null ? { ok: true, value: null } : readText(this, handle);
  }

  async pipeline(): Promise<Result<unknown[]>> {
    const state = await this.#stream.refresh({ announce: false });
    if (!state.ok) return state;
    if (!state.value.pipeline.ok) return failure(state.value.pipeline.error);
    const text = await readText(this, state.value.pipeline.handle);
    if (!text.ok) return text;
    const steps = parseArray(text.value);
    if (steps) return { ok: true, value: steps };
    return failure({
      code: 'PIPELINE_UNREADABLE',
      message: 'Couldn’t read the pipeline: the page’s response isn’t an array of steps.',
      hint: 'Reload the page.',
    });
  }

  async openSource(name: string): Promise<Result<null>> {
    const { transport } = this.#connection;
    if (!transport.openResource) return failure(cannotOpen(name));
    const state = await this.#stream.refresh({ announce: false });
    if (!state.ok) return state;
    const url = state.value.functions.find((item) => item.name === name)?.url;
    if (!url)
      return failure({
        code: 'SOURCE_UNKNOWN',
        message: `Couldn’t find the script of ${name}: the page doesn’t report its URL.`,
        hint: 'Try searching for the package name in the Sources panel.',
      });
    return (await transport.openResource(url, 0)) ? { ok: true, value: null } : failure(notFound(url));
  }

  async openPosition({ url, line }: PagePosition): Promise<Result<null>> {
    const { transport } = this.#connection;
    if (!transport.openResource) return failure(cannotOpen(`line ${line} of ${url}`));
    return (await transport.openResource(url, line - 1)) ? { ok: true, value: null } : failure(notFound(url));
  }

  pageNow(): number | null {
    return this.#clock.now();
  }

  functionSource(name: string): Promise<Result<string | null>> {
    return readFunctionSource(this.#connection, this.#namespace, name);
  }

  setBreakpoint(name: string, on: boolean): Promise<Result<null>> {
    return this.#breakpoints.set(this.#namespace, name, on);
  }

  async reloadWithAgent(payload?: string): Promise<Result<null>> {
    if (payload !== undefined) {
      const kept = await this.call('keepPayload', [compact(payload)], parseFlag);
      if (!kept.ok) return kept;
      if (!kept.value) return failure(PAYLOAD_NOT_LOADED);
    }
    return this.#connection.reload('run', this.#namespace);
  }

  dispose(): void {
    this.#stream.dispose();
    this.#listeners.clear();
  }

  async #readState(): Promise<Result<PageState>> {
    const state = await toResult(async () => {
      // Take the URL from the browser, because it determines whose token is used: a page can't replace its own
      // `location`. Origins never contain spaces, and URLs no line breaks.
      const where = 'location.origin+" "+location.href';
      const { line, rest } = await this.#connection.callAfter(where, 'run', 'state', [this.#namespace]);
      const end = line.indexOf(' ');
      const page = { ...parsed(parseState(parseJson(rest))), url: line.slice(end + 1) };
      this.#place = { documentId: page.documentId, origin: line.slice(0, end) };
      return page;
    });
    if (state.ok) await this.#breakpoints.apply(state.value.documentId, this.#namespace);
    return state;
  }

  #readEvents(after: number, maxChars: number) {
    return toResult(async () => {
      const status = `agent.status(${this.#connection.transport.ownsStack === true})`;
      const { line, rest } = await this.#connection.callAfter(status, 'run', 'read', [
        after,
        maxChars,
        this.#namespace,
      ]);
      const batch = parsed(parseBatch(parseJson(rest)));
      this.#clock.update(parsed(parseStatus(parseJson(line))));
      return batch;
    });
  }

  #emit(event: InspectorEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #onStreamEvent(event: StreamEvent<PageState, AgentEvent>): void {
    switch (event.kind) {
      case 'page-changed':
        return this.#onPage(event.page, event.previous, event.newDocument);
      case 'events':
        for (const each of event.events) {
          if (each.kind === 'run-started') this.#runId = each.runId;
          if (each.kind === 'run-ended' && each.runId === this.#runId) this.#runId = null;
          this.#emit(each);
        }
        return;
      case 'ahead':
        if (event.event.kind === 'run-ended') this.#emit({ kind: 'completed-ahead', end: event.event });
        return;
      case 'events-dropped':
        return this.#emit({ kind: 'events-dropped', count: event.count });
      default:
        return this.#emit(event);
    }
  }

  #onPage(state: PageState, previous: PageState | null, newDocument: boolean): void {
    if (newDocument) {
      this.#clock.forget();
      if (this.#runId !== null && previous) {
        const reason = isSamePage(previous.url, state.url) ? 'reload' : 'navigation';
        this.#emit({ kind: 'run-lost', runId: this.#runId, reason });
      }
      this.#runId = state.run?.id ?? null;
    }
    this.#emit({ kind: 'page-changed', state, newDocument });
  }
}

const PAYLOAD_NOT_LOADED: ErrorValue = {
  code: 'PAYLOAD_NOT_SET',
  message: 'Couldn’t load the page with the payload: the page’s URL can’t be changed. Nothing was run.',
  hint: 'Open the debug page with Open, then select Run.',
};

function failure(error: ErrorValue): { ok: false; error: ErrorValue } {
  return { ok: false, error };
}

function cannotOpen(target: string): ErrorValue {
  return {
    code: 'SOURCE_UNSUPPORTED',
    message: 'This browser doesn’t let an extension open a script.',
    hint: `Try finding ${target} in the Debugger’s Sources pane.`,
  };
}

function notFound(url: string): ErrorValue {
  return {
    code: 'SOURCE_NOT_FOUND',
    message: `Couldn’t open ${url}: DevTools has no such resource.`,
    hint: 'Reload the page, then try again.',
  };
}

function parseArray(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether two URLs belong to the same page, apart from the payload. */
function isSamePage(one: string, other: string): boolean {
  const withoutPayload = (given: string): string => {
    if (!URL.canParse(given)) return given;
    const url = new URL(given);
    url.searchParams.delete('payload');
    url.hash = '';
    return url.href;
  };
  return withoutPayload(one) === withoutPayload(other);
}
