/** Writes notes on how reliable a comparison is as a whole. */
import { formatCount, plural, truncate } from '../../../../shared/format.ts';
import { engineNote } from '../describe-steps.ts';
import { ENGINE_NAMES } from '../engine-choice.ts';
import type { ComparedRun, Comparison } from './compare-runs.ts';
import type { Wholeness } from './compare.ts';

const DETAIL = { observed: 'every step', wrapped: 'function calls', bare: 'start and end' };

/** How much of a run was traced, and with which engine, in words. */
export function detailText({ trace, record }: ComparedRun): string {
  const engine = engineNote(record);
  return engine ? `${DETAIL[trace.tracing]}, ${engine}` : DETAIL[trace.tracing];
}

export function remarksOf(comparison: Comparison, wholeness: Wholeness = 'none'): string[] {
  const { before, now, isAligned, isComplete, common, replaced, unknown } = comparison;
  const remarks = [subjectRemark(before, now), engineRemark(before, now)];
  if (!isAligned)
    remarks.push(`Steps can’t be compared. Recorded before: ${detailText(before)}. Recorded now: ${detailText(now)}.`);
  else if (now.trace.tracing === 'bare')
    remarks.push('Steps can’t be compared: both runs recorded only their start and end.');
  if (replaced > 0) {
    const paths = plural(replaced, 'path has', 'paths have');
    remarks.push(`The pipeline has changed: ${paths} a different step. Steps are matched by path.`);
  }
  if (!isComplete && isAligned) remarks.push(`Compared the ${plural(common, 'step')} that both runs store.`);
  if (before.isPartial) remarks.push(partialRemark(before, 'before'));
  if (now.isPartial) remarks.push(partialRemark(now, 'now'));
  if (unknown > 0) remarks.push(unknownRemark(unknown, wholeness));
  return remarks.filter((remark) => remark !== null);
}

function unknownRemark(unknown: number, wholeness: Wholeness): string {
  const remark = `${plural(unknown, 'row is', 'rows are')} the same in all recorded data.`;
  if (wholeness === 'loading') return `${remark} Comparing whole values…`;
  return wholeness === 'none' ? remark : `${remark} The recordings don’t have the rest either.`;
}

function subjectRemark({ record: before }: ComparedRun, { record: now }: ComparedRun): string | null {
  if (before.subject === now.subject) return null;
  return before.title === now.title
    ? `The action runs at different URLs: ${truncate(before.subject, 100)} before, ${truncate(now.subject, 100)} now.`
    : `The runs belong to different actions: ${truncate(before.title, 80)} before, ${truncate(now.title, 80)} now.`;
}

function engineRemark({ record: before }: ComparedRun, { record: now }: ComparedRun): string | null {
  const [earlier, later] = [before.engine ?? 'platform', now.engine ?? 'platform'];
  return earlier === later ? null : `The runs ran with: ${ENGINE_NAMES[earlier]} before, ${ENGINE_NAMES[later]} now.`;
}

function partialRemark({ record, trace }: ComparedRun, side: string): string {
  const run = `run ${record.number} (${side})`;
  if (record.thinned) return `The steps of ${run} were removed to save space.`;
  const { steps } = trace.unstored ?? {};
  if (steps)
    return `Of ${run}, ${formatCount(trace.steps.size)} of ${plural(trace.steps.size + steps, 'step is', 'steps are')} stored. The others may differ.`;
  return `Run ${record.number} (${side}) was only partly recorded. Unrecorded steps may still have run.`;
}

/** What the comparison says if it finds no differences. */
export function noDifferencesText({ isComplete, isAligned, common, volatility }: Comparison): string {
  const none = volatility.ignored > 0 ? 'Apart from ignored ones, no differences' : 'No differences';
  if (isComplete || !isAligned) return `${none} in what both runs recorded.`;
  return `${none} in the ${plural(common, 'step')} that both runs store.`;
}

/** What was compared, and whether more may differ. */
export function comparedText({ isComplete, isAligned, unknown, common, now }: Comparison): string {
  const { tracing } = now.trace;
  const steps = plural(common, tracing === 'wrapped' ? 'function call' : 'step');
  const compared =
    isAligned && tracing !== 'bare'
      ? `Compared: payload, outcome, and ${steps} with context, console, and requests (method, URL, and status).`
      : 'Compared: payload and outcome.';
  return isComplete && isAligned && unknown === 0 ? compared : `${compared} What isn’t recorded may differ.`;
}
