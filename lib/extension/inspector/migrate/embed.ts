/** Writes code under proof as a function in an expression that the panel evaluates in the page, once it’s safe to. */
import { type AnyNode, parse, type Program, tokTypes } from 'acorn';
import { PROBES, v3Globals } from '../../../migrate/proof/globals.ts';
import { freeNames } from '../../../migrate/sources/free-names.ts';
import { LANGUAGE, VALUES } from '../../../migrate/sources/known-names.ts';
import { checkCode } from '../../../platform-api/actions-v3/check-code.ts';
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';

/** A function expression that has passed all checks. */
export type Embedded = string & { readonly embedded: unique symbol };

const nothing = (): never => {
  throw new Error('Nothing runs here.');
};
const GLOBALS = v3Globals({ call: nothing, outcome: nothing, context: nothing, clock: nothing });
/** In the order in which the prover in the page gives their values. */
const PARAMETERS: readonly string[] = [...Object.keys(GLOBALS), ...PROBES, 'console'];
const SEEN: ReadonlySet<string> = new Set([...PARAMETERS, ...LANGUAGE, ...VALUES]);
/** Names of properties that no variable can have. */
const RESERVED: ReadonlySet<string> = new Set([
  ...Object.values(tokTypes).flatMap(({ keyword }) => keyword ?? []),
  ...'arguments await enum eval implements interface let package private protected public static yield'.split(' '),
]);

/**
 * The code with nothing in scope but V3’s globals and the language’s: all other names that it has fail where they’re used,
 * as names that nothing defines, so that it can’t reach the page by name. Its lines are its own, with one line before
 * them. Fails with the line and column.
 */
export function embed(code: string): Result<Embedded> {
  const [problem] = checkCode(code);
  if (problem) return errorAt(problem.code, problem.message, problem.line, problem.column);
  try {
    const options = { ecmaVersion: 'latest', sourceType: 'script', allowHashBang: false, locations: true } as const;
    const program = parse(`'use strict';\n${code}`, options);
    const { names, asked, imports } = readNames(program);
    if (imports) return refused('import()', imports.line - 1, imports.column + 1);
    if (freeNames(program).includes('eval')) return refused('eval');
    const hidden = [...names].filter((name) => !SEEN.has(name) && !RESERVED.has(name));
    // Never initialized, so that using it fails. Only `typeof` must not.
    const failing = variables(hidden.filter((name) => !asked.has(name)));
    const missing = variables(hidden.filter((name) => asked.has(name)));
    const text = `function(${PARAMETERS.join(',')}){'use strict';${missing}{\n${code}\nreturn execute;\n}${failing}}`;
    return { ok: true, value: text as Embedded };
  } catch (thrown) {
    const { loc, message } = thrown as SyntaxError & { loc?: { line: number; column: number } };
    const text = `code isn’t valid in strict mode: ${message.replace(/ \(\d+:\d+\)$/, '')}.`;
    return errorAt('CODE_VALIDATION_FAILED', text, loc && loc.line - 1, loc && loc.column + 1);
  }
}

interface Position {
  line: number;
  column: number;
}

const variables = (names: readonly string[]): string => (names.length > 0 ? `let ${names.join(',')};` : '');

interface Names {
  /** Also those of properties. */
  names: ReadonlySet<string>;
  /** Those whose type is asked for. */
  asked: ReadonlySet<string>;
  /** Where a module is loaded. */
  imports: Position | null;
}

function readNames(program: Program): Names {
  const names = new Set<string>();
  const asked = new Set<string>();
  let imports: Position | null = null;
  // A loop: code can be nested as deeply as the parser allows.
  const open: unknown[] = [program];
  while (open.length > 0) {
    const node = open.pop() as (Partial<AnyNode> & { name?: unknown }) | null;
    if (typeof node !== 'object' || node === null) continue;
    if (node.type === 'Identifier') names.add(String(node.name));
    if (node.type === 'UnaryExpression' && node.operator === 'typeof' && node.argument?.type === 'Identifier')
      asked.add(node.argument.name);
    if (node.type === 'ImportExpression') imports = node.loc?.start ?? null;
    // One by one: a list can be longer than a call’s arguments.
    for (const part of Object.values(node)) open.push(part);
  }
  return { names, asked, imports };
}

/** @param what reaches the page, and can’t be hidden */
const refused = (what: string, line?: number, column?: number): { ok: false; error: ErrorValue } =>
  errorAt('CODE_VALIDATION_FAILED', `a proof doesn’t run ${what}, which would reach the page.`, line, column);

function errorAt(code: string, why: string, line?: number, column?: number): { ok: false; error: ErrorValue } {
  const place = line === undefined ? '' : ` Line ${line}, column ${column}.`;
  const error = { code, message: `Couldn’t run the code: ${why}${place}`, hint: 'Correct the code, then try again.' };
  return { ok: false, error };
}
