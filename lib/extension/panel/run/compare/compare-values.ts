/** Owns how two described values differ, and where it cannot be told because they were not recorded in full. */
import type { Change, RemoteValue } from '../../../inspector/contract.ts';
import { entriesOf, isComposite, sizeOf, type Composite } from '../../shared/remote-value.ts';

/** `unknown`: the same as far as both were recorded, and at least one was cut. */
export type Sameness = 'same' | 'different' | 'unknown';

/** At a JSON Pointer; `added` and `removed` lack the value of one side. */
export interface ValueDifference {
  path: string;
  kind: 'added' | 'removed' | 'changed' | 'unknown';
  before?: RemoteValue;
  now?: RemoteValue;
}

type Tell = (difference: ValueDifference) => boolean;

/** As many differences of one value as a person goes through. */
export const MOST_DIFFERENCES = 1000;

export function sameness(before: RemoteValue | undefined, now: RemoteValue | undefined): Sameness {
  let found: Sameness = 'same';
  walk(before, now, '', ({ kind }) => {
    found = kind === 'unknown' ? 'unknown' : 'different';
    return found === 'different';
  });
  return found;
}

/** The first so many, in the order of the values' own entries. */
export function valueDifferences(
  before: RemoteValue | undefined,
  now: RemoteValue | undefined,
  most = MOST_DIFFERENCES,
): ValueDifference[] {
  const found: ValueDifference[] = [];
  walk(before, now, '', (one) => found.push(one) >= most);
  return found;
}

/** What two lists of changes leave behind, place by place; what was there before them is not theirs. */
export function changeDifferences(
  before: readonly Change[],
  now: readonly Change[],
  most = MOST_DIFFERENCES,
): ValueDifference[] {
  const found: ValueDifference[] = [];
  walkChanges(before, now, (one) => found.push(one) >= most);
  return found;
}

export function changeSameness(before: readonly Change[], now: readonly Change[]): Sameness {
  let found: Sameness = 'same';
  if (before.length + now.length > 0) {
    walkChanges(before, now, ({ kind }) => {
      found = kind === 'unknown' ? 'unknown' : 'different';
      return found === 'different';
    });
  }
  return found;
}

function walkChanges(before: readonly Change[], now: readonly Change[], tell: Tell): void {
  const [one, other] = [before[0], now[0]];
  // Most steps change one place, the same in both.
  if (before.length === 1 && now.length === 1 && one?.path === other?.path)
    return void walk(one?.after, other?.after, one?.path ?? '', tell);
  const left = new Map(before.map((change) => [change.path, change]));
  const right = new Map(now.map((change) => [change.path, change]));
  for (const [path, change] of left) {
    const other = right.get(path);
    if (
      !other
        ? tell({ path, kind: 'removed', before: change.after ?? { t: 'undefined' } })
        : walk(change.after, other.after, path, tell)
    )
      return;
  }
  for (const [path, change] of right)
    if (!left.has(path) && tell({ path, kind: 'added', now: change.after ?? { t: 'undefined' } })) return;
}

/** True when `tell` has heard enough. */
function walk(before: RemoteValue | undefined, now: RemoteValue | undefined, path: string, tell: Tell): boolean {
  if (before === undefined || now === undefined)
    return before !== now && tell({ path, kind: before === undefined ? 'added' : 'removed', before, now });
  if (isComposite(before) && isComposite(now) && before.t === now.t && classOf(before) === classOf(now))
    return walkEntries(before, now, path, tell);
  const how = leafSameness(before, now);
  return how !== 'same' && tell({ path, kind: how === 'unknown' ? 'unknown' : 'changed', before, now });
}

const classOf = (value: Composite): string => (value.t === 'object' ? (value.name ?? 'Object') : 'Array');
const isCut = (value: Composite): boolean => (value.t === 'array' ? value.items : value.entries).length < sizeOf(value);
const escape = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

function walkEntries(before: Composite, now: Composite, path: string, tell: Tell): boolean {
  const left = entriesOf(before);
  const right = entriesOf(now);
  const cut = { before: isCut(before), now: isCut(now) };
  // Most often both have the same names in the same order.
  let byName: Map<string, RemoteValue> | null = null;
  let met = 0;
  for (let index = 0; index < left.length; index++) {
    const [name, value] = left[index] as [string, RemoteValue];
    const beside = right[index];
    const other = beside?.[0] === name ? beside[1] : (byName ??= new Map(right)).get(name);
    if (other !== undefined) met++;
    else if (cut.now) continue;
    // The place of what is the same is never asked for.
    if (other !== undefined && !isComposite(value) && leafSameness(value, other) === 'same') continue;
    if (walk(value, other, `${path}/${escape(name)}`, tell)) return true;
  }
  if (!cut.before && met < right.length) {
    const names = new Set(left.map(([name]) => name));
    for (const [name, value] of right)
      if (!names.has(name) && walk(undefined, value, `${path}/${escape(name)}`, tell)) return true;
  }
  if (!cut.before && !cut.now) return false;
  return tell({ path, kind: sizeOf(before) === sizeOf(now) ? 'unknown' : 'changed', before, now });
}

function leafSameness(before: RemoteValue, now: RemoteValue): Sameness {
  if (before.t !== now.t) return 'different';
  switch (before.t) {
    case 'undefined':
    case 'null':
      return 'same';
    case 'string': {
      const other = now as typeof before;
      const length = Math.min(before.v.length, other.v.length);
      if (before.length !== other.length || before.v.slice(0, length) !== other.v.slice(0, length)) return 'different';
      return length < before.length ? 'unknown' : 'same';
    }
    case 'error': {
      const other = now as typeof before;
      return before.name === other.name && before.message === other.message ? 'same' : 'different';
    }
    case 'cycle':
      return before.up === (now as typeof before).up ? 'same' : 'different';
    case 'unreadable':
      return 'unknown';
    case 'array':
    case 'object':
      return 'different';
    default:
      return before.v === (now as typeof before).v ? 'same' : 'different';
  }
}
