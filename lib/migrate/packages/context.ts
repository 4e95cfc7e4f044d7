/** Packages that only compute: set-context, return-string, fail, if, and wait. */
import { bracketed, group, type Doc } from '../print/doc.ts';
import { type Filled, printAssignment, printFilled, printSource } from '../print/filled.ts';
import * as literals from '../print/literals.ts';
import { type OwnPackage, typeError } from './types.ts';

const LONGEST_WAIT = 2 ** 31 - 1;

export const setContext: OwnPackage = {
  writes: ({ assign }) => (isObject(assign) ? Object.keys(assign) : []),
  returns: false,
  print({ settings: { assign }, scope }) {
    if (!isObject(assign))
      return {
        statements: [typeError('set-context: the setting "assign" must be an object of names and expressions.')],
      };
    const statements: Doc[] = [];
    for (const [name, expression] of Object.entries(assign)) {
      if (typeof expression !== 'string') {
        const message = `set-context: the expression of "${name}" must be a string. Write a string value as "'text'".`;
        return { statements: [...statements, typeError(message)] };
      }
      const { doc, kind } =
        name === '__proto__' ? definition(printSource(expression, scope)) : printAssignment(name, expression, scope);
      statements.push([doc, ';']);
      scope.know(name, kind);
    }
    return { statements };
  },
};

/** Assigning to `__proto__` would set the prototype. */
function definition({ doc, kind }: Filled): Filled {
  const property = literals.object([
    ['value', doc],
    ['writable', 'true'],
    ['enumerable', 'true'],
    ['configurable', 'true'],
  ]);
  return { doc: bracketed('Object.defineProperty(', ['data', "'__proto__'", property], ')'), kind };
}

export const returnString: OwnPackage = {
  writes: () => [],
  returns: true,
  print({ settings: { message }, scope }) {
    if (typeof message !== 'string')
      return { statements: [typeError('return-string: the setting "message" must be a string.')] };
    return { value: asString(message, scope) };
  },
};

export const fail: OwnPackage = {
  writes: () => [],
  returns: false,
  print({ settings: { message }, scope }) {
    if (typeof message !== 'string')
      return { statements: [typeError('fail: the setting "message" must be a string.')] };
    return { statements: [group('throw ', bracketed('new Error(', [asString(message, scope)], ')'), ';')] };
  },
};

/** A message of any kind, converted to a string. */
function asString(message: string, scope: Parameters<typeof printSource>[1]): Doc {
  const { doc, kind } = printFilled(message, scope);
  if (kind === 'string') return doc;
  const isPlain = kind === 'number' || kind === 'boolean';
  if (!isPlain) scope.use('text');
  return bracketed(isPlain ? 'String(' : 'text(', [doc], ')');
}

export const ifPackage: OwnPackage = {
  writes: () => [],
  returns: false,
  print({ settings: { condition }, scope }) {
    if (typeof condition !== 'string')
      return { statements: [typeError('if: the setting "condition" must be a string with an expression.')] };
    return { test: printSource(condition, scope).doc };
  },
};

export const wait: OwnPackage = {
  writes: () => [],
  returns: false,
  print({ settings: { ms } }) {
    if (!(typeof ms === 'number' && ms >= 0 && ms <= LONGEST_WAIT)) {
      const message = `wait: the setting "ms" must be a number of milliseconds from 0 to ${LONGEST_WAIT}.`;
      return { statements: [typeError(message)] };
    }
    return { statements: [`await new Promise((resolve) => setTimeout(resolve, ${ms}));`] };
  },
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
