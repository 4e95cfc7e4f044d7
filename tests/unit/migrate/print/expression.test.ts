/** Compares conditions printed as JavaScript with what V2’s engine makes of them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { helperLines, type HelperName } from '../../../../lib/migrate/helpers.ts';
import { print } from '../../../../lib/migrate/print/doc.ts';
import { printExpression } from '../../../../lib/migrate/print/expression.ts';
import { UntranslatableError } from '../../../../lib/migrate/print/untranslatable.ts';
import { compileCondition } from '../../../../lib/pipeline/index.ts';
import { parseCondition } from '../../../../lib/pipeline/syntax.ts';
import { casesOf } from '../../../support/exhaustive.ts';
import { context, expression } from '../../pipeline/random-conditions.ts';

interface Printed {
  code: string;
  evaluate: (data: Record<string, unknown>) => unknown;
}

function printed(source: string): Printed {
  const used = new Set<HelperName>();
  const code = print(
    printExpression(parseCondition(source), {
      local: () => null,
      kindOf: () => 'unknown',
      global: (name) => (used.add('own'), `own(data, '${name}', ${name === 'context' ? 'data' : name})`),
      parameter: (name) => (name === 'data' ? 'data2' : name),
      use: (helper) => used.add(helper),
    }),
  );
  const helpers = helperLines(used).flat().join('\n');
  // oxlint-disable-next-line no-new-func, no-implied-eval -- runs the generated code
  const evaluate = new Function('data', `'use strict'; return (${code});\n${helpers}`) as Printed['evaluate'];
  return { code, evaluate };
}

const code = (source: string): string => printed(source).code;

type Outcome = { value: unknown } | 'failed';
function outcome(run: () => unknown): Outcome {
  try {
    return { value: run() };
  } catch (thrown) {
    if (thrown instanceof UntranslatableError || thrown instanceof SyntaxError) throw thrown;
    return 'failed';
  }
}

test('a printed condition has the value and the failures that it has in V2', () => {
  const outcomes = { value: 0, failed: 0 };
  fc.assert(
    fc.property(expression, (source) => {
      const { evaluate, code } = printed(source);
      const expected = outcome(() => compileCondition(source)(context()));
      outcomes[expected === 'failed' ? 'failed' : 'value']++;
      expect(outcome(() => evaluate(context()))).toEqual(expected);
      expect(code).not.toMatch(/\{\{|\}\}/);
      expect(Math.max(...code.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(120);
    }),
    casesOf(300, 1_000),
  );
  expect(outcomes.value).toBeGreaterThan(150);
  expect(outcomes.failed).toBeGreaterThan(15);
});

describe('a condition reads like the JavaScript that one would write', () => {
  test.each([
    ["currentItem.data.city === 'Utrecht'", "data.currentItem.data.city === 'Utrecht'"],
    [
      'records.length > 0 && records[0].data.email == email',
      'data.records.length > 0 && data.records[0].data.email == data.email',
    ],
    ['!(a || b) && c', '!(data.a || data.b) && data.c'],
    ['a - (b - c)', 'data.a - (data.b - data.c)'],
    ['(a - b) - c', 'data.a - data.b - data.c'],
    ['(a ** b) ** c', '(data.a ** data.b) ** data.c'],
    ['a ? b : c ? d : e', 'data.a ? data.b : data.c ? data.d : data.e'],
    ['records.filter(r => r.data.minutes > 120).length', 'data.records.filter((r) => r.data.minutes > 120).length'],
    ['list.sort()[0]', 'data.list.toSorted()[0]'],
    ["'email' in user", "'email' in data.user"],
    ['log?.dataSourceEntryId', 'data.log?.dataSourceEntryId'],
    ['`${first} ${last}`', '`${data.first} ${data.last}`'],
    ['{a: {b: 1}}.a', '({ a: { b: 1 } }).a'],
    ["user['first name']", "data.user['first name']"],
    ['static.let + yield', 'data.static.let + data.yield'],
    ['list.map((x => x + await))', 'data.list.map((x) => x + data.await)'],
    ['/a/g.flags', '/a/g.flags'],
    ['error.name', 'data.error.name'],
    ['`a`.trim?.()', "'a'.trim?.()"],
    ['list.map(data => data.x)', 'data.list.map((data2) => data2.x)'],
  ])('%s', (source, expected) => expect(code(source)).toBe(expected));
});

describe('what JavaScript would see differently goes through a helper', () => {
  test.each([
    // Inherited members aren’t there in V2.
    ['toString', {}],
    ['user.toString', { user: {} }],
    ['user[key]', { user: {}, key: 'valueOf' }],
    ["'toString' in user", { user: {} }],
    ['key in user', { user: {}, key: 'toString' }],
    ['user.toString()', { user: {} }],
    ['text.at', { text: 'abc' }],
    ['list.entries().next()', { list: [1] }],
    // Strings aren’t converted to regular expressions.
    ['text.match(pattern)', { text: 'abc', pattern: 'a' }],
    // A key of the payload comes before a global name.
    ['Math.max', { Math: { max: 'mine' } }],
    ['typeof JSON', { JSON: 1 }],
    ['context.x', { x: 1, context: { x: 2 } }],
    ['context.x', { x: 1 }],
    // The array itself isn’t changed.
    ['[list.sort(), list.reverse(), list]', { list: [2, 1, 3] }],
    ['user?.name.toString()', {}],
    ['user?.name.toString()', { user: { name: {} } }],
    ['user?.name?.toString().length', { user: {} }],
    ['user[key]', { user: { x: 1 }, key: 'constructor' }],
    ['({[key]: 1})', { key: '__proto__' }],
    ['user.hasOwnProperty("x")', { user: { x: 1 } }],
    ['"x" in text', { text: 'abc' }],
    // Of getters, V2 reads those of built-in values.
    ['[map[key], key in map, "size" in map, map.size]', { map: new Map([[1, 2]]), key: 'size' }],
    ['[error[key], key in error, error.message]', { error: new TypeError('bad'), key: 'name' }],
    ['[pattern[key], pattern.flags, "flags" in pattern, pattern.exec]', { pattern: /a/gi, key: 'source' }],
    ['[map[key], key in map]', { map: new Map(), key: 'get' }],
    ['JSON.stringify(o, ["b", "a"])', { o: { a: 1, b: 2 } }],
    ['[].at?.(0)', {}],
    ['Math.max?.(1)', { Math: { max: null } }],
  ])('%s of %j', (source, data) => {
    const expected = outcome(() => compileCondition(source)(structuredClone(data)));
    expect(outcome(() => printed(source).evaluate(structuredClone(data)))).toEqual(expected);
  });
});

describe('text is printed so that it is neither a template of V2 nor the end of a line or script', () => {
  test.each([
    '{{a}}',
    '}}}}{{{{',
    '`${x}`',
    '$',
    '$\u007b',
    "it's",
    '"quoted"',
    `'both"`,
    '\\',
    '\\{{',
    '*/',
    '</script>',
    '<!--',
    '\n\r\t\0\u2028\u2029\ufeff',
    '\ud800',
    '😀'.repeat(60),
    'a'.repeat(1000),
    '\u2028'.repeat(100),
  ])('%j', (text) => {
    for (const source of [JSON.stringify(text), `\`\${1}${text.replace(/[\\`$]/g, '\\$&')}\${2}\``]) {
      const { code, evaluate } = printed(source);
      expect(evaluate({})).toBe(compileCondition(source)({}));
      expect(code).not.toMatch(/\{\{|\}\}|<\/script|<!--|[\u2028\u2029\ufeff]/);
      expect(Math.max(...code.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(120);
    }
  });

  test.each(['/a{2}}/', '/\\{{2}/', '/{{/', '/[{}}]{1,2}/', '/\\p{L}\\}/u', `/${'a'.repeat(500)}/g`])(
    '%s',
    (source) => {
      const { code, evaluate } = printed(`'aa}{{'.replace(${source}, '-') + '}'.replace(${source}, '-')`);
      expect(code).not.toMatch(/\{\{|\}\}/);
      expect(evaluate({})).toBe(compileCondition(`'aa}{{'.replace(${source}, '-') + '}'.replace(${source}, '-')`)({}));
    },
  );
});

test.each([['Object.assign(a)'], ['a[b]()'], ['a.b?.()'], ['String.raw']])('%s has no equivalent', (source) => {
  expect(() => printed(source)).toThrow(UntranslatableError);
});
