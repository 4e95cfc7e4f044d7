/** The proof: the same behavior isn’t a difference, and every wrong translation is one. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { record } from '../../../lib/debugging/index.ts';
import { prove } from '../../../lib/migrate/proof/prove.ts';
import { strengthOf } from '../../../lib/migrate/proof/strength.ts';
import type { Proof } from '../../../lib/migrate/proof/types.ts';
import type { Pipeline, PipelineFunction, PipelineStep } from '../../../lib/pipeline/index.ts';
import { casesOf } from '../../support/exhaustive.ts';
import * as random from '../pipeline/random-pipelines.ts';
import { load, recordings } from './recorded-runs.ts';
import { migrated, ownPackages, sourcesOf } from './run-both.ts';
import { each, own, say, set, use, when } from './steps.ts';

const CASES = casesOf(60, 200);

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
    CASES,
  );
  expect(whole).toBeGreaterThan(CASES.numRuns / 4);
});

const email = (to: string, html = ''): PipelineStep => own('send-email', { to, subject: 'Hello', html });
const boom = (): never => {
  throw new TypeError('boom');
};
const functions: Record<string, PipelineFunction> = {
  spoil: (settings) => void (settings.list as string[]).push('spoiled'),
  grow: (_, context) => void (context.list as number[]).push(9),
  skip: () => Promise.reject(),
  throwNothing: () => {
    throw undefined;
  },
  boom,
  zero: () => 0,
  later: async () => 'later',
};
const people = own('read-datasource', { dataSourceId: 502, limit: 9 });

/** A pipeline, its payload, and a wrong way to write a part of its code. */
type Wrong = [trap: string, pipeline: Pipeline, payload: Record<string, unknown>, right: string, wrong: string];

const WRONG: Wrong[] = [
  ['context.x instead of context.payload.x', [say('{{a}}')], { a: 1 }, '...context.payload', '...context'],
  [
    'a condition that fails at an earlier item',
    [each('list', when('currentItem.a.b > 0', say('yes')))],
    { list: [{ a: { b: 0 } }, { a: { b: 0 } }, {}] },
    '.a.b',
    '.x.b',
  ],
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
  [
    'a package in a loop doesn’t see the index',
    [each('list', use('zero'))],
    { list: [1] },
    'data.currentIndex = index;',
    '',
  ],
  [
    'a package in a loop sees the item before',
    [each('list', use('zero'))],
    { list: [1, 2] },
    'data.currentItem = items[index];',
    'data.currentItem = items[0];',
  ],
  [
    'the context as a whole has no index in a nested loop',
    [each('list', each('currentItem', set({ all: 'context.currentIndex' })))],
    { list: [[1, 2]] },
    'data.currentIndex = index2;',
    '',
  ],
  ['a falsy value isn’t a result', [use('zero')], {}, 'value !== undefined', 'value'],
  ['the first result instead of the last', [say('a'), use('zero'), say('b')], {}, "result = 'b'", "result ??= 'b'"],
  ['undefined prints “undefined”', [say('a: {{a}}')], {}, 'text(data.a)', 'data.a'],
  [
    'objects print [object Object]',
    [email('a@b.c', '{{a}}')],
    { a: { b: 1 } },
    "if (typeof value !== 'object') return",
    'return',
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
      missing: 'a run in which record.data.name has a character such as <',
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

  test('blocked, even if V2 fails at the same step of a later item', async () => {
    const pipeline = [each('list', use('fails'))];
    const failing = { fails: (_: object, { currentItem }: Record<string, unknown>) => currentItem || boom() };
    const { code, report } = migrated({ name: 'blocked', functions: pipeline });
    const runs = await recordings(pipeline, failing, [{ list: [1, 0] }]);
    expect(await prove({ code, steps: report.steps }, pipeline, { load, recordings: runs })).toMatchObject({
      status: 'blocked',
      comparisons: [{ differences: [{ what: 'failure', path: '/0/functions/0', iteration: [0] }] }],
    });
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

  describe('recordings that prove nothing are put aside, with the reason, and the others count', () => {
    test('a run of another revision', async () => {
      const other: Pipeline = [BRANCHES[0]!, say('{{b}}!')];
      const runs = [
        ...(await recordings(other, {}, [{ a: 1 }])),
        ...(await recordings(BRANCHES, {}, [{ a: 1 }, { a: 0 }])),
      ];
      const proof = await prove({ code, steps: report.steps }, BRANCHES, { load, recordings: runs });
      expect(proof.status).toBe('proved');
      expect(proof.steps.map(({ runs: count }) => count)).toEqual([2, 1, 1, 2]);
      expect(proof.aside).toEqual([
        { recording: 0, path: '/1', reason: 'Step /1 was different when the run was recorded.' },
      ]);
      const alone = await prove({ code, steps: report.steps }, BRANCHES, { load, recordings: runs.slice(0, 1) });
      expect(alone).toMatchObject({
        status: 'equal-so-far',
        coverage: '0 of 2 branches ran. /0/conditions/0 and /0/elseFunctions never did.',
      });
    });

    test.each<[string, Pipeline, string, string]>([
      ['fewer steps', BRANCHES.slice(0, 1), '/1', 'Step /1 was different when the run was recorded.'],
      [
        'another nested step',
        [{ ...BRANCHES[0]!, elseFunctions: [set({ b: '3' })] }, BRANCHES[1]!],
        '/0/elseFunctions/0',
        'Step /0/elseFunctions/0 was different when the run was recorded.',
      ],
      [
        'another condition',
        [{ ...BRANCHES[0]!, conditions: [{ condition: 'a == 1', functions: [set({ b: '1' })] }] }, BRANCHES[1]!],
        '/0',
        'Step /0 was different when the run was recorded.',
      ],
    ])('a run with %s', async (_, pipeline, path, reason) => {
      const runs = await recordings(pipeline, {}, [{ a: 1 }]);
      const proof = await prove({ code, steps: report.steps }, BRANCHES, { load, recordings: runs });
      expect(proof.aside).toEqual([{ recording: 0, path, reason }]);
    });

    test('settings that were masked could be the same', async () => {
      const [recording] = await recordings(BRANCHES, {}, [{ a: 1 }]);
      const text = JSON.stringify(recording).replace('"{{b}}"', '{"$":"lost","value":"masked"}');
      const masked = JSON.parse(text) as typeof recording;
      const proof = await prove({ code, steps: report.steps }, BRANCHES, { load, recordings: [masked!] });
      expect(proof.aside).toEqual([]);
    });

    test('a run that V2 doesn’t repeat, such as of another runtime', async () => {
      const [recording] = await recordings(BRANCHES, {}, [{ a: 1 }]);
      const steps = recording!.steps.map((step) => (step.kind === 'if' ? { ...step, branch: 'else' as const } : step));
      const foreign = { ...recording!, engine: 'platform' as const, steps };
      const proof = await prove({ code, steps: report.steps }, BRANCHES, { load, recordings: [foreign] });
      expect(proof).toMatchObject({ status: 'equal-so-far', comparisons: [{ differences: [], isWhole: false }] });
      const reason = 'The page’s own runtime recorded it. V2 doesn’t repeat the run: another block runs at /0.';
      expect(proof.aside).toEqual([{ recording: 0, path: '/0', reason }]);
    });

    test('a run that was stopped proves no end', async () => {
      const [recording, other] = await recordings(BRANCHES, {}, [{ a: 1 }, { a: 0 }]);
      const stopped = { ...recording!, steps: recording!.steps.slice(0, 2), end: { state: 'stopped' as const } };
      const proof = await prove({ code, steps: report.steps }, BRANCHES, { load, recordings: [stopped, other!] });
      expect(proof.comparisons[0]).toMatchObject({
        differences: [],
        unknown: [{ reason: 'The recorded run was stopped, so that its end isn’t known.' }],
        isWhole: false,
      });
      expect(proof.steps.map(({ path, status }) => [path, status])).toEqual([
        ['/0', 'proved'],
        ['/0/conditions/0/functions/0', 'equal-so-far'],
        ['/0/elseFunctions/0', 'proved'],
        ['/1', 'proved'],
      ]);
    });

    test('a difference after a lost value is still found', async () => {
      const pipeline: Pipeline = [set({ b: '1' }), set({ c: '2' })];
      const { recording } = await record(pipeline, {
        payload: { a: { x: () => 1 } },
        functions: ownPackages(() => undefined),
      });
      const one = migrated({ name: 'lost', functions: pipeline });
      const proof = await prove({ code: one.code.replace('data.b = 1', 'data.b = 2'), steps: [] }, pipeline, {
        load,
        recordings: [recording],
      });
      expect(differences(proof)).toMatchObject([{ what: 'context', place: '/b', v2: 1, v3: 2 }]);
    });
  });

  test('code that can’t be loaded is a difference', async () => {
    const proof = await prove({ code: 'async function execute( {', steps: report.steps }, BRANCHES, {
      load,
      recordings: await recordings(BRANCHES, {}, [{ a: 1 }]),
    });
    expect(differences(proof)).toMatchObject([{ what: 'code' }]);
  });
});
