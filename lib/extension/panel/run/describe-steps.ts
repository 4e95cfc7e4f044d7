/** Says how many steps a run had, how many of them are stored, what it ran with, and how long tracing took. */
import { formatCount, formatDuration, plural } from '../../../shared/format.ts';
import type { RunRecord } from './history/run-store.ts';
import { isPartial, type Trace, type TraceStep } from './trace.ts';

type Steps = Pick<Trace, 'steps' | 'unstored'>;

/** `5 steps`, `12,511 of 50,003 steps stored`, or, if the total is unknown, `12,511 steps stored`. */
export function stepsText({ steps: { size }, unstored }: Steps): string {
  if (!unstored || unstored.steps === 0) return plural(size, 'step');
  if (unstored.steps === null) return `${plural(size, 'step')} stored`;
  return `${formatCount(size)} of ${plural(size + unstored.steps, 'step')} stored`;
}

/** What a list says of a run that is stored in part; null for one that is stored whole. */
export function partText({ cut, dropped, thinned, steps }: RunRecord): string | null {
  if (thinned) return 'steps removed to save space';
  if (!cut && !dropped) return null;
  if (!cut || !steps || steps.total === steps.stored) return 'stored in part';
  return `${formatCount(steps.stored)} of ${plural(steps.total, 'step')} stored`;
}

/** The same for an open run, whose steps can be counted. */
export function partWarning(record: RunRecord, trace: Steps): string | null {
  if (!trace.unstored) return null;
  return record.thinned || trace.unstored.steps === 0 ? partText(record) : stepsText(trace);
}

/** What the timeline says after its last step; null if all steps are stored. */
export function unstoredText({ unstored }: Pick<Trace, 'unstored'>): string | null {
  if (!unstored || unstored.steps === 0) return null;
  if (unstored.steps === null) return 'Later steps aren’t stored.';
  return `${plural(unstored.steps, 'more step isn’t', 'more steps aren’t')} stored.`;
}

/** What empty lists of a run say; null if it’s recorded whole. */
export const missingText = (trace: Pick<Trace, 'dropped' | 'unstored' | 'state'>): string | null =>
  isPartial(trace) ? 'Part of this run’s events is missing.' : null;

/** What is said of the context of a step or run without recorded changes. */
export function noChangesText(trace: Trace, step: TraceStep | null): string {
  const missing = missingText(trace);
  if (step === null) return missing ?? 'No step in this run changed the context.';
  if (trace.paused?.step === step.id && trace.paused.reason !== 'failure') return 'The run is paused before this step.';
  if (step.state === 'running') return 'This step hasn’t changed the context yet.';
  if (step.state === 'unstored') return 'How this step ended is unknown.';
  if (missing) return missing;
  return step.shallow ? 'No change was found in this step.' : 'This step didn’t change the context.';
}

/** How much of a run's time was tracing; null if it's unknown or less than a millisecond. */
export function tracingText({ tracingMilliseconds = 0 }: Pick<Trace, 'tracingMilliseconds'>): string | null {
  return tracingMilliseconds < 1 ? null : `tracing ${formatDuration(tracingMilliseconds)}`;
}

/** What a run says of its engine; null for the platform’s runtime. */
export const engineNote = ({ engine }: RunRecord): string | null => (engine === 'ours' ? 'our engine' : null);
