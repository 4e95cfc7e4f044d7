/**
 * Compares replays with changes with real runs of the changed pipeline and payload: what a replay claims is what really
 * happens. The functions are deterministic, and read what they like.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecordedStep } from '../../../lib/debugging/recording/format.ts';
import { replay } from '../../../lib/debugging/replay/replay.ts';
import { replayWith } from '../../../lib/debugging/replay/what-if.ts';
import type { Context, Pipeline, PipelineFunction, PipelineStep } from '../../../lib/pipeline/index.ts';
import { ownPackages } from '../migrate/run-both.ts';
import { record } from './record.ts';

const RUNS = Number(process.env.RUNS ?? 300);
const TIMEOUT = Math.max(60_000, RUNS * 60);

const OWN = 'com.platform.function.';
const functions: Record<string, PipelineFunction> = {
  ...Object.fromEntries(ownPackages(() => undefined, [{ id: 1, data: { n: 1 } }])),
  whole: (_, context) => JSON.stringify(context),
  names: (_, context) => Object.keys(context).length,
  add: ({ by }, context) => void (context.n = Number(context.n) + Number(by)),
  refuse: (_, { n }) => {
    if (Number(n) > 1) throw new Error(`No, ${String(n)} is too much.`);
  },
  touch: (_, { currentItem }) => {
    if (typeof currentItem === 'object' && currentItem !== null) (currentItem as Context).touched = true;
    return structuredClone(currentItem);
  },
  skip: (_, { flag }) => (flag ? Promise.reject() : undefined),
};

const expression = fc.constantFrom(
  'n',
  'n + 1',
  'list.length',
  'list',
  'currentItem',
  "'text'",
  'flag ? n : other',
  '{ a: n }',
);
const text = fc.constantFrom(
  'a',
  '{{n}}',
  'Number {{n}}',
  '{{currentItem.id}}',
  '{{other}} and {{n}}',
  '{{missing.x}}',
);
const condition = fc.constantFrom('n > 1', 'flag', 'list.length > 1', 'currentItem.id == 1', 'other == 1', 'true');

const { pipeline } = fc.letrec<{ step: PipelineStep; nested: Pipeline; pipeline: Pipeline }>((tie) => ({
  nested: fc.array(tie('step'), { maxLength: 2 }),
  step: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    fc.record({
      functionPackage: fc.constant(`${OWN}set-context`),
      settings: fc.record({ assign: fc.dictionary(fc.constantFrom('n', 'other', 'made'), expression, { maxKeys: 2 }) }),
    }),
    fc.record({ functionPackage: fc.constant(`${OWN}return-string`), settings: fc.record({ message: text }) }),
    fc.record({
      functionPackage: fc.constant(`${OWN}send-notification`),
      settings: fc.record({ title: fc.constant('Hello'), message: text }),
    }),
    fc.record({
      functionPackage: fc.constant(`${OWN}read-datasource`),
      settings: fc.record({ dataSourceId: fc.constant(1), where: fc.record({ n: text }) }),
    }),
    fc.record({ functionPackage: fc.constant(`${OWN}fail`), settings: fc.record({ message: text }) }),
    fc.record({
      functionPackage: fc.constant(`${OWN}if`),
      settings: fc.record({ condition }),
      functions: tie('nested'),
    }),
    fc.record({
      functionPackage: fc.constantFrom('whole', 'names', 'refuse', 'touch'),
    }),
    fc.record({ functionPackage: fc.constantFrom('skip'), functions: tie('nested') }),
    fc.record({ functionPackage: fc.constant('add'), settings: fc.record({ by: fc.nat(2) }) }),
    fc.record({
      type: fc.constant('if' as const),
      conditions: fc.array(fc.record({ condition, functions: tie('nested') }), { minLength: 1, maxLength: 2 }),
      elseFunctions: tie('nested'),
    }),
    fc.record({ type: fc.constant('loop' as const), items: fc.constant('list'), functions: tie('nested') }),
    fc.record({
      type: fc.constant('loop' as const),
      range: fc.record({ from: fc.nat(1), to: fc.nat(2) }),
      functions: tie('nested'),
    }),
  ),
  pipeline: fc.array(tie('step'), { minLength: 1, maxLength: 5 }),
}));

const payload = fc.record(
  {
    n: fc.nat(2),
    flag: fc.boolean(),
    other: fc.nat(1),
    list: fc.array(fc.record({ id: fc.nat(2) }), { maxLength: 3 }),
    unread: fc.nat(1),
  },
  { requiredKeys: ['n', 'flag', 'list'] },
);

/** Another pipeline: some steps are removed, moved, or replaced. */
const change = fc.record({
  payload: fc.option(payload, { nil: undefined }),
  remove: fc.nat(9),
  swap: fc.nat(9),
  replace: fc.tuple(
    fc.nat(9),
    fc.option(
      pipeline.filter((steps) => steps.length > 0),
      { nil: undefined },
    ),
  ),
});

interface Edit {
  remove: number;
  swap: number;
  replace: [number, Pipeline | undefined];
}

function changed(steps: Pipeline, { remove, swap, replace: [at, other] }: Edit): Pipeline {
  const copy = structuredClone(steps);
  if (other && at < copy.length) copy[at] = structuredClone(other[0]!);
  if (swap + 1 < copy.length) [copy[swap], copy[swap + 1]] = [copy[swap + 1]!, copy[swap]!];
  if (remove < copy.length) copy.splice(remove, 1);
  return copy;
}

const comparable = ({
  kind,
  path,
  iteration,
  name,
  state,
  value,
  error,
  branch,
  iterations,
}: RecordedStep): object => ({
  kind,
  path,
  iteration,
  name,
  state,
  value,
  error,
  branch,
  iterations,
});

test(
  'what a replay with changes claims is what really happens',
  async () => {
    let [claims, unknown] = [0, 0];
    await fc.assert(
      fc.asyncProperty(pipeline, payload, change, async (steps, given, { payload: other, ...edit }) => {
        const { recording } = await record(steps, functions, { payload: given });
        const now = { pipeline: changed(steps, edit), payload: other ?? given };
        const run = await replayWith(recording, now);
        if (run.end.state !== 'completed' && run.end.state !== 'failed') return void unknown++;
        claims++;
        const real = await record(now.pipeline, functions, { payload: now.payload });
        expect(run.recording.end).toEqual(real.recording.end);
        expect(run.recording.steps.map(comparable)).toEqual(real.recording.steps.map(comparable));
        // What was evaluated is recorded like what really ran.
        expect((await replay(run.recording)).state).toBe(run.end.state);
        expect((await replayWith(run.recording, {})).end.state).toBe(run.end.state);
      }),
      { numRuns: RUNS },
    );
    expect([claims > RUNS / 10, unknown > RUNS / 10]).toEqual([true, true]);
  },
  TIMEOUT,
);

test(
  'a replay without a part of the payload that nothing reads is always judged',
  async () => {
    const isOwn = (steps: Pipeline): boolean => !/"(?:whole|names|refuse|touch|skip|add)"/.test(JSON.stringify(steps));
    await fc.assert(
      fc.asyncProperty(pipeline.filter(isOwn), payload, async (steps, given) => {
        const { recording, error } = await record(steps, functions, { payload: { ...given, unread: 1 } });
        const run = await replayWith(recording, { payload: given });
        expect(run.end.state).toBe(error === undefined ? 'completed' : 'failed');
      }),
      { numRuns: RUNS },
    );
  },
  TIMEOUT,
);
