/** Owns reading and changing plain data by JSON Pointer; what is changed is copied, keys such as __proto__ are data like any other. */

export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Unparsed);

/** What a person typed where JSON is meant and that is none: kept as it is, so that nothing is lost. */
export class Unparsed {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export const escapeKey = (key: string | number): string => String(key).replaceAll('~', '~0').replaceAll('/', '~1');
export const keysOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Pointer of what holds a place, and the place's key there. */
export function splitPointer(pointer: string): { parent: string; key: string } {
  const at = pointer.lastIndexOf('/');
  return { parent: pointer.slice(0, at), key: keysOf(pointer).at(-1) ?? '' };
}

export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const key of keysOf(pointer)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Fields)[key];
  }
  return value;
}

/** `root` with another value at `pointer`; undefined takes a property away. Objects that are missing on the way are made. */
export function withValue(root: unknown, pointer: string, value: unknown): unknown {
  return changed(root, keysOf(pointer), () => value);
}

/** `root` with `item` put before place `index` of the list at `pointer`, which is made when there is none. */
export function withItem(root: unknown, pointer: string, index: number, item: unknown): unknown {
  return changed(root, keysOf(pointer), (list) => (Array.isArray(list) ? list.toSpliced(index, 0, item) : [item]));
}

/** `root` without the item or property at `pointer`. */
export function without(root: unknown, pointer: string): unknown {
  const { parent, key } = splitPointer(pointer);
  return Array.isArray(valueAt(root, parent))
    ? changed(root, keysOf(parent), (list) => (list as unknown[]).toSpliced(Number(key), 1))
    : withValue(root, pointer, undefined);
}

function changed(value: unknown, keys: readonly string[], change: (value: unknown) => unknown): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return change(value);
  if (Array.isArray(value)) return value.with(Number(key), changed(value[Number(key)], rest, change));
  const fields = isFields(value) ? value : {};
  const next = changed(Object.hasOwn(fields, key) ? fields[key] : undefined, rest, change);
  if (next !== undefined) return { ...fields, [key]: next };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== key));
}

/** Deeply equal as JSON; the order of properties does not count. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a instanceof Unparsed || b instanceof Unparsed)
    return a instanceof Unparsed && b instanceof Unparsed && a.text === b.text;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => same(item, b[index]));
  if (!isFields(a) || !isFields(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

/** A value as the text of a field: texts as they are, nothing for nothing, all else as JSON. */
export function writtenText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
