/**
 * Polls the agent for events. Delivers them in order and exactly once, even if the page navigates or stops responding
 * for a while.
 */
import type { ErrorValue, Result } from '../../platform-api/errors.ts';
import { SerialQueue } from '../../shared/serial-queue.ts';
import type { AgentDocument, EventBatch } from './agent-protocol.ts';

/**
 * Maximum size of a batch, in characters. How a run ended comes with the next batch, so it waits for one at most, and no
 * batch keeps the panel from handling input.
 */
const BATCH = 250_000;
/**
 * Maximum batches per poll: enough to read a full log. A page that never stops logging must not block other requests.
 */
const MAX_BATCHES = 120;
/** Maximum number of documents with a resume point, since a page could pretend to be a new document at each poll. */
const MAX_RESUME_POINTS = 500;

/** Reads from one part of the agent. */
export interface EventSource<D extends AgentDocument, E extends { n: number }> {
  readDocument(): Promise<Result<D>>;
  /**
   * @param after the last known event's sequence number. `invalid` in the result counts events that couldn't be parsed.
   */
  readEvents(after: number, maxChars: number): Promise<Result<EventBatch<E> & { invalid: number }>>;
  /** The sequence number after which to start in a document that is new to the stream. */
  startAfter(document: D): number;
}

export type StreamEvent<D extends AgentDocument, E> =
  /** A new document, or a new description of the same document. */
  | { kind: 'page-changed'; page: D; previous: D | null; newDocument: boolean }
  /** The new events of one batch, in order and without duplicates. */
  | { kind: 'events'; documentId: string; events: E[] }
  /** A later event, before the ones between. It's among the events of its own batch, too. */
  | { kind: 'ahead'; event: E }
  /** The number of events missing at this point: the log dropped them, or they were invalid or too large. */
  | { kind: 'events-dropped'; documentId: string; count: number }
  /** The page doesn't respond or can't be inspected. Emitted again only if the error code changes. */
  | { kind: 'page-lost'; error: ErrorValue }
  | { kind: 'page-recovered' };

export interface EventStreamOptions<D extends AgentDocument, E extends { n: number }> {
  source: EventSource<D, E>;
  emit: (event: StreamEvent<D, E>) => void;
  /** Milliseconds between polls: `busy` while `isBusy` returns true, otherwise `idle`. */
  intervals: { busy: number; idle: number };
  isBusy: (document: D | null) => boolean;
  /** Optional, since polling also detects navigations, just later. */
  onNavigated?: ((listener: () => void) => () => void) | undefined;
}

export class EventStream<D extends AgentDocument, E extends { n: number }> {
  readonly #options: EventStreamOptions<D, E>;
  readonly #queue = new SerialQueue();
  readonly #stopListening: (() => void) | undefined;
  /** The last event read from each previous document, since the browser might show the document again. */
  readonly #resumePoints = new Map<string, number>();
  #document: D | null = null;
  #lastSeq = 0;
  /** Why the page is lost, as an error code; null if it isn't. */
  #lostCode: string | null = null;
  #isPolling = false;
  #isDisposed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: EventStreamOptions<D, E>) {
    this.#options = options;
    this.#stopListening = options.onNavigated?.(() => {
      if (this.#isPolling) this.pollSoon();
    });
  }

  /** Runs a task while no poll is running. */
  exclusive<T>(task: () => Promise<T>): Promise<T> {
    return this.#queue.run(task);
  }

  /** Reads the document now. Always emits a changed document, but an unchanged one only if `announce` is set. */
  refresh({ announce }: { announce: boolean }): Promise<Result<D>> {
    return this.exclusive(() => this.#readDocument(announce));
  }

  /** Starts polling, with the first poll right away. */
  pollSoon(): void {
    this.#schedule(0);
  }

  /** Starts polling, with the first poll after the current interval. */
  pollLater(): void {
    const { intervals, isBusy } = this.#options;
    this.#schedule(this.#lostCode === null && isBusy(this.#document) ? intervals.busy : intervals.idle);
  }

  /** Polls once. Call this within `exclusive`. */
  async poll(): Promise<void> {
    if (this.#isDisposed) return;
    // A page that stopped responding might have been replaced by another one.
    if (!this.#document || this.#lostCode !== null) await this.#readDocument(true);
    if (this.#document && this.#lostCode === null) await this.#readEvents();
  }

  /** Adds events that arrived as part of another response. Call this within `exclusive`. */
  add(events: readonly E[]): E[] {
    const added: E[] = [];
    for (const event of events) {
      if (event.n <= this.#lastSeq) continue;
      this.#lastSeq = event.n;
      added.push(event);
    }
    if (added.length > 0 && this.#document)
      this.#emit({ kind: 'events', documentId: this.#document.documentId, events: added });
    return added;
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#timer);
    this.#stopListening?.();
  }

  #schedule(wait: number): void {
    clearTimeout(this.#timer);
    if (this.#isDisposed) return;
    this.#isPolling = true;
    this.#timer = setTimeout(() => void this.exclusive(() => this.poll()).finally(() => this.pollLater()), wait);
  }

  #emit(event: StreamEvent<D, E>): void {
    if (!this.#isDisposed) this.#options.emit(event);
  }

  #setLost(error: ErrorValue | null): void {
    const code = error?.code ?? null;
    if (code === this.#lostCode) return;
    this.#lostCode = code;
    this.#emit(error ? { kind: 'page-lost', error } : { kind: 'page-recovered' });
  }

  async #readDocument(announce: boolean): Promise<Result<D>> {
    const response = await this.#options.source.readDocument();
    this.#setLost(response.ok ? null : response.error);
    if (response.ok) this.#setDocument(response.value, announce);
    return response;
  }

  #setDocument(page: D, announce: boolean): void {
    const previous = this.#document;
    const newDocument = previous?.documentId !== page.documentId;
    if (newDocument) {
      if (previous) this.#resumePoints.set(previous.documentId, this.#lastSeq);
      if (this.#resumePoints.size > MAX_RESUME_POINTS) this.#resumePoints.clear();
      this.#lastSeq = this.#resumePoints.get(page.documentId) ?? this.#options.source.startAfter(page);
    }
    this.#document = page;
    const isChanged = newDocument || page.fingerprint !== previous?.fingerprint;
    if (isChanged || announce) this.#emit({ kind: 'page-changed', page, previous, newDocument });
  }

  async #readEvents(): Promise<void> {
    let single = false;
    for (let batches = 0; batches < MAX_BATCHES && !this.#isDisposed; batches++) {
      const response = await this.#options.source.readEvents(this.#lastSeq, single ? 1 : BATCH);
      if (!response.ok && response.error.code === 'PAGE_ANSWER_TOO_LARGE') {
        // A single event might be the cause. Read one event only, and skip it if even that is too large.
        if (single) return this.#skipEvent();
        single = true;
        continue;
      }
      single = false;
      this.#setLost(response.ok ? null : response.error);
      if (!response.ok || !(await this.#acceptBatch(response.value))) return;
    }
  }

  #skipEvent(): void {
    this.#lastSeq++;
    if (this.#document) this.#emit({ kind: 'events-dropped', documentId: this.#document.documentId, count: 1 });
  }

  /** Resolves with true if there is more to read. */
  async #acceptBatch(batch: EventBatch<E> & { invalid: number }): Promise<boolean> {
    const { documentId, lastSeq, fingerprint } = batch;
    if (documentId !== this.#document?.documentId) return (await this.#readDocument(true)).ok;
    const previousSeq = this.#lastSeq;
    const missing = batch.dropped + batch.invalid;
    if (missing > 0) this.#emit({ kind: 'events-dropped', documentId, count: missing });
    const added = this.add(batch.events);
    if (batch.ahead && batch.ahead.n > this.#lastSeq) this.#emit({ kind: 'ahead', event: batch.ahead });
    if (added.length === 0 && batch.invalid > 0) this.#lastSeq = Math.max(this.#lastSeq, lastSeq);
    const hasMore = this.#lastSeq > previousSeq && this.#lastSeq < lastSeq;
    if (fingerprint !== '' && fingerprint !== this.#document.fingerprint) await this.#readDocument(true);
    return hasMore;
  }
}
