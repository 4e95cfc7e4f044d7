/** Contexts are compared fast, and as strictly as whole contexts at every step would be. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ContextDifference, contextDifferences } from '../../../lib/debugging/compare/context-differences.ts';
import type { Recording } from '../../../lib/debugging/index.ts';
import { RecordingWalk } from '../../../lib/debugging/replay/walk.ts';
import { RunComparison } from '../../../lib/migrate/proof/comparison.ts';
import { instrument } from '../../../lib/migrate/proof/instrument.ts';
import type { Comparison, LoadCode } from '../../../lib/migrate/proof/types.ts';
import type { PipelineFunction } from '../../../lib/pipeline/index.ts';
import type { Context } from '../../../lib/pipeline/types.ts';
import * as random from '../pipeline/random-pipelines.ts';
import { load, recordings } from './recorded-runs.ts';
import { migrated, sourcesOf } from './run-both.ts';

const CASES = Number(process.env.MIGRATE_CASES ?? 200);
const LOOP_NAMES = ['currentItem', 'currentIndex'];

interface Judged {
  differences: (ContextDifference & { step: number })[];
  /** By step. */
  unknown: (string | null)[];
}

/** Compares whole contexts at each step, with the recorded run’s context and the code’s `data` at that time. */
function judging(recording: Recording, judged: Judged): LoadCode {
  let context: Context = {};
  let path: string | null = null;
  let isInLoop = false;
  const walk = new RecordingWalk(recording, {
    started: ({ recorded }, now) => {
      [path, context, isInLoop] = [recorded.path, now, (recorded.iteration ?? []).length > 0];
      onStarted();
    },
    ended: () => undefined,
  });
  let onStarted = (): void => undefined;
  return (code, names) => {
    const execute = load(code, names);
    const index = names.indexOf('__at');
    return (...values) => {
      const at = values[index] as (path: string, data: Context, ...rest: unknown[]) => Promise<void>;
      const judgedAt = (place: string, data: Context, ...rest: unknown[]): Promise<void> => {
        const reached = at(place, data, ...rest);
        onStarted = () => {
          if (path === place) judge(isInLoop ? without(context) : context, isInLoop ? without(data) : data, judged);
        };
        walk.advance(1);
        return reached;
      };
      return execute(...values.with(index, judgedAt));
    };
  };
}

function judge(context: Context, data: Context, { differences, unknown }: Judged): void {
  const found = contextDifferences(context, data);
  const [difference] = found.filter(({ kind }) => kind !== 'unknown');
  if (difference) differences.push({ ...difference, step: unknown.length });
  unknown.push(found.find(({ kind }) => kind === 'unknown')?.path ?? null);
}

const without = (context: Context): Context =>
  Object.fromEntries(Object.entries(context).filter(([name]) => !LOOP_NAMES.includes(name)));

/** Functions that also change what is deep in the context. */
const functions: Record<string, PipelineFunction> = {
  ...random.functions,
  count: (_, context) => {
    const deep = context.deep as { n?: number; list: unknown[] };
    deep.n = Number(deep.n ?? 0) + 1;
    context.n = deep.n;
  },
  turn: (_, context) => void ((context.deep as { list: unknown[] }).list[1] as unknown[]).push(context.n),
  set: (settings, context) => void Object.assign(context, settings, { same: context.deep }),
  item: (_, context) => {
    const deep = context.deep as { list: unknown[] };
    context.deep = { ...deep, list: deep.list };
  },
};

/** Code’s own mistakes: each changes something in the context, at any depth, or nothing. */
const MISTAKES: ((data: Context, value: unknown) => void)[] = [
  (data, value) => void (data.n = value),
  (data, value) => void (data.extra = value),
  (data) => delete data.flag,
  (data) => void (data.flag = undefined),
  (data) => void (data.extra = undefined),
  (data) => void (data.list as unknown[])?.push?.(1),
  (data) => void (data.list as unknown[])?.pop?.(),
  (data) => void (data.list = [...(data.list as unknown[])]),
  (data) => void (data.list as unknown[])?.reverse?.(),
  (data, value) => void ((data.deep as Context).list as unknown[]).splice(0, 1, value),
  (data) => void (((data.deep as Context).list as unknown[])[1] as unknown[])?.push?.(7),
  (data, value) => void ((data.deep as Context).x = value),
  (data) => delete (data.deep as Context).x,
  (data) => void (data.deep = structuredClone(data.deep)),
  (data) => void (data.again = data.deep),
  (data) => void (data.deep = { list: (data.deep as Context).list }),
  (data) => delete data.same,
  (data) => delete (data.holes as unknown[] | undefined)?.[0],
  () => undefined,
];
const VALUES = [1, '1', null, undefined, NaN, -0, 0, [], {}, { a: undefined }, [4, [5, 6]]];

/** The code with a call at each step that makes a mistake there, sometimes, and takes it back at the next, sometimes. */
function withMistakes(code: string): string {
  return code.replace(/^( *)(await __at\()/gm, '$1mistake(data); $2');
}

function mistakes(plan: readonly { step: number; kind: number; value: number }[]): (data: Context) => void {
  let step = 0;
  return (data) => {
    for (const { kind, value } of plan.filter((each) => each.step === step)) MISTAKES[kind]!(data, VALUES[value]);
    step++;
  };
}

const plan = fc.array(
  fc.record({
    step: fc.nat({ max: 9 }),
    kind: fc.nat({ max: MISTAKES.length - 1 }),
    value: fc.nat({ max: VALUES.length - 1 }),
  }),
  { maxLength: 3 },
);

/** The difference of contexts that a comparison found, with the number of the step. */
function foundIn({ differences: [difference], steps }: Comparison): unknown {
  if (difference?.what !== 'context') return null;
  return { step: steps - 1, path: difference.place, before: difference.v2, now: difference.v3 };
}

/** Makes some values of the payload unknown. */
function lose(recording: Recording, names: readonly string[]): Recording {
  const lost = { $: 'lost', value: 'masked' };
  const payload = structuredClone(recording.payload) as Record<string, unknown> & { deep: { list: unknown[] } };
  for (const name of names)
    if (name === 'deep/list') payload.deep.list[0] = lost;
    else payload[name] = lost;
  return { ...recording, payload: payload as unknown as Recording['payload'] };
}

test('the first difference is the one that whole contexts have', async () => {
  const sources = sourcesOf(functions);
  const lost = fc.subarray(['flag', 'currentItem', 'deep/list'], { maxLength: 2 });
  const found = { context: 0, none: 0, unknown: 0 };
  await fc.assert(
    fc.asyncProperty(random.pipeline, random.payload, plan, lost, async (pipeline, payload, made, names) => {
      const [recorded] = await recordings(pipeline, functions, [{ ...payload, holes: [undefined] }]);
      const recording = lose(recorded!, names);
      const { code } = migrated({ name: 'random', functions: pipeline }, { sources });
      const judged: Judged = { differences: [], unknown: [] };
      const make = mistakes(made);
      const judge = judging(recording, judged);
      const comparison = await new RunComparison(recording).run(withMistakes(instrument(code)), (text, given) => {
        const execute = judge(text, ['mistake', ...given]);
        return (...values) => execute(make, ...values);
      });
      const [first] = judged.differences;
      const expected = first && { step: first.step, path: first.path, before: first.before, now: first.now };
      expect(foundIn(comparison), code).toEqual(expected ?? null);
      const unknown = judged.unknown
        .filter((path) => path !== null)
        .map((path) => `The context’s ${path} isn’t in the recording.`);
      expect(comparison.unknown.map(({ reason }) => reason).filter((text) => text.includes('The context’s'))).toEqual(
        unknown,
      );
      found[first ? 'context' : 'none']++;
      if (unknown.length > 0) found.unknown++;
    }),
    { numRuns: CASES },
  );
  expect(Math.min(found.context, found.none, found.unknown)).toBeGreaterThan(CASES / 20);
});
