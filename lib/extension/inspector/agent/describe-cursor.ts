/** Owns what every description of a value shares: its budget, how far it has come, and how a property is read. */
import type { RemoteValue } from '../contract.ts';
import type { Handles } from './handles.ts';
import { charCodeAt, descriptorOf, hasOwn, slice } from './pristine.ts';

/** How much of a value is told at once: values, characters of text, levels. */
export interface Budget {
  nodes: number;
  chars: number;
  depth: number;
}

/** A description under way: what is left of the budget, and the objects that it stands in. */
export interface Cursor extends Budget {
  handles: Handles;
  above: object[];
  visit: (value: unknown) => RemoteValue;
}

/** A property that is a getter: it is never called, because it is the page's code. */
export const GETTER: unique symbol = Symbol('getter');

/** An object whose entries are these, with a handle when some are missing. */
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

/** An own property's value; `GETTER` when reading it would run code; undefined when it is absent. */
export function ownValue(value: object, key: string): unknown {
  const found = descriptorOf(value, key);
  if (found === undefined) return undefined;
  return hasOwn(found, 'value') ? found.value : GETTER;
}

export function cut(text: string, most: number): string {
  return text.length > most ? `${slice(text, 0, wholePair(text, most))}…` : text;
}

/** Where to cut so that no surrogate pair is split. */
export function wholePair(text: string, at: number): number {
  const end = at < 0 ? 0 : at;
  const code = end > 0 ? charCodeAt(text, end - 1) : 0;
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}
