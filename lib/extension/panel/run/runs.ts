/** Tracks the run in the page, and decides which run the panel shows: that run or a past one. */
import { batch, computed, effect, signal } from '@preact/signals';
import type { RecordedAction, Recording } from '../../../debugging/recording/format.ts';
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import type { InspectorEvent, RunInspector } from '../../inspector/run/types.ts';
import type { AgentEvent, DebugOptions, Engine, PageState } from '../../inspector/contract.ts';
import { toJson } from '../shared/value-json.ts';
import { addEvents, endTrace } from './build-trace.ts';
import type { FileRun } from './history/run-file.ts';
import { type Imported, RunHistory } from './history/run-history.ts';
import type { RunRecord, RunStore } from './history/run-store.ts';
import { isRunLocked, lockRun } from './history/run-lock.ts';
import { loadUnfinishedRun, outcomeOf, restoreTrace } from './history/stored-run.ts';
import { RenderThrottle } from '../shared/render-throttle.ts';
import { RecordingCapture } from './recordings/capture.ts';
import type { LocalRun } from './recordings/local-run.ts';
import { RunClock } from './run-clock.ts';
import { createTrace, type LoopSource, type PausedStep, type Trace } from './trace.ts';

/** Minimum time between renders while a run is in progress, in milliseconds. */
const RENDER_INTERVAL = 100;

/** What a run runs with, and how much of it is traced. */
interface RunRuntime {
  tracing: PageState['tracing'];
  engine: Engine;
}

type RunEvent = AgentEvent | Extract<InspectorEvent, { kind: 'run-lost' | 'events-dropped' }>;

/** A run with its trace. The trace grows in place, so read `Runs.version` first. */
export interface ShownRun {
  record: RunRecord;
  trace: Trace;
  /** Set if it was opened from its recording, and so has its own pipeline and values. */
  local?: LocalRun;
}

export interface PausedRun {
  run: ShownRun;
  at: PausedStep;
}

export interface RunsOptions {
  inspector: RunInspector;
  store: RunStore;
  /** The action in the page; null if unknown. */
  subject: { readonly value: string | null; peek(): string | null };
  title: () => string;
  /** What the panel knows of that action, for its runs' recordings. */
  action?: () => RecordedAction | undefined;
  /** What the next run runs with. */
  engine: () => Engine;
  /** The ID of the run that the page says is running. */
  runInPage: () => string | null;
  /** False if the page has no pipeline to run. */
  hasPipeline: () => boolean;
  loopAt: (path: string) => LoopSource | null;
  /** Whether runs record the bodies of requests. */
  recordsBodies?: () => boolean;
  /** Masks secrets in a run that is exported. */
  masked?: (run: FileRun) => Promise<FileRun>;
  /** What the next run is debugged with, such as breakpoints and mocks. */
  debugOptions?: () => Promise<DebugOptions>;
  /** A stored run from its recording; null to open it from its stored events. */
  recorded?: (record: RunRecord) => Promise<ShownRun | null>;
}

export class Runs {
  readonly shown = signal<ShownRun | null>(null);
  readonly #live = signal<ShownRun | null>(null);
  /** The ID of the run that the page is running; null if none. */
  readonly live = computed(() => this.#live.value?.record.id ?? null);
  /** Where the run that the page is running is paused at a step, even if another run is shown. */
  readonly paused = signal<PausedRun | null>(null);
  readonly #clock;
  /** True from requesting a run until the page reports it. */
  readonly starting = signal(false);
  readonly error = signal<ErrorValue | null>(null);
  readonly #options: RunsOptions;
  readonly #throttle = new RenderThrottle();
  /** Incremented whenever the shown trace has grown. */
  readonly version = this.#throttle.version;
  readonly #history: RunHistory;
  readonly #capture: RecordingCapture;
  readonly records;
  readonly quarantined;
  /** Runs that were thinned or removed to save space. */
  readonly retained;
  /** Incremented whenever stored runs, of any action, have changed. */
  readonly storedVersion;
  #events: RunEvent[] = [];
  /** The last value that the page received. */
  #recordsBodies = false;
  /** Identifies the latest request to open a run, so that an older one doesn't replace it. */
  #opening = 0;
  /** Runs whose page went away. The browser can bring it back, and its run. By ID. */
  readonly #lost = new Map<string, RunRecord>();
  /** The ID of the run that the page had when it was last read. */
  #inPage: string | null = null;
  /** The ID of a run whose page went away and is back; null if the user knows. */
  readonly found = signal<string | null>(null);
  /** The run that was resumed from the store, and its last stored event. */
  #resumed: { id: string; lastSeq: number } | null = null;
  /**
   * The listing started when the action last changed. Listing also recovers runs that ended while no panel was open.
   */
  #listing: Promise<void> = Promise.resolve();
  #capturing: Promise<void> = Promise.resolve();
  readonly dispose: () => void;

  constructor(options: RunsOptions) {
    this.#options = options;
    const { store, inspector, subject, runInPage } = options;
    this.#history = new RunHistory({
      store,
      inspector,
      subject: () => subject.peek(),
      masked: options.masked,
      isRunning: (id) => id === this.live.peek() || id === runInPage(),
      onError: this.report,
    });
    this.#capture = new RecordingCapture({
      recording: (id) => inspector.recording(id),
      history: this.#history,
      action: () => options.action?.(),
      onError: this.report,
    });
    this.records = this.#history.records;
    this.quarantined = this.#history.quarantined;
    this.retained = this.#history.retained;
    this.storedVersion = this.#history.version;
    this.#clock = new RunClock(
      computed(() => this.#live.value?.trace.startedAt ?? null),
      () => inspector.pageNow(),
    );
    const stopLocking = effect(() => (this.live.value === null ? undefined : lockRun(this.live.value)));
    const stopListing = effect(() => this.#showRunsOf(subject.value));
    this.dispose = () => {
      this.#clock.dispose();
      this.#throttle.dispose();
      stopListing();
      stopLocking();
    };
  }

  #showRunsOf(subject: string | null): void {
    if (subject === null) {
      this.records.value = [];
      return;
    }
    this.#listing = this.#history.refresh();
    // The panel can have been closed before it had stored the recording of the last run.
    void this.#listing.then(() => this.#storeRecording(this.records.peek()[0]));
    // A run of the previous action doesn't belong in this action's list.
    const shown = this.shown.peek();
    const isOwn = shown === this.#live.peek() || shown?.local !== undefined;
    if (shown && !isOwn && shown.record.subject !== subject) this.shown.value = null;
  }

  readonly report = (error: ErrorValue): void => {
    this.error.value = error;
  };

  readonly dismiss = (): void => {
    this.error.value = null;
  };

  #reportFailure<T>(result: Result<T>): T | null {
    if (!result.ok) this.report(result.error);
    return result.ok ? result.value : null;
  }

  /**
   * @param documentId runs only in this document; by default, in any
   * @param debug what only this run is debugged with
   */
  async start(payload: string, documentId?: string, debug: DebugOptions = {}): Promise<void> {
    if (this.starting.peek()) return;
    this.starting.value = true;
    try {
      await this.#start(payload, documentId, debug);
    } finally {
      this.starting.value = false;
    }
  }

  async #start(payload: string, documentId: string | undefined, given: DebugOptions): Promise<void> {
    const { inspector, recordsBodies, debugOptions } = this.#options;
    const isOn = recordsBodies?.() ?? false;
    // The page doesn't record them by default.
    if (isOn || this.#recordsBodies) await inspector.call('recordBodies', [isOn], (value) => value === isOn || null);
    this.#recordsBodies = isOn;
    this.dismiss();
    // Wait until past runs are recovered, because starting a run makes the page forget its last one.
    await this.#listing;
    const engine = this.#options.engine();
    const options = { ...(await debugOptions?.()), ...given };
    const debug = Object.keys(options).length > 0 ? options : undefined;
    const started = this.#reportFailure(await inspector.start(payload, { engine, documentId, debug }));
    if (!started) return;
    await this.#processEvents();
    const live = this.#live.peek();
    // The page can navigate away before it reports the run.
    if (this.shown.peek()?.record.id !== started.runId)
      this.#begin(createTrace(started.runId, Date.now()), payload, { tracing: 'bare', engine });
    else if (live?.record.id === started.runId) live.record.payload = payload;
  }

  /** A page that has replaced the agent can ignore it. Only a reload ends its run. */
  async stop(): Promise<void> {
    const { inspector } = this.#options;
    const run = this.#live.peek();
    if (this.#reportFailure(await inspector.stop()) === null) return;
    await inspector.poll();
    await this.#processEvents();
    if (run && run === this.#live.peek() && !run.trace.ahead) this.report(NOT_STOPPED);
  }

  /** How long a run took, or has been running. Excludes the time that the debugger paused it. */
  elapsed({ record, trace }: ShownRun): number {
    if (trace.ahead) return trace.ahead.milliseconds;
    return record.id === this.live.value ? Math.max(this.#clock.elapsed.value, trace.milliseconds) : trace.milliseconds;
  }

  /** Shows a past run, or the live one. */
  async open(id: string): Promise<void> {
    const live = this.#live.peek();
    if (live?.record.id === id) {
      this.shown.value = live;
      return;
    }
    const opening = ++this.#opening;
    const run = await this.#load(id, () => opening === this.#opening);
    if (run && opening === this.#opening) this.show(run);
  }

  async #load(id: string, isWanted: () => boolean): Promise<ShownRun | undefined> {
    const { recorded, loopAt } = this.#options;
    const record = await this.#history.record(id);
    if (record?.state === 'running' && (await isRunLocked(id))) return void this.report(RUN_ELSEWHERE);
    // A run of another tab has ended since it was listed.
    if (this.records.peek().some((one) => one.id === id && one.state === 'running')) await this.#history.refresh();
    const run = record && isWanted() ? await recorded?.(record) : undefined;
    if (run) return run;
    const stored = await this.#history.load(id, isWanted);
    return stored && { record: stored.record, trace: await restoreTrace(stored.record, stored.events, loopAt) };
  }

  /** Shows a run that the page isn’t running. */
  show(run: ShownRun): void {
    this.#opening++;
    this.shown.value = run;
    this.#throttle.renderNow();
  }

  /** Stores a run that no page has run. A failure is reported. */
  async add(run: ShownRun, events: readonly AgentEvent[], recording: Recording): Promise<void> {
    Object.assign(run.record, await this.#history.add(run.record, events, recording));
    this.#render(run);
  }

  close(): void {
    this.shown.value = null;
  }

  /** Whether a run belongs to the action in the page, so that its states belong in that action's pipeline. */
  readonly isOfPage = ({ subject }: RunRecord): boolean => subject === this.#options.subject.value;

  async pin(id: string, pinned: boolean): Promise<void> {
    await this.#history.pin(id, pinned);
  }

  /** All runs of all actions, newest first; null if they can't be read. */
  async listAll(): Promise<readonly RunRecord[] | null> {
    return (await this.#history.listAll()) ?? null;
  }

  readonly dismissRetained = (): void => {
    this.retained.value = [];
  };

  async remove(id: string): Promise<void> {
    await this.#history.remove(id);
    if (this.shown.peek()?.record.id === id) this.close();
  }

  /** @param records the runs to export; by default, those of the action */
  exportRuns(records = this.records.peek()): Promise<string | null> {
    return this.#history.exportRuns(records);
  }

  /** Adds the runs in an exported file. Resolves to null on failure. */
  async importRuns(text: string): Promise<Imported | null> {
    return this.#reportFailure(await this.#history.importRuns(text));
  }

  onEvent(event: InspectorEvent): void {
    if (event.kind === 'completed-ahead') return void this.#showEnd(event.end);
    if (event.kind === 'page-changed') {
      this.#inPage = event.state.run?.id ?? null;
      return void this.#processEvents();
    }
    if (!('runId' in event) && event.kind !== 'events-dropped') return;
    // Events that arrive together are processed together, so a hundred of them cause a single render.
    if (this.#events.push(event) === 1) void this.#processEvents();
  }

  /** Resolves once all reported events have been processed and stored. */
  async settled(): Promise<void> {
    await this.#processEvents();
    this.#throttle.renderNow();
    await this.#capturing;
    await this.#history.idle();
  }

  /** Resolves once the recording of the latest run that has ended is stored. */
  captured(): Promise<void> {
    return this.#capturing;
  }

  async #processEvents(): Promise<void> {
    await this.#resumeFromStore();
    const events = this.#events;
    this.#events = [];
    for (let from = 0; from < events.length;) {
      const first = events[from] as RunEvent;
      let to = from + 1;
      if (first.kind === 'run-lost') this.#lose(first.runId, first.reason);
      else if (first.kind === 'events-dropped') this.#countDropped(first.count);
      else {
        while (isSameRun(first, events[to])) to++;
        this.#addEvents(first, events.slice(from, to) as AgentEvent[]);
      }
      from = to;
    }
    // A paused run reports nothing.
    const id = this.#inPage;
    if (id !== null && this.#lost.has(id) && !this.#live.peek()) await this.#resume(id, null);
  }

  /** Resumes a run from the store if the page's log no longer contains its start. */
  async #resumeFromStore(): Promise<void> {
    const first = this.#events.find((event): event is AgentEvent => 'n' in event);
    if (!this.#live.peek() && first && first.kind !== 'run-started') await this.#resume(first.runId, first.n);
  }

  /**
   * Shows a run of the page again, from its stored events.
   * @param next the number of the first event that follows; null if none does yet
   */
  async #resume(id: string, next: number | null): Promise<void> {
    const { store, loopAt } = this.#options;
    const stored = await this.#history.enqueue(() => loadUnfinishedRun(store, id, loopAt));
    const lost = this.#lost.get(id);
    // Without its events, a run that the page still has can be stopped.
    const emptyTrace = lost && { ...createTrace(id, lost.startedAt), unstored: { steps: null } };
    const unstored = emptyTrace && { record: lost, trace: emptyTrace, lastSeq: (next ?? 1) - 1 };
    const run = stored ?? unstored;
    if (!run || run.trace.state !== 'running' || this.#live.peek()) return;
    const { record, trace, lastSeq } = run;
    trace.dropped += next === null ? 0 : Math.max(0, next - lastSeq - 1);
    this.#resumed = { id, lastSeq };
    if (lost) this.#noteFound(record);
    this.#showLive({ record, trace });
  }

  #noteFound(record: RunRecord): void {
    this.#lost.delete(record.id);
    Object.assign(record, { state: 'running', error: null });
    this.#capture.begin(record.id);
    this.#history.resume(record.id);
    this.found.value = record.id;
  }

  #addEvents(first: AgentEvent, events: AgentEvent[]): void {
    // The panel doesn't know about runs that were started elsewhere yet.
    if (first.kind === 'run-started' && this.live.peek() !== first.runId)
      this.#begin(createTrace(first.runId, first.startedAt), toJson(first.payload, 2), runtimeOf(first));
    const run = this.#live.peek();
    if (run?.record.id !== first.runId) return;
    const { id, lastSeq } = this.#resumed ?? { id: null, lastSeq: 0 };
    const unseen = id === first.runId && first.n <= lastSeq ? events.filter(({ n }) => n > lastSeq) : events;
    if (first.kind === 'run-started') Object.assign(run.record, { startedAt: first.startedAt, ...runtimeOf(first) });
    addEvents(run.trace, unseen, this.#options.loopAt);
    this.#history.append(run.record.id, unseen);
    if (run.trace.state !== 'running') this.#finish(run);
    this.#showPause(run);
    this.#render(run);
  }

  #showPause(run: ShownRun): void {
    const { paused } = run.trace;
    if (paused !== (this.paused.peek()?.at ?? null)) this.paused.value = paused && { run, at: paused };
  }

  /** Shows the result of a long run before its last steps have arrived. */
  async #showEnd(end: NonNullable<Trace['ahead']>): Promise<void> {
    await this.#processEvents();
    const run = this.#live.peek();
    if (run?.record.id !== end.runId || run.trace.state !== 'running' || run.trace.ahead) return;
    run.trace.ahead = end;
    if (run === this.shown.peek()) this.#throttle.renderNow();
  }

  #countDropped(count: number): void {
    const run = this.#live.peek();
    if (run) run.trace.dropped += count;
  }

  #begin(trace: Trace, payload: string, runtime: RunRuntime): void {
    const record: RunRecord = {
      id: trace.runId,
      subject: this.#options.subject.peek() ?? '',
      title: this.#options.title(),
      number: 0,
      payload,
      startedAt: trace.startedAt,
      state: 'running',
      milliseconds: 0,
      ...runtime,
      error: null,
      size: 0,
      cut: false,
    };
    const run = { record, trace };
    this.#capture.begin(record.id);
    this.#resumed = null;
    this.#showLive(run);
    void this.#history.begin(record).then(() => this.#render(run));
  }

  #showLive(run: ShownRun): void {
    batch(() => {
      this.#live.value = run;
      this.shown.value = run;
      this.#showPause(run);
      this.#throttle.renderNow();
    });
  }

  #finish({ record, trace }: ShownRun): void {
    Object.assign(record, outcomeOf(trace));
    if (this.error.peek() === NOT_STOPPED) this.dismiss();
    if (this.found.peek() === record.id) this.found.value = null;
    this.#live.value = null;
    // The run couldn't start, so there's nothing to look at later.
    if (trace.state === 'failed' && trace.steps.size === 0 && !this.#options.hasPipeline())
      return this.#history.discard(record.id);
    this.#history.finish(record, trace.dropped > 0 || trace.unstored ? null : trace.steps.size);
    void this.#storeRecording(record, trace);
  }

  #storeRecording(record: RunRecord | undefined, trace?: Trace): Promise<void> {
    if (!record || !canHaveRecording(record)) return Promise.resolve();
    const traceOf = async (): Promise<Trace | undefined> => trace ?? (await this.#restore(record.id));
    const stored = this.#capture.end(record.id, traceOf);
    return (this.#capturing = stored.then((one) => one && this.#noteRecording(one)));
  }

  async #restore(id: string): Promise<Trace | undefined> {
    const stored = await this.#history.load(id);
    return stored && (await restoreTrace(stored.record, stored.events, this.#options.loopAt));
  }

  #noteRecording({ id, recording, recordingProblem }: RunRecord): void {
    const shown = this.shown.peek();
    if (shown?.record.id !== id) return;
    Object.assign(shown.record, { recording, recordingProblem });
    this.#render(shown);
  }

  /** Ends the run of a page that’s gone. */
  loseLive(): void {
    const run = this.#live.peek();
    if (run) this.#lose(run.record.id, 'navigation');
  }

  #lose(runId: string, reason: 'reload' | 'navigation'): void {
    const run = this.#live.peek();
    if (run?.record.id !== runId) return;
    endTrace(run.trace, 'interrupted');
    run.trace.error = {
      code: 'RUN_LOST',
      errorType: 'RunLost',
      errorMessage: `The page ${reason === 'reload' ? 'was reloaded' : 'navigated away'} before the run ended.`,
      trace: [],
      path: null,
      iteration: [],
    };
    this.#lost.set(runId, run.record);
    if (this.#inPage === runId) this.#inPage = null;
    this.#finish(run);
    this.#showPause(run);
    this.#render(run);
  }

  #render(run: ShownRun): void {
    if (run !== this.shown.peek()) return;
    const isMoving = run.trace.state === 'running' && !run.trace.paused;
    this.#throttle.renderAfter(isMoving ? RENDER_INTERVAL : 0);
  }
}

const NOT_STOPPED: ErrorValue = {
  code: 'RUN_NOT_STOPPED',
  message: 'Couldn’t confirm whether the run was stopped: the page doesn’t say so.',
  hint: 'Reload the page to end it.',
};

const RUN_ELSEWHERE: ErrorValue = {
  code: 'RUN_ELSEWHERE',
  message: 'Couldn’t open the run: it’s in progress in another tab.',
  hint: 'Open it in the DevTools of that tab, or when it has ended.',
};

const canHaveRecording = ({ state, tracing, origin, recording, recordingProblem }: RunRecord): boolean =>
  state !== 'running' && tracing === 'observed' && !origin && !recording && !recordingProblem;

function isSameRun(first: AgentEvent, next: RunEvent | undefined): boolean {
  return next !== undefined && 'n' in next && next.kind !== 'run-started' && next.runId === first.runId;
}

function runtimeOf({ tracing, engine = 'platform' }: Extract<AgentEvent, { kind: 'run-started' }>): RunRuntime {
  return { tracing, engine };
}
