/** Changes a draft by JSON Pointer without mutating it. Treats keys such as `__proto__` as plain data. */
import { parsePointer, valueAt } from '../../../../shared/json-pointer.ts';
import { isRecord } from '../../../../shared/objects.ts';

export { valueAt };

export type Fields = Record<string, unknown>;

/** Text in a JSON field that doesn't parse. Kept so that the user's input isn't lost. */
export class Unparsed {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export const isFields = (value: unknown): value is Fields => isRecord(value) && !(value instanceof Unparsed);

/** The parent's pointer and the last key. */
export function splitPointer(pointer: string): { parent: string; key: string } {
  return { parent: pointer.slice(0, pointer.lastIndexOf('/')), key: parsePointer(pointer).at(-1) ?? '' };
}

/** Returns `root` with a new value at `pointer`. `undefined` removes the property. Creates missing parent objects. */
export function withValue(root: unknown, pointer: string, value: unknown): unknown {
  return changed(root, parsePointer(pointer), () => value);
}

/** Returns `root` with `item` inserted before `index` of the array at `pointer`. Creates a missing array. */
export function withItem(root: unknown, pointer: string, index: number, item: unknown): unknown {
  return changed(root, parsePointer(pointer), (list) =>
    Array.isArray(list) ? list.toSpliced(index, 0, item) : [item],
  );
}

/** Returns `root` without the item or property at `pointer`. */
export function without(root: unknown, pointer: string): unknown {
  const { parent, key } = splitPointer(pointer);
  return Array.isArray(valueAt(root, parent))
    ? changed(root, parsePointer(parent), (list) => (list as unknown[]).toSpliced(Number(key), 1))
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

/** Deep equality of JSON values. Ignores property order. */
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

/** A value as form field text: strings unchanged, missing values empty, anything else as JSON. */
export function fieldText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
