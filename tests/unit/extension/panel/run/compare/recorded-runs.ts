/** Runs pipelines, and gives both their recordings and the traces that a page would report of them. */
import type { Recording } from '../../../../../../lib/debugging/recording/format.ts';
import type { AgentEvent } from '../../../../../../lib/extension/inspector/contract.ts';
import { comparedRun, type ComparedRun } from '../../../../../../lib/extension/panel/run/compare/compare-runs.ts';
import type { RunRecord } from '../../../../../../lib/extension/panel/run/history/run-store.ts';
import { runOfRecording } from '../../../../../../lib/extension/panel/run/recordings/run-of-recording.ts';
import type { Context, Pipeline, PipelineFunction } from '../../../../../../lib/pipeline/index.ts';
import { record } from '../../../../debugging/record.ts';

export interface RecordedSide {
  recording: Recording;
  run: ComparedRun;
  events: AgentEvent[];
}

export async function recordSide(
  id: string,
  pipeline: Pipeline,
  payload: Context,
  functions: Record<string, PipelineFunction> = {},
  more: Partial<RunRecord> = {},
): Promise<RecordedSide> {
  const { recording } = await record(pipeline, functions, { payload });
  const events: AgentEvent[] = [];
  const facts = { id, origin: undefined };
  const { record: found, trace } = await runOfRecording(recording, facts, (some) => events.push(...some));
  const stored = { ...found, subject: 's', recording: { size: 1, lost: recording.lost }, ...more };
  return { recording, run: comparedRun(stored, trace), events };
}
