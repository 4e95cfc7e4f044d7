/** A recorded run as the panel shows it, and a store that has its recording. */
import type { Recording } from '../../../../../../lib/debugging/recording/format.ts';
import { runOfRecording } from '../../../../../../lib/extension/panel/run/recordings/run-of-recording.ts';
import type { ShownRun } from '../../../../../../lib/extension/panel/run/runs.ts';
import { RunRecordings } from '../../../../../../lib/extension/panel/run/why/run-recordings.ts';
import { RunWhy } from '../../../../../../lib/extension/panel/run/why/run-why.ts';
import type { Pipeline, PipelineFunction } from '../../../../../../lib/pipeline/index.ts';
import { record, type RecordOptions } from '../../../../debugging/record.ts';

export const PEOPLE = [
  { id: 1, data: { name: 'Ada', email: 'ada@example.com', Admin: true } },
  { id: 2, data: { name: 'Bram', email: 'bram@example.com', Admin: false } },
];
/** An `if` with these conditions and an `else`. */
export const when = (...conditions: string[]): Pipeline[number] => ({
  type: 'if',
  conditions: conditions.map((condition) => ({ condition, functions: [{ function: 'note' }] })),
  elseFunctions: [{ function: 'note' }],
});
const FUNCTIONS: Record<string, PipelineFunction> = { note: () => {} };

export async function recordedRun(
  pipeline: Pipeline,
  options: RecordOptions = {},
): Promise<{ run: ShownRun; recording: Recording; loads: string[]; recordings: RunRecordings; why: RunWhy }> {
  const { recording } = await record(pipeline, FUNCTIONS, { payload: { records: PEOPLE }, ...options });
  const opened = await runOfRecording(recording, { id: 'r1', origin: undefined });
  const run: ShownRun = { record: { ...opened.record, recording: { size: 1, lost: 0 } }, trace: opened.trace };
  const loads: string[] = [];
  const recordings = new RunRecordings({
    recording: async (id) => (loads.push(id), JSON.stringify(recording)),
  });
  return { run, recording, loads, recordings, why: new RunWhy(recordings) };
}
