/** Applies recorded changes to the context of a replay. */
import type { Context } from '../../pipeline/index.ts';
import { parsePointer, valueAt } from '../../shared/json-pointer.ts';
import type { RecordedChange } from '../recording/context-changes.ts';
import { type FindObject, loseProperty, LostValueError, putValue } from '../recording/values.ts';

/** Returns the path of the first change that doesn't fit the context; null if all do. */
export function applyChanges(context: Context, changes: readonly RecordedChange[]): string | null {
  const find = findReferences(context, changes);
  for (const [path, ...value] of changes) {
    const holder = holderOf(context, path);
    const key = parsePointer(path).at(-1);
    if (holder === null || key === undefined) return path;
    if (value.length === 0) remove(holder, key);
    else putValue({ holder, key }, value[0], find);
  }
  return null;
}

/** Makes the values that these changes will set unreadable until then. */
export function loseChanges(context: Context, changes: readonly RecordedChange[]): void {
  for (const [path] of changes) {
    const holder = holderOf(context, path);
    const key = parsePointer(path).at(-1);
    if (holder !== null && key !== undefined) loseProperty({ holder, key }, 'time-unknown');
  }
}

/** References are to objects at their places before the changes. */
function findReferences(context: Context, changes: readonly RecordedChange[]): FindObject {
  const found = new Map<string, object>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $: kind, value: path } = value as { $?: unknown; value?: unknown };
    if (kind === 'ref' && typeof path === 'string') {
      const object = read(context, path);
      if (typeof object === 'object' && object !== null) found.set(path, object);
    } else for (const item of Object.values(value)) collect(item);
  };
  for (const [, value] of changes) collect(value);
  return (path) => found.get(path);
}

function holderOf(context: Context, path: string): object | null {
  if (!path.startsWith('/')) return null;
  const holder = read(context, path.slice(0, path.lastIndexOf('/')));
  return typeof holder === 'object' && holder !== null ? holder : null;
}

/** Undefined for a lost value, too. */
function read(context: Context, path: string): unknown {
  try {
    return valueAt(context, path);
  } catch (thrown) {
    if (thrown instanceof LostValueError) return undefined;
    throw thrown;
  }
}

function remove(holder: object, key: string): void {
  const index = Number(key);
  if (Array.isArray(holder) && index === holder.length - 1) holder.length = index;
  else delete (holder as Record<string, unknown>)[key];
}
