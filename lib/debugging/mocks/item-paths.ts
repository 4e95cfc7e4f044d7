/** Renames paths into a loop's array, such as `/records/3/sent`, to the current item: `/currentItem/sent`. */
import { itemsPath } from '../../pipeline/syntax.ts';
import { escapeToken, valueAt } from '../../shared/json-pointer.ts';
import type { RecordedChange } from '../recording/context-changes.ts';
import type { RecordedStep } from '../recording/format.ts';
import type { RecordedValue } from '../recording/values.ts';

type Rename = (path: string) => string;

/** Leaves other paths as they are. */
export function itemChanges(
  pipeline: RecordedValue,
  step: Pick<RecordedStep, 'path' | 'iteration'>,
  changes: readonly RecordedChange[],
): RecordedChange[] {
  const item = currentItemOf(pipeline, step);
  if (item === null) return [...changes];
  const rename: Rename = (path) =>
    path === item || path.startsWith(`${item}/`) ? `/currentItem${path.slice(item.length)}` : path;
  return changes.map((change) => renamed(change, rename));
}

function renamed([path, ...value]: RecordedChange, rename: Rename): RecordedChange {
  const now = rename(path);
  // Another item in the array is not another current item.
  const place = now === '/currentItem' ? path : now;
  return value.length === 0 ? [place] : [place, renamedIn(value[0], rename)];
}

/** References are to paths, too. */
function renamedIn(value: RecordedValue, rename: Rename): RecordedValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => renamedIn(item, rename));
  if (value['$'] === 'ref' && typeof value['value'] === 'string') return { ...value, value: rename(value['value']) };
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, renamedIn(item, rename)]));
}

/** Where the context has the current item outside of `currentItem`. Null if it isn't in an array of the context. */
export function currentItemOf(
  pipeline: RecordedValue,
  { path, iteration = [] }: Pick<RecordedStep, 'path' | 'iteration'>,
): string | null {
  let item: string | null = null;
  loopsAround(pipeline, path).forEach(({ items }, level) => {
    if (typeof items !== 'string') return void (item = null);
    // Which names the context had isn’t known here.
    const [first, ...rest] = itemsPath(items, () => false).map(escapeToken);
    if (first === undefined) return void (item = null);
    const start: string | null = first === 'currentItem' && level > 0 ? item : `/${first}`;
    item = start === null ? null : [start, ...rest, iteration[level]].join('/');
  });
  return item;
}

type Fields = { [name: string]: RecordedValue };

/** The loops that enclose a step, outermost first. */
function loopsAround(pipeline: RecordedValue, path: string): Fields[] {
  const tokens = path.split('/');
  const loops: Fields[] = [];
  // The step's own token isn't one of them: a loop doesn't enclose itself.
  for (let end = 2; end < tokens.length; end++) {
    const value = valueAt(pipeline, tokens.slice(0, end).join('/')) as RecordedValue | undefined;
    const isStep = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isStep && value['type'] === 'loop') loops.push(value);
  }
  return loops;
}
