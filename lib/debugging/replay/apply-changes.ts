/** Applies recorded changes to the context of a replay. */
import type { Context } from '../../pipeline/index.ts';
import { parsePointer, valueAt } from '../../shared/json-pointer.ts';
import type { RecordedChange } from '../recording/context-changes.ts';
import { type FindObject, loseProperty, LostValueError, putValue, type RecordedValue } from '../recording/values.ts';

/** Returns the path of the first change that doesn't fit the context; null if all do. */
export function applyChanges(context: Context, changes: readonly RecordedChange[]): string | null {
  const find = findReferences(context, changes);
  for (const change of changes) {
    const [path] = change;
    const slot = slotOf(context, path);
    if (slot === null) return path;
    if (change.length === 1) remove(slot);
    else put(slot, change[1], isLater(change[1]) ? (target) => objectAt(context, target) : find);
  }
  return null;
}

/** Makes the values that these changes will set unreadable until then. */
export function loseChanges(context: Context, changes: readonly RecordedChange[]): void {
  for (const [path] of changes) {
    const slot = slotOf(context, path);
    if (slot !== null) loseProperty(slot, 'time-unknown');
  }
}

/** The object at a path; undefined if there's none, or if it's lost. */
export function objectAt(context: Context, path: string): object | undefined {
  try {
    const value = valueAt(context, path);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch (thrown) {
    if (thrown instanceof LostValueError) return undefined;
    throw thrown;
  }
}

interface Slot {
  holder: object;
  key: string;
}

/** Where a change is made; null if the context has no such place. */
function slotOf(context: Context, path: string): Slot | null {
  // Most changes are of the context's own properties.
  const end = path.lastIndexOf('/');
  if (end < 0 || path[0] !== '/') return null;
  const holder = end === 0 ? context : objectAt(context, path.slice(0, end));
  if (holder === undefined) return null;
  const last = path.slice(end + 1);
  const key = last.includes('~') ? parsePointer(`/${last}`)[0]! : last;
  return canHave(holder, key) ? { holder, key } : null;
}

/** An array grows item by item. A file could otherwise make it endless. */
const canHave = (holder: object, key: string): boolean =>
  !Array.isArray(holder) || (Number(key) <= holder.length && String(Number(key)) === key && Number(key) >= 0);

function put({ holder, key }: Slot, value: RecordedValue, find: FindObject): void {
  const isSimple = typeof value !== 'object' || value === null;
  // Others are defined: an inherited property, such as __proto__, could have a setter.
  if (isSimple && (Object.hasOwn(holder, key) || !(key in holder))) (holder as Record<string, unknown>)[key] = value;
  else putValue({ holder, key }, value, find);
}

/** Whether it refers to an object that the changes before it have put into the context. */
const isLater = (value: RecordedValue | undefined): boolean =>
  typeof value === 'object' && value !== null && (value as { after?: unknown }).after === true && !Array.isArray(value);

function remove({ holder, key }: Slot): void {
  const index = Number(key);
  if (Array.isArray(holder) && index === holder.length - 1) holder.length = index;
  else delete (holder as Record<string, unknown>)[key];
}

/** References are to objects at their places before the changes. */
function findReferences(context: Context, changes: readonly RecordedChange[]): FindObject {
  let found: Map<string, object> | undefined;
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $: kind, value: path } = value as { $?: unknown; value?: unknown };
    if (kind !== 'ref' || typeof path !== 'string') for (const item of Object.values(value)) collect(item);
    else {
      const object = objectAt(context, path);
      if (object) (found ??= new Map()).set(path, object);
    }
  };
  for (const [, value] of changes) if (!isLater(value)) collect(value);
  return (path) => found?.get(path);
}
