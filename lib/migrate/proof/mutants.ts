/** Wrong versions of the code, each with one mistake that a translation could have made. */
import { type AnyNode, type CallExpression, type ForStatement, type IfStatement, parse } from 'acorn';
import { pathsIn } from '../paths.ts';
import { calledName, equalInOtherTypes, inWhich, nameOf, reaching } from './missing-runs.ts';

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

/** A node, the step that has it, and its code. */
interface Found<Node = AnyNode> {
  node: Node;
  path: string;
  text(range: Range): string;
}

const mistake = (what: string, missing: string, { start, end }: Range, text: string): Mistake => ({
  mistake: what,
  missing,
  start,
  end,
  text,
});

const after = ({ end }: Range): Range => ({ start: end, end });

/** Mistakes in one node of the syntax tree. */
function mistakesIn({ node, path, text }: Found): Mistake[] {
  switch (node.type) {
    case 'AwaitExpression':
      return node.argument.type === 'CallExpression' ? mistakesInAwait({ node: node.argument, path, text }, node) : [];
    case 'BinaryExpression': {
      if (node.operator !== '==' && node.operator !== '!=') return [];
      const strict = `${text(node.left)} ${node.operator}= ${text(node.right)}`;
      return [mistake('== is stricter', equalInOtherTypes(node, text), node, strict)];
    }
    case 'ForStatement':
      return mistakesInLoop({ node, path, text });
    case 'IfStatement':
      return mistakesInIf({ node, path, text });
    case 'CallExpression':
      return mistakesInCall({ node, path, text });
    case 'AssignmentExpression': {
      if (node.left.type !== 'Identifier' || node.left.name !== 'result') return [];
      const missing = `a run in which a step before ${path} returns something else than undefined`;
      return [mistake('the first result wins', missing, node, `result ??= ${text(node.right)}`)];
    }
    case 'ReturnStatement':
      return node.argument ? [mistake('the result is missing', reaching(path), node, 'return;')] : [];
    case 'ExpressionStatement':
      return [mistake('a statement is missing', withoutStatement({ node: node.expression, path, text }), node, ';')];
    default:
      return [];
  }
}

function mistakesInAwait({ node, path, text }: Found<CallExpression>, whole: Range): Mistake[] {
  const name = calledName(node, text(node.callee));
  const called = `a run in which ${path} calls ${name}`;
  const found = [mistake('an await is missing', called, whole, text(node))];
  if (node.callee.type !== 'Identifier' || node.callee.name !== 'run') return found;
  // The step’s own value would have replaced the result.
  const kept = `(async (kept) => { try { return await ${text(node)}; } finally { result = kept; } })(result)`;
  const missing = `a run in which ${path} (${name}) returns something else than undefined, and no later step does`;
  return [...found, mistake('the result is that of another step', missing, whole, `await ${kept}`)];
}

function withoutStatement({ node, path, text }: Found): string {
  const isName = node.type === 'AssignmentExpression' && node.left.type === 'MemberExpression';
  return isName ? `a run in which ${path} changes ${nameOf(text(node.left))}` : reaching(path);
}

function mistakesInLoop({ node: { init, test }, path, text }: Found<ForStatement>): Mistake[] {
  // An index loop over an array also checks the array’s length at the time.
  if (test?.type === 'LogicalExpression') {
    const missing = `a run in which a step in ${path} adds an item to the list`;
    return [mistake('items that the loop adds are included', missing, test, text(test.right))];
  }
  if (test?.type !== 'BinaryExpression' || test.operator !== '<=') return [];
  const from = init?.type === 'VariableDeclaration' ? init.declarations[0]?.init : null;
  const last = `a run in which the loop ${path} gets to its last number, ${nameOf(text(test.right))}`;
  return [
    mistake('the range has no last number', last, test, `${text(test.left)} < ${text(test.right)}`),
    ...(from ? [mistake('the range has no first number', `a run of the loop ${path}`, from, `${text(from)} + 1`)] : []),
  ];
}

function mistakesInIf({ node: { test, consequent, alternate }, path, text }: Found<IfStatement>): Mistake[] {
  const isSkip = test.type === 'AwaitExpression';
  const skipping = `a run in which ${path} skips its steps`;
  const bothTrue = `a run in which two conditions of ${path} are true`;
  return [
    mistake('a condition is reversed', reaching(path), test, `!(${text(test)})`),
    ...(isSkip && !alternate
      ? [mistake('a skipped step ends the action', skipping, after(consequent), ' else return result;')]
      : []),
    ...(alternate?.type === 'IfStatement'
      ? [
          mistake(
            'every block whose condition is true runs',
            bothTrue,
            { start: consequent.end, end: alternate.start },
            '\n',
          ),
        ]
      : []),
  ];
}

function mistakesInCall({ node, path, text }: Found<CallExpression>): Mistake[] {
  const { callee } = node;
  const [first, second] = node.arguments;
  if (callee.type !== 'Identifier' || !first) return [];
  const value = text(first);
  const { name } = callee;
  if (name === 'run' && second) {
    const missing = `a run in which ${path} calls ${calledName(node, 'run')} twice`;
    return [mistake('all calls share their settings', missing, second, `(execute.settings ??= ${text(second)})`)];
  }
  if (name === 'html') {
    const missing = inWhich(value, 'has a character such as <');
    return [mistake('HTML isn’t escaped', missing, callee, 'text')];
  }
  if (name === 'text')
    return [mistake('a value is printed by JavaScript', inWhich(value, 'is missing, or an object'), node, value)];
  const missing = inWhich(value, 'isn’t a string');
  return name === 'requireString' ? [mistake('a setting isn’t checked', missing, node, value)] : [];
}

/**
 * Wrong versions, in the order of the code. Helpers stay as they are. Empty if the code isn’t valid.
 * @param limit maximum number. If there are more, those are chosen that are spread over the code
 */
export function mutantsOf(code: string, limit = Infinity): Mutant[] {
  const text = ({ start, end }: Range): string => code.slice(start, end);
  const placeOf = placesIn(code);
  const all = statementsOf(code)
    .flatMap((statement) => nodesIn(statement))
    .flatMap((node) => mistakesIn({ node, path: placeOf(node.start).path, text }))
    .map((each) => ({ each, ...placeOf(each.start) }))
    .filter(({ path }) => path !== '')
    .sort((one, other) => one.line - other.line);
  return spread(all, limit).map(({ each: { mistake: what, missing, start, end, text: instead }, line, path }) => ({
    mistake: what,
    missing,
    path,
    line,
    code: code.slice(0, start) + instead + code.slice(end),
  }));
}

const spread = <T>(all: readonly T[], limit: number): readonly T[] =>
  all.length <= limit
    ? all
    : Array.from({ length: limit }, (_, index) => all[Math.floor((index * all.length) / limit)] as T);

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
