/** Owns a run as the rows of its timeline. */
import type { Trace, TraceStep } from './trace.ts';

/**
 * The steps whose parents are all open, in the order in which they started. Each call answers the same list, with those
 * added that have started since the call before: a run of 100,000 steps is not gone through again for each that is new.
 */
export function createTimelineRows(
  trace: Pick<Trace, 'order'>,
  folded: ReadonlySet<number>,
): () => readonly TraceStep[] {
  const rows: TraceStep[] = [];
  const hidden = new Set<number>();
  let seen = 0;
  return () => {
    for (let step = trace.order[seen]; step; step = trace.order[++seen]) {
      if (step.parent !== null && (folded.has(step.parent) || hidden.has(step.parent))) hidden.add(step.id);
      else rows.push(step);
    }
    return rows;
  };
}

/** Null when nothing is nested. */
export function isExpanded(step: TraceStep, folded: ReadonlySet<number>): boolean | null {
  return step.children.length === 0 ? null : !folded.has(step.id);
}

/** `#12`, counted from 1, on the first step of a loop's iteration. */
export function markOf({ opensIteration, iteration }: Pick<TraceStep, 'opensIteration' | 'iteration'>): string | null {
  return opensIteration ? `#${(iteration.at(-1) ?? 0) + 1}` : null;
}

/** A step's place in the run as fractions of its whole length: where its bar starts and how wide it is. */
export function barOf(step: Pick<TraceStep, 'start' | 'end'>, total: number): { start: number; width: number } {
  if (total <= 0) return { start: 0, width: 1 };
  const start = Math.min(1, Math.max(0, step.start / total));
  return { start, width: Math.max(0, Math.min(1, (step.end ?? total) / total) - start) };
}

/** The iteration as it is written in words: `iteration 12`, `iteration 2 of iteration 5` for nested loops. */
export function iterationText(iteration: readonly number[]): string {
  return iteration.length === 0 ? '' : `iteration ${iteration.map((index) => index + 1).join(' › ')}`;
}
