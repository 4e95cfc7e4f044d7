/** Says why a condition was true, false, or failed. */
import { ConditionError, type ConditionSources, type Context, explainCondition } from '../../pipeline/index.ts';
import { LostValueError } from '../recording/values.ts';
import { type ExplainedRow, explainTree } from './explain-tree.ts';
import { type InlineOptions, inlineText, type Segment } from './inline-text.ts';
import { type FailedPart, hintsOf, type Missing, whyFailed } from './missing.ts';

/** A condition in a context. */
export type ConditionWhy =
  | {
      /** Unknown: it depends on a value that the recording doesn’t have. */
      state: 'true' | 'false' | 'failed' | 'unknown';
      source: string;
      /** The condition on one line, with the values that it saw. */
      segments: Segment[];
      /** Each part with its value. */
      rows: ExplainedRow[];
      failed: FailedPart | null;
      /** Properties that the condition read and that are absent. */
      hints: Missing[];
    }
  /** The syntax is invalid. `column` is 1-based. */
  | { state: 'invalid'; source: string; message: string; column: number }
  /** A function, which can’t be explained. */
  | { state: 'function' };

export interface WhyOptions extends InlineOptions {
  sources?: ConditionSources;
  /** Turns values, which are the context’s own objects, into what the rows have. Default: no change. */
  keep?: (value: unknown) => unknown;
}

export function whyCondition(condition: unknown, context: Context, options: WhyOptions = {}): ConditionWhy {
  if (typeof condition === 'function') return { state: 'function' };
  const source = String(condition);
  const { sources, keep = (value) => value } = options;
  try {
    const explanation = explainCondition(source, context, sources);
    const failed = whyFailed(explanation, context);
    return {
      state: failed ? (isLost(explanation.error) ? 'unknown' : 'failed') : explanation.value ? 'true' : 'false',
      source,
      segments: inlineText(explanation, options),
      rows: explainTree(explanation).map((row) => ({ ...row, value: keep(row.value) })),
      failed,
      hints: hintsOf(explanation, context),
    };
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    return { state: 'invalid', source, message: error.message, column: error.column };
  }
}

export function isLost(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof LostValueError) return true;
  return false;
}
