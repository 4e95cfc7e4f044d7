/** Finds the `currentItem` that each step of a trace had, in one pass. */
import type { Change, RemoteValue } from '../../../../inspector/contract.ts';
import { applyChange, isComposite, entryOf } from '../../../shared/remote-value.ts';
import type { Trace } from '../../trace.ts';

const ITEM = '/currentItem';

export type CurrentItems = ReadonlyMap<number, RemoteValue | undefined>;

/** By step ID. Undefined, or absent, if it isn’t known. */
export function currentItems({ order, changes, initialContext, omitted }: Trace): CurrentItems {
  const items = new Map<number, RemoteValue | undefined>();
  let item = isComposite(initialContext) ? entryOf(initialContext, 'currentItem') : undefined;
  let at = 0;
  for (const step of order) {
    // The changes before the other steps aren’t known.
    if (omitted.changes > 0 && step.changesBefore >= changes.length) break;
    for (; at < step.changesBefore; at++) item = changedItem(item, changes[at]!);
    items.set(step.id, item);
  }
  return items;
}

function changedItem(item: RemoteValue | undefined, change: Change): RemoteValue | undefined {
  const { path, after } = change;
  if (path === ITEM) return after;
  if (path === '') return after && isComposite(after) ? entryOf(after, 'currentItem') : undefined;
  return item && path.startsWith(`${ITEM}/`) ? applyChange(item, { ...change, path: path.slice(ITEM.length) }) : item;
}

/** Whether a loop changes this path: by setting the item and index, and by restoring them. */
export const isLoopPath = (path: string): boolean => /^\/current(Item|Index)(\/|$)/.test(path);
