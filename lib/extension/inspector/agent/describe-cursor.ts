/** The state of describing a value: the remaining budget, and how properties are read. */
import type { RemoteValue } from '../contract.ts';
import type { Handles } from './handles.ts';
import { charCodeAt, descriptorOf, hasOwn, slice } from './pristine.ts';

/** How much of a value is described at once: values, characters of text, levels. */
export interface Budget {
  nodes: number;
  chars: number;
  depth: number;
}

/** The remaining budget, and the objects that contain the current value. */
export interface Cursor extends Budget {
  handles: Handles;
  above: object[];
  visit: (value: unknown) => RemoteValue;
}

/** Stands for a getter, which is never called: it is the page's code. */
export const GETTER: unique symbol = Symbol('getter');

/** An object with these entries, and with a handle when some are missing. */
export function entryValue(
  value: object,
  name: string | undefined,
  size: number,
  entries: [string, RemoteValue][],
  cursor: Cursor,
): RemoteValue {
  return entries.length === size
    ? { t: 'object', name, size, entries }
    : { t: 'object', name, size, entries, handle: cursor.handles.add(value) };
}

export function hasRoom(cursor: Cursor): boolean {
  return cursor.nodes > 0 && cursor.chars > 0 && cursor.above.length <= cursor.depth;
}

/** The value of an own property; `GETTER` when reading it would run code; undefined when absent. */
export function ownValue(value: object, key: string): unknown {
  const found = descriptorOf(value, key);
  if (found === undefined) return undefined;
  return hasOwn(found, 'value') ? found.value : GETTER;
}

export function cut(text: string, most: number): string {
  return text.length > most ? `${slice(text, 0, wholePair(text, most))}…` : text;
}

/** The index at which to cut without splitting a surrogate pair. */
export function wholePair(text: string, at: number): number {
  const end = at < 0 ? 0 : at;
  const code = end > 0 ? charCodeAt(text, end - 1) : 0;
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}
