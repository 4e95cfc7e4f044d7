/** The proof: the same behavior isn’t a difference, and every wrong translation is one. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { record } from '../../../lib/debugging/index.ts';
import { prove } from '../../../lib/migrate/proof/prove.ts';
import { strengthOf } from '../../../lib/migrate/proof/strength.ts';
import type { Proof } from '../../../lib/migrate/proof/types.ts';
import type { Pipeline, PipelineFunction, PipelineStep } from '../../../lib/pipeline/index.ts';
import * as random from '../pipeline/random-pipelines.ts';
import { load, recordings } from './recorded-runs.ts';
import { migrated, ownPackages, sourcesOf } from './run-both.ts';
import { each, own, say, set, use, when } from './steps.ts';

const differences = (proof: Proof): unknown[] => proof.comparisons.flatMap((comparison) => comparison.differences);

test('a migration of a random pipeline is equal in its recorded run', async () => {
  const { functions } = random;
  const sources = sourcesOf(functions);
  let whole = 0;
  await fc.assert(
    fc.asyncProperty(random.pipeline, random.payload, async (pipeline, payload) => {
      const { code, report } = migrated({ name: 'random', functions: pipeline }, { sources });
      const proof = await prove({ code, steps: report.steps }, pipeline, {
        load,
        recordings: await recordings(pipeline, functions, [payload]),
      });
      expect(differences(proof), code).toEqual([]);
      if (proof.comparisons.every(({ isWhole }) => isWhole)) whole++;
    }),
    { numRuns: Number(process.env.MIGRATE_CASES ?? 200) },
  );
  expect(whole).toBeGreaterThan(50);
});

const email = (to: string, html = ''): PipelineStep => own('send-email', { to, subject: 'Hello', html });
const functions: Record<string, PipelineFunction> = {
  spoil: (settings) => void (settings.list as string[]).push('spoiled'),
  grow: (_, context) => void (context.list as number[]).push(9),
  skip: () => Promise.reject(),
  throwNothing: () => {
    throw undefined;
  },
  boom: () => {
    throw new TypeError('boom');
  },
  zero: () => 0,
  later: async () => 'later',
};
const people = own('read-datasource', { dataSourceId: 502, limit: 9 });

/** A pipeline, its payload, and a wrong way to write a part of its code. */
type Wrong = [trap: string, pipeline: Pipeline, payload: Record<string, unknown>, right: string, wrong: string];

const WRONG: Wrong[] = [
  ['context.x instead of context.payload.x', [say('{{a}}')], { a: 1 }, '...context.payload', '...context'],
  ['a payload key named payload', [say('{{payload.a}}')], { payload: { a: 1 } }, 'data.payload.a', 'data.a'],
  [
    'a payload key that hides Math',
    [say('{{typeof Math.max}}')],
    { Math: { max: 1 } },
    '= globalThis.Math }',
    ': Mine }',
  ],
  [
    'hoisted settings',
    [each('list', use('spoil', { list: [] }))],
    { list: [1, 2] },
    '{ list: [] }',
    '(execute.settings ??= { list: [] })',
  ],
  [
    'return instead of skipping nested steps',
    [use('skip', {}, [say('a')]), say('b')],
    {},
    "if (await run('skip', {})) {",
    "if (!(await run('skip', {}))) return; {",
  ],
  [
    'a rejection that fails the run',
    [use('skip', {}, [say('a')]), say('b')],
    {},
    'if (reason === undefined) return false;',
    '',
  ],
  [
    'a throw of undefined that skips',
    [use('throwNothing', {}, [say('a')]), say('b')],
    {},
    'const returned = packages.get(name)(settings, data);',
    'let returned; try { returned = packages.get(name)(settings, data); } catch (e) { if (e === undefined) return false; throw e; }',
  ],
  [
    'every condition that holds',
    [
      {
        type: 'if',
        conditions: [
          { condition: 'a', functions: [set({ b: '1' })] },
          { condition: 'a', functions: [set({ b: '2' })] },
        ],
      },
    ],
    { a: 1 },
    '} else if (',
    '} if (',
  ],
  [
    '=== instead of ==',
    [people, each('records', when('currentItem.data.admin == true', email('{{currentItem.data.email}}')))],
    {},
    '== true',
    '=== true',
  ],
  [
    'inherited members',
    [when("typeof a.toString === 'undefined'", say('none'))],
    { a: {} },
    "own(data.a, 'toString')",
    'data.a.toString',
  ],
  ['sort in place', [set({ b: 'a.sort()' }), set({ c: 'a[0]' })], { a: [2, 1] }, 'toSorted', 'sort'],
  [
    'a live length',
    [each('list', use('grow')), say('end')],
    { list: [1, 2] },
    'index < length && index < items.length',
    'index < items.length',
  ],
  [
    'an exclusive range',
    [{ type: 'loop', range: { from: 1, to: 3 }, functions: [set({ a: 'currentItem' })] }],
    {},
    'number <= 3',
    'number < 3',
  ],
  [
    'a range from its second number',
    [{ type: 'loop', range: { from: 1, to: 3 }, functions: [set({ a: 'currentItem' })] }],
    {},
    'number = 1',
    'number = 2',
  ],
  [
    'the loop’s names aren’t restored',
    [each('list', use('zero')), say('{{currentItem}}')],
    { list: [1], currentItem: 'x' },
    'restore();',
    '',
  ],
  ['a falsy value isn’t a result', [use('zero')], {}, 'value !== undefined', 'value'],
  ['the first result instead of the last', [say('a'), use('zero'), say('b')], {}, "result = 'b'", "result ??= 'b'"],
  ['undefined prints “undefined”', [say('a: {{a}}')], {}, 'text(data.a)', 'data.a'],
  [
    'objects print [object Object]',
    [email('a@b.c', '{{a}}')],
    { a: { b: 1 } },
    'JSON.stringify(value)',
    'String(value)',
  ],
  [
    'html isn’t escaped',
    [people, each('records', email('{{currentItem.data.email}}', '{{currentItem.data.name}}'))],
    {},
    'html(record.data.name)',
    'text(record.data.name)',
  ],
  [
    'a lone expression as text',
    [set({ a: '5' }), email('{{a}}')],
    {},
    "requireString(data.a, 'send-email', 'to')",
    '`${data.a}`',
  ],
  [
    'no await',
    [people, each('records', email('{{currentItem.data.email}}')), email('end@example.com')],
    {},
    'await Platform.Communicate.sendEmail({\n      to: req',
    'Platform.Communicate.sendEmail({\n      to: req',
  ],
  ['a package without await', [use('later'), set({ a: '1' })], {}, "await run('later'", "run('later'"],
  ['a failing package without await', [use('boom'), set({ a: '1' })], {}, "await run('boom'", "run('boom'"],
  ['another limit', [people], {}, 'limit: 9', 'limit: 8'],
  ['another data source', [people], {}, '502', '503'],
  ['another recipient', [email('a@b.c')], {}, "'a@b.c'", "'b@b.c'"],
  [
    'one email less',
    [email('a@b.c'), email('b@b.c')],
    {},
    "await Platform.Communicate.sendEmail({ to: 'b@b.c', subject: 'Hello', html: '' });",
    '',
  ],
  [
    'one email more',
    [email('a@b.c')],
    {},
    '// /0',
    "// /0\nawait Platform.Communicate.sendEmail({ to: 'a@b.c', subject: 'Hello', html: '' });",
  ],
  [
    'a failure that is swallowed',
    [use('boom'), say('after')],
    {},
    "await run('boom', {});",
    "await run('boom', {}).catch(() => 0);",
  ],
  ['another message', [own('fail', { message: 'no {{a}}' })], { a: 1 }, '`no ', '`No '],
  ['another name of the error', [own('fail', { message: 'no' })], {}, 'new Error(', 'new TypeError('],
  ['an early end', [say('a'), email('a@b.c')], {}, '// /1', "// /1\nreturn 'a';"],
  ['undefined instead of absent', [say('x'), say('y')], {}, '// /1', 'data.b = undefined;\n// /1'],
];

describe('a wrong translation is a difference', () => {
  test.each(WRONG)('%s', async (_, pipeline, payload, right, wrong) => {
    const { code, report } = migrated({ name: 'wrong', functions: pipeline }, { sources: sourcesOf(functions) });
    const options = { load, recordings: await recordings(pipeline, functions, [payload]) };
    expect(code).toContain(right);
    const proof = await prove({ code, steps: report.steps }, pipeline, options);
    expect(differences(proof), code).toEqual([]);
    const other = await prove({ code: code.replace(right, wrong), steps: report.steps }, pipeline, options);
    expect(differences(other), code.replace(right, wrong)).not.toEqual([]);
    expect(other.status).toBe('differs');
  });
});

describe('strength', () => {
  const NOTIFY: Pipeline = [
    people,
    set({ notified: '0' }),
    each(
      'records',
      when(
        'currentItem.data.admin == true',
        own(
          'send-email',
          { to: '{{currentItem.data.email}}', subject: 'Hello', html: '<p>{{currentItem.data.name}}</p>' },
          [
            own('if', { condition: "currentItem.data.city === 'Utrecht'" }, [
              own('send-notification', { title: 'Check-outs', message: 'For {{currentItem.data.name}}' }),
            ]),
            set({ notified: 'notified + 1' }),
          ],
        ),
      ),
    ),
    say('{{notified}} of {{records.length}}'),
  ];

  test('a run that takes every branch finds most mistakes, and the others are listed with the run that is missing', async () => {
    const { code } = migrated({ name: 'notify', functions: NOTIFY });
    const strength = await strengthOf(code, { load, recordings: await recordings(NOTIFY, {}, [{}]) });
    expect(strength.total).toBeGreaterThan(10);
    expect(strength.caught + strength.missed.length).toBe(strength.total);
    expect(strength.caught / strength.total).toBeGreaterThanOrEqual(0.7);
    expect(strength.missed).toContainEqual({
      mistake: 'HTML isn’t escaped',
      missing: 'a run in which the value has a character such as <',
      path: '/2/functions/0/conditions/0/functions/0',
      line: expect.any(Number),
    });
  });

  test('without runs, no mistake is found', async () => {
    const { code } = migrated({ name: 'notify', functions: NOTIFY });
    expect(await strengthOf(code, { load, recordings: [] })).toMatchObject({ caught: 0 });
  });
});

describe('what a proof says', () => {
  const BRANCHES: Pipeline = [
    { type: 'if', conditions: [{ condition: 'a', functions: [set({ b: '1' })] }], elseFunctions: [set({ b: '2' })] },
    say('{{b}}'),
  ];
  const { code, report } = migrated({ name: 'branches', functions: BRANCHES });
  const proofOf = async (...payloads: Record<string, unknown>[]): Promise<Proof> =>
    prove({ code, steps: report.steps }, BRANCHES, { load, recordings: await recordings(BRANCHES, {}, payloads) });

  test('proved, once every branch ran', async () => {
    const proof = await proofOf({ a: 1 }, { a: 0 });
    expect(proof).toMatchObject({ status: 'proved', coverage: '2 of 2 branches ran.' });
    expect(proof.steps.map(({ path, status, runs }) => [path, status, runs])).toEqual([
      ['/0', 'proved', 2],
      ['/0/conditions/0/functions/0', 'proved', 1],
      ['/0/elseFunctions/0', 'proved', 1],
      ['/1', 'proved', 2],
    ]);
  });

  test('equal so far, while a branch never ran', async () => {
    expect(await proofOf({ a: 1 })).toMatchObject({
      status: 'equal-so-far',
      coverage: '1 of 2 branches ran. /0/elseFunctions never did.',
    });
  });

  test('a lost value is unknown, never equal', async () => {
    const { recording } = await record([say('{{a}}')], {
      payload: { a: () => 1 },
      functions: ownPackages(() => undefined),
    });
    const one = migrated({ name: 'lost', functions: [say('{{a}}')] });
    const proof = await prove({ code: one.code, steps: one.report.steps }, [say('{{a}}')], {
      load,
      recordings: [recording],
    });
    expect(proof.status).toBe('equal-so-far');
    expect(proof.comparisons[0]).toMatchObject({ differences: [], isWhole: false });
    expect(proof.comparisons[0]?.unknown.length).toBeGreaterThan(0);
  });

  test('code that can’t be loaded is a difference', async () => {
    const proof = await prove({ code: 'async function execute( {', steps: report.steps }, BRANCHES, {
      load,
      recordings: await recordings(BRANCHES, {}, [{ a: 1 }]),
    });
    expect(differences(proof)).toMatchObject([{ what: 'code' }]);
  });
});
