/** Compares two versions of JSON data. Matches array items by content, not by index. */
import { increasing, matchKeys } from '../../../../debugging/compare/match-keys.ts';
import { valueItems } from '../../../../debugging/compare/value-items.ts';
import { escapeToken } from '../../../../shared/json-pointer.ts';
import { isFields, same } from './draft-value.ts';

export type Difference =
  | { path: string; kind: 'added'; after: unknown }
  | { path: string; kind: 'removed'; before: unknown }
  | { path: string; kind: 'changed'; before: unknown; after: unknown };

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
function listDifferences(before: readonly unknown[], after: readonly unknown[], path: string): Difference[] {
  const found: Difference[] = [];
  const keys = [content, kind].map((keyOf) => [before.map(keyOf), after.map(keyOf)] as const);
  const compare = (old: number, now: number): void => {
    for (const one of differences(before[old], after[now], `${path}/${now}`)) found.push(one);
  };
  const align = (old: number, oldEnd: number, now: number, nowEnd: number, depth: number): void => {
    if (depth === keys.length) {
      for (; old < oldEnd && now < nowEnd; old++, now++) compare(old, now);
      for (; old < oldEnd; old++) found.push({ path: `${path}/${old}`, kind: 'removed', before: before[old] });
      for (; now < nowEnd; now++) found.push({ path: `${path}/${now}`, kind: 'added', after: after[now] });
      return;
    }
    const [left, right] = keys[depth]!;
    const [oldStart, nowStart] = [old, now];
    const match = matchKeys(left.slice(old, oldEnd), right.slice(now, nowEnd));
    for (const index of increasing(match)) {
      const [at, other] = [oldStart + index, nowStart + match[index]!];
      align(old, at, now, other, depth + 1);
      compare(at, other);
      [old, now] = [at + 1, other + 1];
    }
    align(old, oldEnd, now, nowEnd, depth + 1);
  };
  align(0, before.length, 0, after.length, 0);
  return found;
}

const { content } = valueItems();

/** Steps are alike if they call the same function or have the same type. */
const kind = (item: unknown): string =>
  isFields(item) ? JSON.stringify([item['type'], item['functionPackage'], item['function']]) : '';
