/** All rules of actions that hold both in a page and over HTTP, by topic. */
import { createChance } from '../../../lib/local-platform/db/seed/random.ts';
import { BAD_INPUT } from './bad-input.ts';
import { OPERATIONS } from './operations.ts';
import type { Rule } from './rule.ts';
import { RUNS } from './runs.ts';
import { LOGS, TRIGGERS } from './triggers.ts';

export const RULES = {
  operations: OPERATIONS,
  runs: RUNS,
  triggers: TRIGGERS,
  logs: LOGS,
  'bad input': BAD_INPUT,
} satisfies Record<string, Rule[]>;

const { triggers: _, ...rulesOfPages } = RULES;
/** Those of schedules and log triggers are known only to the platform. */
export const RULES_OF_PAGES: Record<string, Rule[]> = rulesOfPages;

/** As many of the rules of pages, always the same, in turn from each topic. */
export function someRules(count: number): Rule[] {
  const chance = createChance(30);
  const shuffled = (rules: Rule[]): Rule[] =>
    rules
      .map((rule) => ({ rule, order: chance.next() }))
      .toSorted((a, b) => a.order - b.order)
      .map(({ rule }) => rule);
  return Object.values(RULES_OF_PAGES)
    .flatMap((rules) => shuffled(rules).map((rule, turn) => ({ rule, turn })))
    .toSorted((a, b) => a.turn - b.turn)
    .slice(0, count)
    .map(({ rule }) => rule);
}
