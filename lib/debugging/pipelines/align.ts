/** Pairs equal items of two lists: as many as possible in their order, then the rest in any order. */

/** Above it, only the beginning and end of both lists are compared in order. */
const MAX_COMPARISONS = 4_000_000;

/** @param key what is equal in two items that are paired */
export function alignBy<T>(
  key: (item: T) => number | string,
  old: readonly T[],
  now: readonly T[],
): [old: T, now: T][] {
  if (old.length === 0 || now.length === 0) return [];
  const keys = [old.map(key), now.map(key)] as const;
  const inOrder = longestCommon(...keys);
  const pairs = new Map(inOrder.map(([before, after]) => [after, before]));
  pairRest(keys, pairs);
  return [...pairs].sort(([one], [other]) => one - other).map(([after, before]) => [old[before]!, now[after]!]);
}

type Keys = readonly (number | string)[];

/** The indexes of a longest common subsequence. */
function longestCommon(old: Keys, now: Keys): [old: number, now: number][] {
  const pairs: [number, number][] = [];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) pairs.push([start, start++]);
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === now[now.length - 1 - end])
    pairs.push([old.length - 1 - end, now.length - 1 - end++]);
  const [rows, columns] = [old.length - start - end, now.length - start - end];
  if (rows * columns === 0 || rows * columns > MAX_COMPARISONS) return pairs;
  const lengths = commonLengths(old.slice(start, start + rows), now.slice(start, start + columns));
  const at = (row: number, column: number): number => lengths[row * (columns + 1) + column]!;
  for (let row = 0, column = 0; row < rows && column < columns;) {
    if (old[start + row] === now[start + column]) pairs.push([start + row++, start + column++]);
    else if (at(row + 1, column) >= at(row, column + 1)) row++;
    else column++;
  }
  return pairs;
}

/** For each pair of positions: the length of the longest common subsequence from there on. */
function commonLengths(old: Keys, now: Keys): Uint32Array {
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let row = old.length - 1; row >= 0; row--)
    for (let column = now.length - 1; column >= 0; column--) {
      const next = (row + 1) * width + column;
      lengths[row * width + column] =
        old[row] === now[column]
          ? lengths[next + 1]! + 1
          : Math.max(lengths[next]!, lengths[row * width + column + 1]!);
    }
  return lengths;
}

function pairRest([old, now]: readonly [Keys, Keys], pairs: Map<number, number>): void {
  const taken = new Set(pairs.values());
  const free = Map.groupBy(
    [...old.keys()].reverse().filter((index) => !taken.has(index)),
    (index) => old[index],
  );
  for (let index = 0; index < now.length; index++) {
    const before = pairs.has(index) ? undefined : free.get(now[index])?.pop();
    if (before !== undefined) pairs.set(index, before);
  }
}
