/**
 * Defines the compact form in which steps are transferred and stored. Steps are arrays, values are bare JSON where
 * possible, and what a step's definition determines (path, kind, name, settings) is written once per list of events.
 * All other events are objects.
 */
import type { CompactValue } from '../compact-value.ts';
import type { AgentEvent, RemoteError, StepState } from '../contract.ts';

export const STEP_STATES: readonly StepState[] = ['completed', 'skipped', 'failed', 'stopped'];
export const STEP_KINDS = ['function', 'loop', 'if'] as const;
export type StepKind = (typeof STEP_KINDS)[number];

/** The first item of a step: what it reports. A step without nested events is reported once, when it ends. */
export const STARTED = 0;
export const ENDED = 1;
export const STARTED_AND_ENDED = 2;

/** Stands for the missing value of a change. */
export type Absent = readonly [];
/** Path, the value before, and the value after. */
export type CompactChange = [path: string, before: CompactValue | Absent, after: CompactValue | Absent];

/** `id` is 0 if no other step refers to the definition. */
export type Definition = [id: number, path: string | null, kind: number, name: string, settings: CompactValue];
/** What else is known about a step's end. */
export interface StepRest {
  value?: CompactValue;
  error?: RemoteError;
  iterations?: number;
  branch?: number | 'else' | null;
  replaced?: string;
  shallow?: boolean;
}
/** `state` is an index of `STEP_STATES`. */
type End = [state: number, changes: CompactChange[], rest?: StepRest];

/**
 * A step's start, its end, or both. If both, `n` is the start's number, and the end has the next one. Times are
 * microseconds since the start of the run. `parent` is 0 at the top level. `definition` is an ID if an earlier step of
 * the list has the definition.
 */
type Start = [parent: number, definition: number | Definition, iteration: readonly number[], changes: CompactChange[]];
export type CompactStep =
  | [typeof STARTED, n: number, step: number, at: number, ...Start]
  | [typeof ENDED, n: number, step: number, at: number, ...End]
  | [typeof STARTED_AND_ENDED, n: number, step: number, at: number, ...Start, end: number, ...End];

export type CompactEvent = CompactStep | Exclude<AgentEvent, { kind: 'step-started' | 'step-ended' }>;
