/** Runs a pipeline and records it. */
import { isPipelineError, type RunOptions, runPipeline } from '../../pipeline/index.ts';
import type { RecordedAction, Recording } from './format.ts';
import { type RunEnd, RunRecorder } from './recorder.ts';

export interface RecordOptions extends Omit<RunOptions, 'sources'> {
  /** What was run, for the recording. */
  action?: RecordedAction;
  /** The most characters of JSON that the recording has, about. Values beyond it are lost. Default 32 Mi. */
  limit?: number;
}

export interface RecordedRun {
  recording: Recording;
  /** How the run ended. `stopped`: its signal was aborted. */
  end: RunEnd;
}

/**
 * Runs a pipeline as `runPipeline` does, and records the run in whole values. Never rejects: a run that fails is recorded,
 * too. The recording isn’t masked (`maskRecording`).
 */
export async function record(pipeline: unknown, options: RecordOptions): Promise<RecordedRun> {
  const { action, limit, ...rest } = options;
  const { payload = {}, observer } = rest;
  const given = { ...(action && { action }), ...(limit !== undefined && { limit }) };
  const recorder = new RunRecorder({ pipeline, payload, engine: 'ours', ...given });
  const end: RunEnd = await runPipeline(pipeline, {
    ...rest,
    sources: recorder.sources,
    observer: {
      before: (info) => {
        void recorder.observer.before?.(info);
        return observer?.before?.(info);
      },
      ...(observer?.failed && { failed: (info, error) => observer.failed?.(info, error) }),
      after: (info, outcome) => {
        recorder.observer.after?.(info, outcome);
        observer?.after?.(info, outcome);
      },
    },
  }).then(
    (result) => ({ result }),
    (error: unknown) => (isPipelineError(error) && error.code === 'ABORTED' ? { stopped: true } : { error }),
  );
  return { recording: recorder.finish(end), end };
}
