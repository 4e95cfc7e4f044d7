/** Defines run recordings: what a run did, in whole values, so that it can be replayed offline. */
import type { RecordedChange } from './context-changes.ts';
import type { SharedObject } from './shared-objects.ts';
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
  /** In order. Absent if there are none. */
  console?: RecordedLine[];
  /** In the order in which they started. Absent if there are none. */
  requests?: RecordedRequest[];
  /** Console lines and requests beyond the limits. Absent if there are none. */
  leftOut?: { lines: number; requests: number };
  /** The number of values that are lost, other than in console lines and requests. */
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

export interface LateChanges {
  changes: RecordedChange[];
  since?: number;
  /** The user edited the context during a pause. Absent if it’s what the run itself changed. */
  by?: 'edit';
  /** Happened during this attempt of the step, which has failed, or after it. The first is 1. Absent before it. */
  attempt?: number;
}

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
  /** The objects in its value that the context has, too, at its end. Later steps can change both at once. */
  shared?: SharedObject[];
  /** Function: why it failed. */
  error?: RecordedError;
  /** Function: what it changed in the context, without its nested steps. */
  changes?: RecordedChange[];
  /** Indexes of those changes that the user edited after the function had failed for good. */
  edited?: number[];
  /**
   * What else changed the context before this step, such as a function that wasn't awaited. With `since`, what changed
   * after the step with this index started, at an unknown time: large values, and names of a context that has very many. In
   * the last step, lost values are what can also have changed since.
   */
  late?: LateChanges[];
  /** Why the attempts before the last one failed, in order. Everything else is about the last attempt. */
  attempts?: RecordedError[];
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

/** A console line. Its values are for display: long strings and what isn't data are lost, with a text. */
export interface RecordedLine {
  /** Milliseconds since the run started. */
  at: number;
  /** Index of the step during which it was written. Absent outside of steps. */
  step?: number;
  /** `logpoint`: written by a breakpoint that logs. */
  level: 'log' | 'info' | 'warn' | 'error' | 'debug' | 'logpoint';
  args: RecordedValue[];
}

/** A request that the run made. */
export interface RecordedRequest {
  /** Milliseconds since the run started. */
  at: number;
  /** Index of the step during which it started. Absent outside of steps. */
  step?: number;
  method: string;
  url: string;
  /** Absent if there was no response. */
  status?: number;
  /** Absent if it hadn't ended when the run did. */
  milliseconds?: number;
  /** The size of the response’s body, as the response says. */
  bytes?: number;
  error?: string;
  headers?: [name: string, value: string][];
  /** Bodies are recorded only on request. */
  body?: RecordedBody;
  responseHeaders?: [name: string, value: string][];
  responseBody?: RecordedBody;
}

/**
 * A body as text. `cut` says why it isn't whole: it's long (`length`), the run's bodies take too much space (`total`), it
 * hadn't ended in time (`time`), it doesn't end (`stream`), or it isn't text (`binary`).
 */
export interface RecordedBody {
  text: string;
  cut?: 'length' | 'total' | 'time' | 'stream' | 'binary';
}
