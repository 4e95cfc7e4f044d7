/** Evaluates the conditions of an `if`, as they are now, at each visit of a recorded run. */
import { ConditionError, type ConditionSources, explainCondition, type Explanation } from '../../pipeline/index.ts';
import { valueAt } from '../../shared/json-pointer.ts';
import { matchSteps } from '../pipelines/match-steps.ts';
import type { Recording } from '../recording/format.ts';
import { LostValueError, readValue } from '../recording/values.ts';
import { RecordingWalk } from '../replay/walk.ts';
import { type ConditionWhy, isLost, whyCondition } from './why-condition.ts';
import { recordedSources } from './why-of.ts';

/** What a condition is at a visit. */
export type Outcome = 'true' | 'false' | 'failed' | 'unknown';

export interface Trial {
  /** Indexes of the recorded steps at which the `if` started. */
  visits: number[];
  /** Of the last condition, by visit. */
  outcomes: Outcome[];
  /** How often its branch would be taken: it's true, and none of the conditions before it is. */
  taken: number;
  /** The last condition at the chosen visit. Undefined if there's no such visit. */
  why?: ConditionWhy;
}

export interface TrialOptions {
  /** Index in `visits`. The last visit, if there are fewer. */
  visit: number;
  /** Turns values into what the rows have. */
  keep: (value: unknown) => unknown;
  /** Called often. Lets other work happen; resolves to false to give up. */
  proceed?: () => Promise<boolean>;
}

/** The path of a step in the recorded pipeline. Undefined if it didn't have the step, or if it's lost. */
export function recordedPath(recording: Recording, pipeline: unknown, path: string): string | undefined {
  try {
    return matchSteps(readValue(recording.pipeline), pipeline).get(path);
  } catch (thrown) {
    if (thrown instanceof LostValueError) return undefined;
    throw thrown;
  }
}

export const visitsOf = ({ steps }: Recording, path: string): number[] =>
  steps.flatMap((step, index) => (step.path === path ? index : []));

/** Visits between two pauses. */
const SLICE = 100;

/**
 * @param visits indexes of the recorded steps
 * @param conditions of the blocks, up to the one to explain
 * @returns null if it gave up
 */
export async function tryConditions(
  recording: Recording,
  visits: number[],
  conditions: readonly string[],
  { visit, keep, proceed }: TrialOptions,
): Promise<Trial | null> {
  const wanted = new Set(visits);
  const chosen = visits[Math.min(visit, visits.length - 1)];
  const trial: Trial = { visits, outcomes: [], taken: 0 };
  const source = conditions.at(-1) ?? '';
  const walk = new RecordingWalk(recording, {
    started: ({ index, recorded }, context) => {
      if (!wanted.has(index)) return;
      // Conditions read times and random numbers in the order of the blocks.
      const sources = recordedSources(recorded);
      const outcomes = conditions.slice(0, -1).map((each) => outcomeOf(each, context, sources));
      if (index === chosen) trial.why = whyCondition(source, context, { sources: recordedSources(recorded), keep });
      const outcome = outcomeOf(source, context, sources);
      trial.outcomes.push(outcome);
      if (outcome === 'true' && outcomes.every((each) => each === 'false')) trial.taken++;
    },
    ended: () => undefined,
  });
  while (walk.advance(SLICE)) if (proceed && !(await proceed())) return null;
  return trial;
}

function outcomeOf(
  source: string,
  context: Parameters<typeof explainCondition>[1],
  sources: ConditionSources,
): Outcome {
  let explanation: Explanation;
  try {
    explanation = explainCondition(source, context, sources);
  } catch (error) {
    if (error instanceof ConditionError) return 'failed';
    throw error;
  }
  if (explanation.state === 'failed' || explanation.error !== undefined)
    return isLost(explanation.error) ? 'unknown' : 'failed';
  return explanation.value ? 'true' : 'false';
}

/** The conditions of an `if`'s blocks, up to one of them. */
export function conditionsUpTo(pipeline: unknown, path: string, block: number): string[] {
  const blocks = valueAt(pipeline, `${path}/conditions`);
  if (!Array.isArray(blocks)) return [];
  return blocks.slice(0, block + 1).map((each) => String((each as { condition?: unknown } | null)?.condition ?? ''));
}
