/** Converts a described value to tree rows, either expanded on demand or filtered by a search. */
import { escapeToken } from '../../../shared/json-pointer.ts';
import type { RemoteValue } from '../../inspector/contract.ts';
import { entriesOf, isComposite, previewOf, sizeOf, type Composite } from './remote-value.ts';

export interface ValueRow {
  /** JSON Pointer from the root. A `rest` row's key is its parent's followed by `/…`. */
  key: string;
  level: number;
  /** Null for the root. */
  name: string | null;
  value: RemoteValue;
  expanded: boolean | null;
  /**
   * Represents entries that weren't transferred: the index of the first one, their number, and the handle for loading
   * them.
   */
  rest?: { of: string; from: number; count: number; handle: number | null };
}

/** Values whose entries were loaded later, by JSON Pointer. */
export type Fetched = ReadonlyMap<string, RemoteValue>;

/** Maximum number of rows a search shows. */
const MAX_FOUND = 500;

/** @param toggled keys of rows the user has toggled; initially, only the root is expanded */
export function valueRows(root: RemoteValue, toggled: ReadonlySet<string>, fetched: Fetched): ValueRow[] {
  const rows: ValueRow[] = [];
  const add = (name: string | null, transferred: RemoteValue, key: string, level: number): void => {
    const value = fetched.get(key) ?? transferred;
    const isExpandable = isComposite(value) && sizeOf(value) > 0;
    const expanded = isExpandable ? toggled.has(key) !== (level === 0) : null;
    rows.push({ key, level, name, value, expanded });
    if (!expanded || !isComposite(value)) return;
    for (const [inner, item] of entriesOf(value)) add(inner, item, `${key}/${escapeToken(inner)}`, level + 1);
    const rest = restOf(value, key, level + 1);
    if (rest) rows.push(rest);
  };
  add(null, root, '', 0);
  return rows;
}

function restOf(value: Composite, key: string, level: number): ValueRow | null {
  const from = entriesOf(value).length;
  const count = sizeOf(value) - from;
  if (count <= 0) return null;
  const rest = { of: key, from, count, handle: value.handle ?? null };
  return { key: `${key}/…`, level, name: null, value, expanded: null, rest };
}

/** Rows whose name or text contains the query, and their ancestors. Searches only transferred entries. */
export function findInValue(root: RemoteValue, query: string, fetched: Fetched): { rows: ValueRow[]; found: number } {
  const wanted = query.toLowerCase();
  const rows: ValueRow[] = [];
  let found = 0;
  const visit = (name: string | null, transferred: RemoteValue, key: string, level: number): boolean => {
    const value = fetched.get(key) ?? transferred;
    const matches = [name ?? '', textOf(value)].some((text) => text.toLowerCase().includes(wanted));
    if (matches) found++;
    const index = rows.length;
    const row: ValueRow = { key, level, name, value, expanded: null };
    rows.push(row);
    let hasMatch = false;
    if (isComposite(value))
      for (const [inner, item] of entriesOf(value))
        if (rows.length < MAX_FOUND)
          hasMatch = visit(inner, item, `${key}/${escapeToken(inner)}`, level + 1) || hasMatch;
    if (hasMatch) row.expanded = true;
    else if (!matches) rows.length = index;
    return matches || hasMatch;
  };
  visit(null, root, '', 0);
  return { rows, found };
}

function textOf(value: RemoteValue): string {
  if (isComposite(value)) return '';
  return value.t === 'string' ? value.v : previewOf(value, 1000);
}

/** Adds the entries returned by the page to a value. */
export function withMore(value: Composite, more: RemoteValue): Composite {
  if (value.t === 'array' && more.t === 'array') return { ...value, items: [...value.items, ...more.items] };
  if (value.t === 'object' && more.t === 'object') return { ...value, entries: [...value.entries, ...more.entries] };
  return value;
}
