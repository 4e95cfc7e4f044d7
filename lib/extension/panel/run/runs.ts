/** Owns the runs: the one that goes on, the one that is shown, and the list of past ones. */
import { batch, computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import { type Result, toErrorValue } from '../../../platform-api/coded-error.ts';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import type { RunInspector, InspectorEvent } from '../../inspector/run/types.ts';
import type { AgentEvent, PageState } from '../../inspector/contract.ts';
import { createDrawing } from './drawing.ts';
import { outdated, type RunRecord, type RunStore } from './history/run-store.ts';
import type * as runCode from './run-code.ts';
import type { LoopSource, Trace } from './trace.ts';

type RunCode = typeof runCode;

/** Milliseconds between two drawings of a run that goes on. */
const DRAW_EVERY = 100;

/** What the inspector tells that concerns runs. */
type Arrival = AgentEvent | Extract<InspectorEvent, { kind: 'run-lost' | 'events-dropped' }>;

/** A run on the screen. `trace` grows in place: read it after `version`. */
export interface ShownRun {
  record: RunRecord;
  trace: Trace;
}

export interface Runs {
  readonly shown: ReadonlySignal<ShownRun | null>;
  /** Counts up whenever the shown trace has grown. */
  readonly version: ReadonlySignal<number>;
  /** Id of the run that goes on in the page; null when none does. */
  readonly live: ReadonlySignal<string | null>;
  /** A run was asked for, and the page has not told of it yet. */
  readonly starting: ReadonlySignal<boolean>;
  readonly records: ReadonlySignal<RunRecord[]>;
  /** How many damaged records of any action are kept aside. */
  readonly aside: ReadonlySignal<number>;
  readonly error: ReadonlySignal<ErrorValue | null>;
  start(payload: string): Promise<void>;
  stop(): Promise<void>;
  open(id: string): Promise<void>;
  close(): void;
  remove(id: string): Promise<void>;
  /** The runs of the shown action as the text of a file. */
  exportRuns(): Promise<string | null>;
  /** Adds the runs of such a file; answers how many were new. */
  importRuns(text: string): Promise<number | null>;
  report(error: ErrorValue): void;
  dismiss(): void;
  onEvent(event: InspectorEvent): void;
  /** Resolves when everything told so far is stored. */
  settled(): Promise<void>;
  dispose(): void;
}

export interface RunsOptions {
  inspector: RunInspector;
  store: RunStore;
  /** The action in the page; null while that is not known. */
  subject: ReadonlySignal<string | null>;
  title: () => string;
  /** The page's own word on a run that goes on. */
  runInPage: () => string | null;
  loopAt: (path: string) => LoopSource | null;
}

export function createRuns({ inspector, store, subject, title, runInPage, loopAt }: RunsOptions): Runs {
  const shown = signal<ShownRun | null>(null);
  const drawing = createDrawing();
  const live = signal<ShownRun | null>(null);
  const records = signal<RunRecord[]>([]);
  const aside = signal(0);
  const error = signal<ErrorValue | null>(null);
  const starting = signal(false);
  let code: RunCode | null = null;
  let arrived: Arrival[] = [];
  const unkept = new Map<string, AgentEvent[]>();
  /** Runs of which something could not be stored: what came after it would be told as if nothing were missing. */
  const broken = new Set<string>();
  /** The run that was taken up from the store, and the newest event that was there. */
  let resumed: { id: string; last: number } | null = null;
  let work: Promise<unknown> = Promise.resolve();
  /** The last listing that another subject made: it takes up runs that ended while no panel looked. */
  let listed: Promise<unknown> = work;

  /** One thing after the other, so that a record is there before its events; a refusal to store is shown, and costs no more than the history. */
  function queue<T>(job: () => Promise<T>): Promise<T | undefined> {
    const next = work.then(job).catch((thrown: unknown) => {
      error.value = toErrorValue(thrown);
      return undefined;
    });
    work = next;
    return next;
  }

  async function list(): Promise<void> {
    const of = subject.peek();
    const all = of === null ? [] : await store.list(of);
    for (const record of all) {
      // Written as running by a panel that was closed, or whose tab died, before the end.
      if (record.state !== 'running' || record.id === live.peek()?.record.id || record.id === runInPage()) continue;
      // On a full disk the next listing tries again; the list itself is there all the same.
      const ended = await (await loadCode())?.takeUp(record, store, inspector);
      Object.assign(record, ended ?? { state: 'interrupted' });
      if (ended) await store.put(record).catch(() => {});
    }
    if (subject.peek() === of) records.value = all;
    aside.value = await store.aside();
  }

  /** Has the shown run drawn: at once when it has ended. */
  function grown(run: ShownRun): void {
    if (run === shown.peek()) drawing.within(run.trace.state === 'running' ? DRAW_EVERY : 0);
  }

  async function loadCode(): Promise<RunCode | null> {
    try {
      code ??= await import('./run-code.ts');
    } catch {
      error.value = outdated().value;
    }
    return code;
  }

  /** Takes in what has arrived together, so that a hundred events cost one drawing. */
  async function takeIn(): Promise<void> {
    const code = await loadCode();
    if (code) await resume(code);
    const all = arrived;
    arrived = [];
    if (code) takeInAll(code, all);
  }

  /** A run that goes on, and whose start the page's log no longer holds, begins with what is stored of it. */
  async function resume({ storedRun }: RunCode): Promise<void> {
    const first = arrived.find((one) => 'n' in one);
    if (live.peek() || !first || !('n' in first) || first.kind === 'run-started') return;
    const stored = await queue(() => storedRun(store, first.runId, loopAt));
    if (!stored || stored.trace.state !== 'running' || live.peek()) return;
    stored.trace.dropped = Math.max(0, first.n - stored.last - 1);
    resumed = { id: first.runId, last: stored.last };
    begun(stored);
  }

  function takeInAll(code: RunCode, all: Arrival[]): void {
    for (let from = 0; from < all.length;) {
      const first = all[from] as Arrival;
      let to = from + 1;
      if (first.kind === 'run-lost') lose(code, first.runId, first.reason);
      else if (first.kind === 'events-dropped') {
        const run = live.peek();
        if (run) run.trace.dropped += first.count;
      } else {
        while (isOfSameRun(first, all[to])) to++;
        takeInRun(code, first, all.slice(from, to) as AgentEvent[]);
      }
      from = to;
    }
  }

  function takeInRun(code: RunCode, first: AgentEvent, events: AgentEvent[]): void {
    const { addEvents, createTrace, toJson } = code;
    // A run that was started here is known already; one that is told by the page alone begins now.
    if (first.kind === 'run-started' && live.peek()?.record.id !== first.runId)
      begin(createTrace(first.runId, first.startedAt), toJson(first.payload, 2), first.tracing);
    const run = live.peek();
    if (!run || run.record.id !== first.runId) return;
    if (resumed?.id === first.runId && first.n <= resumed.last)
      events = events.filter(({ n }) => n > (resumed?.last ?? 0));
    if (first.kind === 'run-started') Object.assign(run.record, { startedAt: first.startedAt, tracing: first.tracing });
    addEvents(run.trace, events, loopAt);
    const hasEnded = run.trace.state !== 'running';
    keep(run.record.id, events);
    if (hasEnded) finish(code, run);
    grown(run);
  }

  /** What arrives while something else is being stored is stored with what follows it. */
  function keep(id: string, events: AgentEvent[]): void {
    const waiting = unkept.get(id);
    if (waiting) {
      for (const event of events) waiting.push(event);
      return;
    }
    unkept.set(id, events);
    void queue(async () => {
      unkept.delete(id);
      if (broken.has(id)) return;
      await store.append(id, events).catch((thrown: unknown) => {
        broken.add(id);
        throw thrown;
      });
    });
  }

  function begun(run: ShownRun): void {
    batch(() => {
      live.value = run;
      shown.value = run;
      drawing.now();
    });
  }

  function begin(trace: Trace, payload: string, tracing: PageState['tracing']): void {
    const { runId: id, startedAt } = trace;
    const record: RunRecord = {
      id,
      subject: subject.peek() ?? '',
      title: title(),
      number: 0,
      payload,
      startedAt,
      state: 'running',
      milliseconds: 0,
      tracing,
      error: null,
      size: 0,
      cut: false,
    };
    const run = { record, trace };
    resumed = null;
    begun(run);
    void queue(async () => {
      const known = await store.get(record.id);
      if (known) await store.clearEvents(record.id);
      record.number = known?.number ?? (await store.nextNumber(record.subject));
      if (known) record.payload = known.payload;
      await store.put({ ...record, state: 'running' });
      await list();
      grown(run);
    });
  }

  function finish({ endOf }: RunCode, run: ShownRun): void {
    const { record, trace } = run;
    Object.assign(record, endOf(trace));
    live.value = null;
    void queue(async () => {
      const stored = await store.get(record.id);
      if (stored) await store.put({ ...record, size: stored.size, cut: stored.cut || broken.has(record.id) });
      broken.delete(record.id);
      await list();
    });
  }

  function lose(code: RunCode, runId: string, reason: 'reload' | 'navigation'): void {
    const run = live.peek();
    if (run?.record.id !== runId) return;
    code.endTrace(run.trace, 'interrupted');
    run.trace.error = {
      code: 'RUN_LOST',
      errorType: 'RunLost',
      errorMessage:
        reason === 'reload'
          ? 'The page was reloaded before the run ended.'
          : 'The page went elsewhere before the run ended.',
      trace: [],
      path: null,
      iteration: [],
    };
    finish(code, run);
    grown(run);
  }

  async function start(payload: string): Promise<void> {
    error.value = null;
    const code = await loadCode();
    // With the next run the page forgets what it told of the one before.
    await listed;
    const begun = code && settle(await inspector.start(payload));
    if (!begun) return;
    await takeIn();
    // Also when the page goes away before it tells of the run.
    if (shown.peek()?.record.id !== begun.runId) begin(code.createTrace(begun.runId, Date.now()), payload, 'bare');
    else if (live.peek()?.record.id === begun.runId) Object.assign(live.peek()?.record ?? {}, { payload });
  }

  const settle = <T>(answer: Result<T>): T | null => {
    if (!answer.ok) error.value = answer.error;
    return answer.ok ? answer.value : null;
  };

  const stopListing = effect(() => {
    const of = subject.value;
    if (of === null) records.value = [];
    else listed = queue(list);
    // Another action is in the page: the run of the one before is in its own list.
    const run = shown.peek();
    if (of !== null && run && run !== live.peek() && run.record.subject !== of) shown.value = null;
  });

  return {
    shown,
    version: drawing.version,
    records,
    aside,
    error,
    dispose() {
      drawing.dispose();
      stopListing();
    },
    live: computed(() => live.value?.record.id ?? null),
    starting,
    async start(payload) {
      if (starting.peek()) return;
      starting.value = true;
      await start(payload).finally(() => (starting.value = false));
    },
    async stop() {
      settle(await inspector.stop());
    },
    async open(id) {
      const current = live.peek();
      if (current?.record.id === id) {
        shown.value = current;
        return;
      }
      await queue(async () => {
        const record = await store.get(id);
        const code = await loadCode();
        if (!record || !code) return;
        const { addEvents, createTrace, endTrace } = code;
        const trace = addEvents(createTrace(id, record.startedAt), await store.events(id), loopAt);
        if (trace.state === 'running') endTrace(trace, record.state === 'running' ? 'interrupted' : record.state);
        shown.value = { record, trace };
        drawing.now();
      });
    },
    close() {
      shown.value = null;
    },
    async remove(id) {
      await queue(async () => {
        await store.remove(id);
        await list();
      });
      if (shown.peek()?.record.id === id) shown.value = null;
    },
    async exportRuns() {
      const code = await loadCode();
      return (
        (await queue(async () =>
          code?.writeRunFile(
            await Promise.all(
              records.peek().map(async (record) => ({ record, events: await store.events(record.id) })),
            ),
          ),
        )) ?? null
      );
    },
    async importRuns(text) {
      const code = await loadCode();
      const runs = code && settle(code.readRunFile(text));
      if (!runs) return null;
      const added = await queue(async () => {
        let count = 0;
        for (const { record, events } of runs) {
          if (await store.get(record.id)) continue;
          await store.put({ ...record, size: 0 });
          await store.append(record.id, events).catch(async (thrown: unknown) => {
            await store.remove(record.id);
            throw thrown;
          });
          count++;
        }
        return count;
      });
      // Also those that had room before one had none.
      await queue(list);
      return added ?? null;
    },
    report(value) {
      error.value = value;
    },
    dismiss() {
      error.value = null;
    },
    onEvent(event) {
      if (('runId' in event || event.kind === 'events-dropped') && arrived.push(event) === 1) void takeIn();
    },
    async settled() {
      await takeIn();
      drawing.now();
      await work;
    },
  };
}

/** Whether the two are events of one telling of one run. */
function isOfSameRun(first: AgentEvent, next: Arrival | undefined): boolean {
  return (
    next !== undefined &&
    next.kind !== 'run-started' &&
    next.kind !== 'run-lost' &&
    next.kind !== 'events-dropped' &&
    next.runId === first.runId
  );
}
