/** Compares generated conditions with JavaScript. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileCondition, type Explanation, explainCondition } from '../../../lib/pipeline/index.ts';
import { context, expression, NAMES } from './random-conditions.ts';
import { anyCharacter } from '../../support/any-character.ts';

/** Of each property. tests/exhaustive/unit/properties.test.ts does more. */
const RUNS = Number(process.env.RUNS ?? 700);

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
    { numRuns: RUNS },
  );
  // Both outcomes occurred.
  expect(completed).toBeGreaterThan(RUNS * 0.15);
  expect(failed).toBeGreaterThan(RUNS * 0.015);
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
    { numRuns: RUNS },
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
    { numRuns: RUNS },
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
    fc.property(fc.oneof(pieces, fc.string({ unit: anyCharacter, maxLength: 30 })), (source) => {
      try {
        expect(compileCondition(source)).toBeTypeOf('function');
      } catch (thrown) {
        expect(thrown).toMatchObject({ name: 'ConditionError', code: 'INVALID_CONDITION' });
        const { column } = thrown as { column: number };
        expect(column >= 1 && column <= source.length + 1).toBe(true);
      }
    }),
    { numRuns: RUNS },
  );
}, 60_000);
