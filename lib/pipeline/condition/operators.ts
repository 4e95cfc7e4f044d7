/* oxlint-disable eqeqeq -- == and != keep their JavaScript meaning */
/** Defines the operators of conditions: their precedence, and the closures they compile to. */
import type { Evaluate } from './evaluate.ts';
import { inheritedProperty } from './getters.ts';
import { boundLength } from './limits.ts';
import type { BinaryOperator, UnaryOperator } from './syntax/tree.ts';

type MakeBinary = (left: Evaluate, right: Evaluate) => Evaluate;
type MakeUnary = (operand: Evaluate) => Evaluate;

// Operands are converted as in JavaScript. The casts to number only satisfy the type checker.
const numeric =
  (operate: (left: number, right: number) => unknown): MakeBinary =>
  (left, right) =>
  (c, s) =>
    operate(left(c, s) as number, right(c, s) as number);

/** Only `**` is right-associative. */
export const BINARY: Readonly<Record<BinaryOperator, readonly [precedence: number, make: MakeBinary]>> = {
  '??': [1, (left, right) => (c, s) => left(c, s) ?? right(c, s)],
  '||': [2, (left, right) => (c, s) => left(c, s) || right(c, s)],
  '&&': [3, (left, right) => (c, s) => left(c, s) && right(c, s)],
  '==': [4, (left, right) => (c, s) => left(c, s) == right(c, s)],
  '!=': [4, (left, right) => (c, s) => left(c, s) != right(c, s)],
  '===': [4, (left, right) => (c, s) => left(c, s) === right(c, s)],
  '!==': [4, (left, right) => (c, s) => left(c, s) !== right(c, s)],
  '<': [5, numeric((left, right) => left < right)],
  '>': [5, numeric((left, right) => left > right)],
  '<=': [5, numeric((left, right) => left <= right)],
  '>=': [5, numeric((left, right) => left >= right)],
  in: [5, (left, right) => (c, s) => isIn(left(c, s), right(c, s))],
  '+': [6, numeric(add)],
  '-': [6, numeric((left, right) => left - right)],
  '*': [7, numeric((left, right) => left * right)],
  '/': [7, numeric((left, right) => left / right)],
  '%': [7, numeric((left, right) => left % right)],
  '**': [8, numeric((left, right) => left ** right)],
};

export const UNARY: Readonly<Record<UnaryOperator, MakeUnary>> = {
  '!': (operand) => (c, s) => !operand(c, s),
  '-': (operand) => (c, s) => -(operand(c, s) as number),
  // Unlike Number(), it refuses a BigInt.
  '+': (operand) => (c, s) => +(operand(c, s) as number),
  typeof: (operand) => (c, s) => typeof operand(c, s),
  void: (operand) => (c, s) => void operand(c, s),
};

export function isBinaryOperator(text: string): text is BinaryOperator {
  return Object.hasOwn(BINARY, text);
}

export function isUnaryOperator(text: string): text is UnaryOperator {
  return Object.hasOwn(UNARY, text);
}

function add(left: number, right: number): unknown {
  const sum: unknown = left + right;
  if (typeof sum === 'string') boundLength(sum.length);
  return sum;
}

/** Finds only the properties that conditions can read. */
function isIn(key: unknown, object: unknown): boolean {
  if (typeof object !== 'object' || object === null) throw new TypeError('The right side of “in” must be an object.');
  if (typeof key === 'symbol') return Object.hasOwn(object, key);
  const name = String(key);
  return Object.hasOwn(object, name) || inheritedProperty(object, name) !== undefined;
}
