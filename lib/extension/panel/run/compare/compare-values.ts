/** Compares two described values. The result is unknown if one of them was truncated. */
import { escapeToken } from '../../../../shared/json-pointer.ts';
import type { Change, RemoteValue } from '../../../inspector/contract.ts';
import { entriesOf, isComposite, sizeOf, type Composite } from '../../shared/remote-value.ts';

/** `unknown`: the same as far as recorded, but at least one value was truncated. */
export type Sameness = 'same' | 'different' | 'unknown';

/** A difference at a JSON Pointer. `added` and `removed` have only one value. */
export interface ValueDifference {
  path: string;
  kind: 'added' | 'removed' | 'changed' | 'unknown';
  before?: RemoteValue;
  now?: RemoteValue;
}

/** Called for each difference. Returns true to stop the comparison. */
type Report = (difference: ValueDifference) => boolean;

/** Maximum number of differences listed per value. */
export const MAX_DIFFERENCES = 1000;

export function sameness(before: RemoteValue | undefined, now: RemoteValue | undefined): Sameness {
  return samenessBy((report) => walk(before, now, '', report));
}

export function changeSameness(before: readonly Change[], now: readonly Change[]): Sameness {
  if (before.length + now.length === 0) return 'same';
  return samenessBy((report) => walkChanges(before, now, report));
}

/** The first differences, in entry order. */
export function valueDifferences(
  before: RemoteValue | undefined,
  now: RemoteValue | undefined,
  most = MAX_DIFFERENCES,
): ValueDifference[] {
  return firstDifferences(most, (report) => walk(before, now, '', report));
}

/** Compares the final values of two lists of changes, path by path. */
export function changeDifferences(
  before: readonly Change[],
  now: readonly Change[],
  most = MAX_DIFFERENCES,
): ValueDifference[] {
  return firstDifferences(most, (report) => walkChanges(before, now, report));
}

function samenessBy(compare: (report: Report) => void): Sameness {
  let found: Sameness = 'same';
  compare(({ kind }) => {
    found = kind === 'unknown' ? 'unknown' : 'different';
    return found === 'different';
  });
  return found;
}

function firstDifferences(most: number, compare: (report: Report) => void): ValueDifference[] {
  const found: ValueDifference[] = [];
  compare((one) => found.push(one) >= most);
  return found;
}

function walkChanges(before: readonly Change[], now: readonly Change[], report: Report): void {
  const [one, other] = [before[0], now[0]];
  // Fast path: most steps change a single path, which is the same in both runs.
  if (before.length === 1 && now.length === 1 && one?.path === other?.path)
    return void walk(one?.after, other?.after, one?.path ?? '', report);
  const left = new Map(before.map((change) => [change.path, change]));
  const right = new Map(now.map((change) => [change.path, change]));
  for (const path of new Set([...left.keys(), ...right.keys()]))
    if (walkChange(left.get(path), right.get(path), path, report)) return;
}

/** Returns true if `report` stopped the comparison. A change without a value removes the property. */
function walkChange(before: Change | undefined, now: Change | undefined, path: string, report: Report): boolean {
  if (before && now) return walk(before.after, now.after, path, report);
  const after = (before ?? now)?.after ?? { t: 'undefined' };
  return report(before ? { path, kind: 'removed', before: after } : { path, kind: 'added', now: after });
}

/** Returns true if `report` stopped the comparison. */
function walk(before: RemoteValue | undefined, now: RemoteValue | undefined, path: string, report: Report): boolean {
  if (before === undefined || now === undefined)
    return before !== now && report({ path, kind: before === undefined ? 'added' : 'removed', before, now });
  if (isComposite(before) && isComposite(now) && before.t === now.t && classOf(before) === classOf(now))
    return walkEntries(before, now, path, report);
  const how = leafSameness(before, now);
  return how !== 'same' && report({ path, kind: how === 'unknown' ? 'unknown' : 'changed', before, now });
}

const classOf = (value: Composite): string => (value.t === 'object' ? (value.name ?? 'Object') : 'Array');
const isCut = (value: Composite): boolean => (value.t === 'array' ? value.items : value.entries).length < sizeOf(value);

function walkEntries(before: Composite, now: Composite, path: string, report: Report): boolean {
  const left = entriesOf(before);
  const right = entriesOf(now);
  const cut = { before: isCut(before), now: isCut(now) };
  const find = entryFinder(right);
  let matched = 0;
  for (const [index, [name, value]] of left.entries()) {
    const other = find(name, index);
    if (other !== undefined) matched++;
    else if (cut.now) continue;
    if (!isSameLeaf(value, other) && walk(value, other, `${path}/${escapeToken(name)}`, report)) return true;
  }
  if (!cut.before && matched < right.length) {
    const names = new Set(left.map(([name]) => name));
    for (const [name, value] of right)
      if (!names.has(name) && walk(undefined, value, `${path}/${escapeToken(name)}`, report)) return true;
  }
  if (!cut.before && !cut.now) return false;
  return report({ path, kind: sizeOf(before) === sizeOf(now) ? 'unknown' : 'changed', before, now });
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
