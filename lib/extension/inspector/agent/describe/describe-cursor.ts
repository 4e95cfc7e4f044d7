/** The state while describing a value: the remaining budget, and how properties are read. */
import type { RemoteValue } from '../../contract.ts';
import type { Handles } from '../handles.ts';
import { charCodeAt, descriptorOf, hasOwn, slice } from '../pristine.ts';

/** Limits for describing one value: number of nested values, characters of text, and depth. */
export interface Budget {
  nodes: number;
  chars: number;
  depth: number;
}

/** The remaining budget, and the ancestors of the current value. */
export interface Cursor extends Budget {
  handles: Handles;
  above: object[];
  /** Whether values inside can be compact. */
  isCompact: boolean;
  visit: (value: unknown) => RemoteValue;
}

/** Represents a getter. Getters are never called, since they run page code. */
export const GETTER: unique symbol = Symbol('getter');

/** Describes an object by its entries, and adds a handle if some are missing. */
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

/** An own property's value, `GETTER` if reading it would run code, or undefined if it's absent. */
export function ownValue(value: object, key: string): unknown {
  const found = descriptorOf(value, key);
  if (found === undefined) return undefined;
  return hasOwn(found, 'value') ? found.value : GETTER;
}

export function cut(text: string, most: number): string {
  return text.length > most ? `${slice(text, 0, wholePair(text, most))}…` : text;
}

/** The closest index at which text can be cut without splitting a surrogate pair. */
export function wholePair(text: string, at: number): number {
  const end = at < 0 ? 0 : at;
  const code = end > 0 ? charCodeAt(text, end - 1) : 0;
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}
