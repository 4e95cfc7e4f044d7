/** Matches the equal keys of two lists: in order as far as possible (patience diff), and then those that moved. */

interface Range {
  left: number;
  leftEnd: number;
  right: number;
  rightEnd: number;
  depth: number;
}

/** Deeper ranges are matched without regard to order, so that no input takes quadratic time. */
const MAX_DEPTH = 40;

/** For each key of `left`, the index of an equal key in `right`, or -1. Each index occurs once. */
export function matchKeys(left: readonly string[], right: readonly string[]): number[] {
  const match = left.map(() => -1);
  const ranges: Range[] = [{ left: 0, leftEnd: left.length, right: 0, rightEnd: right.length, depth: 0 }];
  for (let range = ranges.pop(); range; range = ranges.pop()) {
    trim(range, left, right, match);
    if (range.left < range.leftEnd && range.right < range.rightEnd && range.depth < MAX_DEPTH)
      for (const inner of split(range, left, right, match)) ranges.push(inner);
  }
  matchMoved(left, right, match);
  return match;
}

/** Matches what a range starts and ends with. */
function trim(range: Range, left: readonly string[], right: readonly string[], match: number[]): void {
  while (range.left < range.leftEnd && range.right < range.rightEnd && left[range.left] === right[range.right])
    match[range.left++] = range.right++;
  while (
    range.left < range.leftEnd &&
    range.right < range.rightEnd &&
    left[range.leftEnd - 1] === right[range.rightEnd - 1]
  )
    match[--range.leftEnd] = --range.rightEnd;
}

/** Matches keys that occur once on both sides, in order, and returns the ranges between them. */
function split(range: Range, left: readonly string[], right: readonly string[], match: number[]): Range[] {
  const inRight = uniquesOf(right, range.right, range.rightEnd);
  const commons: [left: number, right: number][] = [];
  for (const [key, at] of uniquesOf(left, range.left, range.leftEnd)) {
    const other = at < 0 ? undefined : inRight.get(key);
    if (other !== undefined && other >= 0) commons.push([at, other]);
  }
  if (commons.length === 0) return [];
  const ranges: Range[] = [];
  let { left: from, right: other } = range;
  const depth = range.depth + 1;
  for (const index of increasing(commons.map(([, at]) => at))) {
    const [at, to] = commons[index]!;
    match[at] = to;
    ranges.push({ left: from, leftEnd: at, right: other, rightEnd: to, depth });
    [from, other] = [at + 1, to + 1];
  }
  ranges.push({ left: from, leftEnd: range.leftEnd, right: other, rightEnd: range.rightEnd, depth });
  return ranges;
}

/** The index of each key, or -1 if it occurs more than once. */
function uniquesOf(keys: readonly string[], from: number, end: number): Map<string, number> {
  const indexes = new Map<string, number>();
  for (let at = from; at < end; at++) indexes.set(keys[at]!, indexes.has(keys[at]!) ? -1 : at);
  return indexes;
}

function matchMoved(left: readonly string[], right: readonly string[], match: number[]): void {
  const isTaken = new Set(match);
  const rest = new Map<string, number[]>();
  for (let at = right.length - 1; at >= 0; at--) {
    if (isTaken.has(at)) continue;
    const indexes = rest.get(right[at]!);
    if (indexes) indexes.push(at);
    else rest.set(right[at]!, [at]);
  }
  if (rest.size === 0) return;
  for (const [at, key] of left.entries()) if (match[at]! < 0) match[at] = rest.get(key)?.pop() ?? -1;
}

/** Indexes of a longest increasing subsequence of the values that aren’t negative. */
export function increasing(values: readonly number[]): number[] {
  /** For each length, the index of the smallest value that such a sequence can end with. */
  const ends: number[] = [];
  const previous = new Int32Array(values.length);
  for (const [index, value] of values.entries()) {
    if (value < 0) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[ends[middle]!]! < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? ends[low - 1]! : -1;
    ends[low] = index;
  }
  const found: number[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index]!) found.push(index);
  return found.reverse();
}
