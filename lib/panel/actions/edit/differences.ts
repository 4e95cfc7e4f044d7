/** Owns what differs between two versions of plain data, place by place; items of lists are told apart by what they are, not by their number. */
import { escapeKey, isFields, same } from './pointer.ts';

export type Difference =
  | { path: string; kind: 'added'; after: unknown }
  | { path: string; kind: 'removed'; before: unknown }
  | { path: string; kind: 'changed'; before: unknown; after: unknown };

/** Longer lists are compared number by number: to align them would take too long. */
const ALIGNED = 500;

/** Paths are JSON Pointers into `after`; of what was removed, into `before`. */
export function differences(before: unknown, after: unknown, path = ''): Difference[] {
  if (same(before, after)) return [];
  if (isFields(before) && isFields(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => field(before, after, key, `${path}/${escapeKey(key)}`));
  }
  if (Array.isArray(before) && Array.isArray(after)) return listDifferences(before, after, path);
  return [{ path, kind: 'changed', before, after }];
}

function field(before: Record<string, unknown>, after: Record<string, unknown>, key: string, path: string): Difference[] {
  if (!Object.hasOwn(before, key)) return [{ path, kind: 'added', after: after[key] }];
  if (!Object.hasOwn(after, key)) return [{ path, kind: 'removed', before: before[key] }];
  return differences(before[key], after[key], path);
}

function listDifferences(before: unknown[], after: unknown[], path: string): Difference[] {
  const pairs = before.length > ALIGNED || after.length > ALIGNED ? [] : equalItems(before, after);
  const found: Difference[] = [];
  let [old, now] = [0, 0];
  for (const [oldEnd, nowEnd] of [...pairs, [before.length, after.length] as const]) {
    // Between two items that stayed, what stands at the same place is the same item, changed.
    for (; old < oldEnd && now < nowEnd; old++, now++) found.push(...differences(before[old], after[now], `${path}/${now}`));
    for (; old < oldEnd; old++) found.push({ path: `${path}/${old}`, kind: 'removed', before: before[old] });
    for (; now < nowEnd; now++) found.push({ path: `${path}/${now}`, kind: 'added', after: after[now] });
    old++;
    now++;
  }
  return found;
}

/** The longest common subsequence, as pairs of indexes. */
function equalItems(before: unknown[], after: unknown[]): [number, number][] {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) lengths[i * width + j] = same(before[i], after[j]) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < before.length && j < after.length; ) {
    if (same(before[i], after[j])) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
