/** Compiles a condition’s source to a function of the context (decisions, "Pipelines"). */
import type { Context } from '../types.ts';
import { ConditionError, describeThrown } from '../errors.ts';
import { compileTree } from './closures.ts';
import type { Evaluate } from './evaluate.ts';
import { conditionFailed, excerpt } from './failures.ts';
import { refuel } from './limits.ts';
import { parseCondition } from './syntax/parser.ts';

/**
 * @throws ConditionError `CONDITION_FAILED` if the condition reads a member of undefined or null, calls a forbidden
 * function, or exceeds a limit
 */
export type Condition = (context: Context) => unknown;

/**
 * Compiles a condition without eval. The function has no side effects, reads only own properties of the context, and
 * does a limited amount of work, also in patterns.
 * @throws ConditionError `INVALID_CONDITION` with the 1-based column
 */
export function compileCondition(source: string): Condition {
  if (typeof source !== 'string') throw new ConditionError('INVALID_CONDITION', 'A condition must be a string.', '', 1);
  const evaluate = compileTree(parseCondition(source), source);
  return (context) => evaluateCondition(evaluate, context, source);
}

/** @throws ConditionError `CONDITION_FAILED` */
export function evaluateCondition(evaluate: Evaluate, context: Context, source: string): unknown {
  refuel();
  try {
    return evaluate(context, null);
  } catch (thrown) {
    if (thrown instanceof ConditionError) throw thrown;
    const message = `${excerpt(source)} failed: ${describeThrown(thrown)}`;
    throw conditionFailed(message, { text: source, column: 1 }, thrown);
  }
}
