/** Lists changes of the context, with those of arrays item by item instead of index by index. */
import { escapeToken, parsePointer } from '../../../shared/json-pointer.ts';
import { formatCount, plural } from '../../../shared/format.ts';
import type { RemoteValue } from '../../inspector/contract.ts';
import { entriesOf, isComposite, valueAt } from '../shared/remote-value.ts';
import { toJson } from '../shared/value-json.ts';
import type { ContextDifference } from './context-changes.ts';
import { type ValueDifference, valueDifferences } from './compare/compare-values.ts';

export interface ChangeRow {
  key: string;
  /** 1 for an item of an array, whose row is above. */
  level: 0 | 1;
  kind: ContextDifference['kind'] | 'items';
  /** JSON Pointer into the context. */
  path: string;
  before?: RemoteValue;
  after?: RemoteValue;
  /** For an array: how many of its items were added, removed, and changed. */
  summary?: string;
}

/** Maximum number of items that are compared, and of rows per array. */
const MAX_ITEMS = 5_000;
const MAX_ROWS = 500;
/** Maximum number of changed properties that are listed per item. */
const MAX_PROPERTIES = 5;
/** Properties that identify an item, best first. */
const IDENTITIES = ['id', '_id', 'key', 'uuid', 'email', 'name'];

type ArrayValue = Extract<RemoteValue, { t: 'array' }>;

/** @param contexts returns the contexts before and after; called only if an array might have changed */
export function changeRows(
  differences: readonly ContextDifference[],
  contexts: () => { before: RemoteValue; after: RemoteValue },
): ChangeRow[] {
  const mayBeArray = differences.some(
    ({ path, before, after }) => /\/\d+(?:\/|$)/.test(path) || (before?.t === 'array' && after?.t === 'array'),
  );
  const whole = mayBeArray ? contexts() : null;
  const arrays = new Map<string, ChangeRow[] | null>();
  const rows: ChangeRow[] = [];
  for (const difference of differences) {
    const array = whole && arrayAround(difference.path, whole.before, whole.after);
    if (array && !arrays.has(array.path)) {
      arrays.set(array.path, array.isItem ? itemRows(array) : null);
      rows.push(...(arrays.get(array.path) ?? []));
    }
    if (array && arrays.get(array.path)) continue;
    const { path, kind, before, after } = difference;
    rows.push({ key: path, level: 0, kind, path, ...(before && { before }), ...(after && { after }) });
  }
  return rows;
}

interface ChangedArray {
  path: string;
  before: ArrayValue;
  after: ArrayValue;
  /** Whether the array itself, or one of its items as a whole, has changed. */
  isItem: boolean;
}

/** The outermost array that contains the changed value, both before and after. */
function arrayAround(path: string, before: RemoteValue, after: RemoteValue): ChangedArray | null {
  const tokens = parsePointer(path);
  let [one, other]: (RemoteValue | undefined)[] = [before, after];
  for (let depth = 0; one && other; depth++) {
    if (one.t === 'array' && other.t === 'array') {
      const pointer = tokens.slice(0, depth).map((token) => `/${escapeToken(token)}`);
      return { path: pointer.join(''), before: one, after: other, isItem: depth >= tokens.length - 1 };
    }
    const token = tokens[depth];
    if (token === undefined) return null;
    [one, other] = [valueAt(one, [token]), valueAt(other, [token])];
  }
  return null;
}

/** Null if items are only known by their indexes, or none was added, removed, or changed. */
function itemRows({ path, before, after }: ChangedArray): ChangeRow[] | null {
  const isWhole = before.items.length === before.length && after.items.length === after.length;
  if (!isWhole || before.length > MAX_ITEMS || after.length > MAX_ITEMS) return null;
  const identity = identityOf(before.items, after.items);
  const rest = new Map<string, { item: RemoteValue; index: number }[]>();
  before.items.forEach((item, index) => {
    const key = identity(item);
    rest.set(key, [...(rest.get(key) ?? []), { item, index }]);
  });
  const rows: ChangeRow[] = [];
  const counts = { added: 0, changed: 0, removed: 0 };
  const add = (kind: keyof typeof counts, index: number, more: Partial<ChangeRow>): void => {
    counts[kind]++;
    const itemPath = `${path}/${index}`;
    rows.push({ key: `${kind} ${itemPath}`, level: 1, kind, path: itemPath, ...more });
  };
  after.items.forEach((item, index) => {
    const known = rest.get(identity(item))?.shift();
    if (!known) return add('added', index, { after: item });
    const differences = valueDifferences(known.item, item, { most: MAX_PROPERTIES + 1 });
    if (differences.length === 0) return;
    if (differences.length > MAX_PROPERTIES || !isComposite(item))
      return add('changed', index, { before: known.item, after: item });
    counts.changed++;
    for (const one of differences) {
      const inner = `${path}/${index}${one.path}`;
      const values = { ...(one.before && { before: one.before }), ...(one.now && { after: one.now }) };
      rows.push({ key: inner, level: 1, kind: kindOf(one), path: inner, ...values });
    }
  });
  for (const left of rest.values()) for (const { item, index } of left) add('removed', index, { before: item });
  if (rows.length === 0) return null;
  const summary = summaryOf(counts, before.length, after.length, rows.length);
  return [{ key: path, level: 0, kind: 'items', path, summary }, ...rows.slice(0, MAX_ROWS)];
}

const kindOf = ({ kind }: ValueDifference): 'added' | 'removed' | 'changed' =>
  kind === 'added' || kind === 'removed' ? kind : 'changed';

function summaryOf(
  counts: Record<'added' | 'changed' | 'removed', number>,
  before: number,
  after: number,
  rows: number,
): string {
  const parts = (['added', 'removed', 'changed'] as const).flatMap((kind) =>
    counts[kind] > 0 ? [`${formatCount(counts[kind])} ${kind}`] : [],
  );
  const length = before === after ? plural(after, 'item') : `${formatCount(before)} → ${plural(after, 'item')}`;
  return [length, parts.join(', '), rows > MAX_ROWS && `first ${formatCount(MAX_ROWS)} shown`]
    .filter(Boolean)
    .join(' · ');
}

/** Identifies items by a property that all of them have and that no two share, or else by content. */
function identityOf(before: readonly RemoteValue[], after: readonly RemoteValue[]): (item: RemoteValue) => string {
  const name = IDENTITIES.find((one) => isUnique(before, one) && isUnique(after, one));
  return (item) => (name === undefined ? toJson(item) : `${name} ${toJson(valueAt(item, [name]) as RemoteValue)}`);
}

function isUnique(items: readonly RemoteValue[], name: string): boolean {
  const seen = new Set<string>();
  for (const item of items) {
    const value = item.t === 'object' ? entriesOf(item).find(([key]) => key === name)?.[1] : undefined;
    if (!value || (value.t !== 'string' && value.t !== 'number')) return false;
    seen.add(toJson(value));
  }
  return seen.size === items.length;
}
