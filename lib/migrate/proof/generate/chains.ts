/** Finds the members that an expression reads, and the values that it compares them with. */
import { ConditionError } from '../../../pipeline/index.ts';
import { type Argument, type Expression, type Key, type Node, parseCondition } from '../../../pipeline/syntax.ts';

/** A name of the context and the keys after it. `*` is any item of an array. */
export type Chain = readonly string[];

/**
 * @param values what the member is compared with
 * @param other the member that it’s compared with
 */
export type OnChain = (chain: Chain, values: readonly unknown[], other?: Chain) => void;

const COMPARED: ReadonlySet<string> = new Set(['==', '===', '!=', '!==', '<', '>', '<=', '>=', 'in', '%']);
/** Methods whose function receives the items of an array. */
const WITH_ITEMS: ReadonlySet<string> = new Set(
  'every filter find findIndex findLast findLastIndex flatMap forEach map some'.split(' '),
);
/** Methods that return an array with items of it, and those that return one of its items. */
const ITEMS: ReadonlySet<string> = new Set(
  'filter slice concat toSorted sort toReversed reverse toSpliced flat'.split(' '),
);
const ITEM: ReadonlySet<string> = new Set(['find', 'findLast', 'at']);

/** @param resolve what a name of the context is, such as the item of a loop. Null if it isn’t known. */
export function findChains(source: string, resolve: (name: string) => Chain | null, onChain: OnChain): void {
  try {
    new Finder(resolve, onChain).visit(parseCondition(source));
  } catch (thrown) {
    if (!(thrown instanceof ConditionError)) throw thrown;
  }
}

/** The chain that a whole expression is. Null if it’s anything else. */
export function chainOfSource(source: string, resolve: (name: string) => Chain | null): Chain | null {
  try {
    return new Finder(resolve, () => undefined).chain(parseCondition(source));
  } catch (thrown) {
    if (thrown instanceof ConditionError) return null;
    throw thrown;
  }
}

class Finder {
  readonly #resolve: (name: string) => Chain | null;
  readonly #onChain: OnChain;
  /** What the parameters of the enclosing arrow functions are, innermost last. */
  readonly #parameters: (Chain | null)[][] = [];

  constructor(resolve: (name: string) => Chain | null, onChain: OnChain) {
    this.#resolve = resolve;
    this.#onChain = onChain;
  }

  visit(node: Node): void {
    const chain = isExpression(node) ? this.chain(node) : null;
    if (chain) this.#onChain(chain, []);
    if (node.kind === 'binary' && COMPARED.has(node.operator)) this.#compared(node.left, node.right);
    if (node.kind === 'methodCall') return this.#methodCall(node);
    if (node.kind === 'arrow') return this.#arrow(node, []);
    for (const part of partsOf(node)) this.visit(part);
  }

  /** Null if it isn’t a chain of known keys. */
  chain(node: Argument): Chain | null {
    if (node.kind === 'chain') return this.chain(node.expression);
    if (node.kind === 'name') return this.#resolve(node.name);
    if (node.kind === 'parameter') return this.#parameters.at(-1 - node.depth)?.[node.index] ?? null;
    if (node.kind === 'member') return this.#member(node.object, node.key);
    if (node.kind !== 'methodCall' || typeof node.key !== 'string') return null;
    const object = this.chain(node.object);
    if (object && ITEM.has(node.key)) return [...object, '*'];
    return object && ITEMS.has(node.key) ? object : null;
  }

  #member(object: Expression, key: Key | Expression): Chain | null {
    const chain = this.chain(object);
    if (!chain) return null;
    if (typeof key === 'number' || (typeof key === 'object' && key.kind !== 'literal')) return [...chain, '*'];
    return [...chain, String(typeof key === 'object' ? (key as { value: unknown }).value : key)];
  }

  #compared(left: Expression, right: Expression): void {
    const [first, second] = [this.chain(left), this.chain(right)];
    if (first && second) this.#onChain(first, [], second);
    for (const [one, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const chain = this.chain(one);
      const value = other.kind === 'unary' && other.operator === '-' ? other.operand : other;
      if (!chain || value.kind !== 'literal') continue;
      this.#onChain(chain, [value === other ? value.value : -Number(value.value)]);
    }
  }

  #methodCall(node: Expression & { kind: 'methodCall' }): void {
    const object = this.chain(node.object);
    const literals = node.args.flatMap((arg) => (arg.kind === 'literal' ? [arg.value] : []));
    if (object && literals.length > 0) this.#onChain(object, literals);
    this.visit(node.object);
    const items = object && typeof node.key === 'string' && WITH_ITEMS.has(node.key) ? [[...object, '*']] : [];
    for (const arg of node.args) {
      if (arg.kind === 'arrow') this.#arrow(arg, items);
      else this.visit(arg);
    }
  }

  #arrow({ body }: Argument & { kind: 'arrow' }, parameters: (Chain | null)[]): void {
    this.#parameters.push(parameters);
    this.visit(body);
    this.#parameters.pop();
  }
}

const isExpression = (node: Node): node is Expression =>
  node.kind !== 'arrow' && node.kind !== 'spread' && node.kind !== 'property';

function partsOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((part): part is Node => typeof part === 'object' && part !== null && 'kind' in part);
}
