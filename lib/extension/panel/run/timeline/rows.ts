/** Converts a trace to timeline rows: one per step, and one per iteration whose loop has more than one step. */
import type { Trace, TraceStep } from '../trace.ts';
import { shownSteps, type StepFilter } from './filter.ts';

export interface TimelineRow {
  key: string;
  kind: 'step' | 'iteration';
  level: number;
  /** For an iteration, its first step. */
  step: TraceStep;
  /** Whether the row is marked as the start of an iteration. */
  opens: boolean;
}

export interface RowOptions {
  /** Keys of the collapsed rows. */
  collapsed: ReadonlySet<string>;
  /** Whether each iteration of a loop has a single step, so that they can share a row. */
  hasSingleStep?: (loopPath: string | null) => boolean;
  /** Null shows all steps. */
  filter?: StepFilter | null;
}

export const stepKey = ({ id }: Pick<TraceStep, 'id'>): string => String(id);
export const iterationKey = ({ id }: Pick<TraceStep, 'id'>): string => `i${id}`;

/** An iteration that rows are being added to. */
interface OpenIteration {
  first: TraceStep;
  /** Null until a step of the iteration is listed. */
  row: 'none' | 'expanded' | 'collapsed' | null;
}

/**
 * Returns a function that lists the rows without a collapsed ancestor, in the order their steps started. Without a
 * filter, each call returns the same array and appends steps that have started since, so that a run of 100,000 steps
 * isn't scanned again for each new step.
 */
export function createTimelineRows(
  trace: Pick<Trace, 'order' | 'steps'>,
  options: RowOptions,
): () => readonly TimelineRow[] {
  const { filter = null } = options;
  let builder = new RowBuilder(trace, options);
  return () => {
    if (!filter) return builder.add();
    builder = new RowBuilder(trace, options);
    return builder.add(shownSteps(trace, filter));
  };
}

class RowBuilder {
  readonly #trace: Pick<Trace, 'order' | 'steps'>;
  readonly #options: RowOptions;
  readonly #rows: TimelineRow[] = [];
  readonly #hidden = new Set<number>();
  readonly #levels = new Map<number, number>();
  /** Of each loop, the latest iteration. */
  readonly #iterations = new Map<number, OpenIteration>();
  #seen = 0;

  constructor(trace: Pick<Trace, 'order' | 'steps'>, options: RowOptions) {
    this.#trace = trace;
    this.#options = options;
  }

  /** @param shown IDs of the steps to list; null for all */
  add(shown: ReadonlySet<number> | null = null): readonly TimelineRow[] {
    const { order } = this.#trace;
    for (let step = order[this.#seen]; step; step = order[++this.#seen]) this.#addStep(step, shown);
    return this.#rows;
  }

  #addStep(step: TraceStep, shown: ReadonlySet<number> | null): void {
    const { parent } = step;
    // Also of a step that isn't listed, because the rest of its iteration can be.
    if (step.opensIteration && parent !== null) this.#iterations.set(parent, { first: step, row: null });
    if (this.#isBelowHidden(parent) || (shown && !shown.has(step.id))) return void this.#hidden.add(step.id);
    const outer = parent === null ? 0 : (this.#levels.get(parent) ?? 0) + 1;
    const row = this.#iterationOf(step, outer);
    if (row === 'collapsed') return void this.#hidden.add(step.id);
    const level = row === 'expanded' ? outer + 1 : outer;
    if (step.children.length > 0 || step.end === null) this.#levels.set(step.id, level);
    this.#rows.push({ key: stepKey(step), kind: 'step', level, step, opens: step.opensIteration && level === outer });
  }

  #isBelowHidden(parent: number | null): boolean {
    if (parent === null) return false;
    const { collapsed } = this.#options;
    return this.#hidden.has(parent) || (collapsed.size > 0 && collapsed.has(String(parent)));
  }

  /** Adds the row of the iteration that the step is in, unless it has one, or shares it with the step. */
  #iterationOf(step: TraceStep, level: number): OpenIteration['row'] {
    const iteration = step.parent === null ? undefined : this.#iterations.get(step.parent);
    if (!iteration) return null;
    iteration.row ??= this.#addIteration(iteration.first, level);
    return iteration.row;
  }

  #addIteration(first: TraceStep, level: number): OpenIteration['row'] {
    const loop = this.#trace.steps.get(first.parent ?? -1);
    if (this.#options.hasSingleStep?.(loop?.path ?? null)) return 'none';
    const key = iterationKey(first);
    this.#rows.push({ key, kind: 'iteration', level, step: first, opens: true });
    return this.#options.collapsed.has(key) ? 'collapsed' : 'expanded';
  }
}

/** Null for a leaf. */
export function isExpanded({ kind, key, step }: TimelineRow, collapsed: ReadonlySet<string>): boolean | null {
  return kind === 'step' && step.children.length === 0 ? null : !collapsed.has(key);
}

/** The label of an iteration's first row, such as `#12`, counted from 1. */
export function markOf({ opens, step }: Pick<TimelineRow, 'opens' | 'step'>): string | null {
  return opens ? `#${(step.iteration.at(-1) ?? 0) + 1}` : null;
}

/** The steps of an iteration, without those nested in them. */
export function iterationSteps(trace: Pick<Trace, 'steps'>, first: TraceStep): TraceStep[] {
  const { children = [] } = trace.steps.get(first.parent ?? -1) ?? {};
  const steps: TraceStep[] = [];
  for (let index = positionOf(children, first.id); index < children.length; index++) {
    const step = trace.steps.get(children[index] as number);
    if (!step || (steps.length > 0 && step.opensIteration)) break;
    steps.push(step);
  }
  return steps;
}

/** Steps are usually numbered in the order they start, so that a loop of 50,000 iterations isn't scanned. */
function positionOf(ids: readonly number[], id: number): number {
  let [from, to] = [0, ids.length - 1];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((ids[middle] as number) < id) from = middle + 1;
    else to = middle;
  }
  return ids[from] === id ? from : Math.max(0, ids.indexOf(id));
}

/** What a row shows of a step, or of all steps of an iteration. */
export type RowTimes = Pick<TraceStep, 'state' | 'start' | 'end'>;

export function timesOf(trace: Pick<Trace, 'steps'>, { kind, step }: TimelineRow): RowTimes {
  if (kind === 'step') return step;
  const steps = iterationSteps(trace, step);
  const open = steps.find(({ end }) => end === null);
  const state = (steps.find((one) => one.state === 'failed') ?? open ?? steps.at(-1) ?? step).state;
  return { state: state === 'skipped' ? 'completed' : state, start: step.start, end: open ? null : endOf(steps) };
}

const endOf = (steps: readonly TraceStep[]): number => Math.max(...steps.slice(-50).map(({ end }) => end ?? 0));

/** Where a row's bar starts and how wide it is, as fractions of the run. */
export function barOf(step: Pick<TraceStep, 'start' | 'end'>, total: number): { start: number; width: number } {
  if (total <= 0) return { start: 0, width: 1 };
  const start = Math.min(1, Math.max(0, step.start / total));
  return { start, width: Math.max(0, Math.min(1, (step.end ?? total) / total) - start) };
}

/** For example, `iteration 12`, or `iteration 2 › 5` in nested loops. */
export function iterationText(iteration: readonly number[]): string {
  return iteration.length === 0 ? '' : `iteration ${iteration.map((index) => index + 1).join(' › ')}`;
}

/** Maximum number of marks on a ruler, after 0. */
const MAX_TICKS = 3;
/** Shorter runs, as an imported file can have, have no marks. In milliseconds. */
const SHORTEST = 1e-6;

/** The marks of a ruler over `total` milliseconds: round times, with where they are as a fraction. */
export function rulerTicks(total: number): { at: number; milliseconds: number }[] {
  if (!(total > SHORTEST && total < Infinity)) return [];
  const least = total / MAX_TICKS;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= least * 0.999) ?? 10);
  const count = Math.floor((total / step) * 1.000001);
  return Array.from({ length: count + 1 }, (_, index) => ({ at: (index * step) / total, milliseconds: index * step }));
}
