/** Checks an action’s code against the rules of App Actions V3, and which packages it uses. */
import {
  parse,
  type AnyNode,
  type ArrowFunctionExpression,
  type Expression,
  type FunctionDeclaration,
  type FunctionExpression,
  type Program,
} from 'acorn';
import { packageOfNamespace } from './packages.ts';

/** Maximum length of an action’s code, in characters. */
export const CODE_LIMIT = 500_000;

/** A rule that the code breaks. `line` and `column` count from 1. */
export interface CodeProblem {
  code: 'CODE_EMPTY' | 'CODE_VALIDATION_FAILED';
  message: string;
  line?: number;
  column?: number;
}

type AnyFunction = FunctionDeclaration | FunctionExpression | ArrowFunctionExpression;

/** All rules that the code breaks. Empty if the platform accepts it. */
export function checkCode(code: string): CodeProblem[] {
  if (code.trim() === '') return [{ code: 'CODE_EMPTY', message: 'code must not be empty.' }];
  if (code.length > CODE_LIMIT) {
    const [limit, length] = [CODE_LIMIT, code.length].map((each) => each.toLocaleString('en'));
    return [failed(`code is limited to ${limit} characters. This one has ${length}.`)];
  }
  const parsed = parseCode(code);
  const structure = 'problem' in parsed ? [parsed.problem] : topLevelProblems(parsed.program);
  return [...braceProblems(code), ...structure];
}

/** The packages that the code uses and that `dependencies` don’t list. Empty if the code can’t be parsed. */
export function missingDependencies(code: string, dependencies: readonly string[]): string[] {
  const parsed = parseCode(code);
  if ('problem' in parsed) return [];
  const used = namespacesIn(parsed.program).map(packageOfNamespace);
  return [...new Set(used)].filter((name) => name !== undefined && !dependencies.includes(name)) as string[];
}

function parseCode(code: string): { program: Program } | { problem: CodeProblem } {
  try {
    return {
      program: parse(code, { ecmaVersion: 'latest', sourceType: 'script', allowHashBang: false, locations: true }),
    };
  } catch (error) {
    // The parser calls itself for each level of nesting.
    if (!(error instanceof SyntaxError)) return { problem: failed('code is nested too deeply.') };
    const { loc } = error as SyntaxError & { loc?: { line: number; column: number } };
    const message = `code isn’t valid JavaScript: ${error.message.replace(/ \(\d+:\d+\)$/, '')}.`;
    return { problem: loc ? failed(message, loc) : failed(message) };
  }
}

function braceProblems(code: string): CodeProblem[] {
  return ['{{', '}}'].flatMap((braces) => {
    const at = code.indexOf(braces);
    if (at < 0) return [];
    const before = code.slice(0, at).split('\n');
    const loc = { line: before.length, column: before.at(-1)!.length };
    return [failed(`code must not contain ${braces}, also not in strings. Put a space between the braces.`, loc)];
  });
}

function topLevelProblems({ body }: Program): CodeProblem[] {
  const problems: CodeProblem[] = [];
  let found = false;
  for (const node of body) {
    if (node.type === 'EmptyStatement') continue;
    const execute = found ? null : executeOf(node);
    if (!execute) {
      const message = 'code must contain nothing but the function execute. Move this into the function.';
      problems.push(failed(message, node.loc?.start));
      continue;
    }
    found = true;
    problems.push(...functionProblems(execute.value, node));
  }
  if (found) return problems;
  return [failed('code must define an async function named execute.'), ...problems];
}

/** What a statement assigns to `execute`. Null if it defines something else, or more than that. */
function executeOf(node: Program['body'][number]): { value: AnyFunction | Expression } | null {
  if (node.type === 'FunctionDeclaration') return node.id.name === 'execute' ? { value: node } : null;
  if (node.type !== 'VariableDeclaration' || node.kind === 'var' || node.declarations.length !== 1) return null;
  const [{ id, init }] = node.declarations as [(typeof node.declarations)[number]];
  return id.type === 'Identifier' && id.name === 'execute' && init ? { value: init } : null;
}

function functionProblems(value: AnyFunction | Expression, { loc }: AnyNode): CodeProblem[] {
  const isFunction =
    value.type === 'FunctionDeclaration' ||
    value.type === 'FunctionExpression' ||
    value.type === 'ArrowFunctionExpression';
  if (!isFunction || !value.async || value.generator) return [failed('execute must be an async function.', loc?.start)];
  const [first] = value.params;
  if (first?.type === 'Identifier' && first.name === 'context') return [];
  return [failed('The first parameter of execute must be context.', (first ?? value).loc?.start)];
}

/** The members of `Platform` that the code reads, such as `DataSources`. */
function namespacesIn(program: Program): string[] {
  const found: string[] = [];
  // A loop: code can be nested as deeply as the parser allows.
  const open: unknown[] = [program];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    const name = namespaceOf(node as AnyNode);
    if (name !== null) found.push(name);
    // One by one: a list can be longer than a call’s arguments.
    for (const part of Object.values(node)) open.push(part);
  }
  return found.reverse();
}

function namespaceOf(node: AnyNode): string | null {
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier' || node.object.name !== 'Platform')
    return null;
  const { property, computed } = node;
  if (!computed) return property.type === 'Identifier' ? property.name : null;
  return property.type === 'Literal' && typeof property.value === 'string' ? property.value : null;
}

const failed = (message: string, loc?: { line: number; column: number }): CodeProblem => ({
  code: 'CODE_VALIDATION_FAILED',
  message,
  ...(loc && { line: loc.line, column: loc.column + 1 }),
});
