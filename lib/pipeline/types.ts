/** Defines the public types of the engine: pipelines, runs, observers, and errors. */

/** The steps of a pipeline, in order. */
export type Pipeline = PipelineStep[];

/** A plain step, which calls a function; a loop; or an `if`. */
export interface PipelineStep {
  /** Default `function`. */
  type?: 'function' | 'loop' | 'if';
  /** Plain step: the function package. */
  functionPackage?: string;
  /** The same as `functionPackage`. */
  function?: string;
  /** Plain step: the settings that its function receives, copied for each call. */
  settings?: Record<string, unknown>;
  /** Nested steps of a plain step, or a loop’s body. */
  functions?: PipelineStep[];
  /** Loop: the name of an array in the context, or its path, such as `data.records` or `a[0].c`. */
  items?: string;
  /** Loop: the first and last number. */
  range?: { from: number; to: number };
  /** If: tested in order. The first block whose condition is true runs. */
  conditions?: ConditionBlock[];
  /** If: runs when no condition is true. */
  elseFunctions?: PipelineStep[];
}

export interface ConditionBlock {
  /** An expression, such as `user.age >= 18`. In code, this can also be a function of the context. */
  condition: string | ((context: Record<string, unknown>) => unknown);
  /** Run if the condition is true. */
  functions: PipelineStep[];
}

/** A run’s only mutable object. It starts as a copy of the payload’s own properties. */
export type Context = Record<string, unknown>;

/**
 * A function package. Rejecting without a reason skips the step’s nested functions. Any other rejection ends the run.
 */
export type PipelineFunction = (settings: Record<string, unknown>, context: Context) => unknown;

/** Function packages by name. */
export type FunctionRegistry = ReadonlyMap<string, PipelineFunction>;

/** A step in one iteration. `before` and `after` receive the same object. */
export interface StepInfo {
  /** JSON Pointer into the pipeline, such as `/2/conditions/0/functions/1`. */
  readonly path: string;
  /** The index in each enclosing loop, outermost first. Empty outside loops. */
  readonly iteration: readonly number[];
  readonly kind: 'function' | 'loop' | 'if';
  /** The package of a function step, or the kind of any other step. */
  readonly name: string;
  readonly step: PipelineStep;
  /** The live context. Observers can change it. */
  readonly context: Context;
}

/** How a step ended. A failure also ends all enclosing steps, innermost first. */
export type StepOutcome = (
  | {
      state: 'completed';
      value?: unknown;
      /** Loop: the number of completed iterations. */
      iterations?: number;
      /** If: the block that ran, by index or `else`. Null if none did. */
      branch?: number | 'else' | null;
    }
  /** The function rejected without a reason, so its nested functions didn’t run. */
  | { state: 'skipped' }
  /** `branch`: of an `if`, the block that an observer has chosen, in which the run ended. */
  | { state: 'failed'; error: PipelineError; branch?: number | 'else' | null }
  | { state: 'stopped'; branch?: number | 'else' | null }
) & {
  /** The outcome is an observer’s, and this is its name. An `if` with a branch then evaluated no condition. */
  replaced?: string;
};

/**
 * Replaces a step’s outcome with a value, a failure, or nothing at all. `branch` chooses the block of an `if` instead of
 * its conditions: by index, `else`, or null for none.
 */
export type Replacement = (
  | { value: unknown }
  | { error: unknown }
  | { skip: true }
  | { branch: number | 'else' | null }
) & {
  /** Names what replaced it. Default `observer`. */
  by?: string;
};

/** Runs a failed step once more, in the context as it is now, with its settings as the pipeline has them. */
export interface Retry {
  retry: true;
}

type Answer<T> = void | T | Promise<void | T>;

/** Observes a run. `before` and `failed` can wait (a breakpoint), change `info.context`, or replace the step (a mock). */
export interface Observer {
  before?(info: StepInfo): Answer<Replacement>;
  /**
   * A step has failed, and the run is about to end. A replacement is the step’s outcome instead, and the run continues. After
   * a retry, the step’s outcome is that of its last attempt: it’s called again if that fails, and `before` isn’t.
   * Not called for the steps around it, or if an observer itself has failed the step.
   */
  failed?(info: StepInfo, error: PipelineError): Answer<Replacement | Retry>;
  after?(info: StepInfo, outcome: StepOutcome): void;
}

export type PipelineErrorCode =
  /** The pipeline was refused before anything ran. See `problems`. */
  | 'PIPELINE_INVALID'
  /** The payload isn’t an object. */
  | 'PAYLOAD_INVALID'
  /** A function threw or rejected. `cause` is the original error. */
  | 'STEP_FAILED'
  /** The items of a loop aren’t an array. */
  | 'LOOP_ITEMS_INVALID'
  /** Evaluating a condition failed, for example by reading a member of undefined. */
  | 'CONDITION_FAILED'
  /** The signal was aborted. */
  | 'ABORTED';

/** A reason why a pipeline is invalid. */
export interface Problem {
  /** JSON Pointer to the invalid part. */
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
  /** 1-based position in the source of a condition. */
  column?: number;
}

/** Why and where a run failed. */
export interface PipelineError extends Error {
  readonly code: PipelineErrorCode;
  /** JSON Pointer of the failing step. Absent for `PAYLOAD_INVALID`. */
  readonly path?: string;
  readonly iteration?: readonly number[];
  readonly problems?: readonly Problem[];
  /** The suggested next step. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** The time and the random numbers of conditions. By default, the system’s. */
export interface ConditionSources {
  /** Epoch milliseconds, for `Date()` and `Date.now()`. */
  now?: () => number;
  /** From 0 to 1, excluded, for `Math.random()`. */
  random?: () => number;
}

export interface RunOptions {
  /** Default `{}`. Its own properties are copied into the context. */
  payload?: Record<string, unknown>;
  functions: FunctionRegistry;
  observer?: Observer;
  sources?: ConditionSources;
  /** Stops the run before its next step, even in a loop that never waits. The run then rejects with `ABORTED`. */
  signal?: AbortSignal;
}
