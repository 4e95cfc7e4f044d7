/** Filters the steps of the timeline: failed, slow, at one place of the pipeline, by text, or without unmatched iterations. */
import type { Trace, TraceStep } from '../trace.ts';

/** `path` lists the steps at one place of the pipeline. */
export type StepChoice = { kind: 'all' | 'failed' | 'slow' } | { kind: 'path'; path: string };

export interface StepFilter {
  choice: StepChoice;
  /** Lowercase; empty for all steps. */
  query: string;
  /** Hides iterations in which no condition was true. */
  hidesUnmatched: boolean;
  /** Lowercase text in which the query is searched. */
  textOf: (step: TraceStep) => string;
}

/** The number of steps that are listed as the slowest. */
export const SLOW_STEPS = 20;

type Steps = Pick<Trace, 'order' | 'steps'>;

/** IDs of the matching steps and of the steps that contain them. */
export function shownSteps(trace: Steps, { choice, query, hidesUnmatched, textOf }: StepFilter): ReadonlySet<number> {
  const isChosen = chosenBy(trace, choice);
  // First to last, because the text of a step depends on the context, which is restored from the previous step’s.
  const found = query === '' ? null : new Set(trace.order.filter((step) => textOf(step).includes(query)));
  const unmatched = hidesUnmatched ? unmatchedSteps(trace) : new Set<number>();
  const shown = new Set<number>();
  const { order } = trace;
  for (let index = order.length - 1; index >= 0; index--) {
    const step = order[index] as TraceStep;
    if (unmatched.has(step.id)) continue;
    if (!shown.has(step.id) && !(isChosen(step) && (found?.has(step) ?? true))) continue;
    shown.add(step.id);
    if (step.parent !== null) shown.add(step.parent);
  }
  return shown;
}

function chosenBy(trace: Steps, choice: StepChoice): (step: TraceStep) => boolean {
  switch (choice.kind) {
    case 'all':
      return () => true;
    case 'failed':
      return ({ state }) => state === 'failed';
    case 'slow': {
      const slow = slowestSteps(trace);
      return ({ id }) => slow.has(id);
    }
    case 'path':
      return ({ path }) => path === choice.path;
  }
}

/** IDs of the steps that took the longest themselves, without their nested steps. */
function slowestSteps({ order, steps }: Steps): ReadonlySet<number> {
  const own = new Map<number, number>();
  for (const { id, start, end, parent } of order) {
    if (end === null) continue;
    own.set(id, (own.get(id) ?? 0) + end - start);
    if (parent !== null && steps.get(parent)?.end !== null) own.set(parent, (own.get(parent) ?? 0) - end + start);
  }
  const slowest = [...own].filter(([, time]) => time > 0).sort(([, one], [, other]) => other - one);
  return new Set(slowest.slice(0, SLOW_STEPS).map(([id]) => id));
}

/** IDs of the steps of iterations in which no condition was true. */
export function unmatchedSteps({ order, steps }: Steps): ReadonlySet<number> {
  const unmatched = new Set<number>();
  for (const { kind, children } of order) {
    if (kind !== 'loop') continue;
    for (let from = 0; from < children.length;) {
      let to = from + 1;
      while (to < children.length && !steps.get(children[to] as number)?.opensIteration) to++;
      const iteration = children.slice(from, to);
      if (iteration.every((id) => isUnmatched(steps.get(id)))) for (const id of iteration) unmatched.add(id);
      from = to;
    }
  }
  return unmatched;
}

/** Whether the step is an `if` without a true condition. */
export function isUnmatched(step: TraceStep | undefined): boolean {
  return step?.kind === 'if' && step.branch === null && step.state !== 'failed';
}

/** The steps that failed first, not those that contain them, in the order they started. */
export function failures({ order, steps }: Steps): TraceStep[] {
  return order.filter(
    ({ state, children }) => state === 'failed' && children.every((id) => steps.get(id)?.state !== 'failed'),
  );
}

/** The failure after a step, or before it; wraps around. Null if nothing failed. */
export function nextFailure(trace: Steps, from: number | null, direction: 1 | -1): TraceStep | null {
  const all = failures(trace);
  const place = from === null ? -1 : trace.order.findIndex(({ id }) => id === from);
  const places = new Map(trace.order.map(({ id }, index) => [id, index]));
  const placeOf = ({ id }: TraceStep): number => places.get(id) ?? 0;
  if (direction === 1) return all.find((step) => placeOf(step) > place) ?? all[0] ?? null;
  return all.findLast((step) => placeOf(step) < (place < 0 ? Infinity : place)) ?? all.at(-1) ?? null;
}
