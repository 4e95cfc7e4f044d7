/** Finds the objects that a value and the context have in common. Later steps can change them in both. */
import { escapeToken } from '../../shared/json-pointer.ts';
import { read } from './seen.ts';
import { isPlain, MAX_DEPTH } from './values.ts';

/** JSON Pointers of the same object in a value and in the context. */
export type SharedObject = [inValue: string, inContext: string];

/** @param placeOf where the context has an object; undefined if it doesn’t */
export function sharedObjects(value: unknown, placeOf: (object: object) => string | undefined): SharedObject[] {
  const shared: SharedObject[] = [];
  const visited = new Set<object>();
  const visit = (item: unknown, path: string, depth: number): void => {
    if (typeof item !== 'object' || item === null || visited.has(item) || depth > MAX_DEPTH) return;
    const place = placeOf(item);
    if (place !== undefined) return void shared.push([path, place]);
    visited.add(item);
    if (!isPlain(item)) return;
    for (const key of Object.keys(item)) visit(read(item as never, key), `${path}/${escapeToken(key)}`, depth + 1);
  };
  visit(value, '', 0);
  return shared;
}
