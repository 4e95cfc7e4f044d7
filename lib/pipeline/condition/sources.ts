/** Where conditions read the time and random numbers: from the system, or from what a run provides instead. */
import type { ConditionSources } from '../types.ts';

let current: ConditionSources = {};

export const now = (): number => (current.now ?? Date.now)();
export const random = (): number => (current.random ?? Math.random)();

/** Calls a function with these sources. Conditions are synchronous, so nothing else runs in between. */
export function withSources<A, T>(sources: ConditionSources, evaluate: (argument: A) => T, argument: A): T {
  const before = current;
  current = sources;
  try {
    return evaluate(argument);
  } finally {
    current = before;
  }
}
