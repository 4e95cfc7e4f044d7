/** Owns the rows of the table of actions: which, and in which order. */
import type { Action } from '../../../platform-api/action.ts';
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

/** An action and what a search looks through. */
interface Searchable {
  action: Action;
  text: string;
}

const made = new WeakMap<readonly Action[], Searchable[]>();

/** Names, ids, triggers and packages of a list; made once for it. */
function searchable(actions: readonly Action[]): Searchable[] {
  let all = made.get(actions);
  if (!all) made.set(actions, (all = actions.map((action) => ({ action, text: textOf(action) }))));
  return all;
}

function textOf(action: Action): string {
  const packages = new Set<string>();
  collect(action.functions, packages, 0);
  return [action.name, action.id, ...action.triggers.map(({ trigger }) => trigger), ...packages]
    .join('\n')
    .toLowerCase();
}

/** What the platform answers is not checked in depth: steps may be anything. */
function collect(steps: unknown, packages: Set<string>, depth: number): void {
  if (!Array.isArray(steps) || depth > 50) return;
  for (const step of steps as unknown[]) {
    if (typeof step !== 'object' || step === null) continue;
    const { functionPackage, function: name, functions, elseFunctions, conditions } = step as Record<string, unknown>;
    for (const one of [functionPackage, name]) if (typeof one === 'string') packages.add(one);
    for (const inner of [
      functions,
      elseFunctions,
      ...(Array.isArray(conditions)
        ? conditions.map((block: unknown) => (block as { functions?: unknown } | null)?.functions)
        : []),
    ])
      collect(inner, packages, depth + 1);
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

/** The actions that have all the words, in the order asked for; what has no value comes last, and equals stay as the platform lists them. */
export function actionRows(actions: readonly Action[], words: string, sort: ActionSort): Action[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found =
    wanted.length === 0
      ? actions
      : searchable(actions)
          .filter(({ text }) => wanted.every((word) => text.includes(word)))
          .map(({ action }) => action);
  const valueOf = VALUES[sort.by];
  const direction = sort.descending ? -1 : 1;
  return found
    .map((action) => ({ action, value: valueOf(action) }))
    .sort((a, b) => {
      if (a.value === b.value) return 0;
      if (a.value === null) return 1;
      if (b.value === null) return -1;
      return a.value < b.value ? -direction : direction;
    })
    .map(({ action }) => action);
}
