/** Fuzzes conditions: any text compiles or is rejected with a column, and every evaluation ends. */
import * as fc from 'fast-check';
import { compileCondition, type Condition, ConditionError } from '../../lib/pipeline/index.ts';
import { check, Finding } from './check.ts';
import { damaged, json, live, word } from './inputs.ts';

export const name = 'conditions';

const SAMPLES = [
  'Admin == true && context.items.length > 3',
  'list.filter((x) => x.id !== null).map(({ id }) => id).includes("one")',
  '`a${text.toUpperCase()}b` in item',
  'item?.x?.y ?? "none"',
  'list.reduce((sum, x) => sum + (x?.x || 0), 0) >= 10 ? "many" : "few"',
  'text.replace(/[a-c]+/gi, "x").split(",").join("-")',
  '({ a: 1, "b c": [1, 2, ...list], ...item })["b c"].at(-1)',
  'typeof missing === "undefined" || !(a in item)',
  'JSON.stringify(item, null, 2).length < 100',
  'Object.keys(item).sort().toSorted((a, b) => a - b)',
  'Math.max(...list.map(Number), 0x1f, 1e3, .5, 1_000) % 7 ** 2',
  'new Date(text).getTime() > Date.now()',
  'Array.from({ length: 3 }, (_, i) => i).flat(Infinity)',
  'text.padEnd(20, "ab").repeat(3).match(/(b)(c)?/g)',
  'a = 1',
  '((a))[0](b)',
  '/(?<n>a)\\1/u.test(text)',
];
const TOKENS = [
  'a',
  'item',
  'list',
  'text',
  'Math',
  'JSON',
  'Object',
  'Array',
  'Date',
  'constructor',
  '__proto__',
  'prototype',
  'this',
  'window',
  'globalThis',
  'new',
  'typeof',
  'in',
  'instanceof',
  'delete',
  'void',
  'async',
  'await',
  'function',
  'x',
  '=>',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '.',
  '?.',
  '...',
  ',',
  ':',
  '?',
  '??',
  '&&',
  '||',
  '!',
  '==',
  '===',
  '<',
  '>=',
  '+',
  '-',
  '*',
  '**',
  '/',
  '%',
  '~',
  '<<',
  '=',
  '`',
  '${',
  '"',
  "'",
  '"s"',
  '1',
  '0n',
  '1e9',
  '/a/',
  'map',
  'filter',
  'repeat',
  'call',
  'apply',
  'bind',
  '\\u0061',
  '\n',
  '//',
  '/*',
];

const source = fc.oneof(
  damaged(SAMPLES),
  fc.array(fc.constantFrom(...TOKENS), { maxLength: 25 }).map((tokens) => tokens.join(' ')),
  word,
  fc.constantFrom('(', '[', '!', '-', 'a?b:', 'a.', 'a[', '`${', '{...').map((text) => text.repeat(3_000)),
);
const context = fc.oneof(
  fc.constant({
    a: 3,
    b: 0,
    text: ' abc,Def ',
    item: { x: { y: 'deep' }, tags: ['p'] },
    list: [{ x: 1, id: 'one' }, { x: null }, 5, null],
    Admin: true,
    context: { items: [1, 2] },
  }),
  fc.record({ a: live, text: live, item: live, list: live, x: json, context: live }),
  live,
);

export function fuzz(runs: number, seed: number): Promise<void> {
  return check(runs, seed, fc.record({ source, context }), ({ source, context }) => {
    let condition: Condition;
    try {
      condition = compileCondition(source);
    } catch (error) {
      if (!(error instanceof ConditionError) || error.code !== 'INVALID_CONDITION' || !(error.column >= 1)) throw error;
      return;
    }
    const before = globalThis.Object;
    try {
      condition(context as Record<string, unknown>);
    } catch (error) {
      if (!(error instanceof ConditionError) || error.code !== 'CONDITION_FAILED') throw error;
    }
    if (globalThis.Object !== before || 'polluted' in {}) throw new Finding('A condition changed what is global.');
  });
}
