/** What a pipeline’s steps can write into the context and return, as far as it’s known in advance. */
import type { PipelineStep } from '../pipeline/types.ts';
import { OWN_PACKAGES } from './packages/index.ts';

/** Names in the context. `anything` includes changes within the values that the context holds. */
export type Writes = ReadonlySet<string> | 'anything';

export const packageOf = ({ functionPackage, function: alias }: PipelineStep): string => functionPackage ?? alias ?? '';

/** All lists of steps directly inside a step. */
export function nestedLists(step: PipelineStep): PipelineStep[][] {
  const blocks = (step.conditions ?? []).map(({ functions }) => functions);
  return [step.functions, ...blocks, step.elseFunctions].filter((list) => Array.isArray(list));
}

/** The same, with their paths in the step, such as `conditions/0/functions`. */
export function namedLists(step: PipelineStep): [list: PipelineStep[], name: string][] {
  const names = [
    ...(Array.isArray(step.functions) ? ['functions'] : []),
    ...(step.conditions ?? []).map((_, index) => `conditions/${index}/functions`),
    'elseFunctions',
  ];
  return nestedLists(step).map((list, index) => [list, names[index] as string]);
}

const isFunction = ({ type }: PipelineStep): boolean => type !== 'loop' && type !== 'if';

/** Finds effects. Each step is looked at once, however deep it is. */
export class Effects {
  private readonly writes = new Map<PipelineStep, Writes>();

  /** Of the step itself and of all steps inside it. */
  writesOf(step: PipelineStep): Writes {
    const known = this.writes.get(step);
    if (known) return known;
    const found = this.union([
      isFunction(step) ? ownWrites(step) : NOTHING,
      ...nestedLists(step).map((list) => this.writesOfAll(list)),
    ]);
    this.writes.set(step, found);
    return found;
  }

  writesOfAll(steps: readonly PipelineStep[]): Writes {
    return this.union(steps.map((step) => this.writesOf(step)));
  }

  private union(all: Writes[]): Writes {
    const names = new Set<string>();
    for (const writes of all) {
      if (writes === 'anything') return 'anything';
      for (const name of writes) names.add(name);
    }
    return names;
  }
}

const NOTHING: Writes = new Set();

function ownWrites(step: PipelineStep): Writes {
  const known = OWN_PACKAGES.get(packageOf(step));
  return known ? new Set(known.writes(step.settings ?? {})) : 'anything';
}

/** Whether a function step can return a value other than undefined. */
function canReturn(step: PipelineStep): boolean {
  if (!isFunction(step)) return false;
  const known = OWN_PACKAGES.get(packageOf(step));
  return known ? known.returns : true;
}

/** Whether every step that can return a value is the last one of its path, so that the code can return it at once. */
export function returnsAtEnd(steps: readonly PipelineStep[]): boolean {
  return steps.every((step, index) => {
    if (!mayReturn(step)) return true;
    if (index < steps.length - 1 || step.type === 'loop') return false;
    const nested = nestedLists(step);
    if (isFunction(step) && canReturn(step)) return nested.every((list) => list.length === 0);
    return nested.every(returnsAtEnd);
  });
}

/** Whether the step, or one inside it, can return a value. */
export function mayReturn(step: PipelineStep): boolean {
  const open = [step];
  for (let next = open.pop(); next; next = open.pop()) {
    if (canReturn(next)) return true;
    for (const list of nestedLists(next)) open.push(...list);
  }
  return false;
}
