/** Owns the panel's side of the OAuth2 inspector: it installs the agent, polls it, and tells what the page is and what happens. */
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import { DEFAULT_NAMESPACE } from '../../../platform-api/limits.ts';
import type { Evaluate } from '../run/types.ts';
import { asked, createDoor, literal } from '../agent-connection.ts';
import {
  OAUTH2_KEY,
  OAUTH2_PROTOCOL,
  OAUTH2_SOURCE,
  type ActionRequest,
  type ApiResponse,
  type OAuth2Event,
  type OAuth2Page,
  type ProbeResult,
  type ProbeRequest,
} from './contract.ts';
import { parseAct, parseAnswer, parseFlowReading, parsePage, parseProbed } from './parse.ts';

const READ_CHARS = 500_000;
/** Readings in a row of a page that tells without end: a person's own questions must not wait behind them. */
const READINGS = 4;
const INTERVALS = { busy: 150, idle: 1_000 };
/** Milliseconds after the last event in which the page is looked at often: a flow has a next step. */
const STAYS_BUSY = 3_000;
const PROBE_LIMIT = 12_000;
/** Documents that are remembered; a page can claim to be another at each look. */
const MOST_DOCUMENTS = 500;

export interface OAuth2InspectorOptions {
  evaluate: Evaluate;
  /** The text of `oauth2-agent.js`. */
  agentSource: () => Promise<string>;
  reload?: (options: { injectedScript?: string }) => void;
  onNavigated?: (listener: () => void) => () => void;
  /** Milliseconds between two looks; busy: while something happens. */
  intervals?: { busy: number; idle: number };
}

export type OAuth2InspectorEvent =
  /** Another document, or the same one with other services, sessions or options. */
  | { kind: 'page'; page: OAuth2Page; newDocument: boolean }
  /** In order and each once; all of one reading together. */
  | { kind: 'events'; documentId: string; events: OAuth2Event[] }
  /** So many are missing before what comes next. */
  | { kind: 'dropped'; documentId: string; count: number }
  | { kind: 'lost'; error: ErrorValue }
  | { kind: 'back' };

/** One per panel. Nothing here throws or rejects: every failure is a value. */
export interface OAuth2Inspector {
  readonly canReload: boolean;
  /** Begins to look at the page, or looks anew, also at what a library that is not ours told before. */
  attach(namespace?: string): Promise<Result<OAuth2Page>>;
  subscribe(listener: (event: OAuth2InspectorEvent) => void): () => void;
  /** The clear text of one secret option; null when the page has none there. */
  reveal(service: string, path: string[]): Promise<Result<{ text: string | null }>>;
  /** Begins an action; how it goes is told by events `action`. */
  startAction(request: ActionRequest): Promise<Result<{ id: number }>>;
  cancel(id: number): Promise<Result<boolean>>;
  /** What a call of the API that `act` began was answered; null while it is not. */
  apiResponse(id: number): Promise<Result<{ answer: ApiResponse | null }>>;
  /** `PROBE_LOST` when the page went away meanwhile. */
  probe(request: ProbeRequest): Promise<Result<ProbeResult>>;
  /** Reloads with the agent there before the page's first script. `RELOAD_UNSUPPORTED`. */
  reloadWithAgent(): Promise<Result<null>>;
  dispose(): void;
}

export function createOAuth2Inspector({
  evaluate,
  agentSource,
  reload,
  onNavigated,
  intervals = INTERVALS,
}: OAuth2InspectorOptions): OAuth2Inspector {
  const door = createDoor({
    evaluate,
    source: agentSource,
    key: OAUTH2_KEY,
    protocol: OAUTH2_PROTOCOL,
    name: OAUTH2_SOURCE,
  });
  const listeners = new Set<(event: OAuth2InspectorEvent) => void>();
  let namespace = DEFAULT_NAMESPACE;
  let page: OAuth2Page | null = null;
  /** The newest event that was told, of the document `page`; and of documents before. */
  let told = 0;
  const left = new Map<string, number>();
  let mark: string | null = null;
  let lost = false;
  let begun = false;
  let disposed = false;
  let busyUntil = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const isOpen = (): boolean => !disposed;
  function tell(event: OAuth2InspectorEvent): void {
    if (!disposed) for (const listener of listeners) listener(event);
  }
  /** Looks at the page, one after the other: events keep their order, and none is told twice. */
  function inTurn<T>(job: () => Promise<T>): Promise<T> {
    const next = turn.then(job, job);
    turn = next.catch(() => {});
    return next;
  }
  function noteAnswer(error: ErrorValue | null): void {
    if (!error === !lost) return;
    lost = error !== null;
    tell(error ? { kind: 'lost', error } : { kind: 'back' });
  }

  async function readPage(again: boolean): Promise<Result<OAuth2Page>> {
    const answer = await door.call('look', [namespace, again], parsePage);
    noteAnswer(answer.ok ? null : answer.error);
    if (!answer.ok) return answer;
    const newDocument = page?.documentId !== answer.value.documentId;
    if (newDocument) {
      if (page) left.set(page.documentId, told);
      if (left.size > MOST_DOCUMENTS) left.clear();
      // A document that the browser kept and shows again is told from where it was left.
      told = left.get(answer.value.documentId) ?? 0;
    }
    page = answer.value;
    tell({ kind: 'page', page, newDocument });
    return answer;
  }

  async function readEvents(): Promise<void> {
    for (let readings = 0; readings < READINGS && page && isOpen(); readings++) {
      const answer = await door.call('read', [told, READ_CHARS, namespace], parseFlowReading);
      noteAnswer(answer.ok ? null : answer.error);
      if (!answer.ok) return;
      const { documentId, events, last, dropped, nonsense, mark: seen } = answer.value;
      if (documentId !== page.documentId) {
        await readPage(false);
        continue;
      }
      const fresh = events.filter((event) => event.n > told);
      if (dropped + nonsense > 0) tell({ kind: 'dropped', documentId, count: dropped + nonsense });
      if (seen !== mark) {
        mark = seen;
        await readPage(false);
      }
      if (fresh.length > 0) {
        busyUntil = Date.now() + STAYS_BUSY;
        tell({ kind: 'events', documentId, events: fresh });
      }
      const reached = Math.max(told, fresh.at(-1)?.n ?? (nonsense > 0 ? last : told));
      if (reached <= told || reached >= last) {
        told = reached;
        return;
      }
      told = reached;
    }
  }

  function schedule(wait: number): void {
    clearTimeout(timer);
    if (begun && !disposed)
      timer = setTimeout(
        () =>
          void inTurn(lookOnce).then(() => schedule(!lost && Date.now() < busyUntil ? intervals.busy : intervals.idle)),
        wait,
      );
  }
  async function lookOnce(): Promise<void> {
    if (disposed) return;
    if (!page || lost) await readPage(false);
    if (page && !lost) await readEvents();
  }
  const stopListening = onNavigated?.(() => schedule(0));

  /** What a person asked for is seen soon. */
  function expect<T>(answer: T): T {
    busyUntil = Date.now() + STAYS_BUSY;
    schedule(0);
    return answer;
  }

  return {
    canReload: reload !== undefined,
    attach(name = namespace) {
      namespace = name;
      begun = true;
      return inTurn(async () => {
        const answer = await readPage(true);
        schedule(0);
        return answer;
      });
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    reveal: (service, path) =>
      door.call('reveal', [service, path], (text) => (text === null || typeof text === 'string' ? { text } : null)),
    async startAction(request) {
      const answer = await door.call('act', [request], parseAct);
      if (!answer.ok) return answer;
      return expect(
        answer.value.ok ? { ok: true, value: { id: answer.value.id } } : { ok: false, error: answer.value.error },
      );
    },
    cancel: async (id) => expect(await door.call('cancel', [id], (done) => (typeof done === 'boolean' ? done : null))),
    apiResponse: (id) => door.call('answer', [id], parseAnswer),
    async probe(request) {
      const begunProbe = await door.call('probe', [request], (id) =>
        Number.isSafeInteger(id) ? (id as number) : null,
      );
      if (!begunProbe.ok) return begunProbe;
      for (const end = Date.now() + PROBE_LIMIT; Date.now() < end && isOpen();) {
        const answer = await door.call('probed', [begunProbe.value], parseProbed);
        if (!answer.ok) return answer;
        const { probed } = answer.value;
        if (probed === null) break;
        if (probed !== 'waiting') return { ok: true, value: probed };
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      return {
        ok: false,
        error: {
          code: 'PROBE_LOST',
          message: 'The page went away, or was too busy, before the address was looked at.',
          hint: 'Check again.',
        },
      };
    },
    async reloadWithAgent() {
      if (!reload)
        return {
          ok: false,
          error: {
            code: 'RELOAD_UNSUPPORTED',
            message: 'This browser does not let an extension reload the page with a script.',
            hint: 'Reload the page by hand; the tab keeps looking.',
          },
        };
      const script = await asked(() => door.script(`this[${literal(OAUTH2_KEY)}].watch(${literal(namespace)})`));
      if (!script.ok) return script;
      reload({ injectedScript: script.value });
      return { ok: true, value: null };
    },
    dispose() {
      disposed = true;
      clearTimeout(timer);
      stopListening?.();
      listeners.clear();
    },
  };
}
