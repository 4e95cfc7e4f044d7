/** Records an observed run in whole values, so that it can be replayed. Recording never affects the run. */
import type { Recording } from '../../../../../debugging/recording/format.ts';
import type { RequestEnd, RequestStart } from '../../../../../debugging/recording/recorded-log.ts';
import { RunRecorder } from '../../../../../debugging/recording/recorder.ts';
import type { ConditionSources, PipelineError, StepInfo, StepOutcome } from '../../../../../pipeline/index.ts';
import { activeNow } from '../../../agent/page-status.ts';
import { attempt } from '../../../agent/safe.ts';
import type { ConsoleLevel, Engine } from '../../../contract.ts';

export type Finish = Parameters<RunRecorder['finish']>[0];

export class RunRecording {
  readonly #recorder: RunRecorder;
  /** Set if the page kept a step from being recorded. The recording would be wrong. */
  #isBroken = false;

  constructor(pipeline: unknown, payload: object, engine: Engine) {
    this.#recorder = new RunRecorder({ pipeline, payload: payload as Record<string, unknown>, engine, now: activeNow });
  }

  get sources(): ConditionSources {
    return this.#recorder.sources;
  }

  before(info: StepInfo): void {
    this.#record(() => this.#recorder.observer.before!(info));
  }

  after(info: StepInfo, outcome: StepOutcome): void {
    this.#record(() => this.#recorder.observer.after!(info, outcome));
  }

  /** As those of `RunRecorder`. */
  editing(info: StepInfo): void {
    this.#record(() => this.#recorder.editing(info));
  }

  edited(info: StepInfo): void {
    this.#record(() => this.#recorder.edited(info));
  }

  retried(info: StepInfo, error: PipelineError): void {
    this.#record(() => this.#recorder.retried(info, error));
  }

  console(level: ConsoleLevel, args: readonly unknown[]): void {
    attempt(() => this.#recorder.console(level, args));
  }

  requestStarted(request: number, start: RequestStart): void {
    attempt(() => this.#recorder.requestStarted(request, start));
  }

  requestEnded(request: number, end: RequestEnd): void {
    attempt(() => this.#recorder.requestEnded(request, end));
  }

  /** The run has ended. Returns what builds the recording, which is null if the run couldn’t be recorded. */
  end(end: Finish): () => Recording | null {
    const build = this.#isBroken ? undefined : attempt(() => this.#recorder.end(end));
    return () => (build && attempt(build)) ?? null;
  }

  #record(record: () => unknown): void {
    if (this.#isBroken) return;
    try {
      record();
    } catch {
      this.#isBroken = true;
    }
  }
}
