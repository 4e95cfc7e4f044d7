/** Owns a run as the rows of its timeline. */
import type { Trace, TraceStep } from './trace.ts';

export interface TimelineRow {
  step: TraceStep;
  /** 0 at the top. */
  depth: number;
  /** Null when nothing is nested. */
  expanded: boolean | null;
  /** `#12`, counted from 1, on the first step of a loop's iteration. */
  mark: string | null;
}

/** Every step whose parents are all open, in the order in which they started. Never recurses: nesting has no limit here. */
export function timelineRows(trace: Pick<Trace, 'steps' | 'roots'>, collapsed: ReadonlySet<number>): TimelineRow[] {
  const rows: TimelineRow[] = [];
  const waiting: { ids: readonly number[]; next: number; depth: number; parent: TraceStep | null }[] = [{ ids: trace.roots, next: 0, depth: 0, parent: null }];
  for (let level = waiting.at(-1); level; level = waiting.at(-1)) {
    const id = level.ids[level.next];
    if (id === undefined) {
      waiting.pop();
      continue;
    }
    const before = level.next > 0 ? trace.steps.get(level.ids[level.next - 1] ?? -1) : undefined;
    level.next++;
    const step = trace.steps.get(id);
    if (!step) continue;
    const expanded = step.children.length === 0 ? null : !collapsed.has(id);
    rows.push({ step, depth: level.depth, expanded, mark: markOf(step, before, level.parent) });
    if (expanded) waiting.push({ ids: step.children, next: 0, depth: level.depth + 1, parent: step });
  }
  return rows;
}

function markOf(step: TraceStep, before: TraceStep | undefined, parent: TraceStep | null): string | null {
  const own = step.iteration.at(-1);
  if (own === undefined || step.iteration.length <= (parent?.iteration.length ?? 0)) return null;
  return before && before.iteration.at(-1) === own ? null : `#${own + 1}`;
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
