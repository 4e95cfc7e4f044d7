/** Gives a recording the times that the panel shows of the run. The page measures both, one right after the other. */
import type { Recording } from '../../../../debugging/recording/format.ts';
import type { Trace, TraceStep } from '../trace.ts';

/** Changes the recording. Steps that the trace doesn't have keep the times that were recorded. */
export function takeTimes(recording: Recording, trace: Trace): void {
  recording.startedAt = new Date(trace.startedAt).toISOString();
  recording.milliseconds = trace.milliseconds;
  recording.steps.forEach((step, index) => {
    const traced = trace.order[index];
    if (!traced || !isSameStep(step, traced)) return;
    step.at = traced.start;
    if (traced.end !== null) step.milliseconds = (microseconds(traced.end) - microseconds(traced.start)) / 1_000;
  });
  const requests = [...trace.requests.values()];
  recording.console?.forEach((line, index) => (line.at = trace.console[index]?.at ?? line.at));
  recording.requests?.forEach((request, index) => {
    const traced = requests[index];
    if (traced?.url !== request.url) return;
    request.at = traced.at;
    if (traced.end !== null && request.milliseconds !== undefined)
      request.milliseconds = (microseconds(traced.end) - microseconds(traced.at)) / 1_000;
  });
}

const isSameStep = (step: Recording['steps'][number], { path, iteration }: TraceStep): boolean =>
  step.path === path && String(step.iteration ?? []) === String(iteration);

/** Whole numbers have no rounding errors. */
const microseconds = (milliseconds: number): number => Math.round(milliseconds * 1_000);
