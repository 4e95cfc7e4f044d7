/** Records runs. */
import type { Recording } from '../../../lib/debugging/recording/format.ts';
import { type RecorderOptions, RunRecorder } from '../../../lib/debugging/recording/recorder.ts';
import {
  type Context,
  type Observer,
  type Pipeline,
  type PipelineFunction,
  runPipeline,
} from '../../../lib/pipeline/index.ts';

export interface RecordOptions {
  payload?: Context;
  /** Replaces outcomes. */
  observer?: Observer;
  signal?: AbortSignal;
  recorder?: Partial<RecorderOptions>;
}

export interface RecordedRun {
  recording: Recording;
  result?: unknown;
  error?: unknown;
}

/** Runs a pipeline. The recording is as one that was read from a file. */
export async function record(
  pipeline: Pipeline,
  functions: Record<string, PipelineFunction>,
  { payload = {}, observer, signal, recorder: options }: RecordOptions = {},
): Promise<RecordedRun> {
  const recorder = new RunRecorder({ pipeline, payload, engine: 'ours', ...options });
  const end = await runPipeline(pipeline, {
    payload: structuredClone(payload),
    functions: new Map(Object.entries(functions)),
    sources: recorder.sources,
    signal,
    observer: {
      before: (info) => {
        void recorder.observer.before?.(info);
        return observer?.before?.(info);
      },
      failed: (info, error) => observer?.failed?.(info, error),
      after: (info, outcome) => {
        recorder.observer.after?.(info, outcome);
        observer?.after?.(info, outcome);
      },
    },
  }).then(
    (result) => ({ result }),
    (error: unknown) => (signal?.aborted ? { stopped: true as const } : { error }),
  );
  return { recording: JSON.parse(JSON.stringify(recorder.finish(end))) as Recording, ...end };
}
