/** Builds the trace of a run that no page runs, such as a recorded one, with the agent's own recorder. */
import type { ChangedNames } from '../../../../debugging/recording/changed-names.ts';
import type { Context, PipelineStep } from '../../../../pipeline/index.ts';
import type { AgentEvent, AgentEventBody, Change, StepState } from '../../../inspector/contract.ts';
import { Recorder } from '../../../inspector/run/agent/recorder.ts';
import { RunLog } from '../../../inspector/run/agent/run-log.ts';
import { parseEvents } from '../../../inspector/run/parse.ts';
import { addEvents, endTrace } from '../build-trace.ts';
import { createTrace, type LoopSource, type Trace } from '../trace.ts';
import type { LocalValues } from './local-values.ts';

/** Steps between two readings of the log. It's bounded, and would lose events otherwise. */
const READ_EVERY = 1_000;

/** In milliseconds: less than a microsecond. */
const ROUNDING = 1e-5;

export interface TraceWriterOptions {
  runId: string;
  /** In epoch milliseconds. */
  startedAt: number;
  /** Only for the writer, which changes it. */
  payload: object;
  isOurEngine: boolean;
  values: LocalValues;
  /** Of the context. Cleared by the writer. */
  changed: ChangedNames;
  loopAt: (path: string) => LoopSource | null;
  /** Receives all events, in order. */
  onEvents?: ((events: readonly AgentEvent[]) => void) | undefined;
}

export interface WrittenStep {
  path: string;
  iteration: readonly number[];
  kind: 'function' | 'loop' | 'if';
  name: string;
  context: Context;
  /** The step in the pipeline. */
  step: unknown;
}

export interface WrittenEnd {
  state: StepState;
  value?: unknown;
  error?: unknown;
  iterations?: number | undefined;
  branch?: number | 'else' | null | undefined;
  replaced?: string | undefined;
}

export class TraceWriter {
  readonly trace: Trace;
  /** When the next event happens, in milliseconds since the run started. */
  time = 0;
  readonly #options: TraceWriterOptions;
  readonly #log = new RunLog();
  readonly #recorder: Recorder;
  #steps = 0;
  /** How often the step that started last was retried. */
  attempts = 0;
  #lastSeq = 0;
  #requests = 0;

  constructor(options: TraceWriterOptions) {
    const { runId, startedAt, payload, values, changed, isOurEngine } = options;
    this.#options = options;
    this.trace = createTrace(runId, startedAt);
    // The recorder cuts to microseconds, and a time such as 1.005 is a little less in binary.
    this.#recorder = new Recorder(runId, payload, this.#log, values, { time: () => this.time + ROUNDING, changed });
    this.#recorder.runStarted({ tracing: 'observed', startedAt, engine: isOurEngine ? 'ours' : undefined });
  }

  /** @param key identifies the step in the later call of `ended` */
  started(key: object, step: WrittenStep): void {
    const { step: definition } = step;
    const settings = (definition as PipelineStep | undefined)?.settings;
    this.#recorder.stepStarted(key, { ...step, settings, step: definition });
    this.#steps++;
    this.attempts = 0;
    if (this.#steps % READ_EVERY === 0) this.#read();
  }

  ended(key: object, end: WrittenEnd): void {
    this.#recorder.stepEnded(key, end);
  }

  /** Adds an event other than a step, during the step that started last; null for none. */
  add(body: Exclude<AgentEventBody, { kind: 'step-started' | 'step-ended' }>, at: number): void {
    const { time } = this;
    this.time = at;
    this.#recorder.add(body);
    this.time = time;
  }

  /** What a pause at the step that started last has changed in the context. */
  changed(kind: 'context-edited' | 'context-changed', attempt: number | undefined, context: Context): void {
    const changes = this.#recorder.changesOf(context) as unknown as Change[];
    if (changes.length > 0) this.#recorder.add({ kind, step: this.#steps, attempt, changes });
  }

  /** The step that started last has failed, and runs again. */
  retried(attempt: number, thrown: unknown): void {
    this.attempts = attempt;
    this.#recorder.add({
      kind: 'step-retried',
      step: this.#steps,
      attempt,
      error: this.#recorder.describeError(thrown),
    });
  }

  /** ID of the step that started last. */
  get lastStep(): number | null {
    return this.#steps === 0 ? null : this.#steps;
  }

  nextRequest(): number {
    return ++this.#requests;
  }

  /** Ends the run, and all steps that are still open. */
  finish(state: 'completed' | 'failed' | 'stopped', end: { value?: unknown; error?: unknown }): Trace {
    this.#recorder.runEnded(state, end);
    this.#read();
    this.trace.console.sort((one, other) => one.at - other.at);
    // Nothing was traced while the run happened.
    delete this.trace.tracingMilliseconds;
    return this.trace;
  }

  /** Ends the trace before the run’s end. */
  interrupt(milliseconds: number): Trace {
    this.#read();
    this.trace.milliseconds = milliseconds;
    endTrace(this.trace, 'interrupted');
    return this.trace;
  }

  #read(): void {
    const { runId, loopAt, onEvents } = this.#options;
    const { events } = this.#log.readData(this.#lastSeq, Infinity);
    this.#lastSeq = this.#log.lastSeq();
    const read = parseEvents(events, runId)?.events ?? [];
    addEvents(this.trace, read, loopAt);
    onEvents?.(read);
  }
}
