/** Says why the recording of a run isn’t available. */
import type { ShownRun } from '../runs.ts';

/** Why the run has no recording to work with; null if it has. */
export function noRecording({ record, trace, local }: ShownRun): string | null {
  if (trace.state === 'running') return 'Wait for the run to end';
  if (local || record.recording) return null;
  if (record.recordingProblem) return 'Run with less data: the recording was too large';
  if (record.thinned) return 'Run again: the recording was removed to save space';
  if (trace.tracing !== 'observed') return 'Run with “Our engine” to record runs';
  return isFromHistory(record) ? null : 'Run again: the page hasn’t given a recording of this run';
}

/** In milliseconds. By then, the recording of a run is stored. */
const STORING_TIME = 60_000;

/** Whether the run was stored without a recording, which is then made of its events. */
const isFromHistory = ({ importedAt, startedAt, milliseconds }: ShownRun['record']): boolean =>
  importedAt !== undefined || startedAt + milliseconds + STORING_TIME < Date.now();
