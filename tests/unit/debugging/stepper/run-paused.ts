/** Runs a pipeline with a stepper, and answers each pause. */
import { Stepper } from '../../../../lib/debugging/stepper/stepper.ts';
import type { DebuggerSettings, Pause, ResumeCommand } from '../../../../lib/debugging/stepper/types.ts';
import {
  type Observer,
  type PipelineFunction,
  type PipelineStep,
  runPipeline,
} from '../../../../lib/pipeline/index.ts';

export interface PausedRun {
  /** Path and iteration of each pause, and its reason. */
  pauses: string[];
  /** Path and iteration of each step that started, in order. */
  steps: string[];
  logs: string[];
  result?: unknown;
  error?: { code?: string; message: string };
}

export const placeOf = ({ path, iteration }: { path: string; iteration: readonly number[] }): string =>
  [path, ...iteration].join('#');

/** @param answer ends a pause; by default, resumes */
export async function runPaused(
  pipeline: PipelineStep[],
  functions: Record<string, PipelineFunction>,
  settings: Partial<DebuggerSettings>,
  answer: (stepper: Stepper, pause: Pause) => ResumeCommand | void = () => ({ go: 'resume' }),
  { payload = {}, start }: { payload?: Record<string, unknown>; start?: (stepper: Stepper) => void } = {},
): Promise<PausedRun> {
  const run: PausedRun = { pauses: [], steps: [], logs: [] };
  const stepper: Stepper = new Stepper({
    settings: { breakpoints: [], pauseOnFailure: false, ...settings },
    onPause(pause) {
      run.pauses.push(`${placeOf(pause.info)} ${pause.reason}`);
      setImmediate(() => {
        const command = answer(stepper, pause) ?? { go: 'resume' as const };
        const resumed = stepper.resume(pause.id, command);
        if (!resumed.ok) throw new Error(resumed.error.code);
      });
    },
    onLog: (text) => run.logs.push(text),
  });
  start?.(stepper);
  const observer: Observer = {
    ...stepper.observer,
    before(info) {
      run.steps.push(placeOf(info));
      return stepper.observer.before(info);
    },
  };
  try {
    run.result = await runPipeline(pipeline, { payload, functions: new Map(Object.entries(functions)), observer });
  } catch (thrown) {
    run.error = thrown as Error;
  }
  return run;
}
