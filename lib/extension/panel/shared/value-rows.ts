/** Owns a described value as the rows of a tree: lazy, searchable. */
import type { RemoteValue } from '../../inspector/contract.ts';
import { entriesOf, isComposite, previewOf, sizeOf, type Composite } from './remote-value.ts';

export interface ValueRow {
  /** JSON Pointer from the root; of a `rest` row, that of its parent and `/…`. */
  key: string;
  level: number;
  /** Null at the root. */
  name: string | null;
  value: RemoteValue;
  expanded: boolean | null;
  /** The row stands for entries that the panel does not hold: from where on, how many, and by which handle to ask for them. */
  rest?: { of: string; from: number; count: number; handle: number | null };
}

/** Entries that were fetched later, by JSON Pointer of what they belong to. */
export type Fetched = ReadonlyMap<string, RemoteValue>;

const escape = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** As many rows as a search shows. */
const FOUND = 500;

/** Rows of what is open. `open` holds the keys that differ from the rule: the root is open, all else closed. */
export function valueRows(root: RemoteValue, toggled: ReadonlySet<string>, fetched: Fetched): ValueRow[] {
  const rows: ValueRow[] = [];
  const add = (name: string | null, held: RemoteValue, key: string, level: number): void => {
    const value = fetched.get(key) ?? held;
    const expandable = isComposite(value) && sizeOf(value) > 0;
    const expanded = expandable ? toggled.has(key) !== (level === 0) : null;
    rows.push({ key, level, name, value, expanded });
    if (!expanded || !isComposite(value)) return;
    for (const [inner, item] of entriesOf(value)) add(inner, item, `${key}/${escape(inner)}`, level + 1);
    const rest = restOf(value, key, level + 1);
    if (rest) rows.push(rest);
  };
  add(null, root, '', 0);
  return rows;
}

function restOf(value: Composite, key: string, level: number): ValueRow | null {
  const held = entriesOf(value).length;
  const missing = sizeOf(value) - held;
  if (missing <= 0) return null;
  return {
    key: `${key}/…`,
    level,
    name: null,
    value,
    expanded: null,
    rest: { of: key, from: held, count: missing, handle: value.handle ?? null },
  };
}

/** The rows whose name or text holds `words`, with what they are inside of; only what the panel holds is searched. */
export function findInValue(root: RemoteValue, words: string, fetched: Fetched): { rows: ValueRow[]; found: number } {
  const wanted = words.toLowerCase();
  const rows: ValueRow[] = [];
  let found = 0;
  const visit = (name: string | null, held: RemoteValue, key: string, level: number): boolean => {
    const value = fetched.get(key) ?? held;
    const text = isComposite(value) ? '' : value.t === 'string' ? value.v : previewOf(value, 1000);
    const own = Boolean(name?.toLowerCase().includes(wanted)) || text.toLowerCase().includes(wanted);
    if (own) found++;
    const at = rows.length;
    rows.push({ key, level, name, value, expanded: isComposite(value) && sizeOf(value) > 0 ? true : null });
    let inside = false;
    if (isComposite(value))
      for (const [inner, item] of entriesOf(value))
        if (rows.length < FOUND) inside = visit(inner, item, `${key}/${escape(inner)}`, level + 1) || inside;
    if (!own && !inside) rows.length = at;
    else if (!inside) rows[at] = { ...(rows[at] as ValueRow), expanded: null };
    return own || inside;
  };
  visit(null, root, '', 0);
  return { rows, found };
}

/** A value with a further piece of its entries, as the page answered it. */
export function withMore(value: Composite, piece: RemoteValue): Composite {
  if (value.t === 'array' && piece.t === 'array') return { ...value, items: [...value.items, ...piece.items] };
  if (value.t === 'object' && piece.t === 'object') return { ...value, entries: [...value.entries, ...piece.entries] };
  return value;
}
