/** Owns the types that the engine and those who watch it share. */
import type { PipelineStep } from '../platform-api/index.ts';

/** The one mutable object of a run: it starts as a copy of the payload's own properties. */
export type Context = Record<string, unknown>;

/** A function package. A rejection without a reason skips the step's nested functions; any other ends the run. */
export type PipelineFunction = (settings: Record<string, unknown>, context: Context) => unknown;

/** Registered packages by name: what `Platform.Functions.register` fills. */
export type FunctionRegistry = ReadonlyMap<string, PipelineFunction>;

/** One step of one iteration, as the observer is told of it. The same object is given to `before` and `after`. */
export interface StepInfo {
  /** JSON Pointer into the pipeline, such as `/2/conditions/0/functions/1`. */
  readonly path: string;
  /** Index within each enclosing loop, outermost first; empty outside loops. */
  readonly iteration: readonly number[];
  readonly kind: 'function' | 'loop' | 'if';
  /** The package of a function step; else the kind. */
  readonly name: string;
  readonly step: PipelineStep;
  /** The live context: an observer may change it. */
  readonly context: Context;
}

/** How a step ended. A nested step's failure is told for each step that it ends, innermost first. */
export type StepOutcome =
  | {
      state: 'completed';
      value?: unknown;
      /** loop: iterations done */ iterations?: number;
      /** if: block that ran */ branch?: number | 'else' | null;
      replaced?: boolean;
    }
  /** The function rejected without a reason: its nested functions did not run. */
  | { state: 'skipped' }
  | { state: 'failed'; error: PipelineError }
  | { state: 'stopped' };

/** What `before` may answer instead of letting the step run. */
export type Replacement = { value: unknown } | { error: unknown } | { skip: true };

/** Watches a run. `before` may answer a Promise (a breakpoint), change `info.context`, or replace the outcome (a mock). */
export interface Observer {
  before?(info: StepInfo): void | Replacement | Promise<void | Replacement>;
  after?(info: StepInfo, outcome: StepOutcome): void;
}

export type PipelineErrorCode =
  /** The pipeline was refused before anything ran; `problems` says where. */
  | 'PIPELINE_INVALID'
  | 'PAYLOAD_INVALID'
  /** A function threw or rejected; `cause` is what it threw. */
  | 'STEP_FAILED'
  | 'LOOP_ITEMS_INVALID'
  /** A condition read a member of undefined or null, or called what is no function. */
  | 'CONDITION_FAILED'
  | 'ABORTED';

/** One reason why a pipeline is refused. */
export interface Problem {
  /** JSON Pointer to the offending place. */
  path: string;
  code:
    | 'NOT_AN_ARRAY'
    | 'NOT_AN_OBJECT'
    | 'UNKNOWN_TYPE'
    | 'MISSING_PACKAGE'
    | 'UNKNOWN_PACKAGE'
    | 'LOOP_SOURCE'
    | 'INVALID_RANGE'
    | 'INVALID_ITEMS'
    | 'INVALID_CONDITION'
    | 'INVALID_SETTINGS'
    | 'INVALID_FIELD'
    | 'TOO_DEEP'
    | 'TOO_LARGE'
    | 'CYCLE';
  message: string;
  /** 1-based, where the problem is in a condition's source. */
  column?: number;
}

/** The failure of a run, with the place that caused it. */
export interface PipelineError extends Error {
  readonly code: PipelineErrorCode;
  /** JSON Pointer of the failing step; absent for `PAYLOAD_INVALID`. */
  readonly path?: string;
  readonly iteration?: readonly number[];
  readonly problems?: readonly Problem[];
  /** One sentence: what to do next. */
  readonly next?: string;
  readonly cause?: unknown;
}

export interface RunOptions {
  /** Own properties are copied into the context. */
  payload?: Record<string, unknown>;
  functions: FunctionRegistry;
  observer?: Observer;
  /** Aborting stops the run before its next step, also in a loop that never waits; the Promise then rejects with `ABORTED`. */
  signal?: AbortSignal;
}
