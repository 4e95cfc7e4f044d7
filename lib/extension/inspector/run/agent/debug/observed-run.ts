/** Observes a run: traces it, pauses it, records it in whole values, so that it can be replayed, and replaces outcomes. */
import type { MockObserver } from '../../../../../debugging/mocks/mock-observer.ts';
import type { RecordedPrefix } from '../../../../../debugging/replay/recorded-prefix.ts';
import {
  type Observer,
  type PipelineError,
  pipelineError,
  type Replacement,
  type Retry,
  type StepInfo,
  type StepOutcome,
} from '../../../../../pipeline/index.ts';
import { toErrorValue } from '../../../../../platform-api/coded-error.ts';
import { ErrorOf } from '../../../agent/pristine.ts';
import { attempt } from '../../../agent/safe.ts';
import type { Paused } from '../../../../../debugging/stepper/stepper.ts';
import type { Recorder } from '../recorder.ts';
import type { Pauses } from './pauses.ts';
import type { RunRecording } from './run-recording.ts';

type Later = Promise<void | Replacement>;
type Answer = void | Replacement | Later;
/** What happens after a failure. */
type Failed = void | Replacement | Retry | Promise<void | Replacement | Retry>;

export interface ObservedRunParts {
  trace: Recorder;
  /** Null if the run can’t be recorded. */
  recording: RunRecording | null;
  /** Null if the run can’t pause. */
  pauses: Pauses | null;
  /** Null unless the run starts at a step of a recorded run. */
  prefix: RecordedPrefix | null;
  mocks: MockObserver | null;
}

export class ObservedRun {
  readonly #parts: ObservedRunParts;
  #state: 'running' | 'ended' | 'stopped' = 'running';
  #startError: Error | null = null;

  constructor(parts: ObservedRunParts) {
    this.#parts = parts;
  }

  readonly #before = (info: StepInfo): Answer => {
    this.#failIfStopped();
    if (this.#state !== 'running') return undefined;
    const { trace, pauses, prefix } = this.#parts;
    if (prefix) this.#replay(info, () => prefix.arrive(info));
    attempt(() => {
      const { path, iteration, kind, name, context, step } = info;
      trace.stepStarted(info, { path, iteration, kind, name, settings: step?.settings, context, step });
    });
    if (!pauses) return this.#perform(info);
    if (prefix && !prefix.isLive) {
      pauses.stepper.enter(info);
      return this.#perform(info);
    }
    const pause = pauses.stepper.observer.before(info) as Later | undefined;
    return pause ? this.#performAfter(info, pause) : this.#perform(info);
  };

  readonly #failed = (info: StepInfo, error: PipelineError): Failed => {
    const { pauses, prefix } = this.#parts;
    if (!pauses || this.#state !== 'running' || (prefix && !prefix.isLive)) return undefined;
    const pause = pauses.stepper.failed(info, error);
    return pause && this.#failedAfter(info, error, pause);
  };

  async #failedAfter(info: StepInfo, error: PipelineError, pause: Paused): Promise<void | Replacement | Retry> {
    const chosen = await pause;
    return chosen && 'retry' in chosen ? this.#again(info, error, chosen) : chosen;
  }

  /** Mocks come first again: with another context, others may apply. @param live lets the step itself run */
  async #again<T extends void | Retry>(info: StepInfo, error: PipelineError, live: T): Promise<Replacement | T> {
    const { pauses, mocks } = this.#parts;
    pauses?.retried(info, error);
    return this.#mocked(info, await mocks?.before(info), live);
  }

  readonly #after = (info: StepInfo, outcome: StepOutcome): void => {
    if (this.#state !== 'running') return;
    const { trace, pauses, prefix, recording } = this.#parts;
    pauses?.stepper.observer.after(info, outcome);
    recording?.after(info, outcome);
    attempt(() => {
      const { state, value, error, iterations, branch, replaced } = outcome as Record<string, unknown>;
      const isKnown = state === 'skipped' || state === 'failed' || state === 'stopped';
      trace.stepEnded(info, { state: isKnown ? state : 'completed', value, error, iterations, branch, replaced });
    });
    if (prefix) this.#replay(info, () => prefix.after(info));
  };

  /** Pass it to the run. A page’s own runtime can call it with anything, but then it only traces. */
  readonly observer: Observer = { before: this.#before, failed: this.#failed, after: this.#after };

  /** A run that can pause and was stopped ends before its next step, even if its runtime doesn’t support abort signals. */
  end(isStopped: boolean): void {
    this.#state = isStopped ? 'stopped' : 'ended';
    this.#parts.pauses?.stop();
  }

  /** Why the run couldn’t start at the step of the recorded run; null if it could. */
  get startError(): Error | null {
    return this.#startError;
  }

  #failIfStopped(): void {
    if (this.#state === 'stopped' && this.#parts.pauses) throw new ErrorOf('The run was stopped.');
  }

  async #performAfter(info: StepInfo, pause: Later): Later {
    const chosen = await pause;
    this.#failIfStopped();
    return this.#perform(info, chosen);
  }

  #perform(info: StepInfo, chosen?: void | Replacement): Answer {
    const { prefix, mocks, recording } = this.#parts;
    // After a pause, so that what users changed is recorded before the step.
    recording?.before(info);
    if (chosen) return chosen;
    if (prefix && !prefix.isLive) return this.#replay(info, () => prefix.before(info));
    if (!mocks) return undefined;
    const answer = mocks.before(info);
    return answer instanceof Promise ? this.#mockedAfter(info, answer) : this.#mocked(info, answer, undefined);
  }

  async #mockedAfter(info: StepInfo, answer: Later): Later {
    return this.#mocked(info, await answer, undefined);
  }

  /**
   * Pauses at a mocked failure, too: the engine asks only about failures of the steps themselves.
   * @param live lets the step itself run
   */
  #mocked<T extends void | Retry>(
    info: StepInfo,
    answer: void | Replacement,
    live: T,
  ): Replacement | T | Promise<Replacement | T> {
    if (!answer) return live;
    const { pauses, prefix } = this.#parts;
    if (!('error' in answer) || !pauses || this.#state !== 'running' || (prefix && !prefix.isLive)) return answer;
    const { path, iteration, name } = info;
    const { error: cause } = answer;
    const message = `${name} failed: ${(cause as Error).message}`;
    const error = pipelineError('STEP_FAILED', message, { path, iteration, cause });
    const pause = pauses.stepper.failed(info, error, true);
    return pause ? this.#mockedAgain(info, { error, answer, live }, pause) : answer;
  }

  async #mockedAgain<T extends void | Retry>(
    info: StepInfo,
    { error, answer, live }: { error: PipelineError; answer: Replacement; live: T },
    pause: Paused,
  ): Promise<Replacement | T> {
    const chosen = await pause;
    this.#failIfStopped();
    return chosen && 'retry' in chosen ? this.#again(info, error, live) : (chosen ?? answer);
  }

  /** @throws Error `START_UNREACHABLE`, which ends the run */
  #replay<T>({ path, iteration }: StepInfo, replay: () => T): T {
    try {
      return replay();
    } catch (thrown) {
      const { code, message } = toErrorValue(thrown);
      const error = new ErrorOf(message) as Error & Record<string, unknown>;
      error.name = code;
      error.code = code;
      error.path = path;
      error.iteration = iteration;
      throw (this.#startError ??= error);
    }
  }
}
