/** Tests how the items of two lists are paired. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alignItems, type ItemPair } from '../../../../lib/debugging/compare/align.ts';
import { increasing } from '../../../../lib/debugging/compare/match-keys.ts';
import { valueItems } from '../../../../lib/debugging/compare/value-items.ts';
import { compileVolatile } from '../../../../lib/debugging/compare/volatile.ts';
import { cpuTime } from '../../../support/cpu-time.ts';

const align = (before: readonly unknown[], now: readonly unknown[]): ItemPair[] =>
  alignItems(before, now, valueItems());
/** The pairs without their order, with `before` and `now` exchanged if wanted. */
const pairsOf = (pairs: readonly ItemPair[], isMirrored = false): string[] =>
  pairs.map(([one, other]) => (isMirrored ? `${other} ${one}` : `${one} ${other}`)).toSorted();
const people = (...names: string[]): unknown[] => names.map((name) => ({ id: name, data: { email: `${name}@a.b` } }));

describe('aligned lists', () => {
  it.each<[string, unknown[], unknown[], ItemPair[]]>([
    [
      'an inserted item',
      people('a', 'b', 'c'),
      people('a', 'new', 'b', 'c'),
      [
        [0, 0],
        [null, 1],
        [1, 2],
        [2, 3],
      ],
    ],
    [
      'a removed item',
      people('a', 'b', 'c'),
      people('b', 'c'),
      [
        [0, null],
        [1, 0],
        [2, 1],
      ],
    ],
    [
      'a moved item',
      people('a', 'b', 'c', 'd'),
      people('b', 'c', 'd', 'a'),
      [
        [0, 3],
        [1, 0],
        [2, 1],
        [3, 2],
      ],
    ],
    [
      'a changed item',
      [
        { id: 1, n: 1 },
        { id: 2, n: 1 },
      ],
      [
        { id: 0, n: 1 },
        { id: 1, n: 7 },
        { id: 2, n: 1 },
      ],
      [
        [null, 0],
        [0, 1],
        [1, 2],
      ],
    ],
    [
      'another item at the same place',
      people('a', 'b', 'c'),
      people('a', 'x', 'c'),
      [
        [0, 0],
        [1, null],
        [null, 1],
        [2, 2],
      ],
    ],
    [
      'equal values',
      ['x', 'y', 'y', 'z'],
      ['x', 'new', 'y', 'y', 'z'],
      [
        [0, 0],
        [null, 1],
        [1, 2],
        [2, 3],
        [3, 4],
      ],
    ],
    [
      'a changed value between equal ones',
      [1, 5, 2],
      [1, 6, 2],
      [
        [0, 0],
        [1, 1],
        [2, 2],
      ],
    ],
    [
      'lists of other things',
      people('a', 'b'),
      people('x', 'y', 'z'),
      [
        [0, 0],
        [1, 1],
        [null, 2],
      ],
    ],
    ['an empty list', [], [1], [[null, 0]]],
  ])('pair %s', (_name, before, now, expected) => expect(align(before, now)).toEqual(expected));

  it('are paired by the best property that identifies items in both', () => {
    const items = (ids: number[], emails: string[]): unknown[] =>
      ids.map((id, index) => ({ id, data: { email: emails[index], city: 'Rome' } }));
    // The IDs were generated again.
    expect(align(items([1, 2, 3], ['a', 'b', 'c']), items([7, 8, 9, 10], ['x', 'a', 'b', 'c']))).toEqual([
      [null, 0],
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
    // No property but this one is unique.
    const parts = (numbers: number[]): unknown[] => numbers.map((part) => ({ part, size: 1, seen: Math.random() }));
    expect(align(parts([1, 2, 3]), parts([2, 3]))).toEqual([
      [0, null],
      [1, 0],
      [2, 1],
    ]);
  });

  it('ignore an ID that some items share, or that only some have', () => {
    const same = [{ id: 1, v: 1 }, { id: 1, v: 2 }, { v: 3 }];
    expect(align(same, [{ id: 9, v: 0 }, ...same])).toEqual([
      [null, 0],
      [0, 1],
      [1, 2],
      [2, 3],
    ]);
  });

  it('ignore what is volatile', () => {
    const items = (time: number, ...names: string[]): unknown[] =>
      names.flatMap((name) => [
        { tag: name, time },
        { tag: name, time },
      ]);
    const reader = valueItems('/list', compileVolatile(['/list/*/time']));
    expect(alignItems(items(1, 'a', 'b'), items(2, 'new', 'a', 'b'), reader).slice(0, 3)).toEqual([
      [null, 0],
      [null, 1],
      [0, 2],
    ]);
  });

  it('have each item once, those of `before` in order, and mirrored pairs when mirrored', () => {
    const item = fc.oneof(
      fc.integer({ min: 0, max: 4 }),
      fc.record({ id: fc.integer({ min: 0, max: 30 }), n: fc.integer({ min: 0, max: 2 }) }),
      fc.record({ data: fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd', 'e') }) }),
    );
    const list = fc.oneof(
      fc.array(item, { maxLength: 12 }),
      fc.uniqueArray(fc.record({ id: fc.integer({ min: 0, max: 20 }), n: fc.nat(2) }), {
        selector: ({ id }) => id,
        maxLength: 12,
      }),
    );
    fc.assert(
      fc.property(list, list, (before, now) => {
        const pairs = align(before, now);
        expect(pairs.flatMap(([one]) => one ?? [])).toEqual(before.map((_, index) => index));
        expect(pairs.flatMap(([, other]) => other ?? []).toSorted((a, b) => a - b)).toEqual(now.map((_, at) => at));
        expect(pairsOf(align(now, before), true)).toEqual(pairsOf(pairs));
      }),
      { numRuns: Number(process.env.RUNS ?? 1_000) },
    );
  });

  it('have no differences to themselves, and only the insertion after one', () => {
    const list: fc.Arbitrary<unknown[]> = fc.array(fc.oneof(fc.nat(3), fc.record({ id: fc.nat(99) })), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(list, fc.nat(20), (items, at) => {
        expect(align(items, items)).toEqual(items.map((_, index) => [index, index]));
        const where = Math.min(at, items.length);
        const unpaired = align(items, items.toSpliced(where, 0, 'inserted')).filter((pair) => pair.includes(null));
        expect(unpaired).toEqual([[null, where]]);
      }),
    );
  });

  it('of 50,000 items are paired quickly, also if all items are similar or in reverse order', () => {
    const count = 50_000;
    const large = Array.from({ length: count }, (_, id) => ({ id, data: { name: `n${id}` } }));
    const few = Array.from({ length: count }, (_, index) => (index * 7_919) % 13);
    const baseline = cpuTime(() => large.map((one) => JSON.stringify(one)).toSorted());
    for (const [before, now] of [
      [large, large.toSpliced(10, 0, { id: -1, data: { name: '' } })],
      [large, large.toReversed()],
      [few, few.toReversed()],
      [few, few.map((each) => each + 1)],
    ])
      expect(cpuTime(() => align(before!, now!))).toBeLessThan(40 * baseline + 500);
  });
});

it('a longest increasing subsequence is as long as one found by trying', () => {
  const longest = (values: number[]): number =>
    Math.max(0, ...values.map((value, at) => 1 + longest(values.slice(at + 1).filter((other) => other > value))));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 8 }), (values) => {
      const found = increasing(values).map((index) => values[index]!);
      expect(found).toEqual([...new Set(found)].toSorted((a, b) => a - b));
      expect(found.length).toBe(longest(values));
    }),
  );
});
