/** Filters and sorts the rows of the action table. */
import type { Action } from '../../../platform-api/action.ts';
import { isRecord } from '../../../shared/objects.ts';
import { sortBy } from '../shared/sort-by.ts';
import { PUBLICATION_LABELS, publicationOf } from './publication.ts';

export type ActionColumn =
  | 'name'
  | 'id'
  | 'environment'
  | 'triggers'
  | 'active'
  | 'frequency'
  | 'nextRunAt'
  | 'lastRunAt'
  | 'publication';
export interface ActionSort {
  by: ActionColumn;
  descending: boolean;
}

interface IndexedAction {
  action: Action;
  /** The searchable text, in lowercase. */
  text: string;
}

const indexes = new WeakMap<readonly Action[], IndexedAction[]>();

function indexOf(actions: readonly Action[]): IndexedAction[] {
  let index = indexes.get(actions);
  if (!index) indexes.set(actions, (index = actions.map((action) => ({ action, text: textOf(action) }))));
  return index;
}

function textOf(action: Action): string {
  const packages = new Set<string>();
  collectPackages(action.functions, packages);
  return [action.name, action.id, ...action.triggers.map(({ trigger }) => trigger), ...packages]
    .join('\n')
    .toLowerCase();
}

/** Collects the package names of all steps. Responses aren't deeply validated, so a step can be any value. */
function collectPackages(steps: unknown, packages: Set<string>, depth = 0): void {
  if (!Array.isArray(steps) || depth > 50) return;
  for (const step of steps as unknown[]) {
    if (!isRecord(step)) continue;
    for (const name of [step['functionPackage'], step['function']]) if (typeof name === 'string') packages.add(name);
    const blocks: unknown[] = Array.isArray(step['conditions']) ? step['conditions'] : [];
    const branches = blocks.map((block) => (isRecord(block) ? block['functions'] : null));
    for (const list of [step['functions'], step['elseFunctions'], ...branches])
      collectPackages(list, packages, depth + 1);
  }
}

const VALUES: Record<ActionColumn, (action: Action) => string | number | null> = {
  name: ({ name }) => name.toLowerCase(),
  id: ({ id }) => id,
  environment: ({ environment }) => environment,
  triggers: triggersText,
  active: ({ active }) => (active ? 0 : 1),
  frequency: ({ frequency }) => frequency,
  nextRunAt: ({ nextRunAt }) => time(nextRunAt),
  lastRunAt: ({ lastRunAt }) => time(lastRunAt),
  publication: (action) => PUBLICATION_LABELS[publicationOf(action)],
};

const time = (text: string | null): number | null => (text === null ? null : Date.parse(text));

export function triggersText({ triggers }: Pick<Action, 'triggers'>): string {
  return [...new Set(triggers.map(({ trigger }) => trigger))].join(', ');
}

/** The actions that match every word of the query, sorted. Missing values come last; ties keep the platform's order. */
export function actionRows(actions: readonly Action[], query: string, sort: ActionSort): Action[] {
  const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches =
    terms.length === 0
      ? actions
      : indexOf(actions)
          .filter(({ text }) => terms.every((term) => text.includes(term)))
          .map(({ action }) => action);
  return sortBy(matches, VALUES[sort.by], sort.descending);
}
