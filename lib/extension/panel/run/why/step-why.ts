/** Explains the conditions of an `if` step of a run: from its recording, or else from its trace, as far as values are known. */
import type { Recording } from '../../../../debugging/recording/format.ts';
import { LostValueError, readValue } from '../../../../debugging/recording/values.ts';
import { type ConditionWhy, whyCondition } from '../../../../debugging/why/why-condition.ts';
import { type StepWhy, whyOf } from '../../../../debugging/why/why-of.ts';
import type { Context } from '../../../../pipeline/index.ts';
import { valueAt } from '../../../../shared/json-pointer.ts';
import type { PipelineNode } from '../pipeline-tree.ts';
import { conditionOf } from '../step-definition.ts';
import { ContextCursor } from '../timeline/context-cursor.ts';
import type { Trace, TraceStep } from '../trace.ts';
import { describeValue } from './describe-value.ts';
import { recordedIndex } from './recorded-index.ts';
import { traceContext } from './trace-context.ts';

export type { ConditionWhy, StepWhy };

/** What is known of a step's conditions. */
export interface ShownWhy {
  why: StepWhy;
  /** The conditions as written, of all blocks; empty if they aren't known. */
  sources: string[];
  hasElse: boolean;
  /** `trace`: the run has no recording, so that values can be missing. */
  from: 'recording' | 'trace';
}

/** @param node the step in the page's pipeline, if the run is of the page's action */
export async function whyOfStep(
  recording: Recording | null,
  trace: Trace,
  step: TraceStep,
  node: PipelineNode | undefined,
): Promise<ShownWhy> {
  const index = recording ? recordedIndex(recording, step) : undefined;
  if (recording && index !== undefined) {
    const found = await whyOf(recording, [index], { keep: describeValue });
    const why = found.get(index);
    if (why) return { why, from: 'recording', ...blocksOf(recordedStep(recording, step)) };
  }
  return { why: whyOfTrace(trace, step, node), from: 'trace', ...blocksOf(node?.source) };
}

/** An `if` as the recorded pipeline has it; undefined if that is lost. */
function recordedStep({ pipeline }: Recording, { path }: TraceStep): unknown {
  try {
    return valueAt(readValue(pipeline), path ?? '');
  } catch {
    return undefined;
  }
}

function blocksOf(step: unknown): Pick<ShownWhy, 'sources' | 'hasElse'> {
  const { conditions, elseFunctions } = (step ?? {}) as { conditions?: unknown; elseFunctions?: unknown };
  const blocks: unknown[] = Array.isArray(conditions) ? conditions.slice(0, MAX_BLOCKS) : [];
  return { sources: blocks.map(conditionOf), hasElse: Array.isArray(elseFunctions) };
}

/** Maximum number of blocks that are shown. */
const MAX_BLOCKS = 200;

function whyOfTrace(trace: Trace, step: TraceStep, node: PipelineNode | undefined): StepWhy {
  const { branch, replaced } = step;
  if (replaced !== undefined) return { state: 'forced', by: replaced, ...(branch !== undefined && { branch }) };
  if (node?.kind !== 'if') return { state: 'unknown', why: 'The page’s pipeline no longer has this step.' };
  const context = new ContextCursor(trace).before(step);
  if (!context) return { state: 'unknown', why: 'The context at this step isn’t recorded.' };
  const conditions = explainBlocks(conditionsIn(node), traceContext(context), branch);
  return isConsistent(conditions, step)
    ? { state: 'evaluated', conditions }
    : { state: 'unknown', why: 'The conditions have changed since this run.' };
}

/** The conditions of an `if` in the pipeline, as untrusted as it is. */
export function conditionsIn({ source }: PipelineNode): unknown[] {
  const { conditions } = source as { conditions?: unknown };
  if (!Array.isArray(conditions)) return [];
  return conditions.map((block: unknown) => (block as { condition?: unknown } | null)?.condition);
}

/** Each condition up to the one that decides. Times and random numbers aren't known. */
export function explainBlocks(
  conditions: readonly unknown[],
  context: Context,
  branch?: number | 'else' | null,
): ConditionWhy[] {
  const explained: ConditionWhy[] = [];
  for (const condition of conditions) {
    // The page doesn't transfer functions.
    const why: ConditionWhy =
      typeof condition === 'string'
        ? whyCondition(condition, context, { sources: UNKNOWN, keep: describeValue })
        : { state: 'function' };
    explained.push(why);
    if (why.state === 'true' || why.state === 'failed' || branch === explained.length - 1) break;
  }
  return explained;
}

const unknown = (): never => {
  throw new LostValueError('unreadable');
};
const UNKNOWN = { now: unknown, random: unknown };

/** Whether the explanation says what the run did. */
function isConsistent(conditions: readonly ConditionWhy[], { branch, state }: TraceStep): boolean {
  const last = conditions.at(-1)?.state;
  if (branch === undefined) return state !== 'failed' || last !== 'true';
  if (typeof branch === 'number') return conditions.length === branch + 1 && last !== 'false' && last !== 'failed';
  return conditions.every((why) => why.state !== 'true' && why.state !== 'failed');
}
