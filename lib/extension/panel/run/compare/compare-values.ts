/** Compares two described values. The result is unknown if one of them was truncated. */
import { escapeToken } from '../../../../shared/json-pointer.ts';
import type { Change, RemoteValue } from '../../../inspector/contract.ts';
import { alignItems, type ItemPair, movedPairs } from '../../../../debugging/compare/align.ts';
import { isComposite, sizeOf, type Composite } from '../../shared/remote-value.ts';
import { type Ignore, remoteItems } from './align/remote-items.ts';

/** `unknown`: the same as far as recorded, but at least one value was truncated. */
export type Sameness = 'same' | 'different' | 'unknown';

/**
 * A difference at a JSON Pointer. `added` and `removed` have only one value. Indexes are those in `now`, or in `before` for
 * what only that has.
 */
export interface ValueDifference {
  path: string;
  kind: 'added' | 'removed' | 'changed' | 'moved' | 'unknown';
  before?: RemoteValue;
  now?: RemoteValue;
}

export interface DifferenceOptions {
  most?: number;
  ignore?: Ignore | undefined;
}

/** Called for each difference. Returns true to stop the comparison. */
type Report = (difference: ValueDifference) => boolean;

/** Maximum number of differences listed per value. */
export const MAX_DIFFERENCES = 1000;

/** @param ignore which differences don’t count */
export function sameness(before: RemoteValue | undefined, now: RemoteValue | undefined, ignore?: Ignore): Sameness {
  return samenessBy((report) => walk(before, now, '', report, ignore), ignore);
}

export function changeSameness(before: readonly Change[], now: readonly Change[], ignore?: Ignore): Sameness {
  if (before.length + now.length === 0) return 'same';
  return samenessBy((report) => walkChanges(before, now, report, ignore), ignore);
}

/** The first differences, in entry order. */
export function valueDifferences(
  before: RemoteValue | undefined,
  now: RemoteValue | undefined,
  { most = MAX_DIFFERENCES, ignore }: DifferenceOptions = {},
): ValueDifference[] {
  return firstDifferences(most, (report) => walk(before, now, '', report, ignore), ignore);
}

/** Compares the final values of two lists of changes, path by path. */
export function changeDifferences(
  before: readonly Change[],
  now: readonly Change[],
  { most = MAX_DIFFERENCES, ignore }: DifferenceOptions = {},
): ValueDifference[] {
  return firstDifferences(most, (report) => walkChanges(before, now, report, ignore), ignore);
}

function samenessBy(compare: (report: Report) => void, ignore?: Ignore): Sameness {
  let found: Sameness = 'same';
  compare(({ kind, path }) => {
    if (ignore?.(path) || found === 'different') return false;
    found = kind === 'unknown' ? 'unknown' : 'different';
    // What is ignored is counted.
    return found === 'different' && !ignore;
  });
  return found;
}

function firstDifferences(most: number, compare: (report: Report) => void, ignore?: Ignore): ValueDifference[] {
  const found: ValueDifference[] = [];
  compare((one) => !ignore?.(one.path) && found.push(one) >= most);
  return found;
}

function walkChanges(before: readonly Change[], now: readonly Change[], report: Report, ignore?: Ignore): void {
  const [one, other] = [before[0], now[0]];
  // Fast path: most steps change a single path, which is the same in both runs.
  if (before.length === 1 && now.length === 1 && one?.path === other?.path)
    return void walk(one?.after, other?.after, one?.path ?? '', report, ignore);
  const left = new Map(before.map((change) => [change.path, change]));
  const right = new Map(now.map((change) => [change.path, change]));
  for (const path of new Set([...left.keys(), ...right.keys()]))
    if (walkChange(left.get(path), right.get(path), path, report, ignore)) return;
}

/** Returns true if `report` stopped the comparison. A change without a value removes the property. */
function walkChange(
  before: Change | undefined,
  now: Change | undefined,
  path: string,
  report: Report,
  ignore?: Ignore,
): boolean {
  if (before && now) return walk(before.after, now.after, path, report, ignore);
  const after = (before ?? now)?.after ?? { t: 'undefined' };
  return report(before ? { path, kind: 'removed', before: after } : { path, kind: 'added', now: after });
}

/** Returns true if `report` stopped the comparison. */
function walk(
  before: RemoteValue | undefined,
  now: RemoteValue | undefined,
  path: string,
  report: Report,
  ignore?: Ignore,
): boolean {
  if (before === undefined || now === undefined)
    return before !== now && report({ path, kind: before === undefined ? 'added' : 'removed', before, now });
  if (before.t === 'array' && now.t === 'array') return walkItems(before, now, path, report, ignore);
  if (before.t === 'object' && now.t === 'object' && classOf(before) === classOf(now))
    return walkEntries(before, now, path, report, ignore);
  const how = leafSameness(before, now);
  return how !== 'same' && report({ path, kind: how === 'unknown' ? 'unknown' : 'changed', before, now });
}

type ArrayValue = Extract<Composite, { t: 'array' }>;
type ObjectValue = Extract<Composite, { t: 'object' }>;

/** An inserted or removed item doesn’t shift those after it. */
function walkItems(before: ArrayValue, now: ArrayValue, path: string, report: Report, ignore?: Ignore): boolean {
  const cut = { before: isCut(before), now: isCut(now) };
  const pairs = pairItems(before, now, path, ignore);
  const moved = movedPairs(pairs);
  for (const [index, [at, other]] of pairs.entries()) {
    // The rest of a list can have it.
    if ((at === null && cut.before) || (other === null && cut.now)) continue;
    const one = at === null ? undefined : before.items[at];
    const two = other === null ? undefined : now.items[other];
    const item = `${path}/${other ?? at}`;
    if (moved.has(index) && report({ path: item, kind: 'moved', before: one, now: two })) return true;
    if (walk(one, two, item, report, ignore)) return true;
  }
  return (cut.before || cut.now) && reportCut(before, now, path, report);
}

function pairItems(before: ArrayValue, now: ArrayValue, path: string, ignore?: Ignore): ItemPair[] {
  const { length } = before.items;
  const isAligned =
    length === now.items.length && before.items.every((item, at) => sameness(item, now.items[at]) !== 'different');
  return isAligned
    ? before.items.map((_, at) => [at, at])
    : alignItems<RemoteValue | undefined>(before.items, now.items, remoteItems(`${path}/0`, ignore));
}

const reportCut = (before: Composite, now: Composite, path: string, report: Report): boolean =>
  report({ path, kind: sizeOf(before) === sizeOf(now) ? 'unknown' : 'changed', before, now });

const classOf = ({ name }: ObjectValue): string => name ?? 'Object';
const isCut = (value: Composite): boolean => (value.t === 'array' ? value.items : value.entries).length < sizeOf(value);

function walkEntries(before: ObjectValue, now: ObjectValue, path: string, report: Report, ignore?: Ignore): boolean {
  const { entries: left } = before;
  const { entries: right } = now;
  const cut = { before: isCut(before), now: isCut(now) };
  const find = entryFinder(right);
  let matched = 0;
  for (const [index, [name, value]] of left.entries()) {
    const other = find(name, index);
    if (other !== undefined) matched++;
    else if (cut.now) continue;
    if (!isSameLeaf(value, other) && walk(value, other, `${path}/${escapeToken(name)}`, report, ignore)) return true;
  }
  if (!cut.before && matched < right.length) {
    const names = new Set(left.map(([name]) => name));
    for (const [name, value] of right)
      if (!names.has(name) && walk(undefined, value, `${path}/${escapeToken(name)}`, report, ignore)) return true;
  }
  return (cut.before || cut.now) && reportCut(before, now, path, report);
}

/** Looks up entries by name. Usually, both values have the same names in the same order. */
function entryFinder(
  entries: readonly [string, RemoteValue][],
): (name: string, index: number) => RemoteValue | undefined {
  let byName: Map<string, RemoteValue> | null = null;
  return (name, index) => {
    const beside = entries[index];
    return beside?.[0] === name ? beside[1] : (byName ??= new Map(entries)).get(name);
  };
}

function isSameLeaf(before: RemoteValue, now: RemoteValue | undefined): boolean {
  return now !== undefined && !isComposite(before) && leafSameness(before, now) === 'same';
}

function leafSameness(before: RemoteValue, now: RemoteValue): Sameness {
  if (before.t !== now.t) return 'different';
  switch (before.t) {
    case 'undefined':
    case 'null':
      return 'same';
    case 'string':
      return stringSameness(before, now as typeof before);
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

function stringSameness(before: Extract<RemoteValue, { t: 'string' }>, now: typeof before): Sameness {
  const length = Math.min(before.v.length, now.v.length);
  if (before.length !== now.length || before.v.slice(0, length) !== now.v.slice(0, length)) return 'different';
  return length < before.length ? 'unknown' : 'same';
}
