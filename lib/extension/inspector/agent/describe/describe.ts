/** Describes any page value as a `RemoteValue` within a budget, without running page code. */
import type { CompactArray, CompactObject, CompactValue } from '../../compact-value.ts';
import type { RemoteValue } from '../../contract.ts';
import { type Budget, type Cursor, cut, entryValue, GETTER, hasRoom, ownValue, wholePair } from './describe-cursor.ts';
import type { Handles } from '../handles.ts';
import { describeSpecial } from './describe-special.ts';
import {
  bigintText,
  getPrototypeOf,
  is,
  isArray,
  isFinite,
  keys,
  min,
  ObjectPrototype,
  slice,
  sourceOf,
  symbolText,
} from '../pristine.ts';

const MAX_KEY = 1_000;
const MAX_SOURCE = 300;

/**
 * @param from the first entry of a top-level object or array to describe
 * @param count the number of entries to describe; all by default
 */
export function describe(value: unknown, budget: Budget, handles: Handles, from = 0, count = Infinity): RemoteValue {
  return visit(value, createCursor(budget, handles, false), from, count);
}

/** Describes a value in its compact form. */
export function describeCompactly(value: unknown, budget: Budget, handles: Handles): CompactValue {
  const simple = compactPrimitive(value, budget.chars);
  return simple === undefined ? visit(value, createCursor(budget, handles, true)) : simple;
}

function createCursor({ nodes, chars, depth }: Budget, handles: Handles, isCompact: boolean): Cursor {
  const cursor: Cursor = { handles, nodes, chars, depth, above: [], isCompact, visit: (inner) => visit(inner, cursor) };
  return cursor;
}

/** The value itself if JSON can represent it and if it isn't too long, or else undefined. */
function compactPrimitive(value: unknown, maxChars: number): string | number | boolean | null | undefined {
  switch (typeof value) {
    case 'number':
      return isFinite(value) && !is(value, -0) ? value : undefined;
    case 'string':
      return value.length <= maxChars ? value : undefined;
    case 'boolean':
      return value;
    default:
      return value === null ? null : undefined;
  }
}

function visit(value: unknown, cursor: Cursor, from = 0, count = Infinity): RemoteValue {
  cursor.nodes--;
  const simple = cursor.isCompact ? compactPrimitive(value, cursor.chars) : undefined;
  if (simple === undefined) return visitInFull(value, cursor, from, count);
  if (typeof simple === 'string') cursor.chars -= simple.length;
  return simple as unknown as RemoteValue;
}

function visitInFull(value: unknown, cursor: Cursor, from: number, count: number): RemoteValue {
  switch (typeof value) {
    case 'undefined':
      return { t: 'undefined' };
    case 'boolean':
      return { t: 'boolean', v: value };
    case 'number':
      return { t: 'number', v: !isFinite(value) ? `${value}` : is(value, -0) ? '-0' : value };
    case 'string':
      return describeText(value, cursor);
    case 'bigint':
      return { t: 'bigint', v: cut(bigintText(value), MAX_SOURCE) };
    case 'symbol':
      return value === GETTER
        ? { t: 'unreadable', message: cursor.handles.getterText ?? 'getter, not called' }
        : { t: 'symbol', v: cut(symbolText(value), MAX_SOURCE) };
    case 'function':
      return { t: 'function', v: readOr(() => cut(sourceOf(value as () => void), MAX_SOURCE), 'function') };
    default:
      return value === null ? { t: 'null' } : describeObject(value as object, cursor, from, count);
  }
}

function describeText(value: string, cursor: Cursor): RemoteValue {
  const shown = value.length <= cursor.chars ? value : slice(value, 0, wholePair(value, cursor.chars));
  cursor.chars -= shown.length;
  if (shown.length === value.length) return { t: 'string', v: value, length: value.length };
  return { t: 'string', v: shown, length: value.length, handle: cursor.handles.add(value) };
}

function describeObject(value: object, cursor: Cursor, from: number, count: number): RemoteValue {
  for (let i = cursor.above.length - 1; i >= 0; i--)
    if (cursor.above[i] === value) return { t: 'cycle', up: cursor.above.length - i };
  cursor.above[cursor.above.length] = value;
  try {
    if (isArray(value)) return describeArray(value as unknown[], cursor, from, count);
    const proto = getPrototypeOf(value) as object | null;
    if (proto !== ObjectPrototype && proto !== null) {
      const special = describeSpecial(value, cursor, from, count);
      if (special) return special;
    }
    return describeEntries(
      value,
      proto === ObjectPrototype || proto === null ? undefined : className(proto),
      cursor,
      from,
      count,
    );
  } catch (thrown) {
    return { t: 'unreadable', message: readOr(() => unreadableReason(thrown), 'could not be read') };
  } finally {
    cursor.above.length--;
  }
}

function describeArray(list: unknown[], cursor: Cursor, from: number, count: number): RemoteValue {
  const length = list.length;
  const items: RemoteValue[] = [];
  const end = min(length, from + count);
  for (let i = from; i < end && hasRoom(cursor); i++) items[items.length] = visit(ownValue(list, `${i}`), cursor);
  if (items.length < length) return { t: 'array', length, items, handle: cursor.handles.add(list) };
  return cursor.isCompact
    ? ({ a: items } satisfies CompactArray as unknown as RemoteValue)
    : { t: 'array', length, items };
}

function describeEntries(
  value: object,
  name: string | undefined,
  cursor: Cursor,
  from: number,
  count: number,
): RemoteValue {
  const names = keys(value);
  const entries: [string, RemoteValue][] = [];
  const end = min(names.length, from + count);
  for (let i = from; i < end && hasRoom(cursor); i++) {
    const key = cut(names[i]!, MAX_KEY);
    cursor.chars -= key.length;
    entries[entries.length] = [key, visit(ownValue(value, names[i]!), cursor)];
  }
  if (!cursor.isCompact || name !== undefined || entries.length < names.length)
    return entryValue(value, name, names.length, entries, cursor);
  const flat: CompactObject = { o: [] };
  for (let i = 0; i < entries.length; i++) {
    flat.o[2 * i] = entries[i]![0];
    flat.o[2 * i + 1] = entries[i]![1];
  }
  return flat as unknown as RemoteValue;
}

function className(proto: object): string | undefined {
  const maker = ownValue(proto, 'constructor');
  const name = typeof maker === 'function' ? ownValue(maker, 'name') : undefined;
  return typeof name === 'string' && name !== '' && name !== 'Object' ? cut(name, MAX_SOURCE) : undefined;
}

function unreadableReason(thrown: unknown): string {
  const message = typeof thrown === 'object' && thrown !== null ? ownValue(thrown, 'message') : thrown;
  return typeof message === 'string' ? cut(message, MAX_SOURCE) : 'could not be read';
}

function readOr(read: () => string, fallback: string): string {
  try {
    return read();
  } catch {
    return fallback;
  }
}
