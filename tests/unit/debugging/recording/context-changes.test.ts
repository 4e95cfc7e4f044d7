import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ContextChanges } from '../../../../lib/debugging/recording/context-changes.ts';
import { applyChanges } from '../../../../lib/debugging/replay/apply-changes.ts';
import type { Context, Pipeline, PipelineFunction } from '../../../../lib/pipeline/index.ts';
import { RecordingWalk } from '../../../../lib/debugging/replay/walk.ts';
import type { LostValueError } from '../../../../lib/debugging/recording/values.ts';
import { record } from '../record.ts';

const budget = () => ({ left: 1e9, lost: 0 });

/** Numbers are names that objects list first. Many names take another way than few. */
const NAMES = [
  'a',
  'b',
  'c',
  '7',
  '1',
  '__proto__',
  'a/b',
  ...Array.from({ length: 25 }, (_, index) => `many${index}`),
];
const name = fc.oneof(fc.constantFrom(...NAMES.slice(0, 7)), fc.constantFrom(...NAMES));
type Change = (objects: object[]) => void;

const define = (holder: object, key: string, value: unknown): void =>
  void Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
const at = <T>(list: readonly T[], index: number): T => list[index % list.length]!;

const change: fc.Arbitrary<Change> = fc.oneof(
  fc
    .tuple(fc.nat(), name, fc.constantFrom(1, 'text', null, undefined, true))
    .map(([index, key, value]): Change => (objects) => {
      const holder = at(objects, index);
      if (Array.isArray(holder)) holder.push(value);
      else define(holder, key, value);
    }),
  fc.tuple(fc.nat(), name, fc.boolean()).map(([index, key, isList]): Change => (objects) => {
    const holder = at(objects, index);
    const made = isList ? [1, { deep: 2 }] : { x: { y: 1 }, z: [] };
    if (Array.isArray(holder)) holder.unshift(made);
    else define(holder, key, made);
  }),
  fc.tuple(fc.nat(), fc.nat()).map(([index, pick]): Change => (objects) => {
    const holder = at(objects, index) as Record<string, unknown>;
    if (Array.isArray(holder)) holder.splice(pick % (holder.length + 1), 1);
    else delete holder[at([...Object.keys(holder), 'none'], pick)];
  }),
  // An object that is already elsewhere. Objects that contain themselves are lost.
  fc.tuple(fc.nat(), name).map(([index, key]): Change => (objects) => {
    const moved = at(objects, index);
    if (objects.length > 1 && moved !== objects[0]) define(objects[0]!, key, moved);
  }),
);

function objectsIn(value: object, found: object[] = []): object[] {
  found.push(value);
  for (const item of Object.values(value))
    if (typeof item === 'object' && item !== null && !found.includes(item as object)) objectsIn(item as object, found);
  return found;
}

test('the changes of each look, applied to a copy of the context, keep it equal', () => {
  let moved = 0;
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 3 }), { minLength: 1, maxLength: 40 }), (looks) => {
      const context: Context = { list: [{ id: 1 }, { id: 2 }], map: { a: 1 } };
      context.alias = (context.list as unknown[])[1];
      const copy = structuredClone(context);
      const tracker = new ContextChanges(context, budget());
      for (const changes of looks) {
        for (const each of changes) each(objectsIn(context));
        const look = tracker.look(0, 'due');
        expect(look.late).toEqual([]);
        moved += JSON.stringify(look.changes).split('"ref"').length - 1;
        expect(applyChanges(copy, structuredClone(look.changes))).toBe(null);
        expect(copy).toEqual(context);
      }
      expect(tracker.look(0, 'due').changes).toEqual([]);
    }),
    { numRuns: Number(process.env.RUNS ?? 1_000) },
  );
  expect(moved).toBeGreaterThan(100);
});

test('an object that takes the place of the one around it is compared at once and from then on', () => {
  const context: Context = { outer: { inner: { a: 1 } } };
  const tracker = new ContextChanges(context, budget());
  context.outer = (context.outer as { inner: unknown }).inner;
  expect(tracker.look(0, 'due')).toMatchObject({
    changes: [['/outer', { $: 'ref', value: '/outer/inner' }]],
    late: [],
  });
  (context.outer as { a: number }).a = 2;
  expect(tracker.look(0, 'due')).toMatchObject({ changes: [['/outer/a', 2]], late: [] });
});

test('an object that was changed and moved at once is written as it is', () => {
  const context: Context = { map: { deep: { a: 1, more: { b: 1 } } } };
  const tracker = new ContextChanges(context, budget());
  const { deep } = context.map as { deep: { a: number; more: { b: number } } };
  context.top = deep;
  context.map = {};
  deep.more.b = 2;
  expect(tracker.look(0, 'due').changes).toEqual([
    ['/map', {}],
    ['/top', { a: 1, more: { b: 2 } }],
  ]);
  expect(tracker.look(0, 'due')).toMatchObject({ changes: [], late: [] });
});

test('names in another order are no change, and later changes of them are found', () => {
  const context: Context = { a: 1, b: 2, c: 3 };
  const tracker = new ContextChanges(context, budget());
  delete context.a;
  context.a = 1;
  expect(tracker.look(0, 'due').changes).toEqual([]);
  context.c = 4;
  expect(tracker.look(0, 'due').changes).toEqual([['/c', 4]]);
});

test('an object that gains a property leaves those like it as they were', () => {
  const list: Record<string, number>[] = [{ id: 1 }, { id: 2 }];
  const tracker = new ContextChanges({ list }, budget());
  list[0]!.more = 3;
  expect(tracker.look(0, 'due').changes).toEqual([['/list/0/more', 3]]);
  expect(tracker.look(0, 'due').changes).toEqual([]);
  list[1]!.more = 4;
  expect(tracker.look(0, 'due').changes).toEqual([['/list/1/more', 4]]);
});

test('an item that is undefined, and a list that gets shorter, are changes', () => {
  const list: unknown[] = [1, 2, 3];
  const tracker = new ContextChanges({ list }, budget());
  list.push(undefined);
  expect(tracker.look(0, 'due').changes).toEqual([['/list/3', { $: 'undefined' }]]);
  list.length = 1;
  expect(tracker.look(0, 'due').changes).toEqual([['/list/3'], ['/list/2'], ['/list/1']]);
});

test('what a loop sets and restores is no change, unless a function sets it', () => {
  const context: Context = { currentItem: 'own' };
  const tracker = new ContextChanges(context, budget());
  context.currentItem = { id: 1 };
  context.currentIndex = 0;
  tracker.skipLoopNames();
  expect(tracker.look(0, 'due').changes).toEqual([]);
  (context.currentItem as { id: number }).id = 2;
  context.currentIndex = 5;
  expect(tracker.look(0, 'due').changes).toEqual([
    ['/currentItem/id', 2],
    ['/currentIndex', 5],
  ]);
  context.currentItem = 'own';
  delete context.currentIndex;
  tracker.skipLoopNames();
  expect(tracker.look(0, 'due').changes).toEqual([]);
});

/** More values than a run compares in every look, however short it is. */
const LARGE = 90_000;
const large = (): number[] => Array.from({ length: LARGE }, () => 0);
const wait = { function: 'wait' };
const waits = (to: number): Pipeline => [{ type: 'loop', range: { from: 1, to }, functions: [wait] }];
const steps = (...names: string[]): Pipeline => names.map((name) => ({ function: name }));

async function lateIn(pipeline: Pipeline, functions: Record<string, PipelineFunction>) {
  const { recording } = await record(pipeline, { wait: () => undefined, ...functions });
  const late = recording.steps.flatMap((step, index) => (step.late ?? []).map((each) => ({ ...each, index })));
  return { late, recording };
}

test('a large value that changed at an unknown time is recorded with the step since which it wasn’t compared', async () => {
  let list: unknown[] = [];
  const { late } = await lateIn([...steps('make', 'wait', 'wait', 'change'), ...waits(10_000)], {
    make: (_, context) => void (context.list = list = large()),
    change: () => void (list[7] = 1),
  });
  expect(late).toEqual([{ changes: [['/list/7', 1]], since: 1, index: expect.any(Number) }]);
  expect(late[0]!.index).toBeGreaterThan(1_000);
});

test('what a step of a short run changes in a large value is recorded with this step', async () => {
  const { late, recording } = await lateIn(steps('make', 'change', 'wait'), {
    make: (_, context) => void (context.list = Array.from({ length: 5_000 }, () => 0)),
    change: (_, context) => void (context.list as number[]).push(1),
  });
  expect(late).toEqual([]);
  expect(recording.steps[1]!.changes).toEqual([['/list/5000', 1]]);
});

test('two large values are compared in the same look, so that neither waits forever', () => {
  const context: Context = { small: large(), other: [...large(), 0] };
  const tracker = new ContextChanges(context, budget());
  for (let step = 0; step < 10; step++) tracker.look(step, 'due');
  for (const list of Object.values(context)) (list as number[])[0] = 1;
  let found = tracker.look(10, 'due');
  for (let step = 11; found.late.length === 0 && step < 100_000; step++) found = tracker.look(step, 'due');
  expect(found).toMatchObject({
    changes: [],
    late: [
      ['/small/0', 1],
      ['/other/0', 1],
    ],
    since: 0,
  });
});

test('what a step can have changed itself isn’t recorded as from before it', () => {
  const context: Context = { list: large() };
  const tracker = new ContextChanges(context, budget());
  for (let step = 0; step < 10; step++) tracker.look(step, 'due');
  (context.list as number[])[0] = 1;
  let found = 0;
  for (let look = 0; look < 50_000; look++) found += tracker.look(10, 'exact').late.length;
  expect(found).toBe(0);
  expect(tracker.look(11, 'due').late).toEqual([['/list/0', 1]]);
});

test('a large value that changed since it was compared last is lost when the run ends', async () => {
  const { late, recording } = await lateIn(steps('make', 'wait', 'wait', 'change', 'wait'), {
    make: (_, context) => void Object.assign(context, { list: large(), rows: large() }),
    change: (_, { list, rows }) => {
      (list as number[])[7] = 1;
      (rows as unknown[]).pop();
    },
  });
  const lost = { $: 'lost', value: 'time-unknown' };
  expect(late).toEqual([
    {
      changes: [
        ['/list/7', lost],
        ['/rows', lost],
      ],
      since: 1,
      index: 4,
    },
  ]);
  expect(recording.lost).toBe(2);
  const ends: unknown[] = [];
  const read = (value: () => unknown): unknown => {
    try {
      return value();
    } catch (thrown) {
      return (thrown as LostValueError).reason;
    }
  };
  const walk = new RecordingWalk(recording, {
    started: () => {},
    ended: (_, context) => {
      const list = context.list as number[];
      ends.push([list[0], read(() => list[7]), read(() => context.rows)]);
    },
  });
  walk.advance(10);
  expect(ends.slice(-2)).toEqual([
    [0, 'time-unknown', 'time-unknown'],
    [0, 'time-unknown', 'time-unknown'],
  ]);
});

test('thousands of names are listed by few looks, and what changed meanwhile is late', () => {
  let listed = 0;
  const names = Array.from({ length: 2_500 }, (_, index) => [`name${index}`, index]);
  const context = new Proxy(Object.fromEntries(names) as Context, {
    ownKeys: (target) => (listed++, Reflect.ownKeys(target)),
  });
  const tracker = new ContextChanges(context, budget());
  let step = 0;
  const look = () => tracker.look(step, 'due');
  context.first = 1;
  expect(look()).toMatchObject({ changes: [['/first', 1]], late: [] });
  listed = 0;
  for (step = 1; step <= 2_000; step++) look();
  expect(listed).toBeLessThan(100);
  const before = listed;
  context.second = 2;
  delete context.name7;
  let found = look();
  for (; found.late.length === 0; found = look()) step++;
  expect(found).toMatchObject({ changes: [], late: [['/second', 2], ['/name7']] });
  expect(found.since).toBeLessThanOrEqual(2_000);
  expect(listed).toBe(before + 1);
});
