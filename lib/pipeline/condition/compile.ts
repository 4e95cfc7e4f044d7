/** Owns `compileCondition`: a condition's source to a function of the context (decisions, "Pipelines"). */
import type { Context } from '../types.ts';
import { ConditionError, describeThrown } from '../errors.ts';
import { brief, failed } from './closure.ts';
import { refuel } from './limits.ts';
import { parse } from './parse.ts';

/** @throws ConditionError `CONDITION_FAILED` when it reads a member of undefined or null, calls what it may not, or asks for too much work */
export type Condition = (context: Context) => unknown;

/**
 * Compiles a condition without eval. The function has no side effects, gets at nothing but own properties of the context, and its
 * work is bounded; only a regular expression can still take long on a long text.
 * @throws ConditionError `INVALID_CONDITION` with the 1-based column
 */
export function compileCondition(source: string): Condition {
  if (typeof source !== 'string') throw new ConditionError('INVALID_CONDITION', 'A condition is a text.', '', 1);
  const evaluate = parse(source);
  return (context) => {
    refuel();
    try {
      return evaluate(context, null);
    } catch (thrown) {
      throw thrown instanceof ConditionError
        ? thrown
        : failed(`${brief(source)} failed: ${describeThrown(thrown)}`, { text: source, column: 1 }, thrown);
    }
  };
}
