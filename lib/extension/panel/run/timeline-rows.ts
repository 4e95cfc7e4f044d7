/** Converts a trace to timeline rows. */
import type { Trace, TraceStep } from './trace.ts';

/**
 * Returns a function that lists the steps without a collapsed ancestor, in the order they started. Each call returns
 * the same array and appends steps that have started since, so that a run of 100,000 steps isn't scanned again for each
 * new step.
 */
export function createTimelineRows(
  trace: Pick<Trace, 'order'>,
  collapsed: ReadonlySet<number>,
): () => readonly TraceStep[] {
  const rows: TraceStep[] = [];
  const hidden = new Set<number>();
  let seen = 0;
  return () => {
    for (let step = trace.order[seen]; step; step = trace.order[++seen]) {
      if (step.parent !== null && (collapsed.has(step.parent) || hidden.has(step.parent))) hidden.add(step.id);
      else rows.push(step);
    }
    return rows;
  };
}

/** Null for a leaf. */
export function isExpanded(step: TraceStep, collapsed: ReadonlySet<number>): boolean | null {
  return step.children.length === 0 ? null : !collapsed.has(step.id);
}

/** The label of an iteration's first step, such as `#12`, counted from 1. */
export function markOf({ opensIteration, iteration }: Pick<TraceStep, 'opensIteration' | 'iteration'>): string | null {
  return opensIteration ? `#${(iteration.at(-1) ?? 0) + 1}` : null;
}

/** Where a step's bar starts and how wide it is, as fractions of the run. */
export function barOf(step: Pick<TraceStep, 'start' | 'end'>, total: number): { start: number; width: number } {
  if (total <= 0) return { start: 0, width: 1 };
  const start = Math.min(1, Math.max(0, step.start / total));
  return { start, width: Math.max(0, Math.min(1, (step.end ?? total) / total) - start) };
}

/** For example, `iteration 12`, or `iteration 2 › 5` in nested loops. */
export function iterationText(iteration: readonly number[]): string {
  return iteration.length === 0 ? '' : `iteration ${iteration.map((index) => index + 1).join(' › ')}`;
}
