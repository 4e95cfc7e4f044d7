/** Writes code under proof as a function in an expression that the panel evaluates in the page, once it’s safe to. */
import { parse } from 'acorn';
import { PROBES, v3Globals } from '../../../migrate/proof/globals.ts';
import { checkCode } from '../../../platform-api/actions-v3/check-code.ts';
import type { ErrorValue } from '../../../platform-api/errors.ts';
import { HIDDEN_NAMES } from './protocol.ts';

const nothing = (): never => {
  throw new Error('Nothing runs here.');
};
const GLOBALS = v3Globals({ call: nothing, outcome: nothing, context: nothing, clock: nothing });
/** In the order in which the prover in the page gives their values. */
const PARAMETERS = [...Object.keys(GLOBALS), ...PROBES, ...HIDDEN_NAMES].join(',');

/**
 * A function expression. The code’s lines are its own, with one line before them.
 * @param code must have passed `codeError`, so that it can’t end the function around it
 */
export const embedded = (code: string): string => `function(${PARAMETERS}){'use strict';\n${code}\nreturn execute;\n}`;

/** Why code can’t be embedded, with its line and column. Null if it can. */
export function codeError(code: string): ErrorValue | null {
  const [problem] = checkCode(code);
  if (problem) return errorAt(problem.code, problem.message, problem.line, problem.column);
  try {
    parse(`'use strict';\n${code}`, { ecmaVersion: 'latest', sourceType: 'script', allowHashBang: false });
    return null;
  } catch (thrown) {
    const { loc, message } = thrown as SyntaxError & { loc?: { line: number; column: number } };
    const text = `code isn’t valid in strict mode: ${message.replace(/ \(\d+:\d+\)$/, '')}.`;
    return errorAt('CODE_VALIDATION_FAILED', text, loc && loc.line - 1, loc && loc.column + 1);
  }
}

function errorAt(code: string, why: string, line?: number, column?: number): ErrorValue {
  const place = line === undefined ? '' : ` Line ${line}, column ${column}.`;
  return { code, message: `Couldn’t run the code: ${why}${place}`, hint: 'Correct the code, then try again.' };
}
