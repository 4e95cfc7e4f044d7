/** Says why the recording of a run isn’t available. */
import type { ShownRun } from '../runs.ts';

/** Why the run has no recording to work with; null if it has. */
export function noRecording({ record, trace, local }: ShownRun): string | null {
  if (trace.state === 'running') return 'Wait for the run to end';
  if (local || record.recording) return null;
  if (record.recordingProblem) return 'Run with less data: the recording was too large';
  if (record.thinned) return 'Run again: the recording was removed to save space';
  return trace.tracing === 'observed' ? 'Run again: this run has no recording' : 'Run with “Our engine” to record runs';
}
