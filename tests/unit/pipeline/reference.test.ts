/** Compares runs of generated pipelines with a simple reference interpreter. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Pipeline,
  type PipelineError,
  type PipelineFunction,
  type PipelineStep,
  runPipeline,
  validatePipeline,
} from '../../../lib/pipeline/index.ts';
import { type ReferenceFailure, reference } from './reference.ts';

const functions: Record<string, PipelineFunction> = {
  value: ({ value }) => value,
  later: async ({ value }) => value,
  turn: ({ value }) => new Promise((resolve) => setImmediate(resolve, value)),
  item: (_, { currentItem, currentIndex }) => [currentItem, currentIndex],
  set: (settings, context) => void Object.assign(context, settings),
  count: (_, context) => (context.n = Number(context.n ?? 0) + 1),
  spoil: (settings) => {
    settings.value = 'spoilt';
    return settings.value;
  },
  grow: (_, context) => void (Array.isArray(context.list) && context.list.length < 4 && context.list.push(9)),
  shadow: (_, context) => void (context.currentItem = 'mine'),
  refuse: () => Promise.reject(),
  refuseIfOdd: (_, { currentIndex }) => (Number(currentIndex) % 2 ? Promise.reject() : 'even'),
  boom: () => {
    throw new Error('boom');
  },
  boomLater: async (_, { currentIndex }) => {
    if (currentIndex === 1) throw new Error('later');
  },
};

const settings = fc.option(
  fc.record({
    value: fc.oneof(fc.integer(), fc.constantFrom(null, 0, '', false), fc.array(fc.integer(), { maxLength: 2 })),
  }),
  { nil: undefined },
);
const condition = fc.constantFrom(
  'n > 1',
  'currentItem == 1',
  'currentIndex === 0',
  'list.length > 2',
  'typeof flag === "boolean" && flag',
  'true',
  'false',
  'currentItem.x',
  'missing',
  'missing.x',
  'list.some(x => x === n)',
  'deep.list[0] ?? n',
  '!flag',
);
const name = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...Object.keys(functions).filter((key) => !key.startsWith('boom'))) },
  { weight: 1, arbitrary: fc.constantFrom('boom', 'boomLater') },
);

const { pipeline } = fc.letrec<{ pipeline: Pipeline; nested: Pipeline; step: PipelineStep }>((tie) => ({
  nested: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    fc.constant<Pipeline>([]),
    fc.array(tie('step'), { maxLength: 3 }),
  ),
  step: fc.oneof(
    { depthSize: 'small' },
    fc.record<PipelineStep>({ functionPackage: name, settings }),
    fc.record<PipelineStep>({ type: fc.constant('function'), function: name, settings, functions: tie('nested') }),
    fc.record<PipelineStep>({
      type: fc.constant('loop'),
      items: fc.constantFrom('list', 'deep.list', 'list', 'deep.list', 'currentItem', 'n'),
      functions: tie('nested'),
    }),
    fc.record<PipelineStep>({
      type: fc.constant('loop'),
      range: fc.record({ from: fc.integer({ min: -2, max: 2 }), to: fc.integer({ min: -2, max: 3 }) }),
      functions: tie('nested'),
    }),
    fc.record<PipelineStep>({
      type: fc.constant('if'),
      conditions: fc.array(fc.record({ condition, functions: tie('nested') }), { maxLength: 3 }),
      elseFunctions: fc.option(tie('nested'), { nil: undefined }),
    }),
  ),
  pipeline: fc.array(tie('step'), { maxLength: 5 }),
}));
const payload = fc.constantFrom({}, { n: 1, flag: true }, { currentItem: 'outer', currentIndex: 7 }).map((more) => ({
  list: [1, 2, 3],
  deep: { list: [4, [5, 6]] },
  n: 0,
  flag: false,
  currentItem: undefined as unknown,
  currentIndex: undefined as unknown,
  ...more,
}));

test('a generated pipeline has the result, failure, and steps of the reference, and isn’t changed', async () => {
  const ends = { completed: 0, failed: 0 };
  await fc.assert(
    fc.asyncProperty(pipeline, payload, fc.boolean(), async (steps, given, observed) => {
      const untouched = structuredClone(steps);
      expect(validatePipeline(steps, { packages: Object.keys(functions) })).toEqual([]);
      const expected: string[] = [];
      const wanted = await reference(steps, functions, structuredClone(given), expected).then(
        (value) => ({ value }),
        ({ path, iteration }: ReferenceFailure) => ({ path, iteration }),
      );
      const actual: string[] = [];
      const observer = {
        before: ({ path, iteration }: { path: string; iteration: readonly number[] }) =>
          void actual.push(`> ${path} ${iteration.join('.')}`),
        after: ({ path, iteration }: { path: string; iteration: readonly number[] }, { state }: { state: string }) =>
          void actual.push(`< ${path} ${iteration.join('.')} ${state}`),
      };
      const got = await runPipeline(steps, {
        functions: new Map(Object.entries(functions)),
        payload: structuredClone(given),
        ...(observed && { observer }),
      }).then(
        (value) => ({ value }),
        ({ path, iteration }: PipelineError) => ({ path, iteration }),
      );
      expect(got).toEqual(wanted);
      if (observed) expect(actual).toEqual(expected);
      expect(steps).toEqual(untouched);
      ends['value' in wanted ? 'completed' : 'failed']++;
    }),
    { numRuns: 1000 },
  );
  // Both kinds occurred.
  expect(ends.completed).toBeGreaterThan(100);
  expect(ends.failed).toBeGreaterThan(100);
}, 60_000);
