/** Says why the `if` steps of a recorded run took their branches. */
import type { ConditionSources, StepInfo } from '../../pipeline/index.ts';
import type { RecordedStep, Recording } from '../recording/format.ts';
import { copyValue } from '../recording/copy-value.ts';
import { LostValueError } from '../recording/values.ts';
import { replay } from '../replay/replay.ts';
import { type ConditionWhy, whyCondition, type WhyOptions } from './why-condition.ts';

/** The conditions of an `if` in one iteration. */
export type StepWhy =
  /** Each condition up to the one that decided. */
  | { state: 'evaluated'; conditions: ConditionWhy[] }
  /** No condition was evaluated: a mock, the debugger, or another observer chose the branch or the outcome. */
  | { state: 'forced'; by: string; branch?: number | 'else' | null }
  /** The recording doesn’t have what the conditions depend on, or isn’t a recording of this pipeline. */
  | { state: 'unknown'; why: string };

export interface WhyOfOptions extends Omit<WhyOptions, 'sources'> {
  /** Ends the replay, which then rejects with its reason. */
  signal?: AbortSignal | undefined;
}

/**
 * Explains `if` steps in the contexts that they had, in one replay. Never rejects for what a recording contains.
 * @param stepIndexes indexes in `recording.steps`. Those of other steps are left out
 * @param options.keep receives live values, which change when the replay continues. Default: copies them
 */
export async function whyOf(
  recording: Recording,
  stepIndexes: Iterable<number>,
  options: WhyOfOptions = {},
): Promise<Map<number, StepWhy>> {
  const found = new Map<number, StepWhy>();
  const asked = new Set<number>();
  for (const index of stepIndexes) {
    const step = recording.steps[index];
    if (step?.kind !== 'if') continue;
    const { replaced: by, branch } = step;
    if (by === undefined) asked.add(index);
    else found.set(index, { state: 'forced', by, ...(branch !== undefined && { branch }) });
  }
  if (asked.size > 0) await explainAll(recording, asked, found, { keep: copyOf, ...options });
  return found;
}

async function explainAll(
  recording: Recording,
  asked: ReadonlySet<number>,
  found: Map<number, StepWhy>,
  options: WhyOfOptions,
): Promise<void> {
  let last = 0;
  for (const one of asked) last = Math.max(last, one);
  let index = 0;
  const end = await replay(recording, {
    signal: options.signal,
    observer: {
      before: (info) => {
        if (asked.has(index)) found.set(index, explainStep(info, recording.steps[index]!, options));
        // An error of an observer ends the replay.
        if (index++ === last) throw new Error('Everything is explained.');
      },
    },
  });
  const why = end.state === 'unknown' ? end.cause.message : 'The recording can’t be replayed up to this step.';
  for (const missing of asked) if (!found.has(missing)) found.set(missing, { state: 'unknown', why });
}

function explainStep({ step, context }: StepInfo, recorded: RecordedStep, options: WhyOfOptions): StepWhy {
  const sources = recordedSources(recorded);
  const conditions: ConditionWhy[] = [];
  for (const { condition } of step.conditions ?? []) {
    const why = whyCondition(condition, context, { ...options, sources });
    conditions.push(why);
    // What a function returned isn’t known, only that it was the last one.
    if (why.state === 'true' || why.state === 'failed' || recorded.branch === conditions.length - 1) break;
  }
  return { state: 'evaluated', conditions };
}

/** The times and random numbers that the conditions of the step read, in order. */
export function recordedSources(step: RecordedStep): ConditionSources {
  const reader = (values: readonly number[] = []): (() => number) => {
    let nth = 0;
    return () => {
      const value = values[nth++];
      if (value === undefined) throw new LostValueError('unreadable');
      return value;
    };
  };
  return { now: reader(step.now), random: reader(step.random) };
}

function copyOf(value: unknown): unknown {
  try {
    return copyValue(value);
  } catch (thrown) {
    if (thrown instanceof LostValueError) return undefined;
    throw thrown;
  }
}
