/** Random V2 actions and their migrations behave alike: calls, contexts, effects, result, and failure. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pipeline, PipelineStep } from '../../../lib/pipeline/index.ts';
import { casesOf } from '../../support/exhaustive.ts';
import { expression } from '../pipeline/random-conditions.ts';
import * as random from '../pipeline/random-pipelines.ts';
import { migrated, runV2, runV3, sourcesOf } from './run-both.ts';

const CASES = casesOf(100, 300);
const ends = () => ({ result: 0, failed: 0 });

test('with packages that change the context, wait, skip, and fail', async () => {
  const { functions } = random;
  const sources = sourcesOf(functions);
  const count = ends();
  await fc.assert(
    fc.asyncProperty(random.pipeline, random.payload, async (pipeline, payload) => {
      const action = { name: 'random', functions: pipeline };
      const expected = await runV2(action, functions, payload);
      count['result' in expected.end ? 'result' : 'failed']++;
      const migration = migrated(action, { sources });
      expect(await runV3(migration, functions, payload), migration.code).toEqual(expected);
    }),
    CASES,
  );
  expect(Math.min(count.result, count.failed)).toBeGreaterThan(CASES.numRuns / 50);
});

const PACKAGE = 'com.platform.function';
const NAMES = [
  'a',
  'b',
  'text',
  'list',
  'item',
  'total',
  'currentItem',
  'currentIndex',
  'Math',
  'context',
  'data',
  'x',
];
const source = fc.oneof(
  expression,
  fc.constantFrom(
    'currentItem',
    'currentIndex',
    'currentItem + 1',
    'currentItem.x',
    'context.a',
    'context',
    'total',
    'Math.max(a, 2)',
  ),
  fc.constantFrom(
    'list.length',
    'total + currentIndex',
    '[...list, currentItem]',
    '(total ?? 0) + 1',
    'data',
    'payload',
  ),
);
const text = fc
  .array(
    fc.oneof(
      source.map((each) => `{{${each}}}`),
      fc.constantFrom('a', ' ', '{', '}', '`', '$', '\n', "'", '<b>&', '{{', '}}'),
    ),
    {
      maxLength: 4,
    },
  )
  .map((parts) => parts.join(''));
const setting = fc.oneof(
  text,
  source.map((each) => `{{${each}}}`),
  fc.constantFrom(7, null, ''),
);
const { steps } = fc.letrec<{ steps: Pipeline; step: PipelineStep }>((tie) => ({
  steps: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    fc.constant<Pipeline>([]),
    fc.array(tie('step'), { maxLength: 4 }),
  ),
  step: fc.oneof(
    { depthSize: 'small' },
    fc.record({
      functionPackage: fc.constant(`${PACKAGE}.set-context`),
      settings: fc.record({ assign: fc.dictionary(fc.constantFrom(...NAMES), source, { maxKeys: 2 }) }),
      functions: fc.option(tie('steps'), { nil: undefined }),
    }),
    fc.record({
      functionPackage: fc.constant(`${PACKAGE}.return-string`),
      settings: fc.record({ message: setting }),
    }),
    fc.record({
      functionPackage: fc.constant(`${PACKAGE}.send-email`),
      settings: fc.record({ to: setting, subject: setting, html: setting }),
      functions: fc.option(tie('steps'), { nil: undefined }),
    }),
    fc.record({
      functionPackage: fc.constant(`${PACKAGE}.if`),
      settings: fc.record({ condition: source }),
      functions: tie('steps'),
    }),
    fc.record({ functionPackage: fc.constant(`${PACKAGE}.fail`), settings: fc.record({ message: setting }) }),
    fc.record<PipelineStep>({
      type: fc.constant('loop'),
      items: fc.constantFrom('list', 'item.tags', 'list', 'currentItem', 'currentItem.tags', 'text'),
      functions: tie('steps'),
    }),
    fc.record<PipelineStep>({
      type: fc.constant('loop'),
      range: fc.record({
        from: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.constantFrom(0.5, -1.25)),
        to: fc.integer({ min: -2, max: 3 }),
      }),
      functions: tie('steps'),
    }),
    fc.record<PipelineStep>({
      type: fc.constant('if'),
      conditions: fc.array(fc.record({ condition: source, functions: tie('steps') }), { maxLength: 3 }),
      elseFunctions: fc.option(tie('steps'), { nil: undefined }),
    }),
  ),
}));
const payload = fc
  .record(
    {
      a: fc.constantFrom(3, 0, 'a'),
      currentItem: fc.constantFrom('outer', { tags: ['t'] }),
      Math: fc.constantFrom({ max: 1 }, null, 'mine'),
      context: fc.constantFrom({ a: 'inner' }, 5),
      data: fc.constantFrom('d'),
      payload: fc.constantFrom('p'),
    },
    { requiredKeys: [] },
  )
  .map((more) => ({
    b: 0,
    text: ' abc,Def ',
    nothing: null,
    item: { x: { y: 'deep' }, id: 7, tags: ['p', 'q'] },
    list: [{ x: 1, id: 'one' }, { x: null, tags: ['z'] }, 5, 'str', null],
    ...more,
  }));

test('with the platform’s packages, written as one would write them', async () => {
  const count = ends();
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 2 }), payload, async (lists, payload) => {
      const action = { name: 'random', functions: lists.flat() };
      const expected = await runV2(action, {}, payload);
      count['result' in expected.end ? 'result' : 'failed']++;
      const migration = migrated(action);
      if (migration.report.level === 'needs-person') return;
      expect(await runV3(migration, {}, payload), migration.code).toEqual(expected);
    }),
    CASES,
  );
  expect(Math.min(count.result, count.failed)).toBeGreaterThan(CASES.numRuns / 50);
});
