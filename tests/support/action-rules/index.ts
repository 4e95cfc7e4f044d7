/** All rules of actions that hold both in a page and over HTTP, by topic. */
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
