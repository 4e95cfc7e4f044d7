/** Each kind of mistake is tried, and a run as the one that’s said to be missing finds it. */
import { describe, expect, test } from 'vitest';
import { type Mutant, mutantsOf, strengthOf } from '../../../lib/migrate/index.ts';
import type { Pipeline, PipelineFunction } from '../../../lib/pipeline/index.ts';
import { load, recordings } from './recorded-runs.ts';
import { migrated, sourcesOf } from './run-both.ts';
import { each, own, say, set, use, when } from './steps.ts';

const functions: Record<string, PipelineFunction> = {
  mark: (_, { value }) => value,
  grow: (_, context) =>
    void (context.more && (context.list as number[]).length < 5 && (context.list as number[]).push(9)),
  skip: (_, { skips }) => (skips ? Promise.reject() : undefined),
};
type Payload = Record<string, unknown>;
type Row = [mistake: string, pipeline: Pipeline, weak: Payload, missing: string, strong: Payload];

const email = (html: string) => own('send-email', { to: 'a@b.c', subject: 'Hello', html });

const ROWS: Row[] = [
  [
    'an await is missing',
    [when('a', email('x'))],
    {},
    'a run in which /0/conditions/0/functions/0 calls sendEmail',
    { a: 1 },
  ],
  [
    '== is stricter',
    [when('user.age == 18', say('x'))],
    { user: { age: 18 } },
    'a run in which user.age is the string “18”',
    { user: { age: '18' } },
  ],
  ['== is stricter', [when("a == '5'", say('x'))], { a: '5' }, 'a run in which a is the number 5', { a: 5 }],
  [
    '== is stricter',
    [when('a == true', say('x'))],
    { a: true },
    'a run in which a is the number 1 or the string “1”',
    { a: '1' },
  ],
  [
    '== is stricter',
    [when('a == false', say('x'))],
    { a: false },
    'a run in which a is the number 0 or an empty string',
    { a: 0 },
  ],
  ['== is stricter', [when('a == null', say('x'))], { a: null }, 'a run in which a is missing', {}],
  [
    '== is stricter',
    [when('a != b', say('x'))],
    { a: 1, b: 2 },
    'a run in which a and b are equal, but of different types',
    { a: 1, b: '1' },
  ],
  [
    'items that the loop adds are included',
    [each('list', use('grow'))],
    { list: [1] },
    'a run in which a step in /0 adds an item to the list',
    { list: [1], more: true },
  ],
  [
    'all calls share their settings',
    [each('list', use('mark', { a: {} }))],
    { list: [1] },
    'a run in which /0/functions/0 calls mark twice',
    { list: [1, 2] },
  ],
  [
    'a skipped step ends the action',
    [use('skip', {}, [say('x')]), say('y')],
    {},
    'a run in which /0 skips its steps',
    { skips: true },
  ],
  [
    'the range has no last number',
    [when('a', { type: 'loop', range: { from: 1, to: 3 }, functions: [set({ b: 'currentItem' })] })],
    {},
    'a run in which the loop /0/conditions/0/functions/0 gets to its last number, 3',
    { a: 1 },
  ],
  [
    'the result is that of another step',
    [say('x'), use('mark')],
    {},
    'a run in which /1 (mark) returns something else than undefined, and no later step does',
    { value: 5 },
  ],
  [
    'the first result wins',
    [use('mark'), say('x')],
    {},
    'a run in which a step before /1 returns something else than undefined',
    { value: 5 },
  ],
  [
    'the result is missing',
    [{ ...when('a', say('x')), elseFunctions: [say('y')] }],
    {},
    'a run that gets to /0/conditions/0/functions/0',
    { a: 1 },
  ],
  [
    'a condition is reversed',
    [when('a', when('b', say('x')))],
    { b: 1 },
    'a run that gets to /0/conditions/0/functions/0',
    { a: 1 },
  ],
  [
    'every block whose condition is true runs',
    [
      {
        type: 'if',
        conditions: ['a', 'b'].map((condition) => ({ condition, functions: [set({ [condition]: '2' })] })),
      },
    ],
    { a: 1 },
    'a run in which two conditions of /0 are true',
    { a: 1, b: 1 },
  ],
  [
    'a statement is missing',
    [set({ a: 'b' }), say('x')],
    { a: 1, b: 1 },
    'a run in which /0 changes a',
    { a: 1, b: 2 },
  ],
  ['HTML isn’t escaped', [email('<p>{{a}}</p>')], { a: 'x' }, 'a run in which a has a character such as <', { a: '<' }],
  ['a value is printed by JavaScript', [say('x: {{a}}')], { a: 1 }, 'a run in which a is missing, or an object', {}],
  [
    'a setting isn’t checked',
    [own('send-email', { to: '{{a}}', subject: 's', html: 'h' })],
    { a: 'x' },
    'a run in which a isn’t a string',
    { a: 5 },
  ],
];

describe('a mistake that no run shows is listed with the run that is missing, which shows it', () => {
  test.each(ROWS)('%s %#', async (mistake, pipeline, weak, missing, strong) => {
    const { code } = migrated({ name: 'strength', functions: pipeline }, { sources: sourcesOf(functions) });
    const missedWith = async (...payloads: Payload[]): Promise<string[]> => {
      const { missed } = await strengthOf(code, { load, recordings: await recordings(pipeline, functions, payloads) });
      return missed.filter((each) => each.mistake === mistake).map((each) => each.missing);
    };
    expect(await missedWith(weak), code).toContain(missing);
    expect(await missedWith(weak, strong), code).not.toContain(missing);
  });
});

test('mistakes have the place where they are', () => {
  const { code } = migrated({ name: 'places', functions: [set({ a: '1' }), when('a == 1', email('{{a}}'))] });
  const lines = code.split('\n');
  const mutants = mutantsOf(code);
  expect(mutants.length).toBeGreaterThan(4);
  for (const { line, path, code: wrong } of mutants) {
    expect(wrong.split('\n')[line - 1]).not.toBe(lines[line - 1]);
    expect(wrong.split('\n').slice(0, line - 1)).toEqual(lines.slice(0, line - 1));
    expect(
      lines
        .slice(0, line)
        .findLast((each) => /^\s*\/\/ \//.test(each))
        ?.trim(),
    ).toBe(`// ${path}`);
  }
});

test('with a limit, mistakes are spread over the code', () => {
  const { code } = migrated({
    name: 'many',
    functions: Array.from({ length: 1_000 }, (_, index) => set({ a: `${index}` })),
  });
  const numbers = mutantsOf(code, 10).map(({ path }: Mutant) => Number(path.slice(1)));
  expect(numbers).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
});
