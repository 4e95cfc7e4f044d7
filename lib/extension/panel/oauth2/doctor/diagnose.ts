/** Runs all rules for all services. Sorts findings by severity, then by probability. */
import { truncate } from '../../../../shared/format.ts';
import type { OAuth2State } from '../types.ts';
import { factsOf, type Rule } from './facts.ts';
import type { Finding, Knowledge, Severity } from './finding.ts';
import { callFindings } from './rules/calls.ts';
import { clockFindings } from './rules/clock.ts';
import { configurationFindings } from './rules/configuration.ts';
import { flowFindings, secretFindings } from './rules/advice.ts';
import { loginFindings } from './rules/login.ts';
import { refreshFindings } from './rules/token.ts';
import { sessionFindings } from './rules/session.ts';

/** The order matters: findings of earlier rules explain those of later ones. */
const RULES: readonly Rule[] = [
  configurationFindings,
  clockFindings,
  loginFindings,
  refreshFindings,
  sessionFindings,
  callFindings,
  flowFindings,
  secretFindings,
];
const ORDER: Record<Severity, number> = { error: 0, warning: 1, advice: 2 };
const NO_KNOWLEDGE: Knowledge = { checked: [], answers: new Map() };
const MAX_NAME = 80;

/** Lists each problem once. A working flow has no problems, but there might be advice. */
export function diagnose(state: OAuth2State, knowledge: Knowledge = NO_KNOWLEDGE): Finding[] {
  return factsOf(state, knowledge)
    .flatMap((facts) =>
      RULES.flatMap((rule) => rule(facts)).flatMap((found) =>
        found ? [{ ...found, service: truncate(facts.service, MAX_NAME) }] : [],
      ),
    )
    .sort((a, b) => ORDER[a.severity] - ORDER[b.severity]);
}
