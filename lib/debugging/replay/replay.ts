/**
 * Replays a recorded run offline: our engine runs the pipeline, and each function has its recorded outcome instead of its
 * code. Conditions and loops are really evaluated.
 */
import {
  type FunctionRegistry,
  isPipelineError,
  type Observer,
  type PipelineError,
  type Replacement,
  runPipeline,
  type StepInfo,
  type StepOutcome,
} from '../../pipeline/index.ts';
import type { RecordedChange } from '../recording/context-changes.ts';
import type { RecordedStep, Recording } from '../recording/format.ts';
import { RECORDING_LIMIT } from '../recording/recorder.ts';
import { LostValueError, readValue, writeValue } from '../recording/values.ts';
import { MASK } from '../../shared/secrets/known-secrets.ts';
import { applyChanges, loseChanges } from './apply-changes.ts';
import { RecordedClock } from './recorded-clock.ts';
import { RecordedPayload } from './recorded-payload.ts';
import { readResult, readShared, resultOf, withValue } from './recorded-result.ts';
import { branchTo, errorOf, isSameStep, lossesOf, LostOutcome, lostValueIn, placeText } from './recorded-steps.ts';
import { runnablePipeline } from './runnable-pipeline.ts';
import { differ } from './same-value.ts';

export interface ReplayOptions {
  /** Sees the steps with the replayed context, as in a run. Replacements aren't possible. */
  observer?: Observer;
  /** Ends the replay, which then rejects with its reason. */
  signal?: AbortSignal | undefined;
}

/** How a replay ended. */
export type ReplayEnd =
  | { state: 'completed'; result: unknown }
  | { state: 'failed'; error: PipelineError }
  /** The recorded run was stopped here. */
  | { state: 'stopped' }
  /** The replay did something that the recorded run didn't. */
  | { state: 'diverged'; divergence: Divergence }
  /** What happens next depends on a value that the recording doesn't have. */
  | { state: 'unknown'; path: string; iteration: readonly number[]; cause: LostValueError };

export interface Divergence {
  /** `end`: the state that the run ended in. */
  what: 'step' | 'branch' | 'iterations' | 'state' | 'context' | 'error' | 'end' | 'result';
  path: string;
  iteration: readonly number[];
  recorded: unknown;
  replayed: unknown;
}

/** Replays a recording. Never rejects for what a recording contains. */
export function replay(recording: Recording, options: ReplayOptions = {}): Promise<ReplayEnd> {
  return new Replay(recording, options).run();
}

/** Errors of runs that end before their first step. */
const NOTHING_RAN: ReadonlySet<string> = new Set(['PAYLOAD_INVALID', 'PIPELINE_INVALID']);

/** The divergence of a replay that ended before the first of the recorded steps; null if it got further. */
function notStarted(end: ReplayEnd, { steps, end: { state } }: Recording): ReplayEnd | null {
  if (steps.length === 0 || end.state !== 'failed' || !NOTHING_RAN.has(end.error.code)) return null;
  const divergence = { what: 'end', path: '', iteration: [], recorded: state, replayed: end.error.message } as const;
  return { state: 'diverged', divergence };
}

/** Ends the engine's run. */
class ReplayEnded extends Error {
  readonly end: ReplayEnd;
  constructor(end: ReplayEnd) {
    super('The replay has ended.');
    this.end = end;
  }
}

class Replay {
  readonly #recording: Recording;
  readonly #observer: Observer | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #losses: ReadonlyMap<number, RecordedChange[]>;
  /** Index of the next recorded step. */
  #next = 0;
  readonly #open: RecordedStep[] = [];
  #end: ReplayEnd | null = null;
  #start: RecordedPayload | null = null;
  readonly #clock = new RecordedClock();

  constructor(recording: Recording, { observer, signal }: ReplayOptions) {
    this.#recording = recording;
    this.#observer = observer;
    this.#signal = signal;
    this.#losses = lossesOf(recording.steps);
  }

  async run(): Promise<ReplayEnd> {
    const { pipeline, lost } = runnablePipeline(this.#recording.pipeline);
    if (lost) return { state: 'unknown', path: '', iteration: [], cause: lost };
    let end: ReplayEnd;
    try {
      this.#start = new RecordedPayload(this.#recording.payload);
      const result = await runPipeline(pipeline, {
        payload: this.#start.payload,
        functions: NO_FUNCTIONS,
        observer: { before: (info) => this.#before(info), after: (info, outcome) => this.#after(info, outcome) },
        sources: this.#clock.sources,
        ...(this.#signal && { signal: this.#signal }),
      });
      const value = readResult(result);
      end =
        value instanceof LostOutcome
          ? { state: 'unknown', ...value.place, cause: value.error }
          : { state: 'completed', result: value };
    } catch (thrown) {
      this.#signal?.throwIfAborted();
      end = this.#endOf(thrown);
    }
    return this.#end ?? notStarted(end, this.#recording) ?? this.#compared(end);
  }

  #endOf(thrown: unknown): ReplayEnd {
    if (thrown instanceof LostValueError) return { state: 'unknown', path: '', iteration: [], cause: thrown };
    if (!isPipelineError(thrown)) throw thrown;
    const lost = lostValueIn(thrown);
    const { path = '', iteration = [] } = thrown;
    return lost ? { state: 'unknown', path, iteration, cause: lost } : { state: 'failed', error: thrown };
  }

  /** Compares the end with the recorded one. */
  #compared(end: ReplayEnd): ReplayEnd {
    const { steps, end: recorded } = this.#recording;
    if (end.state === 'unknown') return end;
    const missed = steps[this.#next];
    const { path, iteration = [] } = missed ?? steps.at(-1) ?? { path: '' };
    const diverged = (what: Divergence['what'], was: unknown, is: unknown): ReplayEnd => ({
      state: 'diverged',
      divergence: { what, path, iteration, recorded: was, replayed: is },
    });
    if (missed) return diverged('step', missed.path, null);
    if (recorded.state === 'interrupted') return { state: 'stopped' };
    if (end.state === 'failed' && recorded.state === 'failed') {
      const [was, is] = [recorded.error.message, end.error.message];
      if (was === is) return end;
      if (was.includes(MASK)) return { state: 'unknown', path, iteration, cause: new LostValueError('masked') };
      return diverged('error', was, is);
    }
    if (end.state !== 'completed' || recorded.state !== 'completed') return diverged('end', recorded.state, end.state);
    const isDifferent = differ(recorded.result, writeValue(end.result, { left: RECORDING_LIMIT, lost: 0 }));
    return isDifferent ? diverged('result', readValue(recorded.result), end.result) : end;
  }

  #before(info: StepInfo): void | Replacement {
    const step = this.#recording.steps[this.#next];
    if (!step) return this.#unrecorded(info);
    if (!isSameStep(step, info))
      this.#stop(this.#otherBranch(info) ?? this.#divergence('step', info, placeText(step), placeText(info)));
    const index = this.#next++;
    if (index === 0) this.#start?.addLost(info.context);
    this.#open.push(step);
    this.#clock.enter(step);
    for (const { changes } of step.late ?? []) this.#apply(changes, info);
    this.#observer?.before?.(info);
    const replacement = this.#replacementOf(step, info);
    const losses = this.#losses.get(index);
    if (losses) loseChanges(info.context, losses);
    return replacement;
  }

  #unrecorded(info: StepInfo): never {
    const { end } = this.#recording;
    if (end.state === 'stopped' || end.state === 'interrupted') this.#stop({ state: 'stopped' });
    return this.#stop(this.#otherBranch(info) ?? this.#divergence('step', info, null, placeText(info)));
  }

  /** The divergence of the `if` around a step; null if the recorded run has taken the same branch. */
  #otherBranch(info: StepInfo): ReplayEnd | null {
    const outer = this.#open.at(-1);
    if (outer?.branch === undefined || !info.path.startsWith(`${outer.path}/`)) return null;
    const branch = branchTo(info.path, outer.path);
    const at = { ...info, path: outer.path };
    return branch === outer.branch ? null : this.#divergence('branch', at, outer.branch, branch);
  }

  /** Conditions and loops are evaluated, unless they were replaced in the recorded run, too. */
  #replacementOf(step: RecordedStep, info: StepInfo): void | Replacement {
    if (step.kind === 'function') return this.#outcomeOf(step, info);
    if (step.replaced === undefined) return undefined;
    if (step.branch !== undefined) return { branch: step.branch };
    if (step.error) return { error: errorOf(step.error) };
    return step.state === 'skipped' ? { skip: true } : { value: resultOf(step) };
  }

  #outcomeOf(step: RecordedStep, info: StepInfo): Replacement {
    this.#apply(step.changes ?? [], info);
    if (step.error) return { error: errorOf(step.error) };
    if (step.state === 'skipped') return { skip: true };
    if (step.state === 'stopped' && this.#next === this.#recording.steps.length) this.#stop({ state: 'stopped' });
    return { value: resultOf(step) };
  }

  #apply(changes: readonly RecordedChange[], info: StepInfo): void {
    const misfit = applyChanges(info.context, changes);
    if (misfit !== null) this.#stop(this.#divergence('context', info, misfit, undefined));
  }

  #after(info: StepInfo, outcome: StepOutcome): void {
    const step = this.#open.pop();
    this.#clock.leave();
    readShared(outcome, info);
    this.#observer?.after?.(info, withValue(outcome, info));
    if (!step || this.#end || outcome.state === 'failed' || outcome.state === 'stopped') return;
    // Nothing else was recorded.
    if (step.state === 'stopped') this.#stop({ state: 'stopped' });
    const found = differenceOf(step, outcome);
    if (found) this.#stop(this.#divergence(found.what, info, found.recorded, found.replayed));
  }

  #divergence(
    what: Divergence['what'],
    { path, iteration }: StepInfo,
    recorded: unknown,
    replayed: unknown,
  ): ReplayEnd {
    return { state: 'diverged', divergence: { what, path, iteration, recorded, replayed } };
  }

  #stop(end: ReplayEnd): never {
    this.#end ??= end;
    throw new ReplayEnded(end);
  }
}

/** Every package is known, and none is called. */
const NO_FUNCTIONS = { get: () => () => undefined } as unknown as FunctionRegistry;

function differenceOf(
  step: RecordedStep,
  outcome: Extract<StepOutcome, { state: 'completed' | 'skipped' }>,
): Pick<Divergence, 'what' | 'recorded' | 'replayed'> | null {
  if (step.state !== outcome.state) return { what: 'state', recorded: step.state, replayed: outcome.state };
  if (outcome.state !== 'completed') return null;
  if (step.branch !== outcome.branch) return { what: 'branch', recorded: step.branch, replayed: outcome.branch };
  return step.iterations === outcome.iterations
    ? null
    : { what: 'iterations', recorded: step.iterations, replayed: outcome.iterations };
}
