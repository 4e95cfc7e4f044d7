/** Finds the expressions in steps, and the names that they read. */
import { ConditionError, expressionsIn } from '../pipeline/index.ts';
import { keysIn, type Node, parseCondition } from '../pipeline/syntax.ts';
import type { PipelineStep } from '../pipeline/types.ts';
import { nestedLists, packageOf } from './effects.ts';

/** Names that each loop gives other values. */
const LOOP_NAMES: ReadonlySet<string> = new Set(['currentItem', 'currentIndex']);

/** Sources of all expressions in the steps, and in the steps inside them. @param inLoops also inside of loops */
function* sourcesOf(steps: readonly PipelineStep[], inLoops: boolean): Generator<string> {
  const open = [...steps];
  for (let step = open.pop(); step; step = open.pop()) {
    yield* ownSources(step);
    if (step.items !== undefined) yield keysIn(step.items)[0] ?? '';
    if (step.type === 'loop' && !inLoops) continue;
    for (const list of nestedLists(step)) open.push(...list);
  }
}

/** Sources of the expressions in a step’s conditions and settings. */
export function* ownSources(step: PipelineStep): Generator<string> {
  for (const { condition } of step.conditions ?? []) if (typeof condition === 'string') yield condition;
  yield* settingsSources(step);
}

function* settingsSources(step: PipelineStep): Generator<string> {
  const { settings = {} } = step;
  const name = packageOf(step);
  if (name === 'com.platform.function.if' && typeof settings.condition === 'string') yield settings.condition;
  if (name === 'com.platform.function.set-context' && typeof settings.assign === 'object' && settings.assign)
    yield* Object.values(settings.assign).filter((value) => typeof value === 'string');
  else for (const text of stringsIn(settings)) yield* expressionsIn(text);
}

/** All strings in a value, at any depth. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** Whether one of the steps might read the value that this name of the context has before them. */
export function readsName(steps: readonly PipelineStep[], name: string): boolean {
  const sources = sourcesOf(steps, !LOOP_NAMES.has(name));
  for (const source of sources) if (source.includes(name) && namesIn(source).has(name)) return true;
  return false;
}

/** Names in an expression. None if it’s invalid, because then it’s never evaluated. */
function namesIn(source: string): Set<string> {
  const names = new Set<string>();
  try {
    const open: unknown[] = [parseCondition(source)];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (typeof node !== 'object' || node === null) continue;
      const { kind, name } = node as Partial<Node> & { name?: string };
      if (kind === 'name' && name !== undefined) names.add(name);
      open.push(...Object.values(node).filter((part) => typeof part === 'object'));
    }
  } catch (thrown) {
    if (!(thrown instanceof ConditionError)) throw thrown;
  }
  return names;
}
