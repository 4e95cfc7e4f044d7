/** Observes a run: traces it, pauses it, records it in whole values, so that it can be replayed, and replaces outcomes. */
import type { MockObserver } from '../../../../../debugging/mocks/mock-observer.ts';
import type { RecordedPrefix } from '../../../../../debugging/replay/recorded-prefix.ts';
import {
  type Observer,
  type PipelineError,
  pipelineError,
  type Replacement,
  type StepInfo,
  type StepOutcome,
} from '../../../../../pipeline/index.ts';
import { toErrorValue } from '../../../../../platform-api/coded-error.ts';
import { ErrorOf } from '../../../agent/pristine.ts';
import { attempt } from '../../../agent/safe.ts';
import type { Recorder } from '../recorder.ts';
import type { Pauses } from './pauses.ts';
import type { RunRecording } from './run-recording.ts';

type Later = Promise<void | Replacement>;
type Answer = void | Replacement | Later;

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

  readonly #failed = (info: StepInfo, error: PipelineError): Answer => {
    const { pauses, prefix } = this.#parts;
    if (!pauses || this.#state !== 'running' || (prefix && !prefix.isLive)) return undefined;
    return pauses.stepper.observer.failed(info, error);
  };

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
    return answer instanceof Promise ? this.#mockedAfter(info, answer) : this.#mocked(info, answer);
  }

  async #mockedAfter(info: StepInfo, answer: Later): Later {
    return this.#mocked(info, await answer);
  }

  /** Pauses at a mocked failure, too: the engine asks only about failures of the steps themselves. */
  #mocked(info: StepInfo, answer: void | Replacement): Answer {
    if (!answer || !('error' in answer)) return answer;
    const { path, iteration, name } = info;
    const { error: cause } = answer;
    const message = `${name} failed: ${(cause as Error).message}`;
    const pause = this.#failed(info, pipelineError('STEP_FAILED', message, { path, iteration, cause }));
    return pause ? this.#chosenAfter(pause as Later, answer) : answer;
  }

  async #chosenAfter(pause: Later, otherwise: Replacement): Later {
    const chosen = await pause;
    this.#failIfStopped();
    return chosen ?? otherwise;
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
