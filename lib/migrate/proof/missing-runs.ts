/** Says which run would show a mistake in the code, with the names that the pipeline has. */
import type { AnyNode, BinaryExpression, CallExpression, Expression, PrivateIdentifier } from 'acorn';

/** Longer expressions are cut. */
const MAX_LENGTH = 60;

export const reaching = (path: string): string => `a run that gets to ${path}`;

/** @param source of an expression */
export const inWhich = (source: string, what: string): string => `a run in which ${nameOf(source)} ${what}`;

/** An expression as in the pipeline, whose names are those of the context. */
export function nameOf(source: string): string {
  const name = source.replace(/(?<![\p{L}\d_$.])data\.(?=[\p{L}_$])/gu, '').replace(/\s+/g, ' ');
  return name.length > MAX_LENGTH ? `${name.slice(0, MAX_LENGTH)}…` : name;
}

/** What a call is of: a package, or a function of the platform. */
export function calledName({ callee, arguments: given }: CallExpression, source: string): string {
  const [first] = given;
  const isPackage = callee.type === 'Identifier' && callee.name === 'run' && first?.type === 'Literal';
  return isPackage ? String(first.value) : source.slice(source.lastIndexOf('.') + 1);
}

/** A run in which both sides are equal, but of different types. */
export function equalInOtherTypes({ left, right }: BinaryExpression, text: (node: AnyNode) => string): string {
  const sides: [Expression | PrivateIdentifier, Expression | PrivateIdentifier][] = [
    [left, right],
    [right, left],
  ];
  for (const [literal, other] of sides)
    if (literal.type === 'Literal' && other.type !== 'Literal')
      return inWhich(text(other), `is ${equalTo(literal.value)}`);
  return `a run in which ${nameOf(text(left))} and ${nameOf(text(right))} are equal, but of different types`;
}

/** Examples of what equals a value, but has another type. */
function equalTo(value: unknown): string {
  if (value === null) return 'missing';
  if (value === true) return 'the number 1 or the string “1”';
  if (value === false) return 'the number 0 or an empty string';
  if (typeof value === 'number') return `the string “${value}”`;
  const isNumber = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
  return isNumber ? `the number ${Number(value)}` : `a list with only “${String(value)}”`;
}
