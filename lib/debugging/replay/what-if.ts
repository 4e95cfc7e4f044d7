/**
 * Replays a recorded run with another pipeline, payload, or mocks ("what if"). Functions aren’t called: mocked ones have
 * their mock’s outcome. All others have their recorded one, which counts only if they get what they got when it was recorded.
 * The platform’s packages that only compute do so instead, if they get something else.
 */
import {
  type Context,
  isPipelineError,
  type Observer,
  type PipelineError,
  type Replacement,
  runPipeline,
  type StepInfo,
  type StepOutcome,
} from '../../pipeline/index.ts';
import { MockObserver } from '../mocks/mock-observer.ts';
import type { Mock } from '../mocks/types.ts';
import type { RecordedChange } from '../recording/context-changes.ts';
import type { LateChanges, RecordedEnd, RecordedStep, Recording } from '../recording/format.ts';
import { RECORDING_LIMIT } from '../recording/recorder.ts';
import { lost, LostValueError, type RecordedValue, writeValue } from '../recording/values.ts';
import { Assumed, type Assumptions } from './assumptions.ts';
import { applyChanges, loseChanges } from './apply-changes.ts';
import { ComputedCalls } from './inputs/computed-calls.ts';
import { isComputed } from './inputs/own-packages.ts';
import type { PositionTrack } from './inputs/positions.ts';
import { type InputDifference, RecordedInputs } from './inputs/recorded-inputs.ts';
import { RecordedClock, ownTime } from './recorded-clock.ts';
import { type RecordedOutcome, RecordedOutcomes } from './recorded-outcomes.ts';
import { RecordedPayload } from './recorded-payload.ts';
import { readResult, readShared, resultOf, withValue } from './recorded-result.ts';
import { errorOf, lossesOf, LostOutcome, lostValueIn } from './recorded-steps.ts';
import { ReplayRecorder } from './replay-recorder.ts';
import { lossesIn, runnablePipeline } from './runnable-pipeline.ts';

/** What differs from the recorded run. */
export interface WhatIf {
  pipeline?: unknown;
  payload?: Context;
  /** For steps of the pipeline that runs. Their delays take no time. */
  mocks?: readonly Mock[];
}

export interface WhatIfOptions {
  /** Sees the steps, as in a run. Replacements aren’t possible. */
  observer?: Observer;
  signal?: AbortSignal;
}

/** How a replay with changes ended. */
export type WhatIfEnd =
  | { state: 'completed'; result: unknown }
  /** Also if the pipeline or the payload isn’t valid. */
  | { state: 'failed'; error: PipelineError }
  | { state: 'stopped' }
  /** The recorded run has no outcome for this call of a function. A mock could give it one. */
  | { state: 'no-outcome'; path: string; iteration: readonly number[]; package: string }
  /** The function would get other input than when it was recorded, so its outcome isn’t known. A mock could give it one. */
  | { state: 'other-input'; path: string; iteration: readonly number[]; package: string; difference: InputDifference }
  /** What happens next depends on a value that the recording doesn’t have. */
  | { state: 'unknown'; path: string; iteration: readonly number[]; cause: LostValueError }
  /** The step’s recorded context change needs an object that the context doesn’t have: the JSON Pointer of the change. */
  | { state: 'misfit'; path: string; iteration: readonly number[]; pointer: string };

export interface WhatIfRun {
  end: WhatIfEnd;
  /** Of the replayed run. Steps with a recorded outcome are replaced by `recording`, or by what had replaced them then. */
  recording: Recording;
  assumes: Assumptions;
}

/** Never rejects. The same recording and changes give the same run. */
export function replayWith(recording: Recording, change: WhatIf, options: WhatIfOptions = {}): Promise<WhatIfRun> {
  return new ReplayWith(recording, new RecordedInputs(recording), change, options).run();
}

/** A recording that is made from a recorded run, such as with less data. */
export interface Variant extends Omit<Recording, 'steps'> {
  steps: VariantStep[];
}

export interface VariantStep extends RecordedStep {
  /** Index of the recorded step that it’s made from. */
  origin: number;
}

/**
 * As `replayWith`, with the payload and the outcomes of a variant.
 * @param inputs of the recorded run: an outcome counts for these only
 */
export const replayVariant = (
  variant: Variant,
  inputs: RecordedInputs,
  mocks: readonly Mock[],
  options: WhatIfOptions,
): Promise<WhatIfRun> => new ReplayWith(variant, inputs, { mocks }, options).run();

class ReplayWith {
  readonly #recording: Recording;
  readonly #pipeline: RecordedValue;
  readonly #payload: RecordedValue;
  readonly #observer: Observer | undefined;
  readonly #signal: AbortSignal;
  readonly #stopped = new AbortController();
  readonly #outcomes: RecordedOutcomes;
  readonly #inputs: RecordedInputs;
  readonly #track: PositionTrack;
  readonly #computed: ComputedCalls;
  readonly #losses: ReadonlyMap<number, RecordedChange[]>;
  readonly #clock = new RecordedClock();
  readonly #recorder = new ReplayRecorder();
  readonly #mocks: MockObserver | null;
  /** Indexes of the steps by those of the recorded steps. */
  readonly #indexes = new Map<number, number>();
  /** What the mock of the current step has changed. */
  #mocked: readonly RecordedChange[] = [];
  readonly #assumed = new Assumed();
  /** Index of the recorded step that comes next if the replay does what the run did. */
  #next = 0;
  #isOther = false;
  #start: RecordedPayload | null = null;
  #end: WhatIfEnd | null = null;

  constructor(
    recording: Recording,
    inputs: RecordedInputs,
    { pipeline, payload, mocks = [] }: WhatIf,
    { observer, signal }: WhatIfOptions,
  ) {
    const written = (value: unknown): RecordedValue => writeValue(value, { left: RECORDING_LIMIT, lost: 0 });
    this.#recording = recording;
    this.#pipeline = pipeline === undefined ? recording.pipeline : written(pipeline);
    this.#payload = payload === undefined ? recording.payload : written(payload);
    this.#observer = observer;
    this.#signal = signal ? AbortSignal.any([signal, this.#stopped.signal]) : this.#stopped.signal;
    this.#outcomes = new RecordedOutcomes(recording, pipeline === undefined ? undefined : this.#pipeline);
    this.#losses = lossesOf(recording.steps);
    this.#inputs = inputs;
    this.#track = inputs.track(this.#payload);
    this.#computed = new ComputedCalls(inputs, this.#track, this.#recorder);
    this.#mocks = mocks.length > 0 ? this.#observerOf(mocks) : null;
  }

  async run(): Promise<WhatIfRun> {
    const end = await this.#run();
    return { end, recording: this.#finish(end), assumes: this.#assumed.all };
  }

  /** Delays take no time. */
  #observerOf(mocks: readonly Mock[]): MockObserver {
    return new MockObserver(mocks, {
      timer: (callback, milliseconds) => {
        this.#clock.pass(milliseconds);
        callback();
        return () => undefined;
      },
      onChanges: (changes) => (this.#mocked = changes),
    });
  }

  async #run(): Promise<WhatIfEnd> {
    const { pipeline, lost } = runnablePipeline(this.#pipeline);
    if (lost) return { state: 'unknown', path: '', iteration: [], cause: lost };
    const { now, random } = this.#clock.sources;
    try {
      this.#start = new RecordedPayload(this.#payload);
      const result = await runPipeline(pipeline, {
        payload: this.#start.payload,
        functions: this.#computed.functions,
        observer: { before: (info) => this.#before(info), after: (info, outcome) => this.#after(info, outcome) },
        sources: {
          now: () => this.#recorder.read('now', now()),
          random: () => this.#recorder.read('random', random()),
        },
        signal: this.#signal,
      });
      const value = readResult(result);
      return value instanceof LostOutcome
        ? { state: 'unknown', ...value.place, cause: value.error }
        : { state: 'completed', result: value };
    } catch (thrown) {
      return this.#end ?? endOf(thrown);
    }
  }

  #before(info: StepInfo): void | Replacement | Promise<void | Replacement> {
    const outcome = this.#outcomes.take(info);
    if (this.#recorder.steps.length === 0) this.#start?.addLost(info.context);
    const index = this.#recorder.start(info, this.#clock.time);
    this.#clock.enter(outcome?.step);
    this.#follow(info, outcome);
    for (const late of outcome?.step.late ?? []) if (!this.#applyLate(late, info)) return undefined;
    if (outcome) this.#indexes.set(outcome.index, index);
    this.#observer?.before?.(info);
    if (!this.#mocks) return this.#recorded(info, outcome);
    this.#mocked = [];
    const answer = this.#mocks.before(info);
    if (answer instanceof Promise) return answer.then((mocked) => this.#mock(info, mocked, outcome));
    return this.#mock(info, answer, outcome);
  }

  #follow(info: StepInfo, outcome: RecordedOutcome | null): void {
    if (outcome?.index !== this.#next) this.#differs(info);
    if (!outcome) return;
    for (let index = this.#next; index < outcome.index; index++)
      if (!this.#indexes.has(index)) this.#assumed.notRun({ step: this.#recording.steps[index]!, index });
    this.#next = outcome.index + 1;
  }

  /** What functions do that aren’t awaited could happen at another time from here on, or never. */
  #differs(info: StepInfo): void {
    if (this.#isOther) return;
    this.#isOther = true;
    const later = this.#recording.steps.slice(this.#next).flatMap(({ late = [] }) => late.filter(isUnawaited));
    this.#loseLate(
      later.flatMap(({ changes }) => changes),
      info,
    );
  }

  #loseLate(changes: readonly RecordedChange[], { context, iteration }: StepInfo): void {
    const losses = changes
      .map(([pointer]): RecordedChange => [pointer, lost('time-unknown')])
      .filter((change) => applyChanges(context, [change]) === null);
    this.#track.changed(losses, iteration);
    if (losses.length > 0) this.#recorder.late({ changes: losses });
  }

  #mock(info: StepInfo, mocked: void | Replacement, outcome: RecordedOutcome | null): void | Replacement {
    this.#track.changed(this.#mocked, info.iteration);
    this.#computed.places.changed(this.#mocked);
    if (mocked && info.kind === 'function') this.#recorder.changed(this.#mocked);
    // Changes of a step itself are only recorded for functions.
    else if (this.#mocked.length > 0) this.#recorder.late({ changes: [...this.#mocked] });
    if (mocked && info.kind === 'function' && outcome && outcome.step.replaced === undefined) {
      this.#assumed.notRun(outcome);
      this.#differs(info);
    }
    return mocked ?? this.#recorded(info, outcome);
  }

  #recorded(info: StepInfo, outcome: RecordedOutcome | null): void | Replacement {
    if (info.kind === 'function') return this.#outcomeOf(info, outcome);
    if (outcome) this.#lose(info, outcome.index);
    if (info.kind === 'loop') this.#enterLoop(info, outcome);
    // What replaced a loop or an if in the recorded run was for the step as it was.
    if (!outcome || outcome.step.replaced === undefined || outcome.isChanged) return undefined;
    this.#assumed.taken(info, outcome);
    this.#recorder.takeFrom(outcome.step);
    return replacementOf(outcome.step);
  }

  #enterLoop(info: StepInfo, outcome: RecordedOutcome | null): void {
    if (outcome && info.step.items !== undefined) this.#inputs.compareAtLoop(originOf(outcome), info, this.#track);
    this.#track.enterLoop(info, info.step, info.iteration);
  }

  #outcomeOf(info: StepInfo, outcome: RecordedOutcome | null): void | Replacement {
    const unknown = this.#whyUnknown(info, outcome);
    if (unknown) return this.#computed.takes(info, this.#outcomes.recordedPath(info)) ? undefined : this.#stop(unknown);
    const { index } = outcome!;
    this.#assumed.taken(info, outcome!);
    // What a package computes from the same isn’t less.
    const step = isComputed(info.name) ? this.#inputs.recording.steps[originOf(outcome!)]! : outcome!.step;
    if (!this.#apply(step.changes ?? [], info)) return undefined;
    this.#recorder.takeFrom(step);
    this.#lose(info, index);
    this.#clock.pass(ownTime(this.#recording.steps, index));
    return replacementOf(step);
  }

  /** Null if the recorded outcome counts. */
  #whyUnknown(info: StepInfo, outcome: RecordedOutcome | null): WhatIfEnd | null {
    const { path, iteration, name } = info;
    if (!outcome || this.#isOpen(outcome)) return { state: 'no-outcome', path, iteration, package: name };
    try {
      const difference = this.#inputs.difference(originOf(outcome), info, this.#track, () =>
        this.#assumed.comparedSettings(info, this.#recording),
      );
      return difference && { state: 'other-input', path, iteration, package: name, difference };
    } catch (thrown) {
      if (thrown instanceof LostValueError) return { state: 'unknown', path, iteration, cause: thrown };
      throw thrown;
    }
  }

  /** Whether the recorded run ended while the function was running. */
  #isOpen({ step, index }: RecordedOutcome): boolean {
    const next = this.#recording.steps[index + 1];
    return step.state === 'stopped' && !next?.path.startsWith(`${step.path}/`);
  }

  #lose({ context, iteration }: StepInfo, index: number): void {
    const losses = this.#losses.get(index);
    if (!losses) return;
    loseChanges(context, losses);
    this.#track.changed(losses, iteration, 'lose');
  }

  #applyLate({ since, ...late }: LateChanges, info: StepInfo): boolean {
    if (late.by === 'edit') this.#assumed.edited(late.changes);
    if (this.#isOther && isUnawaited(late)) {
      this.#loseLate(late.changes, info);
      return true;
    }
    const start = since === undefined ? undefined : this.#indexes.get(since);
    if (!this.#apply(late.changes, info)) return false;
    this.#recorder.late(start === undefined ? late : { ...late, since: start });
    return true;
  }

  /** Returns false if the changes don’t fit. */
  #apply(changes: readonly RecordedChange[], { path, iteration, context }: StepInfo): boolean {
    const pointer = applyChanges(context, changes);
    if (pointer !== null) this.#stop({ state: 'misfit', path, iteration, pointer });
    this.#track.changed(changes, iteration);
    this.#computed.places.changed(changes);
    return pointer === null;
  }

  #after(info: StepInfo, outcome: StepOutcome): void {
    this.#recorder.end(outcome, this.#clock.time);
    this.#clock.leave();
    this.#track.leaveLoop(info);
    readShared(outcome, info);
    this.#observer?.after?.(info, withValue(outcome, info));
  }

  #stop(end: WhatIfEnd): void {
    this.#end ??= end;
    this.#stopped.abort();
  }

  #finish(end: WhatIfEnd): Recording {
    const { format, version, action, startedAt, lost: recordedLost } = this.#recording;
    const { steps } = this.#recorder;
    const recording: Recording = {
      format,
      version,
      startedAt,
      milliseconds: this.#clock.time,
      engine: 'ours',
      ...(action && { action }),
      pipeline: this.#pipeline,
      payload: this.#payload,
      steps: end.state === 'unknown' ? steps.map(stopped) : steps,
      end: this.#recordedEnd(end),
      lost: 0,
    };
    // Looking for losses in all steps takes longer than the replay.
    const isKnown = recordedLost === 0 && this.#mocks === null && !this.#isOther && !this.#computed.hasAny;
    const parts = [recording.pipeline, recording.payload, ...(isKnown ? [] : ([steps, recording.end] as never[]))];
    return { ...recording, lost: lossesIn(parts) };
  }

  #recordedEnd(end: WhatIfEnd): RecordedEnd {
    if (end.state === 'completed') return this.#recorder.endOf({ result: end.result });
    return end.state === 'failed' ? this.#recorder.endOf({ error: end.error }) : { state: 'stopped' };
  }
}

/** Neither the user made these changes, nor an attempt of the step. */
const isUnawaited = ({ by, attempt }: LateChanges): boolean => by === undefined && attempt === undefined;

/** Index of the recorded step. */
const originOf = ({ step, index }: RecordedOutcome): number => (step as Partial<VariantStep>).origin ?? index;

function endOf(thrown: unknown): WhatIfEnd {
  if (thrown instanceof LostValueError) return { state: 'unknown', path: '', iteration: [], cause: thrown };
  if (!isPipelineError(thrown)) throw thrown;
  const { path = '', iteration = [], code } = thrown;
  if (code === 'ABORTED') return { state: 'stopped' };
  const cause = lostValueIn(thrown);
  return cause ? { state: 'unknown', path, iteration, cause } : { state: 'failed', error: thrown };
}

/** A step that failed because a value is lost isn’t known to have failed. */
function stopped({ error: _error, ...step }: RecordedStep): RecordedStep {
  return step.state === 'failed' ? { ...step, state: 'stopped' } : { ...step, ...(_error && { error: _error }) };
}

function replacementOf(step: RecordedStep): Replacement {
  const by = step.replaced ?? 'recording';
  if (step.branch !== undefined) return { branch: step.branch, by };
  if (step.error) return { error: errorOf(step.error), by };
  return step.state === 'skipped' ? { skip: true, by } : { value: resultOf(step), by };
}
