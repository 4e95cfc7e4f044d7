/** Prints settings whose strings contain `{{expressions}}`, as the platform’s packages fill them in. */
import { type Expression, parseCondition } from '../../pipeline/syntax.ts';
import { ConditionError, templateParts } from '../../pipeline/index.ts';
import { assigned, bracketed, type Doc } from './doc.ts';
import { access, isPlainName, printExpression } from './expression.ts';
import { type Kind, kindOf } from './kinds.ts';
import * as literals from './literals.ts';
import type { Scope } from './scope.ts';
import { string, templateLiteral } from './text.ts';
import { UntranslatableError } from './untranslatable.ts';

export interface Filled {
  doc: Doc;
  kind: Kind;
}

/** Characters of an expression in a message. */
const SHOWN = 200;

/** @throws UntranslatableError */
export function printSource(source: string, scope: Scope): Filled {
  const { doc, kind } = parsed(source, scope);
  return { doc, kind };
}

function parsed(source: string, scope: Scope): Filled & { tree: Expression } {
  return orRefused(source, () => {
    const tree = parseCondition(source);
    return { tree, doc: printExpression(tree, scope), kind: kindOf(tree, (name) => scope.kindOf(name)) };
  });
}

function orRefused<T>(source: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof ConditionError)) throw thrown;
    const shown = source.length > SHOWN ? `${source.slice(0, SHOWN)}…` : source;
    throw new UntranslatableError(`V2 can’t evaluate ${JSON.stringify(shown)} either: ${thrown.message}`);
  }
}

/** A statement that assigns the value of an expression to a name of the context. */
export function printAssignment(name: string, source: string, scope: Scope): Filled {
  const { doc, kind, tree } = parsed(source, scope);
  const target: Doc = ['data', access(name)];
  const { operator, left, right } = tree.kind === 'binary' ? tree : { operator: '', left: null, right: null };
  const isOwn = left?.kind === 'name' && left.name === name && scope.local(name) === null && isPlainName(name);
  if (!isOwn || !right || !/^(?:[-+*/%]|\*\*)$/.test(operator)) return { doc: assigned([target, ' ='], doc), kind };
  return { doc: assigned([target, ` ${operator}=`], printExpression(right, scope)), kind };
}

/** A setting. A string that consists of a single expression has the expression’s value, unless it’s escaped. */
export function printFilled(value: unknown, scope: Scope, escape?: 'html'): Filled {
  if (typeof value === 'string') return printText(value, scope, escape);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => printFilled(item, scope).doc);
    return { doc: bracketed('[', items, ']'), kind: 'array' };
  }
  if (typeof value === 'object' && value !== null && literals.value(value) !== null) {
    const entries = Object.entries(value).map(([name, item]): [string, Doc] => [name, printFilled(item, scope).doc]);
    return { doc: literals.object(entries), kind: 'object' };
  }
  const doc = literals.value(value);
  if (doc === null) throw new UntranslatableError('The settings contain a value that isn’t JSON.');
  return { doc, kind: value === null ? 'null' : (typeof value as Kind) };
}

function printText(text: string, scope: Scope, escape?: 'html'): Filled {
  const parts = orRefused(text, () => templateParts(text));
  const [first] = parts;
  if (typeof first === 'object' && parts.length === 1 && !escape) return printSource(first.source, scope);
  const strings = [''];
  const values: { doc: Doc; isString: boolean }[] = [];
  for (const part of parts) {
    if (typeof part === 'string') strings[values.length] = part;
    else strings[values.push(printValue(part.source, scope, escape))] = '';
  }
  const [only] = values;
  if (only?.isString && values.length === 1 && strings.every((each) => each === ''))
    return { doc: only.doc, kind: 'string' };
  return {
    doc: templateLiteral(
      strings,
      values.map(({ doc }) => doc),
    ),
    kind: 'string',
  };
}

function printValue(source: string, scope: Scope, escape?: 'html'): { doc: Doc; isString: boolean } {
  const { doc, kind } = printSource(source, scope);
  const isPlain = kind === 'number' || kind === 'boolean' || (kind === 'string' && !escape);
  if (isPlain) return { doc, isString: kind === 'string' };
  const helper = escape ? 'html' : 'text';
  scope.use(helper);
  return { doc: bracketed(`${helper}(`, [doc], ')'), isString: true };
}

/** A setting that has to be a string when the step runs. */
export function printString(value: unknown, scope: Scope, [step, setting]: [string, string], escape?: 'html'): Doc {
  const { doc, kind } = printFilled(value, scope, escape);
  if (kind === 'string') return doc;
  scope.use('requireString');
  return bracketed('requireString(', [doc, string(step), string(setting)], ')');
}
