/** Generates pipelines, their functions, and payloads. */
import fc from 'fast-check';
import type { Pipeline, PipelineFunction, PipelineStep } from '../../../lib/pipeline/index.ts';

/** Function packages of all kinds: they return, wait, change the context or their settings, skip, and fail. */
export const functions: Record<string, PipelineFunction> = {
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

const generated = fc.letrec<{ pipeline: Pipeline; nested: Pipeline; step: PipelineStep }>((tie) => ({
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
      items: fc.constantFrom('list', 'deep.list', 'context.list', 'context.deep["list"]', 'currentItem', 'n'),
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
export const { pipeline } = generated;

export const payload = fc
  .constantFrom({}, { n: 1, flag: true }, { currentItem: 'outer', currentIndex: 7 })
  .map((more) => ({
    list: [1, 2, 3],
    deep: { list: [4, [5, 6]] },
    n: 0,
    flag: false,
    currentItem: undefined as unknown,
    currentIndex: undefined as unknown,
    ...more,
  }));
