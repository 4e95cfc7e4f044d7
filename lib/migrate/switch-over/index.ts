/** Moves an action from V2 to V3, step by step and back. Pure: the platform and the journal are ports. */
export type * from './types.ts';
export { POSITIONS } from './types.ts';
export { type GapItem, RUN_WAIT, type Verdict } from './gap.ts';
export { codeHash, parseJournal } from './journal.ts';
export type { Drift } from './drift.ts';
export { nextOf, previousOf } from './positions.ts';
export { type Situation, SwitchOver } from './switch-over.ts';
export type { CallSite, CallSites } from './call-sites.ts';
export type { LimitFinding } from './limits.ts';
export { firesItself } from './next-request.ts';
export { type Plan, type PlanInput, planOf, type PlanStep } from './plan.ts';
