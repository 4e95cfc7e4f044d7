/**
 * Keeps what couldn’t be read of a list beside the list: platforms may send anything in what the specification doesn’t
 * show, and one item must not hide the others.
 */

export interface Unreadable {
  id: number | null;
  /** What a person finds it by: its name and ID, or else its place. */
  item: string;
  /** The first field that is wrong, and how. */
  why: string;
}

const unreadables = new WeakMap<readonly unknown[], readonly Unreadable[]>();
const NONE: readonly Unreadable[] = [];

/** The items of the platform’s list that this list lacks. */
export const unreadableOf = (list: readonly unknown[] | null | undefined): readonly Unreadable[] =>
  (list && unreadables.get(list)) || NONE;

export function withUnreadable<T extends readonly unknown[]>(list: T, unreadable: readonly Unreadable[]): T {
  if (unreadable.length > 0) unreadables.set(list, unreadable);
  return list;
}

/** @param path JSON Pointer into the item */
export function describeUnreadable(value: unknown, index: number, path: string, message: string): Unreadable {
  const { id, name } = (typeof value === 'object' && value !== null ? value : {}) as { id?: unknown; name?: unknown };
  const isId = typeof id === 'number' && Number.isSafeInteger(id);
  const parts = [typeof name === 'string' && name !== '' ? `“${name.slice(0, 100)}”` : '', isId ? `ID ${id}` : ''];
  const item = parts.filter(Boolean).join(', ') || `item ${index + 1}`;
  return { id: isId ? id : null, item, why: path === '' ? message : `${path.slice(1)}: ${message}` };
}
