/** Owns the panel's side of the inspector: it installs the agent, polls it, and tells what happens as events. */
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import { DEFAULT_NAMESPACE } from '../../../platform-api/limits.ts';
import { checkPayload } from '../../../platform-api/payload.ts';
import type { RunInspector, InspectorEvent, InspectorOptions } from './types.ts';
import { createConnection } from './connection.ts';
import type { AgentEvent, PageState } from '../contract.ts';
import { parseReading, parseRemoteValue, parseStart } from './parse.ts';

const READ_CHARS = 400_000;
/** Of a page that has told more than one reading holds: few long readings reach the end of a long run sooner than many short ones. */
const CATCH_UP_CHARS = 2_000_000;
const PIECE = 500_000;
/** Of one text: as much as the agent keeps of texts in all. */
const LONGEST_TEXT = 64 * 1024 * 1024;
/** Documents that are remembered; a page can claim to be another at each look. */
const MOST_DOCUMENTS = 500;
/** Readings in a row: enough for a full log. A page that goes on faster must not keep a person's own questions waiting. */
const READINGS = 20;
const INTERVALS = { running: 80, idle: 1_000 };

/** @see RunInspector */
export function createInspector(options: InspectorOptions): RunInspector {
  const intervals = options.intervals ?? INTERVALS;
  const connection = createConnection(options.evaluate, options.agentSource);
  const listeners = new Set<(event: InspectorEvent) => void>();
  /** Functions to stop in, and those of them for which the document at hand has been told so. */
  const breaks = new Set<string>();
  const broken = new Set<string>();
  let namespace = DEFAULT_NAMESPACE;
  let page: PageState | null = null;
  /** The newest event that was told, of the document `page`. */
  let told = 0;
  /** The same of documents before. */
  const left = new Map<string, number>();
  let look: string | null = null;
  let runId: string | null = null;
  let lost = false;
  let disposed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Looks at the page, one after the other: events keep their order, and none is told twice. */
  let turn: Promise<unknown> = Promise.resolve();

  function tell(event: InspectorEvent): void {
    for (const listener of listeners) listener(event);
  }
  function inTurn<T>(job: () => Promise<T>): Promise<T> {
    const next = turn.then(job, job);
    turn = next.catch(() => {});
    return next;
  }

  /** Takes over a state that was read: notices another document, and says how it went on. */
  function accept(state: PageState, quiet: boolean): void {
    const newDocument = page?.documentId !== state.documentId;
    if (newDocument) {
      if (runId !== null && page)
        tell({ kind: 'run-lost', runId, reason: sameAddress(page.url, state.url) ? 'reload' : 'navigation' });
      if (page) left.set(page.documentId, told);
      if (left.size > MOST_DOCUMENTS) left.clear();
      // A run that goes on already, started before this panel was opened, is told from its beginning; a document that the
      // browser kept and shows again, from where it was left.
      told = left.get(state.documentId) ?? (state.run ? 0 : state.last);
      runId = state.run?.id ?? null;
      broken.clear();
    }
    page = state;
    look = state.look ?? null;
    if (newDocument || !quiet) tell({ kind: 'page-changed', state, newDocument });
  }

  async function readState(quiet: boolean): Promise<Result<PageState>> {
    const answer = await connection.state(namespace);
    noteAnswer(answer.ok ? null : answer.error);
    if (!answer.ok) return answer;
    accept(answer.value, quiet);
    for (const name of breaks) {
      if (broken.has(name)) continue;
      const stops = await connection.debug(namespace, name, true);
      if (stops.ok && stops.value === 'done') broken.add(name);
    }
    return answer;
  }

  async function readEvents(): Promise<void> {
    let more = true;
    let alone = false;
    for (let readings = 0; more && readings < READINGS; readings++) {
      if (!page || disposed) return;
      const wasLost = lost;
      const answer = await connection.call(
        'read',
        [told, alone ? 1 : readings === 0 ? READ_CHARS : CATCH_UP_CHARS, namespace],
        parseReading,
      );
      if (!answer.ok && answer.error.code === 'PAGE_ANSWER_TOO_LARGE') {
        // One event may have made it so: it is asked for alone, and left out when even that is too much.
        if (alone) {
          told++;
          return tell({ kind: 'events-dropped', count: 1 });
        }
        alone = true;
        continue;
      }
      alone = false;
      noteAnswer(answer.ok ? null : answer.error);
      if (!answer.ok) return;
      const { documentId, events, last, dropped, nonsense, look: seen } = answer.value;
      if (documentId !== page.documentId) return void (await readState(false));
      const fresh = events.filter((event) => event.n > told);
      if (dropped + nonsense > 0) tell({ kind: 'events-dropped', count: dropped + nonsense });
      const before = told;
      for (const event of fresh) tellAgent(event);
      if (events.length === 0 && nonsense > 0) told = last;
      more = told < last && told > before;
      // Who forgot the page when it was lost learns anew what it is.
      if (wasLost || (seen !== '' && seen !== look)) await readState(false);
    }
  }

  function tellAgent(event: AgentEvent): void {
    if (event.n <= told) return;
    told = event.n;
    if (event.kind === 'run-started') runId = event.runId;
    if (event.kind === 'run-ended' && event.runId === runId) runId = null;
    tell(event);
  }

  function noteAnswer(error: ErrorValue | null): void {
    if (!error === !lost) return;
    lost = error !== null;
    tell(error ? { kind: 'page-lost', error } : { kind: 'page-back' });
  }

  function schedule(wait: number): void {
    clearTimeout(timer);
    if (!disposed) timer = setTimeout(() => void inTurn(lookAgain), wait);
  }
  async function lookOnce(): Promise<void> {
    if (page) await readEvents();
    else await readState(false);
  }
  async function lookAgain(): Promise<void> {
    if (disposed) return;
    await lookOnce();
    schedule(runId === null || lost ? intervals.idle : intervals.running);
  }

  const stopListening = options.onNavigated?.(() => {
    if (page) schedule(0);
  });

  async function allText(handle: number): Promise<Result<string>> {
    let text = '';
    for (;;) {
      const piece = await connection.call('text', [handle, text.length, PIECE], (answer) =>
        answer === null
          ? { text: null }
          : typeof answer === 'string' && answer.length <= PIECE
            ? { text: answer }
            : null,
      );
      if (!piece.ok) return piece;
      if (piece.value.text === null) return gone();
      text += piece.value.text;
      if (text.length > LONGEST_TEXT)
        return fail({
          code: 'TEXT_TOO_LARGE',
          message: `The text is longer than the ${LONGEST_TEXT / 1024 / 1024} million characters that are read.`,
          hint: 'Look at it in the console of the page.',
        });
      if (piece.value.text.length < PIECE) return { ok: true, value: text };
    }
  }

  return {
    capabilities: { source: options.openResource !== undefined, reload: options.reload !== undefined },
    attach(name = namespace) {
      namespace = name;
      return inTurn(async () => {
        const state = await readState(page !== null);
        schedule(runId === null ? intervals.idle : 0);
        return state;
      });
    },
    async start(payload) {
      const { error } = checkPayload(payload);
      if (error) return fail(error);
      return inTurn(async () => {
        // Another document may have come since the last look: its run must not be taken for one of this document.
        await lookOnce();
        const id = crypto.randomUUID();
        const answer = await connection.call('start', [id, payload, namespace], parseStart);
        if (!answer.ok) return answer;
        if (!answer.value.ok) return fail(answer.value.error);
        runId = id;
        for (const event of answer.value.events) tellAgent(event);
        schedule(0);
        return { ok: true, value: { runId: id } };
      });
    },
    async stop() {
      // Not behind what is being read: a run that tells without end is read without end. Only a run that is being started is waited for.
      if (runId === null) await inTurn(() => Promise.resolve());
      if (runId === null) return { ok: true, value: false };
      const answer = await connection.call('stop', [runId], (stopped) =>
        typeof stopped === 'boolean' ? stopped : null,
      );
      schedule(0);
      return answer;
    },
    call: connection.call,
    namespace: () => namespace,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async expand(handle, from, count) {
      const answer = await connection.call('expand', [handle, from, count], (value) =>
        value === null ? { value: null } : wrap(parseRemoteValue(value)),
      );
      if (!answer.ok) return answer;
      return answer.value.value === null ? gone() : { ok: true, value: answer.value.value };
    },
    text: allText,
    async pipeline() {
      const state = await inTurn(() => readState(true));
      if (!state.ok) return state;
      if (!state.value.pipeline.ok) return fail(state.value.pipeline.error);
      const text = await allText(state.value.pipeline.handle);
      if (!text.ok) return text;
      const steps = parsedList(text.value);
      return steps
        ? { ok: true, value: steps }
        : fail({
            code: 'PIPELINE_UNREADABLE',
            message: 'The page handed over a pipeline that is no list of steps.',
            hint: 'Reload the page.',
          });
    },
    async openSource(name) {
      if (!options.openResource)
        return fail({
          code: 'SOURCE_UNSUPPORTED',
          message: 'This browser does not let an extension open a script.',
          hint: `Look for ${name} in the Debugger's sources.`,
        });
      const state = await inTurn(() => readState(true));
      if (!state.ok) return state;
      const url = state.value.functions.find((item) => item.name === name)?.url;
      if (!url)
        return fail({
          code: 'SOURCE_UNKNOWN',
          message: `The page does not tell where the script of ${name} is.`,
          hint: 'Search for the package name in the Sources panel.',
        });
      if (await options.openResource(url, 0)) return { ok: true, value: null };
      return fail({
        code: 'SOURCE_NOT_FOUND',
        message: `DevTools has no resource ${url}.`,
        hint: 'Reload the page, then try again.',
      });
    },
    async setBreakpoint(name, on) {
      const answer = await connection.debug(namespace, name, on);
      if (!answer.ok) return answer;
      if (answer.value === 'unsupported')
        return fail({
          code: 'BREAK_UNSUPPORTED',
          message: 'This browser does not let an extension stop in a function.',
          hint: `Set a breakpoint in the script of ${name} by hand.`,
        });
      if (answer.value === 'unknown')
        return fail({
          code: 'FUNCTION_UNKNOWN',
          message: `The page has no way to reach the function ${name}.`,
          hint: 'Reload the page with steps traced, or set a breakpoint by hand.',
        });
      if (on) breaks.add(name);
      else breaks.delete(name);
      broken.add(name);
      return { ok: true, value: null };
    },
    async reloadWithAgent() {
      if (!options.reload)
        return fail({
          code: 'RELOAD_UNSUPPORTED',
          message: 'This browser does not let an extension reload the page.',
          hint: 'Reload it by hand.',
        });
      const script = await connection.injection(namespace);
      if (!script.ok) return script;
      options.reload({ injectedScript: script.value });
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

function fail(error: ErrorValue): { ok: false; error: ErrorValue } {
  return { ok: false, error };
}
function gone(): { ok: false; error: ErrorValue } {
  return fail({ code: 'HANDLE_GONE', message: 'The page no longer has this value.', hint: 'Run again to see it.' });
}
function wrap<T>(value: T | null): { value: T } | null {
  return value === null ? null : { value };
}
function parsedList(text: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
/** Whether two addresses are one page, the payload apart. */
function sameAddress(one: string, other: string): boolean {
  const bare = (address: string) => {
    if (!URL.canParse(address)) return address;
    const url = new URL(address);
    url.searchParams.delete('payload');
    url.hash = '';
    return url.href;
  };
  return bare(one) === bare(other);
}
