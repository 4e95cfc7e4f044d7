/** Pairs the items of two lists, so that an inserted or removed item doesn’t shift those after it. */
import { identify, type ItemReader } from './identify.ts';
import { increasing, matchKeys } from './match-keys.ts';

/** Indexes in both lists. Null if only the other list has the item. */
export type ItemPair = [before: number | null, now: number | null];

/**
 * Pairs items by a property that identifies them, such as `id` or `data.email`, or else by content, and what is left in
 * between by position. A moved item is paired, too. Mirrored lists have mirrored pairs. Takes O(n log n), typically.
 * @returns in the order of `before`, with items that only `now` has after the ones that they follow there
 */
export function alignItems<Item>(before: readonly Item[], now: readonly Item[], reader: ItemReader<Item>): ItemPair[] {
  return orderPairs(matchItems(before, now, reader), now.length);
}

/** For each item of `before`, the index of its counterpart in `now`, or -1. */
export function matchItems<Item>(
  before: readonly Item[],
  now: readonly Item[],
  reader: ItemReader<Item>,
): readonly number[] {
  const { before: left, now: right, areUnique } = identify(before, now, reader);
  // The choice between several items must not depend on which list is which.
  if (compareLists(left, right) <= 0) return matchBoth(left, right, areUnique);
  const mirrored = matchBoth(right, left, areUnique);
  const match = left.map(() => -1);
  mirrored.forEach((index, other) => {
    if (index >= 0) match[index] = other;
  });
  return match;
}

function matchBoth(left: readonly string[], right: readonly string[], areUnique: boolean): number[] {
  const match = matchKeys(left, right);
  if (!areUnique) matchGaps(match, right.length);
  return match;
}

/** Pairs what differs, and is between the same neighbors, by position: such an item has changed. */
function matchGaps(match: number[], count: number): void {
  const isTaken = new Uint8Array(count);
  for (const index of match) if (index >= 0) isTaken[index] = 1;
  let [at, other] = [0, 0];
  for (const anchor of [...increasing(match), match.length]) {
    const end = match[anchor] ?? count;
    for (; at < anchor; at++) {
      if (match[at]! >= 0) continue;
      while (other < end && isTaken[other]) other++;
      if (other >= end) break;
      match[at] = other++;
    }
    [at, other] = [anchor + 1, end + 1];
  }
}

/** @param count the number of items in `now` */
export function orderPairs(match: readonly number[], count: number): ItemPair[] {
  const isTaken = new Uint8Array(count);
  for (const index of match) if (index >= 0) isTaken[index] = 1;
  const pairs: ItemPair[] = [];
  let [at, other] = [0, 0];
  for (const anchor of [...increasing(match), match.length]) {
    for (; at < anchor; at++) pairs.push([at, match[at]! >= 0 ? match[at]! : null]);
    const end = match[anchor] ?? count;
    for (; other < end; other++) if (!isTaken[other]) pairs.push([null, other]);
    if (anchor < match.length) pairs.push([at++, other++]);
  }
  return pairs;
}

/** Indexes of the pairs whose items moved: they aren’t in order with the most others. */
export function movedPairs(pairs: readonly ItemPair[]): ReadonlySet<number> {
  const matched = pairs.flatMap(([at, other], index) => (at === null || other === null ? [] : { index, other }));
  const inOrder = new Set(increasing(matched.map(({ other }) => other)));
  return new Set(matched.flatMap(({ index }, nth) => (inOrder.has(nth) ? [] : index)));
}

function compareLists(left: readonly string[], right: readonly string[]): number {
  if (left.length !== right.length) return left.length - right.length;
  const index = left.findIndex((key, at) => key !== right[at]);
  return index < 0 ? 0 : left[index]! < right[index]! ? -1 : 1;
}
