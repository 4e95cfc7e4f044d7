/** Controls the run in progress: pauses it at its next step, and resumes it from the step where it's paused. */
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ResumeCommand } from '../../../../debugging/stepper/types.ts';
import type { ErrorValue, Result } from '../../../../platform-api/errors.ts';
import type { RunDebugger } from '../../../inspector/run/types.ts';
import type { PausedRun, Runs } from '../runs.ts';
import type { PausedStep, TraceStep } from '../trace.ts';
import type { ShownRun } from '../runs.ts';

/** A pause, with its step. */
export interface StepPause extends PausedStep {
  run: ShownRun;
  traceStep: TraceStep;
}

export interface PauseControlOptions {
  debugger: Pick<RunDebugger, 'pause' | 'resume'>;
  runs: Pick<Runs, 'paused' | 'live' | 'version'>;
  /** Why nothing can be controlled, although a run is in progress; null if it can. */
  blocked: ReadonlySignal<string | null>;
  /** Why the pause can't end yet, such as unapplied changes; null if it can. */
  unfinished: () => ErrorValue | null;
}

export class PauseControl {
  readonly #options: PauseControlOptions;
  /** The pause that is being ended. Its commands are disabled until the next state. */
  readonly #ending = signal<PausedStep | null>(null);
  readonly #isPausing = signal(false);
  /** Why the last command failed. */
  readonly error = signal<ErrorValue | null>(null);
  readonly current = computed((): StepPause | null => pauseOf(this.#options.runs.paused.value));
  readonly isEnding = computed(() => this.#isEnding(this.#options.runs.paused.value));
  /** Why a pause can't be ended; null if it can. */
  readonly cannotResume = computed((): string | null => {
    const { runs, blocked } = this.#options;
    if (!runs.live.value) return 'Start a run first';
    if (!runs.paused.value) return 'Pause the run first';
    return blocked.value ?? (this.isEnding.value ? 'Wait for the next step' : null);
  });
  /** Why the run can't be paused at its next step; null if it can. */
  readonly cannotPause = computed((): string | null => {
    const { runs, blocked } = this.#options;
    if (!runs.live.value) return 'Start a run first';
    if (runs.paused.value) return 'The run is paused';
    return blocked.value ?? (this.#isPausing.value ? 'Wait for the next step' : null);
  });

  constructor(options: PauseControlOptions) {
    this.#options = options;
  }

  #isEnding(paused: PausedRun | null): boolean {
    return paused !== null && paused.at === this.#ending.value;
  }

  readonly dismiss = (): void => {
    this.error.value = null;
  };

  /** Resolves to why the pause couldn't be ended; null if it was. */
  async end(command: ResumeCommand): Promise<ErrorValue | null> {
    const paused = this.#options.runs.paused.peek();
    if (!paused || this.cannotResume.peek() !== null) return null;
    const unfinished = this.#options.unfinished();
    if (unfinished) return unfinished;
    this.#ending.value = paused.at;
    this.dismiss();
    const resumed = await this.#options.debugger.resume(paused.at.pause, command);
    if (resumed.ok) return null;
    this.#ending.value = null;
    return resumed.error;
  }

  /** Ends the pause, and shows the error if it can't be ended. */
  async resume(command: ResumeCommand): Promise<void> {
    const error = await this.end(command);
    if (error) this.error.value = error;
  }

  /** Pauses the run before its next step. */
  async pause(): Promise<void> {
    if (this.cannotPause.peek() !== null) return;
    this.#isPausing.value = true;
    const paused = await this.#options.debugger.pause();
    this.#isPausing.value = false;
    this.#report(paused);
  }

  #report(result: Result<unknown>): void {
    this.error.value = result.ok ? null : result.error;
  }
}

function pauseOf(paused: PausedRun | null): StepPause | null {
  const traceStep = paused?.run.trace.steps.get(paused.at.step);
  return paused && traceStep ? { ...paused.at, run: paused.run, traceStep } : null;
}
