/** Runs and records a pipeline with what a user does during pauses. */
import { expect } from 'vitest';
import { parseRecording } from '../../../lib/debugging/recording/file/parse.ts';
import type { Recording } from '../../../lib/debugging/recording/format.ts';
import { RunRecorder } from '../../../lib/debugging/recording/recorder.ts';
import {
  type Context,
  type Pipeline,
  type PipelineFunction,
  runPipeline,
  type StepInfo,
} from '../../../lib/pipeline/index.ts';

/** What the user does at a failure: edits the context, and then retries, or has another outcome. */
export type AtFailure = {
  edit?: (context: Context) => void;
  answer?: { retry: true } | { value: unknown } | { branch: number };
};

export interface Debugged {
  payload?: Context;
  /** Edits before the step at this path. */
  edits?: Record<string, (context: Context) => void>;
  failures?: AtFailure[];
}

/** Runs and records a pipeline as an agent does, with pauses. */
export async function debugged(
  pipeline: Pipeline,
  functions: Record<string, PipelineFunction>,
  { payload = {}, edits = {}, failures = [] }: Debugged,
): Promise<{ recording: Recording; result?: unknown; error?: unknown }> {
  const recorder = new RunRecorder({ pipeline, payload, engine: 'ours' });
  const edit = (info: StepInfo, change: ((context: Context) => void) | undefined): void => {
    if (!change) return;
    recorder.editing(info);
    change(info.context);
    recorder.edited(info);
  };
  const end = await runPipeline(pipeline, {
    payload: structuredClone(payload),
    functions: new Map(Object.entries(functions)),
    sources: recorder.sources,
    observer: {
      before: (info) => {
        edit(info, edits[info.path]);
        void recorder.observer.before?.(info);
      },
      failed: (info, error) => {
        const { edit: change, answer } = failures.shift() ?? {};
        edit(info, change);
        if (answer && 'retry' in answer) recorder.retried(info, error);
        return answer && ('retry' in answer ? answer : { ...answer, by: 'debugger' });
      },
      after: (info, outcome) => recorder.observer.after?.(info, outcome),
    },
  }).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  const recording = recorder.finish(end);
  expect(parseRecording(JSON.stringify(recording))).toMatchObject({ ok: true });
  return { recording, ...end };
}
