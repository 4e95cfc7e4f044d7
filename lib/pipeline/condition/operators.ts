/* oxlint-disable eqeqeq -- == and != keep their JavaScript meaning */
/** Owns the operators of the condition language and how tightly each binds. */
import { boundText } from './limits.ts';
import type { Evaluate } from './closure.ts';

type Both = (left: Evaluate, right: Evaluate) => Evaluate;
type Numbers = (left: number, right: number) => unknown;

// JavaScript's operators convert what they are given; the types here only let them be written.
const numbers =
  (operate: Numbers): Both =>
  (left, right) =>
  (c, s) =>
    operate(left(c, s) as number, right(c, s) as number);

/** Binary operators: how tightly they bind, and the closure that they make. `**` alone binds to the right. */
export const BINARY: ReadonlyMap<string, readonly [rank: number, make: Both]> = new Map<string, [number, Both]>([
  ['??', [1, (left, right) => (c, s) => left(c, s) ?? right(c, s)]],
  ['||', [2, (left, right) => (c, s) => left(c, s) || right(c, s)]],
  ['&&', [3, (left, right) => (c, s) => left(c, s) && right(c, s)]],
  ['==', [4, (left, right) => (c, s) => left(c, s) == right(c, s)]],
  ['!=', [4, (left, right) => (c, s) => left(c, s) != right(c, s)]],
  ['===', [4, (left, right) => (c, s) => left(c, s) === right(c, s)]],
  ['!==', [4, (left, right) => (c, s) => left(c, s) !== right(c, s)]],
  ['<', [5, numbers((left, right) => left < right)]],
  ['>', [5, numbers((left, right) => left > right)]],
  ['<=', [5, numbers((left, right) => left <= right)]],
  ['>=', [5, numbers((left, right) => left >= right)]],
  ['in', [5, (left, right) => (c, s) => isIn(left(c, s), right(c, s))]],
  ['+', [6, numbers(add)]],
  ['-', [6, numbers((left, right) => left - right)]],
  ['*', [7, numbers((left, right) => left * right)]],
  ['/', [7, numbers((left, right) => left / right)]],
  ['%', [7, numbers((left, right) => left % right)]],
  ['**', [8, numbers((left, right) => left ** right)]],
]);

export const UNARY: ReadonlyMap<string, (operand: Evaluate) => Evaluate> = new Map<
  string,
  (operand: Evaluate) => Evaluate
>([
  ['!', (operand) => (c, s) => !operand(c, s)],
  ['-', (operand) => (c, s) => -(operand(c, s) as number)],
  ['+', (operand) => (c, s) => Number(operand(c, s))],
  ['typeof', (operand) => (c, s) => typeof operand(c, s)],
  ['void', (operand) => (c, s) => void operand(c, s)],
]);

function add(left: number, right: number): unknown {
  const sum: unknown = left + right;
  if (typeof sum === 'string') boundText(sum.length);
  return sum;
}

/** Own properties only, as everywhere in the language. */
function isIn(key: unknown, object: unknown): boolean {
  if (typeof object !== 'object' || object === null) throw new TypeError('The right side of in is not an object.');
  return Object.hasOwn(object, typeof key === 'symbol' ? key : String(key));
}
