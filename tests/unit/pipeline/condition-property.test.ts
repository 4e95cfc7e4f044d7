/** Compares generated conditions with JavaScript. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileCondition, type Explanation, explainCondition } from '../../../lib/pipeline/index.ts';

const BINARY = ['==', '!=', '===', '!==', '<', '>', '<=', '>=', '+', '-', '*', '/', '%', '**', '&&', '||', '??'];
const NAMES = ['a', 'b', 'text', 'list', 'item', 'missing', 'nothing'];
const MEMBERS = ['x', 'y', 'length', 'id'];

/** Source text of expressions. */
const { expression } = fc.letrec<{ expression: string; atom: string; list: string; callback: string }>((tie) => ({
  atom: fc.oneof(
    fc.constantFrom(...NAMES),
    fc.integer({ min: 0, max: 20 }).map(String),
    fc.constantFrom(
      '0.5',
      '1e3',
      '0x1f',
      'true',
      'false',
      'null',
      'undefined',
      'NaN',
      'Infinity',
      '""',
      '"a"',
      "'b\\n'",
      '"10"',
      '`t`',
      '[]',
      '[1, "a"]',
      '{}',
      '{x: 1}',
      'list[0].x',
      'item.tags[1]',
      'text.length',
    ),
  ),
  list: fc.oneof(
    fc.constant('list'),
    fc.constant('item.tags'),
    fc.array(tie('expression'), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`),
    fc.tuple(tie('list'), tie('list')).map(([a, b]) => `[...${a}, ...${b}]`),
  ),
  callback: fc
    .tuple(fc.constantFrom('x', 'y'), tie('expression'))
    .map(([name, body]) => `(${name}, i) => (${body}) ?? ${name} ?? i`),
  expression: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    tie('atom'),
    fc
      .tuple(tie('expression'), fc.constantFrom(...BINARY), tie('expression'))
      .map(([left, sign, right]) => `(${left}) ${sign} (${right})`),
    fc
      .tuple(
        tie('atom'),
        fc.constantFrom('+', '-', '*', '/', '%'),
        tie('atom'),
        fc.constantFrom('<', '==', '&&', '+'),
        tie('atom'),
      )
      .map(([a, s, b, t, c]) => `${a} ${s} ${b} ${t} ${c}`),
    fc
      .tuple(fc.constantFrom('!', '-', '+', 'typeof ', 'void '), tie('expression'))
      .map(([sign, operand]) => `${sign}(${operand})`),
    fc
      .tuple(tie('expression'), tie('expression'), tie('expression'))
      .map(([test, yes, no]) => `(${test}) ? ${yes} : ${no}`),
    fc
      .tuple(tie('expression'), fc.constantFrom('.', '?.'), fc.constantFrom(...MEMBERS))
      .map(([object, dot, name]) => `(${object})${dot}${name}`),
    fc
      .tuple(
        fc.constantFrom('item', 'list', 'missing', 'nothing', 'text'),
        fc.constantFrom('?.x.y', '?.[0]', '[0]?.x', '.x?.y.z', '?.at(0)', '.x'),
      )
      .map(([name, chain]) => `${name}${chain}`),
    fc
      .tuple(tie('expression'), tie('expression'))
      .map(([object, key]) => `(${object})[(${key}) === "constructor" ? 0 : (${key}) ? "x" : 0]`),
    fc
      .array(tie('expression'), { maxLength: 3 })
      .map((parts) => `\`a${parts.map((part) => `\${typeof (${part})}-`).join('')}\``),
    fc
      .tuple(tie('expression'), tie('expression'))
      .map(([x, y]) => `{x: ${x}, "y z": ${y}, ...item}`)
      .map((source) => `(${source})`),
    fc
      .tuple(
        tie('list'),
        fc.constantFrom('some', 'every', 'filter', 'map', 'find', 'findIndex', 'flatMap'),
        tie('callback'),
      )
      .map(([list, method, callback]) => `${list}.${method}(${callback})`),
    fc
      .tuple(tie('list'), fc.constantFrom('includes', 'indexOf', 'at', 'slice', 'concat'), tie('expression'))
      .map(([list, method, argument]) => `${list}.${method}(${argument})`),
    fc
      .tuple(
        fc.constantFrom('text', '"Abc,b"'),
        fc.constantFrom(
          'toUpperCase()',
          'split(",")',
          'trim()',
          'includes("b")',
          'replace(/b/g, "c")',
          'match(/[a-c]+/gi)',
          'charCodeAt(0)',
          'padStart(9, "-")',
          'repeat(2)',
        ),
      )
      .map(([text, call]) => `${text}.${call}`),
    fc
      .tuple(
        fc.constantFrom('Math.max', 'Number', 'String', 'Boolean', 'isNaN', 'Array.isArray', 'parseInt'),
        tie('atom'),
      )
      .map(([fn, argument]) => `${fn}(${argument})`),
    fc.constantFrom('"x"', '0', '"nope"', 'a').map((key) => `${key} in item`),
  ),
}));

const context = (): Record<string, unknown> => ({
  a: 3,
  b: 0,
  text: ' abc,Def ',
  nothing: null,
  item: { x: { y: 'deep' }, id: 7, tags: ['p', 'q'] },
  list: [{ x: 1, id: 'one' }, { x: null }, 5, 'str', null],
});

function outcome(run: () => unknown): { value: unknown } | 'failed' {
  try {
    return { value: run() };
  } catch (thrown) {
    // A source that JavaScript can’t parse is a bug of the generator.
    if (thrown instanceof SyntaxError || (thrown as { code?: string }).code === 'INVALID_CONDITION') throw thrown;
    return 'failed';
  }
}

test('an expression means what it means in JavaScript', () => {
  let completed = 0;
  let failed = 0;
  fc.assert(
    fc.property(expression, (source) => {
      // The generator makes own properties only, except for members of a primitive’s prototype.
      const given = context();
      // oxlint-disable-next-line no-new-func, no-implied-eval -- the reference
      const native = new Function(...NAMES, 'x', 'y', 'i', `return (${source})`) as (...values: unknown[]) => unknown;
      const expected = outcome(() => native(...NAMES.map((name) => given[name])));
      const actual = outcome(() => compileCondition(source)(context()));
      if (expected === 'failed') failed++;
      else completed++;
      expect(actual).toEqual(expected);
    }),
    { numRuns: 2000 },
  );
  // Both outcomes occurred.
  expect(completed).toBeGreaterThan(300);
  expect(failed).toBeGreaterThan(30);
}, 60_000);

test('an explanation has the value and the error of the condition, and a value for each part that was evaluated', () => {
  const check = (parent: Explanation): void => {
    for (const part of parent.parts) {
      expect(part.start >= parent.start && part.end <= parent.end).toBe(true);
      // Nothing inside a part runs without it.
      if (parent.state === 'not-evaluated') expect(part.state).toBe('not-evaluated');
      if (part.state === 'failed') expect(parent.state).toBe('failed');
      check(part);
    }
  };
  fc.assert(
    fc.property(expression, (source) => {
      let expected: { value?: unknown; error?: string };
      try {
        expected = { value: compileCondition(source)(context()) };
      } catch (error) {
        expected = { error: (error as Error).message };
      }
      const found = explainCondition(source, context());
      check(found);
      if (expected.error === undefined) {
        expect(found).toMatchObject({ state: 'evaluated', times: 1 });
        expect(found.value).toEqual(expected.value);
        expect('error' in found).toBe(false);
      } else {
        expect(found).toMatchObject({ state: 'failed', value: undefined });
        expect((found.error as Error).message).toBe(expected.error);
      }
    }),
    { numRuns: 2000 },
  );
}, 60_000);

test('operators without parentheses bind as in JavaScript', () => {
  const operand = fc.constantFrom('1', '2', '3', '0', 'true', 'false', '"4"', '-5', '!1', 'typeof 1', '[2]', 'null');
  const sign = fc.constantFrom(
    '==',
    '!=',
    '===',
    '!==',
    '<',
    '>',
    '<=',
    '>=',
    '+',
    '-',
    '*',
    '/',
    '%',
    '&&',
    '||',
    '? 1 :',
    '? null ??',
    '**',
  );
  fc.assert(
    fc.property(operand, fc.array(fc.tuple(sign, operand), { minLength: 1, maxLength: 8 }), (first, rest) => {
      const source: string = [first, ...rest.flat()].join(' ');
      const native = (): unknown => {
        // oxlint-disable-next-line no-new-func, no-implied-eval -- the reference
        return (new Function(`return ${source}`) as () => unknown)();
      };
      let expected: { value: unknown } | 'refused';
      try {
        expected = { value: native() };
      } catch {
        expected = 'refused';
      }
      let actual: typeof expected;
      try {
        actual = { value: compileCondition(source)({}) };
      } catch (thrown) {
        expect(thrown).toMatchObject({ code: 'INVALID_CONDITION' });
        actual = 'refused';
      }
      expect(actual).toEqual(expected);
    }),
    { numRuns: 2000 },
  );
}, 60_000);

test('any string is compiled, or refused with a column', () => {
  const pieces = fc
    .array(
      fc.constantFrom(
        'a',
        '.',
        '?.',
        '(',
        ')',
        '[',
        ']',
        '{',
        '}',
        '`',
        '${',
        '"',
        "'",
        '/',
        '\\',
        '=>',
        ',',
        '...',
        '1',
        '+',
        '-',
        '!',
        '?',
        ':',
        '=',
        ' ',
        '\n',
        'in',
        'typeof',
        '//',
        '/*',
        '*/',
        '\u2028',
        '😀',
      ),
      { maxLength: 14 },
    )
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 30 })), (source) => {
      try {
        expect(compileCondition(source)).toBeTypeOf('function');
      } catch (thrown) {
        expect(thrown).toMatchObject({ name: 'ConditionError', code: 'INVALID_CONDITION' });
        const { column } = thrown as { column: number };
        expect(column >= 1 && column <= source.length + 1).toBe(true);
      }
    }),
    { numRuns: 3000 },
  );
}, 60_000);
