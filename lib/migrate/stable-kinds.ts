/** Finds which names of the context keep their kind of value, whatever a list of steps does. */
import { ConditionError } from '../pipeline/index.ts';
import { parseCondition } from '../pipeline/syntax.ts';
import type { PipelineStep } from '../pipeline/types.ts';
import { nestedLists, packageOf, type Writes } from './effects.ts';
import { type Kind, kindOf } from './print/kinds.ts';

interface Assignment {
  name: string;
  source: unknown;
  /** Of the current item. Null outside of the steps’ loops. */
  item: Kind | null;
}

/** Beyond these, nothing is known. */
const MAX_ASSIGNMENTS = 1_000;

/**
 * @param names the kind of each name before the steps
 * @param writes all names that the steps write
 */
export function stableKinds(
  steps: readonly PipelineStep[],
  names: (name: string) => Kind,
  writes: Writes,
): Map<string, Kind> {
  const stable = new Map<string, Kind>();
  if (writes === 'anything') return stable;
  const assignments = assignmentsIn(steps);
  if (assignments.length > MAX_ASSIGNMENTS) return stable;
  for (const name of writes) {
    const kind = names(name);
    if (kind !== 'unknown' && assignments.some((each) => each.name === name)) stable.set(name, kind);
  }
  const current = (name: string, item: Kind | null): Kind => {
    if (item !== null && name === 'currentItem') return item;
    if (item !== null && name === 'currentIndex') return 'number';
    return stable.get(name) ?? (writes.has(name) ? 'unknown' : names(name));
  };
  // What one name loses, others can lose, too.
  for (let count = -1; count !== stable.size;) {
    count = stable.size;
    for (const { name, source, item } of assignments)
      if (stable.has(name) && kindOfSource(source, (each) => current(each, item)) !== stable.get(name))
        stable.delete(name);
  }
  return stable;
}

function assignmentsIn(steps: readonly PipelineStep[]): Assignment[] {
  const found: Assignment[] = [];
  const open = steps.map((step): [PipelineStep, Kind | null] => [step, null]);
  for (let next = open.pop(); next; next = open.pop()) {
    const [step, item] = next;
    const name = packageOf(step);
    if (name === 'com.platform.function.set-context')
      for (const [key, source] of Object.entries(Object(step.settings?.assign) as object))
        found.push({ name: key, source, item });
    if (name === 'com.platform.function.read-datasource') found.push({ name: 'records', source: '[]', item });
    if (name === 'com.platform.function.http-request') found.push({ name: 'response', source: '({})', item });
    const inner: Kind | null = step.type === 'loop' ? (step.range ? 'number' : 'unknown') : item;
    for (const list of nestedLists(step)) for (const each of list) open.push([each, inner]);
  }
  return found;
}

function kindOfSource(source: unknown, names: (name: string) => Kind): Kind {
  try {
    return typeof source === 'string' ? kindOf(parseCondition(source), names) : 'unknown';
  } catch (thrown) {
    if (thrown instanceof ConditionError) return 'unknown';
    throw thrown;
  }
}
