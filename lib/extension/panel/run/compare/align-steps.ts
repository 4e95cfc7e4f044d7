/** Aligns two runs' steps by path and iteration. */
import type { TraceStep } from '../trace.ts';

export type StepPair = [before: TraceStep | null, now: TraceStep | null];

/** Pairs steps that have the same path and iteration. Unpaired steps keep their position in their own run. */
export function alignSteps(before: readonly TraceStep[], now: readonly TraceStep[]): StepPair[] {
  const pairs: StepPair[] = [];
  while (pairs.length < before.length && pairs.length < now.length) {
    const [left, right] = [before[pairs.length] as TraceStep, now[pairs.length] as TraceStep];
    if (keyOf(left) !== keyOf(right)) break;
    pairs.push([left, right]);
  }
  const left = indexSteps(before, pairs.length);
  const right = indexSteps(now, pairs.length);
  const remaining = right[Symbol.iterator]();
  let next = remaining.next();
  const paired = new Set<string>();
  /** Adds steps that only `now` has, up to the next one with a counterpart in `before`. */
  const addNowOnly = (): void => {
    for (; !next.done && (!left.has(next.value[0]) || paired.has(next.value[0])); next = remaining.next())
      if (!left.has(next.value[0])) pairs.push([null, next.value[1]]);
  };
  for (const [key, step] of left) {
    const other = right.get(key) ?? null;
    if (other) addNowOnly();
    paired.add(key);
    pairs.push([step, other]);
  }
  addNowOnly();
  return pairs;
}

const keyOf = (step: TraceStep): string => `${step.path ?? step.name} ${step.iteration.join('.')}`;

/** If a runtime reports the same key more than once, the first step pairs with the first, and so on. */
function indexSteps(steps: readonly TraceStep[], from: number): Map<string, TraceStep> {
  const index = new Map<string, TraceStep>();
  const counts = new Map<string, number>();
  for (let at = from; at < steps.length; at++) {
    const step = steps[at] as TraceStep;
    const key = keyOf(step);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    index.set(count === 1 ? key : `${key} ${count}`, step);
  }
  return index;
}
