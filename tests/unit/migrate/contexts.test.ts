/** Contexts are compared fast, and as strictly as whole contexts at every step would be. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contextDifferences } from '../../../lib/debugging/compare/context-differences.ts';
import type { Recording } from '../../../lib/debugging/index.ts';
import { writeValue } from '../../../lib/debugging/recording/values.ts';
import { RecordingWalk } from '../../../lib/debugging/replay/walk.ts';
import { HELPER_NAMES, helperLines } from '../../../lib/migrate/helpers.ts';
import { RunComparison } from '../../../lib/migrate/proof/comparison.ts';
import { DIFFERENT, EqualPairs } from '../../../lib/migrate/proof/contexts/equal-pairs.ts';
import { changesInPlace } from '../../../lib/migrate/proof/contexts/in-place.ts';
import { instrument } from '../../../lib/migrate/proof/instrument.ts';
import type { Comparison, LoadCode } from '../../../lib/migrate/proof/types.ts';
import type { Pipeline, PipelineFunction } from '../../../lib/pipeline/index.ts';
import type { Context } from '../../../lib/pipeline/types.ts';
import { casesOf } from '../../support/exhaustive.ts';
import * as random from '../pipeline/random-pipelines.ts';
import { load, recordings } from './recorded-runs.ts';
import { migrated, sourcesOf } from './run-both.ts';

const CASES = casesOf(80, 200);
const LOOP_NAMES = ['currentItem', 'currentIndex'];

interface Judged {
  differences: { step: number; path: string; before: unknown; now: unknown }[];
  /** By step. */
  unknown: (string | null)[];
}

/** Compares whole contexts at each step, with the recorded run’s context and the code’s `data` at that time. */
function judging(recording: Recording, pipeline: Pipeline, judged: Judged): LoadCode {
  let context: Context = {};
  let path: string | null = null;
  let areVariables = false;
  const walk = new RecordingWalk(recording, {
    started: ({ recorded }, now) => {
      [path, context, areVariables] = [recorded.path, now, isInPlainLoop(recorded.path, pipeline)];
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
          if (data && path === place)
            judge(areVariables ? without(context) : context, areVariables ? without(data) : data, judged);
        };
        walk.advance(1);
        return reached;
      };
      return execute(...values.with(index, judgedAt));
    };
  };
}

/** Whether the innermost loop around a step calls no package, so that its names can be variables. */
function isInPlainLoop(path: string, pipeline: Pipeline): boolean {
  let innermost: unknown = null;
  let value: unknown = pipeline;
  for (const key of path.split('/').slice(1, -1)) {
    value = (value as Record<string, unknown>)[key];
    if ((value as { type?: string }).type === 'loop') innermost = value;
  }
  return innermost !== null && !/"function":|"functionPackage":/.test(JSON.stringify(innermost));
}

function judge(context: Context, data: Context, { differences, unknown }: Judged): void {
  const found = contextDifferences(context, data);
  const [difference] = found.filter(({ kind }) => kind !== 'unknown');
  if (difference) {
    // Later steps can change the values.
    const [before, now] = [known(difference.before), known(difference.now)];
    differences.push({ step: unknown.length, path: difference.path, before, now });
  }
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
  turn: (_, context) => {
    const nested = (context.deep as { list: unknown[] }).list[1] as unknown[];
    nested.push(context.n);
    nested[0] = Number(nested[0]) + 1;
  },
  later: (_, context) => {
    const { list } = context.deep as { list: unknown[] };
    Object.assign(context.deep as object, { list: [...list], n: list });
  },
  set: (settings, context) => void Object.assign(context, settings, { same: context.deep }),
  item: (_, context) => {
    const deep = context.deep as { list: unknown[] };
    context.deep = { ...deep, list: deep.list };
  },
};

/** Mistakes of the code: each changes something in the context, at any depth, or nothing. */
const MISTAKES: ((value: string) => string)[] = [
  (value) => `data.n = ${value};`,
  (value) => `data.extra = ${value};`,
  () => 'delete data.flag;',
  () => 'data.flag = undefined;',
  () => 'data.extra = undefined;',
  () => 'data.list.push(1);',
  () => 'data.list.pop();',
  () => 'data.list = [...data.list];',
  () => 'data.list.reverse();',
  (value) => `data.deep.list.splice(0, 1, ${value});`,
  () => 'data.deep.list[1]?.push?.(7);',
  (value) => `data.deep.x = ${value};`,
  (value) => `const { deep } = data; deep.x = ${value};`,
  () => 'delete data.deep.x;',
  () => 'data.deep = { ...data.deep };',
  () => 'data.again = data.deep;',
  () => 'data.self = data;',
  () => 'data.deep = { list: data.deep.list };',
  () => 'delete data.same;',
  () => 'delete data.holes[0];',
  (value) => `for (const { data } of [{ data: context.payload.deep }]) data.x = ${value};`,
  (value) => `((data) => { data.x = ${value}; })(data.deep);`,
  () => `[].concat([data.deep.list]).forEach((list) => { list.length = 0; });`,
  (value) => `Object.assign(data.deep, { x: ${value} });`,
  (value) => `[data.deep.x] = [${value}];`,
  () => '',
];
const VALUES = ['1', "'1'", 'null', 'undefined', 'NaN', '-0', '0', '[]', '{}', '{ a: undefined }', '[4, [5, 6]]'];

interface Mistake {
  step: number;
  kind: number;
  value: number;
}

/** The code with mistakes before some of the steps that it runs. */
function withMistakes(code: string, made: readonly Mistake[]): string {
  const cases = made.map(({ step, kind, value }) => `if (step === ${step}) { ${MISTAKES[kind]!(VALUES[value]!)} }`);
  return code
    .replace('{\n', '{\n  let step = -1;\n')
    .replace(/^ *\/\/ \/\d.*$/gm, (path) => `step++; ${cases.join(' ')}\n${path}`);
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
  return { step: steps - 1, path: difference.place, before: known(difference.v2), now: known(difference.v3) };
}

/** As JSON: reading lost values would throw. */
const known = (value: unknown): unknown => writeValue(value, { left: 1e6, lost: 0 });

/** Makes some values of the payload unknown. */
function lose(recording: Recording, names: readonly string[]): Recording {
  const lost = { $: 'lost', value: 'masked' };
  const payload = structuredClone(recording.payload) as Record<string, unknown> & { deep: { list: unknown[] } };
  for (const name of names)
    if (name === 'deep/list') payload.deep.list[0] = lost;
    else payload[name] = lost;
  return { ...recording, payload: payload as unknown as Recording['payload'] };
}

/** The code has a copy of an object, which a package then changes. */
const NESTED_CHANGE = ['set', 'count', 'value'].map((functionPackage) => ({ functionPackage, settings: {} }));
const COPY: Mistake = {
  step: 1,
  kind: MISTAKES.findIndex((text) => text('').startsWith('data.deep = { ...')),
  value: 0,
};
const PAYLOAD = {
  list: [1],
  deep: { list: [4, [5, 6]] },
  flag: false,
  currentItem: undefined,
  currentIndex: undefined,
};

test('the first difference is the one that whole contexts have', async () => {
  const sources = sourcesOf(functions);
  // A run without all of its payload’s top level isn’t compared.
  const lost = fc.oneof(
    fc.subarray(['flag', 'currentItem', 'deep/list'], { maxLength: 2 }),
    fc.constantFrom([], ['deep/list']),
  );
  const found = { context: 0, none: 0, unknown: 0 };
  await fc.assert(
    fc.asyncProperty(random.pipeline, random.payload, plan, lost, async (pipeline, payload, made, names) => {
      const [recorded] = await recordings(pipeline, functions, [{ ...payload, holes: [undefined] }]);
      const recording = lose(recorded!, names);
      const { code } = migrated({ name: 'random', functions: pipeline }, { sources });
      const judged: Judged = { differences: [], unknown: [] };
      const judge = judging(recording, pipeline, judged);
      const wrong = instrument(withMistakes(code, made));
      const comparison = await new RunComparison(recording).run(wrong, judge);
      const [first] = judged.differences;
      expect(foundIn(comparison), wrong).toEqual(first ?? null);
      const unknown = judged.unknown
        .filter((path) => path !== null)
        .map((path) => `The context’s ${path} isn’t in the recording.`);
      expect(comparison.unknown.map(({ reason }) => reason).filter((text) => text.includes('The context’s'))).toEqual(
        unknown,
      );
      found[first ? 'context' : 'none']++;
      if (unknown.length > 0) found.unknown++;
    }),
    { ...CASES, examples: [[NESTED_CHANGE, { ...PAYLOAD, n: 0 }, [COPY], []]] },
  );
  expect(Math.min(found.context, found.none, found.unknown)).toBeGreaterThan(CASES.numRuns / 20);
});

describe('objects are compared once, unless the code can change them in place', () => {
  test.each([
    ['data.a = data.b.c;', false],
    ["data['a'] = 1; delete data.b; data.c++;", false],
    ['const restore = keepLoopNames(data); restore();', false],
    ['for (const item of data.list) data.a = Object.keys(item).map((key) => key.length);', false],
    ['data.a = data.list.toSorted().slice(1).concat(Math.max(1, 2));', false],
    ['data.a.b = 1;', true],
    ['data.a.b++;', true],
    ['delete data.a.b;', true],
    ['[data.a.b] = [1];', true],
    ['for (data.a.b of [1]) ;', true],
    ['data.list.push(1);', true],
    ["data.list['push'](1);", true],
    ["data.list['pu' + 'sh'](1);", true],
    ['const { push } = [];', true],
    ['[].push.call(data.list, 1);', true],
    ['Object.assign(data.a, {});', true],
    ['const all = Object; all[data.b](data.a, {});', true],
    ['Reflect.set(data.a, 1, 2);', true],
    ['data.day.setTime(0);', true],
    ["eval('1');", true],
    ['const root = data; root.a = 1;', true],
    ['for (const { data } of data.list) data.a = 1;', true],
    ['(function (data) { data.b = 1; })(data.a);', true],
    ['(({ data }) => { data.b = 1; })({ data: data.a });', true],
    ['try { throw data.a; } catch (data) { data.b = 1; }', true],
    ['{ const data = context.payload.a; data.b = 1; }', true],
    ['keepLoopNames(data.a);', true],
    ["call(data.list, 'push', ['array'], 1);", true],
    ["call(data.list, 'join', ['array']);", false],
    ['Object.prototype.toString.call(data.a);', false],
    ['Object.prototype.toString.apply(data.a);', true],
    ['data.a.toString.call(data.b);', true],
    ["Object['prototype'].toString.call(data.a);", true],
    ['this is no code', true],
  ])('%s', (statement, expected) => {
    const helper = 'function keepLoopNames(data) { return () => { data.currentItem = 1; }; }';
    const code = `async function execute(context) { const data = { ...context.payload }; ${statement} ${helper} }`;
    expect(changesInPlace(code)).toBe(expected);
  });

  test.each(HELPER_NAMES)('the helper %s changes nothing in place', (name) => {
    const helper = helperLines(new Set([name]))
      .flat()
      .join('\n');
    expect(changesInPlace(`async function execute(context) { const data = { ...context.payload }; ${helper} }`)).toBe(
      false,
    );
  });

  test.each<[string, number, unknown]>([
    ['both sides', 2, null],
    ['one side', 3, DIFFERENT],
  ])('an object that is at several places changes on %s', (_, total, expected) => {
    const pairs = new EqualPairs();
    const [item, other, copy] = [{ total: 1 }, { total: 1 }, { total: 1 }];
    // The code has two objects where the recorded run has one.
    const roots = [
      { items: [item], all: { item } },
      { items: [other], all: { item: copy } },
    ] as const;
    expect(pairs.compare(...roots, new Set())).toBe(null);
    [item.total, other.total, copy.total] = [2, 2, total];
    pairs.changed([item]);
    expect(pairs.compare(...roots, new Set())).toBe(expected);
  });

  test('an object of the code alone changes', () => {
    const pairs = new EqualPairs();
    const item = { total: 1 };
    const roots = [{ items: [{ total: 1 }] }, { items: [item] }] as const;
    expect(pairs.compare(...roots, new Set())).toBe(null);
    item.total = 2;
    pairs.changed([item]);
    expect(pairs.compare(...roots, new Set())).toBe(DIFFERENT);
  });

  test('a value that contains itself changes with each of its properties', () => {
    const pairs = new EqualPairs();
    const [one, other] = [
      { a: 1, copy: { a: 1 } as unknown },
      { a: 1, copy: {} as unknown },
    ];
    one.copy = { a: 1, copy: one };
    other.copy = other;
    expect(pairs.compare(one, other, new Set())).toBe(null);
    [one.a, other.a] = [2, 2];
    expect(pairs.compare(one, other, new Set())).toBe(DIFFERENT);
  });
});
