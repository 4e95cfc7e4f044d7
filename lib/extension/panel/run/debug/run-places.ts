/** Runs the page's action up to a step, or from a step of a recorded run. */
import { signal } from '@preact/signals';
import type { StepPlace } from '../../../../debugging/stepper/types.ts';
import { toErrorValue } from '../../../../platform-api/coded-error.ts';
import type { RunStarter } from '../../shell/run-starter.ts';
import type { RunStore } from '../history/run-store.ts';
import type { Runs, ShownRun } from '../runs.ts';
import type { TraceStep } from '../trace.ts';
import type { PauseControl } from './pause-control.ts';

export interface RunPlacesOptions {
  store: Pick<RunStore, 'recording'>;
  runs: Pick<Runs, 'paused' | 'live' | 'isOfPage' | 'report' | 'version'>;
  starter: Pick<RunStarter, 'runInPage' | 'unavailableInPage'>;
  pause: Pick<PauseControl, 'cannotResume' | 'resume'>;
  /** Why runs can’t pause; null if they can. */
  cannotPause: () => string | null;
}

/** A step of a run, from which the next run starts. */
export interface StartingPoint {
  run: ShownRun;
  step: TraceStep;
}

const NO_RECORDING = {
  none: 'This run has no recording',
  'too-large': 'This run’s recording was too large to store',
};

export class RunPlaces {
  readonly #options: RunPlacesOptions;
  /** The step about which users are asked whether to edit its context first. */
  readonly asking = signal<StartingPoint | null>(null);

  constructor(options: RunPlacesOptions) {
    this.#options = options;
  }

  /** Why the action can't run to a step; null if it can. */
  cannotRunTo(): string | null {
    const { runs, starter, pause, cannotPause } = this.#options;
    if (runs.paused.value) return pause.cannotResume.value;
    return runs.live.value ? 'Pause the run first' : (cannotPause() ?? starter.unavailableInPage.value);
  }

  /** Resumes a paused run up to the step, or starts one with this payload. */
  async runTo(place: StepPlace, payload: string): Promise<void> {
    if (this.cannotRunTo() !== null) return;
    const { runs, starter, pause } = this.#options;
    if (runs.paused.peek()) await pause.resume({ go: 'resume', runTo: place });
    else await starter.runInPage(payload, { runTo: place });
  }

  /** Why no run can start at a step of this run; null if one can. */
  cannotRunFrom({ record, trace }: ShownRun): string | null {
    const { runs, starter, cannotPause } = this.#options;
    void runs.version.value;
    if (trace.state === 'running') return 'Wait for the run to end, or stop it';
    if (!runs.isOfPage(record)) return 'Open the debug page of this run’s action';
    if (!record.recording) return NO_RECORDING[record.recordingProblem ?? 'none'];
    return cannotPause() ?? starter.unavailableInPage.value;
  }

  ask(from: StartingPoint): void {
    if (this.cannotRunFrom(from.run) === null) this.asking.value = from;
  }

  readonly cancel = (): void => {
    this.asking.value = null;
  };

  /** @param pauses pauses at the step first, so that users can edit the context */
  async runFrom({ run: { record }, step }: StartingPoint, pauses: boolean): Promise<void> {
    this.cancel();
    const { starter } = this.#options;
    if (step.path === null) return;
    const recording = await this.#recording(record.id);
    if (recording === undefined) return;
    const place = { path: step.path, iteration: step.iteration };
    await starter.runInPage(record.payload, { from: { recording, place, pauses } });
  }

  async #recording(id: string): Promise<string | undefined> {
    const { store, runs } = this.#options;
    try {
      const text = await store.recording(id);
      if (text === undefined)
        runs.report({
          code: 'RECORDING_GONE',
          message: 'Couldn’t start at this step: the run’s recording is no longer stored. Nothing was run.',
          hint: 'Run the action again, then start at a step of that run.',
        });
      return text;
    } catch (thrown) {
      runs.report(toErrorValue(thrown));
      return undefined;
    }
  }
}
