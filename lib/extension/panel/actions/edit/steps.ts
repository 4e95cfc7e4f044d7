/** Adds, removes, and moves a draft's steps. Keeps unknown fields. */
import { type Fields, isFields, splitPointer, valueAt, withItem, without, withValue } from './draft-value.ts';

export type StepKind = 'function' | 'loop' | 'if';
export type Direction = 'up' | 'down' | 'out' | 'in';

const NEW: Record<StepKind, Fields> = {
  function: { functionPackage: '', settings: {} },
  loop: { type: 'loop', items: '', functions: [] },
  if: { type: 'if', conditions: [{ condition: '', functions: [] }] },
};
export const NEW_BLOCK: Fields = { condition: '', functions: [] };

/** The changed draft, and the step to select. */
export interface Changed {
  draft: unknown;
  path: string | null;
}

/**
 * Adds a step after the one at `path`, or at the end of the pipeline if `path` is null. If `path` is a branch or
 * `inside` is set, adds it as the last step inside.
 */
export function addStep(draft: unknown, path: string | null, kind: StepKind, inside: boolean): Changed {
  const list =
    path === null ? '/functions' : inside || isBranch(path) ? listInside(draft, path) : splitPointer(path).parent;
  const steps = valueAt(draft, list);
  const count = Array.isArray(steps) ? steps.length : 0;
  const index = path === null || inside || isBranch(path) ? count : Number(splitPointer(path).key) + 1;
  return { draft: withItem(draft, list, index, NEW[kind]), path: `${list}/${index}` };
}

/** Adds a condition block or an else branch to the `if` at `path`. */
export function addBranch(draft: unknown, path: string, branch: 'condition' | 'else'): Changed {
  if (branch === 'else')
    return {
      draft: withValue(draft, `${path}/elseFunctions`, valueAt(draft, `${path}/elseFunctions`) ?? []),
      path: `${path}/elseFunctions`,
    };
  const blocks = valueAt(draft, `${path}/conditions`);
  const index = Array.isArray(blocks) ? blocks.length : 0;
  return { draft: withItem(draft, `${path}/conditions`, index, NEW_BLOCK), path: `${path}/conditions/${index}` };
}

/** Removes a step or branch with its contents. Selects the next step, or the previous one if there's none. */
export function removeStep(draft: unknown, path: string): Changed {
  const { parent, key } = splitPointer(path);
  const next = without(draft, path);
  if (key === 'elseFunctions') return { draft: next, path: parent };
  const left = valueAt(next, parent) as unknown[];
  if (left.length > 0) return { draft: next, path: `${parent}/${Math.min(Number(key), left.length - 1)}` };
  return { draft: next, path: ownerOf(parent) };
}

/** Moves a step or condition block. Returns null if it can't move in that direction. */
export function moveStep(draft: unknown, path: string, direction: Direction): Changed | null {
  const { parent, key } = splitPointer(path);
  const list = valueAt(draft, parent);
  if (!Array.isArray(list)) return null;
  const index = Number(key);
  const step: unknown = list[index];
  const moveTo = (target: string, position: number): Changed => ({
    draft: withItem(without(draft, path), target, position, step),
    path: `${target}/${position}`,
  });
  if (direction === 'up') return index > 0 ? moveTo(parent, index - 1) : null;
  if (direction === 'down') return index < list.length - 1 ? moveTo(parent, index + 1) : null;
  if (isBranch(path)) return null;
  if (direction === 'out') {
    const owner = ownerOf(parent);
    if (owner === null) return null;
    const { parent: around, key: at } = splitPointer(stepOf(owner));
    return moveTo(around, Number(at) + 1);
  }
  if (index === 0) return null;
  const before = `${parent}/${index - 1}`;
  const inside = listInside(draft, before);
  const steps = valueAt(draft, inside);
  return moveTo(inside, Array.isArray(steps) ? steps.length : 0);
}

/** Whether the path points to a condition block or an else branch. */
export function isBranch(path: string): boolean {
  return /\/(conditions\/\d+|elseFunctions)$/.test(path);
}

/** The `if` that a branch belongs to. A step's path is returned unchanged. */
export function stepOf(path: string): string {
  return path.replace(/\/(conditions\/\d+|elseFunctions)$/, '');
}

/** The path of the list of steps inside a step or branch. For an `if`, that's its last branch. */
function listInside(draft: unknown, path: string): string {
  if (path.endsWith('/elseFunctions')) return path;
  const step = valueAt(draft, path);
  if (isBranch(path) || !isFields(step) || step['type'] !== 'if') return `${path}/functions`;
  const { elseFunctions, conditions } = step;
  return Array.isArray(conditions) && conditions.length > 0 && !Array.isArray(elseFunctions)
    ? `${path}/conditions/${conditions.length - 1}/functions`
    : `${path}/elseFunctions`;
}

/** The step or branch that contains a list of steps or blocks; null for the pipeline's top level. */
function ownerOf(list: string): string | null {
  if (list === '/functions') return null;
  return list.endsWith('/elseFunctions') ? list : splitPointer(list).parent;
}
