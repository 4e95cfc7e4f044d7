/** Records a run of our engine, in a page, on a server, or in a test. */
import type { ConditionSources, Context, Observer, StepInfo, StepOutcome } from '../../pipeline/index.ts';
import { ContextChanges, type RecordedChange } from './context-changes.ts';
import {
  type RecordedAction,
  type RecordedEnd,
  type RecordedStep,
  type Recording,
  RECORDING_FORMAT,
  RECORDING_VERSION,
  type RecordedLine,
} from './format.ts';
import { recordError } from './record-error.ts';
import { RecordedLog, type RequestEnd, type RequestStart } from './recorded-log.ts';
import { type Budget, type RecordedValue, writeValue } from './values.ts';

/** In characters of JSON, more or less. */
export const RECORDING_LIMIT = 32 * 1024 * 1024;

/** Characters of a step without its values, about. */
const STEP_LENGTH = 120;

export interface RecorderOptions {
  pipeline: unknown;
  payload: Readonly<Record<string, unknown>>;
  engine: Recording['engine'];
  action?: RecordedAction;
  /** In characters of JSON. Values beyond it are lost. */
  limit?: number;
  /** Ends the recording at the limit, as interrupted. The recorder then needs no more memory or time. */
  endsAtLimit?: boolean;
  now?: () => number;
}

/** How a run ended. Interrupted: by what runs it, such as at a time limit. */
export type RunEnd = { result: unknown } | { error: unknown } | { stopped: true } | { interrupted: true };

interface OpenStep {
  step: RecordedStep;
  info: StepInfo;
  index: number;
  /** Whether its function is still running, so that changes are its own. */
  isCalling: boolean;
}

export class RunRecorder {
  readonly #options: RecorderOptions;
  readonly #budget: Budget;
  readonly #startedAt: number;
  readonly #start: number;
  readonly #pipeline: RecordedValue;
  readonly #payload: RecordedValue;
  readonly #steps: RecordedStep[] = [];
  readonly #open: OpenStep[] = [];
  readonly #log = new RecordedLog();
  #changes: ContextChanges | null = null;
  /** Index of the first step whose large values haven't been compared since. */
  #compared = 0;
  /** When the recording ended at its limit, in milliseconds since the start. */
  #endedAt: number | null = null;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#budget = { left: options.limit ?? RECORDING_LIMIT, lost: 0, isFinal: options.endsAtLimit === true };
    this.#startedAt = Date.now();
    this.#start = this.#time();
    this.#pipeline = writeValue(options.pipeline, this.#budget);
    this.#payload = writeValue(options.payload, this.#budget);
  }

  /** Pass it to the run. */
  readonly observer: Observer = {
    before: (info) => {
      if (this.#endedAt !== null) return;
      this.#before(info);
      this.#endAtLimit();
    },
    after: (info, outcome) => {
      if (this.#endedAt !== null) return;
      this.#after(info, outcome);
      this.#endAtLimit();
    },
  };

  /** Pass them to the run, so that conditions can be replayed with the same times and random numbers. */
  readonly sources: ConditionSources = {
    now: () => this.#read('now', Date.now()),
    random: () => this.#read('random', Math.random()),
  };

  console(level: RecordedLine['level'], args: readonly unknown[]): void {
    if (this.#endedAt === null) this.#log.line(this.#elapsed(), this.#open.at(-1)?.index, level, args);
  }

  /** @param id identifies the request in the later call of `requestEnded` */
  requestStarted(id: number, request: RequestStart): void {
    if (this.#endedAt === null) this.#log.requestStarted(id, this.#elapsed(), this.#open.at(-1)?.index, request);
  }

  /** Can be called again if the body becomes known later. */
  requestEnded(id: number, end: RequestEnd): void {
    if (this.#endedAt === null) this.#log.requestEnded(id, this.#elapsed(), end);
  }

  /** The recording, once the run has ended. */
  finish(end: RunEnd): Recording {
    const { engine, action } = this.#options;
    const recordedEnd = this.#endedAt === null ? this.#endOf(end) : { state: 'interrupted' as const };
    return {
      format: RECORDING_FORMAT,
      version: RECORDING_VERSION,
      startedAt: new Date(this.#startedAt).toISOString(),
      milliseconds: this.#endedAt ?? this.#elapsed(),
      engine,
      ...(action && { action }),
      pipeline: this.#pipeline,
      payload: this.#payload,
      steps: this.#steps,
      end: recordedEnd,
      ...this.#log.finish(),
      lost: this.#budget.lost,
    };
  }

  #endOf(end: RunEnd): RecordedEnd {
    if ('result' in end) return { state: 'completed', result: writeValue(end.result, this.#budget) };
    if ('error' in end) return { state: 'failed', error: recordError(end.error, this.#budget) };
    return { state: 'stopped' in end ? 'stopped' : 'interrupted' };
  }

  #time(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }

  /** Milliseconds since the start, with microseconds. */
  #elapsed(): number {
    return milliseconds(this.#time() - this.#start);
  }

  #endAtLimit(): void {
    if (!this.#budget.isFinal || this.#budget.left >= 0) return;
    this.#endedAt = this.#elapsed();
    for (const { step } of this.#open) {
      step.state = 'stopped';
      step.milliseconds = milliseconds(this.#endedAt - step.at);
    }
    this.#open.length = 0;
    this.#changes = null;
  }

  #before(info: StepInfo): void {
    const { kind, path, iteration, name, context } = info;
    const step: RecordedStep = {
      kind,
      path,
      ...(iteration.length > 0 && { iteration: [...iteration] }),
      ...(kind === 'function' && { name }),
      at: this.#elapsed(),
      milliseconds: 0,
      state: 'completed',
    };
    if (this.#budget.isFinal) this.#budget.left -= STEP_LENGTH + path.length;
    this.#changes ??= this.#startOf(context);
    const outer = this.#open.at(-1);
    if (outer?.isCalling) this.#called(outer);
    else this.#late(step, this.#changes);
    const index = this.#steps.push(step) - 1;
    this.#open.push({ step, info, index, isCalling: kind === 'function' });
  }

  #after(info: StepInfo, outcome: StepOutcome): void {
    const open = this.#open.pop();
    if (open?.info !== info) return;
    const { step, isCalling } = open;
    if (isCalling) this.#called(open);
    step.state = outcome.state;
    if (outcome.replaced !== undefined) step.replaced = outcome.replaced;
    step.milliseconds = milliseconds(this.#elapsed() - step.at);
    if (outcome.state === 'failed') {
      if (isCalling || outcome.replaced !== undefined) step.error = recordError(outcome.error.cause, this.#budget);
      return;
    }
    if (outcome.state !== 'completed') return;
    if (outcome.value !== undefined) step.value = writeValue(outcome.value, this.#budget);
    if (outcome.iterations !== undefined) step.iterations = outcome.iterations;
    if (outcome.branch !== undefined) step.branch = outcome.branch;
  }

  #startOf(context: Context): ContextChanges {
    return new ContextChanges(context, this.#budget);
  }

  /** Records what a function has changed, once it has ended. */
  #called(open: OpenStep): void {
    open.isCalling = false;
    const { changes, late } = this.#changes!.look();
    if (changes.length > 0) open.step.changes = changes;
    if (late.length > 0) this.#addLate(open.step, { changes: late, since: this.#compared });
  }

  /** Records what has changed since the last step, other than the engine's own names. */
  #late(step: RecordedStep, tracker: ContextChanges): void {
    tracker.skipLoopNames();
    const { changes, late } = tracker.look();
    if (changes.length > 0) this.#addLate(step, { changes });
    if (late.length > 0) this.#addLate(step, { changes: late, since: this.#compared });
  }

  #addLate(step: RecordedStep, late: { changes: RecordedChange[]; since?: number }): void {
    (step.late ??= []).push(late);
    if (late.since !== undefined) this.#compared = this.#steps.length;
  }

  /** Notes a value that a condition of the innermost `if` has read. */
  #read(kind: 'now' | 'random', value: number): number {
    const step = this.#open.at(-1)?.step;
    if (step?.kind === 'if') (step[kind] ??= []).push(value);
    return value;
  }
}

/** Rounded to microseconds. */
const milliseconds = (value: number): number => Math.round(value * 1_000) / 1_000;
