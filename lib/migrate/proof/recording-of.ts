/** Records the code’s run beside a recorded V2 run, up to the first difference, so that both can be compared as runs. */
import type { RecordedEnd, RecordedError, RecordedStep, Recording } from '../../debugging/recording/format.ts';
import { recordError, RECORDING_LIMIT, RunRecorder } from '../../debugging/recording/recorder.ts';
import { readValue, writeValue } from '../../debugging/recording/values.ts';
import { lossesIn } from '../../debugging/replay/runnable-pipeline.ts';
import { isInside } from '../../debugging/replay/walk.ts';
import type { Context, PipelineStep, StepInfo } from '../../pipeline/types.ts';
import { valueAt } from '../../shared/json-pointer.ts';
import { packageOf } from '../effects.ts';
import { type CodeEnd, type CodeObserver, type CodeStep, endedSteps, likeRecorded } from './code-steps.ts';
import { RunComparison } from './comparison.ts';
import { withCalls } from './differing-calls.ts';
import type { Call } from './expected-calls.ts';
import type { Comparison, ProofOptions } from './types.ts';

/**
 * The run of V3 code on a recording’s outcomes. Steps have the recorded times. After the first difference, the run is
 * stopped, unless the code has ended. Other arguments of a call are in the settings of its step, or are a request of it.
 * @param code instrumented. It can have been edited
 */
export async function recordingOf(
  code: string,
  recording: Recording,
  { load, dataSources }: Pick<ProofOptions, 'load' | 'dataSources'>,
): Promise<Recording> {
  const recorder = new CodeRecorder(recording);
  const comparison = await new RunComparison(recording, dataSources, recorder).run(code, load);
  return recorder.finish(comparison);
}

interface OpenStep {
  path: string;
  iteration: number[];
  info: StepInfo;
  index: number;
}

class CodeRecorder implements CodeObserver {
  readonly #recording: Recording;
  readonly #recorder: RunRecorder;
  readonly #pipeline: unknown;
  readonly #open: OpenStep[] = [];
  /** The recorded step that each of the code’s steps is. Null for one that V2 didn’t run. */
  readonly #counterparts: (RecordedStep | null)[] = [];
  #time = 0;
  #end: CodeEnd | null = null;
  #calls: { expected: Call[]; made: Call[] } | null = null;

  constructor(recording: Recording) {
    this.#recording = recording;
    this.#pipeline = readValue(recording.pipeline);
    this.#recorder = new RunRecorder({ pipeline: [], payload: {}, engine: 'ours', now: () => this.#time });
  }

  started(path: string, recorded: RecordedStep | null, data: Context = {}): void {
    const iteration = [...(recorded ? (recorded.iteration ?? []) : this.#iterationOf(path))];
    while (this.#open.length > 0 && !isInside({ path, iteration }, this.#open.at(-1)!)) this.#close();
    this.#time = recorded?.at ?? this.#time;
    const step = (valueAt(this.#pipeline, path) ?? {}) as PipelineStep;
    const kind = step.type === 'loop' || step.type === 'if' ? step.type : 'function';
    const name = kind === 'function' ? packageOf(step) : kind;
    const info: StepInfo = { path, iteration, kind, name, step, context: data };
    void this.#recorder.observer.before?.(info);
    this.#open.push({ path, iteration, info, index: this.#counterparts.length });
    this.#counterparts.push(recorded);
    this.#calls = null;
  }

  called(expected: Call[] | null, made: Call[]): void {
    this.#calls = expected && { expected, made };
  }

  ended(end: CodeEnd): void {
    this.#end = end;
  }

  #close(): void {
    const { info, index } = this.#open.pop()!;
    const recorded = this.#counterparts[index];
    if (recorded) this.#time = recorded.at + recorded.milliseconds;
    this.#recorder.observer.after?.(info, { state: 'completed' });
  }

  /** The iteration of a step that V2 didn’t run next, as far as its place says it. */
  #iterationOf(path: string): readonly number[] {
    const loops = this.#open.filter(({ info }) => info.kind === 'loop' && path.startsWith(`${info.path}/`));
    const [loop, last] = [loops.at(-1), this.#open.at(-1)];
    if (!loop || !last) return [];
    const indexes = last.iteration.slice(0, loops.length);
    if (indexes.length < loops.length) return [...indexes, 0];
    const isNext = childIndex(path, loop.path) <= childIndex(last.path, loop.path) && !isInside({ path }, last);
    return isNext ? [...indexes.slice(0, -1), indexes.at(-1)! + 1] : indexes;
  }

  finish({ differences: [difference], isWhole }: Comparison): Recording {
    const { startedAt, milliseconds, action, pipeline, payload, end, requests, console } = this.#recording;
    const isOpen = new Set(this.#end ? [] : this.#open.map(({ index }) => index));
    while (this.#open.length > 0) this.#close();
    const recorder = this.#recorder.finish({ stopped: true });
    const run = recorder.steps.map((step, index): CodeStep => ({
      step,
      recorded: this.#counterparts[index] ?? null,
      isOpen: isOpen.has(index),
    }));
    const isEqual = isWhole && !difference;
    const steps = isEqual ? run.map(likeRecorded) : endedSteps(run, this.#recording, this.#end);
    const isShown = ({ step = 0 }: { step?: number }): boolean => step < steps.length;
    const recorded: Recording = {
      ...recorder,
      startedAt,
      milliseconds: this.#end ? milliseconds : this.#time,
      ...(action && { action }),
      pipeline,
      payload,
      steps,
      end: isEqual ? end : this.#recordedEnd(),
      ...(requests && { requests: requests.filter(isShown) }),
      ...(console && { console: console.filter(isShown) }),
      lost: recorder.lost + lossesIn(pipeline) + lossesIn(payload),
    };
    return difference?.what === 'call' && this.#calls ? withCalls(recorded, this.#calls) : recorded;
  }

  #recordedEnd(): RecordedEnd {
    if (!this.#end) return { state: 'stopped' };
    const budget = { left: RECORDING_LIMIT, lost: 0 };
    if ('result' in this.#end) return { state: 'completed', result: writeValue(this.#end.result, budget) };
    const { path, iteration } = this.#counterparts.findLast(Boolean) ?? {};
    const { message, thrown } = recordError(this.#end.error, budget);
    const { end } = this.#recording;
    const error: RecordedError = {
      name: end.state === 'failed' ? end.error.name : 'PipelineError',
      message: thrown === undefined ? message : 'The code threw a value that isn’t an error.',
      code: 'STEP_FAILED',
      ...(path !== undefined && { path }),
      ...(path !== undefined && { iteration: iteration ?? [] }),
    };
    return { state: 'failed', error };
  }
}

const childIndex = (path: string, loop: string): number => Number(path.slice(loop.length).split('/')[2]);
