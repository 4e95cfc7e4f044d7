/** Wrong versions of the code, each with one mistake that a translation could have made. */
import { type AnyNode, type CallExpression, type ForStatement, type IfStatement, parse } from 'acorn';
import { pathsIn } from '../paths.ts';

export interface Mutant {
  /** The mistake, in words. */
  mistake: string;
  /** A run that would show it. */
  missing: string;
  /** The step that has it. */
  path: string;
  /** 1-based line of the code. */
  line: number;
  code: string;
}

/** A mistake: what is wrong, which run would show it, and the text instead of what is from `start` to `end`. */
interface Mistake {
  mistake: string;
  missing: string;
  start: number;
  end: number;
  text: string;
}
interface Range {
  start: number;
  end: number;
}
type TextOf = (range: Range) => string;

const mistake = (
  [what, missing]: readonly [mistake: string, missing: string],
  { start, end }: Range,
  text: string,
): Mistake => ({ mistake: what, missing, start, end, text });

const after = ({ end }: Range): Range => ({ start: end, end });

/** Mistakes in one node of the syntax tree. */
function mistakesIn(node: AnyNode, text: TextOf): Mistake[] {
  switch (node.type) {
    case 'AwaitExpression':
      return node.argument.type === 'CallExpression' ? [mistake(NO_AWAIT, node, text(node.argument))] : [];
    case 'BinaryExpression': {
      if (node.operator !== '==' && node.operator !== '!=') return [];
      return [mistake(STRICT, node, `${text(node.left)} ${node.operator}= ${text(node.right)}`)];
    }
    case 'ForStatement':
      return mistakesInLoop(node, text);
    case 'IfStatement':
      return mistakesInIf(node, text);
    case 'CallExpression':
      return mistakesInCall(node, text);
    case 'AssignmentExpression':
      if (node.left.type !== 'Identifier' || node.left.name !== 'result') return [];
      return [mistake(FIRST_RESULT, node, `result ??= ${text(node.right)}`)];
    case 'ExpressionStatement':
      return [mistake(NO_STEP, node, ';')];
    default:
      return [];
  }
}

function mistakesInLoop({ init, test }: ForStatement, text: TextOf): Mistake[] {
  // An index loop over an array also checks the array’s length at the time.
  if (test?.type === 'LogicalExpression') return [mistake(LIVE_ITEMS, test, text(test.right))];
  if (test?.type !== 'BinaryExpression' || test.operator !== '<=') return [];
  const from = init?.type === 'VariableDeclaration' ? init.declarations[0]?.init : null;
  return [
    mistake(NO_LAST, test, `${text(test.left)} < ${text(test.right)}`),
    ...(from ? [mistake(NO_FIRST, from, `${text(from)} + 1`)] : []),
  ];
}

function mistakesInIf({ test, consequent, alternate }: IfStatement, text: TextOf): Mistake[] {
  const isSkip = test.type === 'AwaitExpression';
  return [
    mistake(REVERSED, test, `!(${text(test)})`),
    ...(isSkip && !alternate ? [mistake(SKIP_ENDS, after(consequent), ' else return result;')] : []),
    ...(alternate?.type === 'IfStatement'
      ? [mistake(ALL_BLOCKS, { start: consequent.end, end: alternate.start }, '\n')]
      : []),
  ];
}

function mistakesInCall(node: CallExpression, text: TextOf): Mistake[] {
  const { callee } = node;
  const [first, second] = node.arguments;
  if (callee.type !== 'Identifier' || !first) return [];
  if (callee.name === 'run' && second) return [mistake(SHARED, second, `(execute.settings ??= ${text(second)})`)];
  if (callee.name === 'html') return [mistake(NOT_ESCAPED, callee, 'text')];
  if (callee.name === 'text') return [mistake(PLAIN_VALUE, node, text(first))];
  return callee.name === 'requireString' ? [mistake(NOT_CHECKED, node, text(first))] : [];
}

const NO_AWAIT = ['an await is missing', 'a run in which the call is made'] as const;
const STRICT = ['== is stricter', 'a run in which both sides are equal, but of different types'] as const;
const LIVE_ITEMS = ['items that the loop adds are included', 'a run in which the loop adds to its array'] as const;
const NO_LAST = ['the range has no last number', 'a run in which the loop ends by itself'] as const;
const NO_FIRST = ['the range has no first number', 'a run of the loop'] as const;
const REVERSED = ['a condition is reversed', 'a run of this step'] as const;
const SKIP_ENDS = ['a skipped step ends the action', 'a run in which the package skips its steps'] as const;
const ALL_BLOCKS = ['every block whose condition is true runs', 'a run in which two conditions are true'] as const;
const FIRST_RESULT = ['the first result wins', 'a run in which a step before this one returns a value'] as const;
const NO_STEP = ['a statement is missing', 'a run of this step'] as const;
const NOT_ESCAPED = ['HTML isn’t escaped', 'a run in which the value has a character such as <'] as const;
const PLAIN_VALUE = ['a value is printed by JavaScript', 'a run in which the value is missing, or an object'] as const;
const SHARED = ['all calls share their settings', 'a run in which the package is called twice'] as const;
const NOT_CHECKED = ['a setting isn’t checked', 'a run in which the setting isn’t a string'] as const;

/** All wrong versions, in the order of the code. Helpers stay as they are. Empty if the code isn’t valid. */
export function mutantsOf(code: string): Mutant[] {
  const placeOf = placesIn(code);
  const text: TextOf = ({ start, end }) => code.slice(start, end);
  return statementsOf(code)
    .flatMap((statement) => nodesIn(statement))
    .flatMap((node) => mistakesIn(node, text))
    .map(({ mistake: what, missing, start, end, text: instead }) => {
      const mutated = code.slice(0, start) + instead + code.slice(end);
      return { mistake: what, missing, ...placeOf(start), code: mutated };
    })
    .filter(({ path }) => path !== '')
    .sort((one, other) => one.line - other.line);
}

/** Finds the line of an offset, and the step above it. By halves, because code can have thousands of each. */
function placesIn(code: string): (offset: number) => { path: string; line: number } {
  const starts = [0, ...Array.from(code.matchAll(/\n/g), ({ index }) => index + 1)];
  const paths = pathsIn(code);
  return (offset) => {
    const line = countUntil(starts, (start) => start > offset);
    const above = countUntil(paths, (path) => path.line >= line);
    return { path: paths[above - 1]?.path ?? '', line };
  };
}

/** How many items are before the first one that is over. */
function countUntil<T>(items: readonly T[], isOver: (item: T) => boolean): number {
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isOver(items[middle] as T)) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** The statements of `execute` other than its helpers. */
function statementsOf(code: string): AnyNode[] {
  try {
    const [execute] = parse(code, { ecmaVersion: 'latest', sourceType: 'script' }).body;
    const { body } = execute?.type === 'FunctionDeclaration' ? execute : { body: null };
    return (body?.body ?? []).filter(({ type }) => type !== 'FunctionDeclaration');
  } catch {
    return [];
  }
}

/** A node and all nodes in it, outermost first. */
function nodesIn(root: AnyNode): AnyNode[] {
  const nodes: AnyNode[] = [];
  const open: unknown[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if (typeof (node as { type?: unknown }).type === 'string') nodes.push(node as AnyNode);
    open.push(...Object.values(node).filter((part) => typeof part === 'object' && part !== null));
  }
  return nodes;
}
