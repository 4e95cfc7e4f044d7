/** Compares two versions of JSON data. Matches array items by content, not by index. */
import { escapeToken } from '../../../../shared/json-pointer.ts';
import { isFields, same } from './draft-value.ts';

export type Difference =
  | { path: string; kind: 'added'; after: unknown }
  | { path: string; kind: 'removed'; before: unknown }
  | { path: string; kind: 'changed'; before: unknown; after: unknown };

/** Longer arrays are compared by index, because aligning them would take too long. */
const ALIGN_LIMIT = 500;

/** Paths are JSON Pointers into `after`, or into `before` for removed values. */
export function differences(before: unknown, after: unknown, path = ''): Difference[] {
  if (same(before, after)) return [];
  if (isFields(before) && isFields(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      field(before, after, key, `${path}/${escapeToken(key)}`),
    );
  }
  if (Array.isArray(before) && Array.isArray(after)) return listDifferences(before, after, path);
  return [{ path, kind: 'changed', before, after }];
}

function field(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  key: string,
  path: string,
): Difference[] {
  if (!Object.hasOwn(before, key)) return [{ path, kind: 'added', after: after[key] }];
  if (!Object.hasOwn(after, key)) return [{ path, kind: 'removed', before: before[key] }];
  return differences(before[key], after[key], path);
}

/** Aligns equal items first, then similar items between them, and the rest by index. */
function listDifferences(before: unknown[], after: unknown[], path: string): Difference[] {
  const found: Difference[] = [];
  const add = (some: readonly Difference[]): void => {
    for (const one of some) found.push(one);
  };
  const gap = (old: number, oldEnd: number, now: number, nowEnd: number): void => {
    for (; old < oldEnd && now < nowEnd; old++, now++) add(differences(before[old], after[now], `${path}/${now}`));
    for (; old < oldEnd; old++) found.push({ path: `${path}/${old}`, kind: 'removed', before: before[old] });
    for (; now < nowEnd; now++) found.push({ path: `${path}/${now}`, kind: 'added', after: after[now] });
  };
  const align = (old: number, oldEnd: number, now: number, nowEnd: number, alike: Alike, between: typeof gap): void => {
    const pairs =
      before.length > ALIGN_LIMIT || after.length > ALIGN_LIMIT
        ? []
        : commonItems(before.slice(old, oldEnd), after.slice(now, nowEnd), alike);
    const [oldStart, nowStart] = [old, now];
    for (const [i, j] of pairs) {
      between(old, oldStart + i, now, nowStart + j);
      add(differences(before[oldStart + i], after[nowStart + j], `${path}/${nowStart + j}`));
      [old, now] = [oldStart + i + 1, nowStart + j + 1];
    }
    between(old, oldEnd, now, nowEnd);
  };
  align(0, before.length, 0, after.length, same, (...range) => align(...range, sameKind, gap));
  return found;
}

type Alike = (a: unknown, b: unknown) => boolean;

/** Steps are alike if they call the same function or have the same type. */
const sameKind: Alike = (a, b) =>
  isFields(a) &&
  isFields(b) &&
  same(a['type'], b['type']) &&
  same(a['functionPackage'], b['functionPackage']) &&
  same(a['function'], b['function']);

/** The longest common subsequence, as pairs of indexes. */
function commonItems(before: unknown[], after: unknown[], alike: Alike): [number, number][] {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i * width + j] = alike(before[i], after[j]) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < before.length && j < after.length;) {
    if (alike(before[i], after[j])) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
