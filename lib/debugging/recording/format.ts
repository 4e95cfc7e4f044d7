/** Defines run recordings: what a run did, in whole values, so that it can be replayed offline. */
import type { RecordedChange } from './context-changes.ts';
import type { RecordedValue } from './values.ts';

export const RECORDING_FORMAT = 'platform-devtools/run';
export const RECORDING_VERSION = 1;

export interface Recording {
  format: typeof RECORDING_FORMAT;
  version: typeof RECORDING_VERSION;
  /** ISO 8601. */
  startedAt: string;
  milliseconds: number;
  /** What ran the pipeline: the runtime of the page's platform, our engine in the page, or a server. */
  engine: 'platform' | 'ours' | 'server';
  /** The action, as far as it's known. */
  action?: RecordedAction;
  pipeline: RecordedValue;
  payload: RecordedValue;
  /** In the order in which they started. */
  steps: RecordedStep[];
  end: RecordedEnd;
  /** The number of values that are lost. */
  lost: number;
}

export interface RecordedAction {
  /** The platform's base URL. */
  baseUrl?: string;
  appId?: number;
  actionId?: number;
  name?: string;
  revision?: number;
}

export type RecordedEnd =
  | { state: 'completed'; result: RecordedValue }
  | { state: 'failed'; error: RecordedError }
  | { state: 'stopped' | 'interrupted' };

/** A thrown value. `code`, `path`, and `iteration` are those of the engine's errors. */
export interface RecordedError {
  name: string;
  message: string;
  code?: string;
  path?: string;
  iteration?: number[];
  /** Set if it isn't an Error. */
  thrown?: RecordedValue;
}

export type StepEnd = 'completed' | 'skipped' | 'failed' | 'stopped';

/** A step in one iteration. */
export interface RecordedStep {
  kind: 'function' | 'loop' | 'if';
  /** JSON Pointer into the pipeline. */
  path: string;
  /** Absent outside loops. */
  iteration?: number[];
  /** A function's package. */
  name?: string;
  /** Milliseconds since the run started. */
  at: number;
  milliseconds: number;
  state: StepEnd;
  /** Function: what it returned. Absent for undefined. */
  value?: RecordedValue;
  /** Function: why it failed. */
  error?: RecordedError;
  /** Function: what it changed in the context, without its nested steps. */
  changes?: RecordedChange[];
  /**
   * What else changed the context before this step, such as a function that wasn't awaited. With `since`, large values
   * that changed after the step with this index started, at an unknown time.
   */
  late?: { changes: RecordedChange[]; since?: number }[];
  /** Loop: the number of completed iterations. */
  iterations?: number;
  /** If: the block that ran. */
  branch?: number | 'else' | null;
  /** If: the times and random numbers that its conditions read, in order. */
  now?: number[];
  random?: number[];
  /** The outcome isn't the step's own: what replaced it, such as `mock`. An `if` then evaluated no condition. */
  replaced?: string;
}
