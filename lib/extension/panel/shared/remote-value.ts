/** Owns reading and changing the values that a page described: one-line text, JSON Pointers, changes applied. */
import type { Change, RemoteValue } from '../../inspector/contract.ts';
import { truncate } from '../../../shared/format.ts';

export type { Change, RemoteValue };

export const UNDEFINED: RemoteValue = { t: 'undefined' };

/** Entries of one value that changes may add up to: each change copies those that are there. */
const MOST_HELD = 20_000;

/** An object or array, which has entries. */
export type Composite = Extract<RemoteValue, { t: 'array' | 'object' }>;

export function isComposite(value: RemoteValue): value is Composite {
  return value.t === 'array' || value.t === 'object';
}

/** The entries that are held, as name and value. */
export function entriesOf(value: Composite): [string, RemoteValue][] {
  return value.t === 'array' ? value.items.map((item, index) => [String(index), item]) : value.entries;
}

/** How many entries the value has in the page, held or not. */
export function sizeOf(value: Composite): number {
  return value.t === 'array' ? value.length : value.size;
}

/** The value in one line, such as `{email: "a@b.example", sent: true}`; `room` bounds its characters. */
export function previewOf(value: RemoteValue, room = 80): string {
  switch (value.t) {
    case 'undefined':
    case 'null':
      return value.t;
    case 'boolean':
    case 'number':
      return String(value.v);
    case 'string':
      return truncate(JSON.stringify(truncate(value.v, room)), room);
    case 'bigint':
      return truncate(value.v.endsWith('n') ? value.v : `${value.v}n`, room);
    case 'error':
      return truncate(`${value.name}: ${value.message}`, room);
    case 'cycle':
      return `↑ ${value.up} up again`;
    case 'unreadable':
      return truncate(`(not readable: ${value.message})`, room);
    case 'array':
    case 'object':
      return compositePreview(value, room);
    default:
      return truncate(value.v, room);
  }
}

function compositePreview(value: Composite, room: number): string {
  const [start, end] = value.t === 'array' ? ['[', ']'] : ['{', '}'];
  const head =
    value.t === 'array'
      ? value.length > 3
        ? `(${value.length}) `
        : ''
      : value.name && value.name !== 'Object'
        ? `${truncate(value.name, 30)} `
        : '';
  if (room < 8) return `${start}…${end}`;
  let body = '';
  let told = 0;
  for (const [name, item] of entriesOf(value)) {
    const part = `${told > 0 ? ', ' : ''}${value.t === 'array' ? '' : `${truncate(name, 30)}: `}${previewOf(item, Math.min(40, room - body.length))}`;
    if (body.length + part.length > room) break;
    body += part;
    told++;
  }
  const rest = told < sizeOf(value) ? `${told > 0 ? ', ' : ''}…` : '';
  return `${head}${start}${body}${rest}${end}`;
}

/** The parts of a JSON Pointer. */
export function pointerParts(pointer: string): string[] {
  return pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A JSON Pointer as a person writes it: `records[11].sent`. */
export function pointerAsPath(pointer: string): string {
  return pointerParts(pointer)
    .map((part, index) =>
      /^\d+$/.test(part)
        ? `[${part}]`
        : /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(part)
          ? `${index > 0 ? '.' : ''}${part}`
          : `[${JSON.stringify(part)}]`,
    )
    .join('');
}

/** The value at a dotted path such as `data.records`, where it is held. */
export function valueAt(value: RemoteValue, parts: readonly string[]): RemoteValue | undefined {
  let at: RemoteValue | undefined = value;
  for (const part of parts) at = at && isComposite(at) ? entriesOf(at).find(([name]) => name === part)?.[1] : undefined;
  return at;
}

/** The value with one change made; values are shared, never altered. A place outside what is held is left as it is. */
export function applyChange(value: RemoteValue, change: Change): RemoteValue {
  return set(value, pointerParts(change.path), 0, change.after);
}

function set(value: RemoteValue, parts: readonly string[], at: number, after: RemoteValue | undefined): RemoteValue {
  const part = parts[at];
  if (part === undefined) return after ?? UNDEFINED;
  if (!isComposite(value)) return value;
  const isLast = at === parts.length - 1;
  if (value.t === 'array') {
    const index = Number(part);
    if (!Number.isInteger(index) || index < 0) return value;
    if (isLast && after === undefined)
      return { ...value, length: Math.min(value.length, index), items: value.items.slice(0, index) };
    const length = Math.max(value.length, index + 1);
    const held = value.items[index];
    if (index > value.items.length || index >= MOST_HELD || (held === undefined && !isLast))
      return { ...value, length };
    const items = value.items.slice();
    items[index] = isLast ? (after ?? UNDEFINED) : set(held ?? UNDEFINED, parts, at + 1, after);
    return { ...value, length, items };
  }
  const found = value.entries.findIndex(([name]) => name === part);
  if (isLast && after === undefined) {
    return found < 0
      ? { ...value, size: Math.max(value.entries.length, value.size - 1) }
      : { ...value, size: value.size - 1, entries: value.entries.toSpliced(found, 1) };
  }
  if (found < 0 && value.entries.length >= MOST_HELD)
    return isLast && after ? { ...value, size: value.size + 1 } : value;
  if (found < 0)
    return isLast && after
      ? { ...value, size: Math.max(value.size, value.entries.length + 1), entries: [...value.entries, [part, after]] }
      : value;
  const [, held] = value.entries[found] ?? [part, UNDEFINED];
  return {
    ...value,
    entries: value.entries.with(found, [part, isLast ? (after ?? UNDEFINED) : set(held, parts, at + 1, after)]),
  };
}
