/** Renames paths into a loop's array, such as `/records/3/sent`, to the current item: `/currentItem/sent`. */
import { escapeToken, valueAt } from '../../shared/json-pointer.ts';
import type { RecordedStep } from '../recording/format.ts';
import type { RecordedValue } from '../recording/values.ts';

/** Leaves other paths as they are. */
export function itemPaths(pipeline: RecordedValue, step: RecordedStep): (path: string) => string {
  const item = currentItemOf(pipeline, step);
  if (item === null) return (path) => path;
  return (path) => (path === item || path.startsWith(`${item}/`) ? `/currentItem${path.slice(item.length)}` : path);
}

/** Where the context has the current item outside of `currentItem`. Null if it isn't in an array of the context. */
export function currentItemOf(
  pipeline: RecordedValue,
  { path, iteration = [] }: Pick<RecordedStep, 'path' | 'iteration'>,
): string | null {
  let item: string | null = null;
  loopsAround(pipeline, path).forEach(({ items }, level) => {
    if (typeof items !== 'string') return void (item = null);
    const [first, ...rest] = items.split('.').map(escapeToken);
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
