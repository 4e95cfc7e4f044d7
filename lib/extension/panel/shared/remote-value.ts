/** Reads and updates values described by a page: previews, paths, and changes. */
import { parsePointer } from '../../../shared/json-pointer.ts';
import { truncate } from '../../../shared/format.ts';
import type { Change, RemoteValue } from '../../inspector/contract.ts';

export type { Change, RemoteValue };

export const UNDEFINED: RemoteValue = { t: 'undefined' };

/** Changes can't grow a value beyond this many entries, because each change copies all of them. */
const MAX_ENTRIES = 20_000;
/** Maximum characters of a name in a preview, and of a nested value. */
const NAME_LENGTH = 30;
const NESTED_LENGTH = 40;

/** A value with entries. */
export type Composite = Extract<RemoteValue, { t: 'array' | 'object' }>;

export function isComposite(value: RemoteValue): value is Composite {
  return value.t === 'array' || value.t === 'object';
}

/** The transferred entries as name and value. */
export function entriesOf(value: Composite): [string, RemoteValue][] {
  return value.t === 'array' ? value.items.map((item, index) => [String(index), item]) : value.entries;
}

/** The transferred entry with this name, or index of an array. Doesn’t list a long array's entries. */
export function entryOf(value: Composite, name: string): RemoteValue | undefined {
  if (value.t === 'object') return value.entries.find(([key]) => key === name)?.[1];
  return /^(?:0|[1-9]\d*)$/.test(name) ? value.items[Number(name)] : undefined;
}

/** The number of entries in the page, including those not transferred. */
export function sizeOf(value: Composite): number {
  return value.t === 'array' ? value.length : value.size;
}

/** A preview on one line of at most `length` characters, such as `{email: "a@b.example", sent: true}`. */
export function previewOf(value: RemoteValue, length = 80): string {
  switch (value.t) {
    case 'undefined':
    case 'null':
      return value.t;
    case 'boolean':
    case 'number':
      return String(value.v);
    case 'string':
      return truncate(JSON.stringify(truncate(value.v, length)), length);
    case 'bigint':
      return truncate(value.v.endsWith('n') ? value.v : `${value.v}n`, length);
    case 'error':
      return truncate(`${value.name}: ${value.message}`, length);
    case 'cycle':
      return `[circular, ${value.up} up]`;
    case 'unreadable':
      return truncate(`(unreadable: ${value.message})`, length);
    case 'array':
    case 'object':
      return compositePreview(value, length);
    default:
      return truncate(value.v, length);
  }
}

function compositePreview(value: Composite, length: number): string {
  const [start, end] = value.t === 'array' ? ['[', ']'] : ['{', '}'];
  if (length < 8) return `${start}…${end}`;
  let body = '';
  let count = 0;
  // Not `entriesOf`, which lists all items of a long array.
  for (const entry of value.t === 'array' ? value.items : value.entries) {
    const [name, item] = Array.isArray(entry) ? entry : [null, entry];
    const label = name === null ? '' : `${truncate(name, NAME_LENGTH)}: `;
    const nested = previewOf(item, Math.min(NESTED_LENGTH, length - body.length));
    const part = `${count > 0 ? ', ' : ''}${label}${nested}`;
    if (body.length + part.length > length) break;
    body += part;
    count++;
  }
  const rest = count < sizeOf(value) ? `${count > 0 ? ', ' : ''}…` : '';
  return `${prefixOf(value)}${start}${body}${rest}${end}`;
}

/** A long array's length, or an object's class. */
function prefixOf(value: Composite): string {
  if (value.t === 'array') return value.length > 3 ? `(${value.length}) ` : '';
  return value.name && value.name !== 'Object' ? `${truncate(value.name, NAME_LENGTH)} ` : '';
}

/** Converts a JSON Pointer to JavaScript notation, such as `records[11].sent`. */
export function pointerAsPath(pointer: string): string {
  return parsePointer(pointer)
    .map((token, index) => {
      if (/^\d+$/.test(token)) return `[${token}]`;
      if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(token)) return `[${JSON.stringify(token)}]`;
      return index > 0 ? `.${token}` : token;
    })
    .join('');
}

/** The value at a path such as `['data', 'records']`; undefined if it's absent or wasn't transferred. */
export function valueAt(value: RemoteValue, path: readonly string[]): RemoteValue | undefined {
  let at: RemoteValue | undefined = value;
  for (const part of path) at = at && isComposite(at) ? entryOf(at, part) : undefined;
  return at;
}

/** Applies a change to a value. Shares unchanged parts, and ignores paths that weren't transferred. */
export function applyChange(value: RemoteValue, { path, after }: Change): RemoteValue {
  return changed(value, parsePointer(path), after);
}

function changed(value: RemoteValue, [token, ...rest]: string[], after: RemoteValue | undefined): RemoteValue {
  if (token === undefined) return after ?? UNDEFINED;
  if (value.t === 'array') return changedArray(value, Number(token), rest, after);
  return value.t === 'object' ? changedObject(value, token, rest, after) : value;
}

function changedArray(
  value: Extract<Composite, { t: 'array' }>,
  index: number,
  rest: string[],
  after: RemoteValue | undefined,
): RemoteValue {
  if (!Number.isInteger(index) || index < 0) return value;
  const isLast = rest.length === 0;
  if (isLast && after === undefined)
    return { ...value, length: Math.min(value.length, index), items: value.items.slice(0, index) };
  const length = Math.max(value.length, index + 1);
  const item = value.items[index];
  const isTransferred = index < MAX_ENTRIES && index <= value.items.length && (item !== undefined || isLast);
  if (!isTransferred) return { ...value, length };
  const items = value.items.slice();
  items[index] = changed(item ?? UNDEFINED, rest, after);
  return { ...value, length, items };
}

function changedObject(
  value: Extract<Composite, { t: 'object' }>,
  name: string,
  rest: string[],
  after: RemoteValue | undefined,
): RemoteValue {
  const { entries, size } = value;
  const isLast = rest.length === 0;
  const index = entries.findIndex(([key]) => key === name);
  const entry = entries[index];
  if (isLast && after === undefined)
    return entry
      ? { ...value, size: size - 1, entries: entries.toSpliced(index, 1) }
      : { ...value, size: Math.max(entries.length, size - 1) };
  if (entry) return { ...value, entries: entries.with(index, [name, changed(entry[1], rest, after)]) };
  if (!isLast || !after) return value;
  if (entries.length >= MAX_ENTRIES) return { ...value, size: size + 1 };
  return { ...value, size: Math.max(size, entries.length + 1), entries: [...entries, [name, after]] };
}
