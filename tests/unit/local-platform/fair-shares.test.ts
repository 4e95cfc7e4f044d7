import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fairShares } from '../../../lib/local-platform/jobs/fair-shares.ts';

const shares = (apps: number[], running: [number, number][], slots: number): [number, number][] => [
  ...fairShares(apps, new Map(running), slots),
];

describe('fairShares', () => {
  it('gives one app all slots while no other app waits', () => {
    expect(shares([7], [[7, 3]], 2)).toEqual([[7, 2]]);
  });

  it('gives a slot to the app that runs the least, not to the first', () => {
    expect(shares([1, 2], [[1, 1]], 1)).toEqual([[2, 1]]);
  });

  it('gives a slot to the first of two apps that run as many', () => {
    expect(shares([2, 1], [], 1)).toEqual([[2, 1]]);
  });

  it('divides many slots evenly, and counts what is running', () => {
    expect(
      shares(
        [1, 2, 3],
        [
          [1, 2],
          [2, 1],
        ],
        5,
      ),
    ).toEqual([
      [3, 2],
      [2, 2],
      [1, 1],
    ]);
  });

  it('gives no slots when no app waits', () => {
    expect(shares([], [[1, 1]], 4)).toEqual([]);
  });

  it('never gives a slot to an app that runs more than another waiting app', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5 }))),
        fc.integer({ min: 1, max: 64 }),
        (apps, running, slots) => {
          const before = new Map(running);
          const given = fairShares(apps, before, slots);
          const after = (app: number): number => (before.get(app) ?? 0) + (given.get(app) ?? 0);
          expect([...given.values()].reduce((sum, each) => sum + each, 0)).toBe(slots);
          const least = Math.min(...apps.map(after));
          for (const app of given.keys()) expect(after(app)).toBeLessThanOrEqual(least + 1);
        },
      ),
    );
  });
});
