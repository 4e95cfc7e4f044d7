/** Describes special objects: dates, errors, maps, typed arrays, and nodes. */
import type { RemoteValue } from '../../contract.ts';
import { type Cursor, cut, entryValue, GETTER, hasRoom, ownValue } from './describe-cursor.ts';
import {
  apply,
  bufferLength,
  dateTime,
  elementAttribute,
  elementName,
  ErrorPrototype,
  getPrototypeOf,
  isError,
  isoDate,
  mapEntries,
  mapNext,
  mapSize,
  min,
  nodeName,
  nodeType,
  regexpFlags,
  regexpSource,
  setNext,
  setSize,
  setValues,
  stackGetter,
  symbolText,
  toText,
  typedLength,
  typedName,
} from '../pristine.ts';
import { attempt } from '../safe.ts';

const MAX_STACK = 8_000;
const MAX_MESSAGE = 4_000;

/** Null if the value is an ordinary object. */
export function describeSpecial(value: object, cursor: Cursor, from: number, count: number): RemoteValue | null {
  if (isErrorObject(value)) return describeError(value);
  const type = nodeType && attempt(() => nodeType!(value));
  if (typeof type === 'number') return { t: 'node', v: nodeText(value, type) };
  const time = attempt(() => dateTime(value as Date));
  if (time !== undefined) return { t: 'date', v: time === time ? isoDate(value as Date) : 'Invalid Date' };
  const pattern = attempt(() => regexpSource(value));
  if (pattern !== undefined && pattern !== '(?:)')
    return { t: 'regexp', v: cut(`/${pattern}/${attempt(() => regexpFlags(value)) ?? ''}`, MAX_MESSAGE) };
  return describeCollection(value, cursor, from, count);
}

function describeCollection(value: object, cursor: Cursor, from: number, count: number): RemoteValue | null {
  const entries: [string, RemoteValue][] = [];
  const mapLength = attempt(() => mapSize(value));
  if (mapLength !== undefined) {
    const iterator = mapEntries(value);
    for (let i = 0; i < min(mapLength, from + count); i++) {
      const pair = mapNext(iterator).value!;
      if (i >= from && hasRoom(cursor)) entries[entries.length] = [keyText(pair[0]), cursor.visit(pair[1])];
    }
    return entryValue(value, 'Map', mapLength, entries, cursor);
  }
  const setLength = attempt(() => setSize(value));
  if (setLength !== undefined) {
    const iterator = setValues(value);
    for (let i = 0; i < min(setLength, from + count); i++) {
      const item = setNext(iterator).value;
      if (i >= from && hasRoom(cursor)) entries[entries.length] = [`${i}`, cursor.visit(item)];
    }
    return entryValue(value, 'Set', setLength, entries, cursor);
  }
  const kind = attempt(() => typedName(value));
  if (kind !== undefined) {
    const length = typedLength(value);
    for (let i = from; i < min(length, from + count) && hasRoom(cursor); i++)
      entries[entries.length] = [`${i}`, cursor.visit(ownValue(value, `${i}`))];
    return entryValue(value, kind, length, entries, cursor);
  }
  const bytes = attempt(() => bufferLength(value));
  if (bytes !== undefined) return { t: 'object', name: `ArrayBuffer(${bytes})`, size: 0, entries };
  return null;
}

/** The label for a map's key. */
function keyText(key: unknown): string {
  if (typeof key === 'symbol') return cut(symbolText(key), 200);
  return typeof key === 'object' || typeof key === 'function' ? typeof key : cut(toText(key), 200);
}

export function isErrorObject(value: object): boolean {
  if (isError) return isError(value);
  for (
    let proto = getPrototypeOf(value) as object | null, i = 0;
    proto !== null && i < 20;
    proto = getPrototypeOf(proto) as object | null, i++
  ) {
    if (proto === ErrorPrototype) return true;
  }
  return false;
}

function describeError(value: object): RemoteValue {
  return {
    t: 'error',
    name: textOf(value, 'name') ?? 'Error',
    message: cut(textOf(value, 'message') ?? '', MAX_MESSAGE),
    stack: stackOf(value),
  };
}

/** A string property of an object or its prototypes, if it's a data property. */
export function textOf(value: object, key: string): string | null {
  const found = dataOf(value, key);
  return typeof found === 'string' ? cut(found, MAX_MESSAGE) : null;
}

/** A property of an object or its prototypes if it's a data property, or else undefined. */
export function dataOf(value: object, key: string): unknown {
  for (
    let object: object | null = value, i = 0;
    object !== null && i < 20;
    object = getPrototypeOf(object) as object | null, i++
  ) {
    const found = ownValue(object, key);
    if (found !== undefined) return found === GETTER ? undefined : found;
  }
  return undefined;
}

/** An error's stack, read only with the native getter. */
export function stackOf(value: object): string {
  const plain = textOf(value, 'stack');
  const stack =
    plain ??
    (typeof stackGetter === 'function' ? attempt(() => apply(stackGetter as () => unknown, value, [])) : undefined);
  return typeof stack === 'string' ? cut(stack, MAX_STACK) : '';
}

function nodeText(node: object, type: number): string {
  if (type !== 1 || !elementName || !elementAttribute) return cut(nodeName ? nodeName(node) : 'node', 200);
  const id = elementAttribute(node, 'id');
  const classes = elementAttribute(node, 'class');
  return cut(`<${elementName(node)}${id ? ` id="${id}"` : ''}${classes ? ` class="${classes}"` : ''}>`, 200);
}
