/** Prints settings whose strings contain `{{expressions}}`, as the platform’s packages fill them in. */
import { parseCondition } from '../../pipeline/syntax.ts';
import { ConditionError } from '../../pipeline/index.ts';
import { PLACEHOLDER } from '../../shared/templates.ts';
import type { Doc } from './doc.ts';
import { bracketed } from './doc.ts';
import { printExpression } from './expression.ts';
import { type Kind, kindOf } from './kinds.ts';
import * as literals from './literals.ts';
import type { Scope } from './scope.ts';
import { templateLiteral } from './template.ts';
import { UntranslatableError } from './untranslatable.ts';

export interface Filled {
  doc: Doc;
  kind: Kind;
}

const ONLY_PLACEHOLDER = new RegExp(`^${PLACEHOLDER.source}$`);

/** @throws UntranslatableError */
export function printSource(source: string, scope: Scope): Filled {
  try {
    const tree = parseCondition(source);
    return { doc: printExpression(tree, scope), kind: kindOf(tree, (name) => scope.kindOf(name)) };
  } catch (thrown) {
    if (!(thrown instanceof ConditionError)) throw thrown;
    throw new UntranslatableError(`V2 can’t evaluate ${JSON.stringify(source)} either: ${thrown.message}`);
  }
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
  const only = escape ? null : ONLY_PLACEHOLDER.exec(text);
  if (only) return printSource(only[1] as string, scope);
  const strings: string[] = [];
  const values: Doc[] = [];
  let end = 0;
  for (const found of text.matchAll(PLACEHOLDER)) {
    strings.push(text.slice(end, found.index));
    values.push(printValue(found[1] as string, scope, escape));
    end = found.index + found[0].length;
  }
  strings.push(text.slice(end));
  return { doc: values.length === 0 ? literals.string(text) : templateLiteral(strings, values), kind: 'string' };
}

function printValue(source: string, scope: Scope, escape?: 'html'): Doc {
  const { doc, kind } = printSource(source, scope);
  const isPlain = kind === 'number' || kind === 'boolean' || (kind === 'string' && !escape);
  if (isPlain) return doc;
  const helper = escape ? 'html' : 'text';
  scope.use(helper);
  return bracketed(`${helper}(`, [doc], ')');
}

/** A setting that has to be a string when the step runs. */
export function printString(value: unknown, scope: Scope, [step, setting]: [string, string], escape?: 'html'): Doc {
  const { doc, kind } = printFilled(value, scope, escape);
  if (kind === 'string') return doc;
  scope.use('requireString');
  return bracketed('requireString(', [doc, literals.string(step), literals.string(setting)], ')');
}
