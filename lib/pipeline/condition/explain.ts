/** Explains a condition: evaluates it as the engine does, and reports the value of each part of it. */
import type { ConditionSources, Context } from '../types.ts';
import { NOTHING } from './chains.ts';
import { compileTree } from './closures.ts';
import { evaluateCondition } from './compile.ts';
import type { Evaluate } from './evaluate.ts';
import { GLOBALS } from './globals.ts';
import { parseCondition } from './syntax/parser.ts';
import { withSources } from './sources.ts';
import type { Argument, BinaryOperator, Expression, Key, UnaryOperator } from './syntax/tree.ts';

/** A part of a condition, and what it evaluated to. */
export interface Explanation {
  /** The part as written. */
  readonly text: string;
  /** Offset into the condition. */
  readonly start: number;
  /** Offset into the condition, exclusive. */
  readonly end: number;
  readonly kind: Expression['kind'];
  /** Of a part with an operator, such as `&&`. */
  readonly operator?: UnaryOperator | BinaryOperator;
  /** Of a member: its name or index. A computed one only if it was evaluated, as its last value. */
  readonly key?: Key;
  /** A name from the safe list, such as `Math`, rather than from the context. */
  readonly isGlobal?: true;
  /** `not-evaluated`: an earlier part decided, as in `false && x`. `failed`: this part threw an error, or a part of it did. */
  readonly state: 'evaluated' | 'failed' | 'not-evaluated';
  /** The last value. Undefined unless it was evaluated. */
  readonly value: unknown;
  /** How often it was evaluated. More than once only inside an arrow function. */
  readonly times: number;
  /** The error of the innermost part that failed. */
  readonly error?: unknown;
  /** The parts of this part, as written from left to right. */
  readonly parts: readonly Explanation[];
}

interface Seen {
  value: unknown;
  times: number;
  failed: boolean;
  error: unknown;
}

/**
 * Evaluates a condition for a context, with the same result, limits, and errors as `compileCondition`. An error is
 * reported in the explanation.
 * @throws ConditionError `INVALID_CONDITION` with the 1-based column
 */
export function explainCondition(source: string, context: Context, sources: ConditionSources = {}): Explanation {
  const tree = parseCondition(source);
  const seen = new Map<Expression, Seen>();
  const watch =
    (node: Expression, evaluate: Evaluate): Evaluate =>
    (values, scope) => {
      const entry = seen.get(node) ?? { value: undefined, times: 0, failed: false, error: undefined };
      seen.set(node, entry);
      entry.times++;
      try {
        const value = evaluate(values, scope);
        entry.value = value === NOTHING ? undefined : value;
        return value;
      } catch (error) {
        entry.failed = true;
        entry.error = error;
        throw error;
      }
    };
  let failure: { error: unknown } | null = null;
  try {
    withSources(sources, (values) => evaluateCondition(compileTree(tree, source, watch), values, source), context);
  } catch (error) {
    failure = { error };
  }
  const explanation = explain(tree, { source, seen, context });
  // An error that isn’t from a part, such as a limit, has a message of its own.
  return failure ? { ...explanation, error: failure.error } : explanation;
}

interface Evaluation {
  source: string;
  seen: ReadonlyMap<Expression, Seen>;
  context: Context;
}

function explain(node: Expression, evaluation: Evaluation): Explanation {
  const { source, seen, context } = evaluation;
  const { kind, start, end } = node;
  const { value, times = 0, failed = false, error } = seen.get(node) ?? {};
  const key = keyOf(node, seen);
  return {
    text: source.slice(start, end),
    start,
    end,
    kind,
    ...('operator' in node && { operator: node.operator }),
    ...(key !== undefined && { key }),
    ...(kind === 'name' && isGlobal(node.name, context) && { isGlobal: true as const }),
    state: failed ? 'failed' : times > 0 ? 'evaluated' : 'not-evaluated',
    value: failed ? undefined : value,
    times,
    ...(failed && { error }),
    parts: partsOf(node).map((part) => explain(part, evaluation)),
  };
}

const isGlobal = (name: string, context: Context): boolean => GLOBALS.has(name) && !Object.hasOwn(context, name);

function keyOf(node: Expression, seen: ReadonlyMap<Expression, Seen>): Key | undefined {
  const link = node.kind === 'chain' ? node.expression : node;
  if (link.kind !== 'member') return undefined;
  if (typeof link.key !== 'object') return link.key;
  const computed = seen.get(link.key)?.value;
  return typeof computed === 'string' || typeof computed === 'number' ? computed : undefined;
}

function partsOf(node: Expression): Expression[] {
  switch (node.kind) {
    case 'template':
      return [...node.values];
    case 'member':
      return [node.object, ...computed(node.key)];
    case 'call':
      return [node.callee, ...node.args.map(bodyOf)];
    case 'methodCall':
      return [node.object, ...computed(node.key), ...node.args.map(bodyOf)];
    case 'chain':
      // It has the same text.
      return partsOf(node.expression);
    case 'unary':
      return [node.operand];
    case 'binary':
      return [node.left, node.right];
    case 'conditional':
      return [node.test, node.consequent, node.alternate];
    case 'array':
      return node.items.map(bodyOf);
    case 'object':
      return node.properties.flatMap((one) =>
        one.kind === 'property' ? [...computed(one.key), one.value] : [one.value],
      );
    default:
      return [];
  }
}

const computed = (key: Key | Expression): Expression[] => (typeof key === 'object' ? [key] : []);

const bodyOf = (node: Argument): Expression =>
  node.kind === 'arrow' ? node.body : node.kind === 'spread' ? node.value : node;
