/** Owns the diagnosis: all rules over all services, the worst first, and of these the most probable. */
import { truncate } from '../../../../shared/format.ts';
import type { OAuth2State } from '../types.ts';
import { factsOf, type Rule } from './facts.ts';
import type { Finding, Knowledge, Severity } from './finding.ts';
import { callFindings } from './rules/calls.ts';
import { clockFindings } from './rules/clock.ts';
import { configurationFindings } from './rules/configuration.ts';
import { flowFindings, secretFindings } from './rules/advice.ts';
import { loginFindings } from './rules/login.ts';
import { refreshFindings } from './rules/refresh.ts';
import { sessionFindings } from './rules/session.ts';

/** What stands further up explains more of what stands below. */
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
const NOTHING: Knowledge = { checked: [], said: new Map() };
const LONGEST_NAME = 80;

/** Every fault once. A flow that works has none; what it could do better is `advice`. */
export function diagnose(state: OAuth2State, knowledge: Knowledge = NOTHING): Finding[] {
  return factsOf(state, knowledge)
    .flatMap((facts) =>
      RULES.flatMap((rule) => rule(facts)).flatMap((found) =>
        found ? [{ ...found, service: truncate(facts.service, LONGEST_NAME) }] : [],
      ),
    )
    .sort((one, other) => ORDER[one.severity] - ORDER[other.severity]);
}
