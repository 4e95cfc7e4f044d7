/* oxlint-disable eqeqeq -- == and != keep their JavaScript meaning */
/** Defines the operators of conditions: their precedence, and the closures they compile to. */
import type { Evaluate } from './evaluate.ts';
import { inheritedProperty } from './getters.ts';
import { boundLength, spendOnEquality, spendOnOrder, spendOnText } from './limits.ts';
import type { BinaryOperator, UnaryOperator } from './syntax/tree.ts';

type MakeBinary = (left: Evaluate, right: Evaluate) => Evaluate;
type MakeUnary = (operand: Evaluate) => Evaluate;

type Operate = (left: number, right: number) => unknown;

// Operands are converted as in JavaScript. The casts to number only satisfy the type checker.
const both =
  (operate: Operate): MakeBinary =>
  (left, right) =>
  (c, s) =>
    operate(left(c, s) as number, right(c, s) as number);

const numeric = (operate: Operate): MakeBinary =>
  both((left, right) => {
    if (typeof left !== 'number') spendOnText(left);
    if (typeof right !== 'number') spendOnText(right);
    return operate(left, right);
  });

const ordering = (operate: Operate): MakeBinary =>
  both((left: unknown, right: unknown) => {
    if (typeof left === 'string' && typeof right === 'string') spendOnOrder(left, right);
    else if (typeof left !== 'number' || typeof right !== 'number') {
      spendOnText(left);
      spendOnText(right);
    }
    return operate(left as number, right as number);
  });

/** Only `**` is right-associative. */
export const BINARY: Readonly<Record<BinaryOperator, readonly [precedence: number, make: MakeBinary]>> = {
  '??': [1, (left, right) => (c, s) => left(c, s) ?? right(c, s)],
  '||': [2, (left, right) => (c, s) => left(c, s) || right(c, s)],
  '&&': [3, (left, right) => (c, s) => left(c, s) && right(c, s)],
  '==': [4, (left, right) => (c, s) => isLooselyEqual(left(c, s), right(c, s))],
  '!=': [4, (left, right) => (c, s) => !isLooselyEqual(left(c, s), right(c, s))],
  '===': [4, (left, right) => (c, s) => isEqual(left(c, s), right(c, s))],
  '!==': [4, (left, right) => (c, s) => !isEqual(left(c, s), right(c, s))],
  '<': [5, ordering((left, right) => left < right)],
  '>': [5, ordering((left, right) => left > right)],
  '<=': [5, ordering((left, right) => left <= right)],
  '>=': [5, ordering((left, right) => left >= right)],
  in: [5, (left, right) => (c, s) => isIn(left(c, s), right(c, s))],
  '+': [6, both(add)],
  '-': [6, numeric((left, right) => left - right)],
  '*': [7, numeric((left, right) => left * right)],
  '/': [7, numeric((left, right) => left / right)],
  '%': [7, numeric((left, right) => left % right)],
  '**': [8, numeric((left, right) => left ** right)],
};

export const UNARY: Readonly<Record<UnaryOperator, MakeUnary>> = {
  '!': (operand) => (c, s) => !operand(c, s),
  '-': (operand) => (c, s) => -toConvert(operand(c, s)),
  // Unlike Number(), it refuses a BigInt.
  '+': (operand) => (c, s) => +toConvert(operand(c, s)),
  typeof: (operand) => (c, s) => typeof operand(c, s),
  void: (operand) => (c, s) => void operand(c, s),
};

export function isBinaryOperator(text: string): text is BinaryOperator {
  return Object.hasOwn(BINARY, text);
}

export function isUnaryOperator(text: string): text is UnaryOperator {
  return Object.hasOwn(UNARY, text);
}

function isEqual(left: unknown, right: unknown): boolean {
  if (typeof left === 'string' && typeof right === 'string') spendOnEquality(left, right);
  return left === right;
}

function isLooselyEqual(left: unknown, right: unknown): boolean {
  if (typeof left === 'string' && typeof right === 'string') spendOnEquality(left, right);
  else if (typeof left !== typeof right && left != null && right != null) {
    spendOnText(left);
    spendOnText(right);
  }
  return left == right;
}

/** Counts the conversion of a value to a number, which the caller does. */
function toConvert(value: unknown): number {
  if (typeof value !== 'number') spendOnText(value);
  return value as number;
}

function add(left: number, right: number): unknown {
  // Strings are only joined.
  if (typeof left === 'object') spendOnText(left);
  if (typeof right === 'object') spendOnText(right);
  const sum: unknown = left + right;
  if (typeof sum === 'string') boundLength(sum.length);
  return sum;
}

/** Finds only the properties that conditions can read. */
function isIn(key: unknown, object: unknown): boolean {
  if (typeof object !== 'object' || object === null) throw new TypeError('The right side of “in” must be an object.');
  if (typeof key === 'symbol') return Object.hasOwn(object, key);
  spendOnText(key);
  const name = String(key);
  return Object.hasOwn(object, name) || inheritedProperty(object, name) !== undefined;
}
