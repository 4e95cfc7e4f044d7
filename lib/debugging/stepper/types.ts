/** Defines breakpoints, pauses, and the commands that end them. */
import type { StepInfo } from '../../pipeline/index.ts';

/** Pauses a run before a step, or only logs. */
export interface Breakpoint {
  /** JSON Pointer into the pipeline. */
  path: string;
  /** An expression in the condition language, over the context. The breakpoint counts only if it's true. */
  condition?: string;
  /** At which hits it pauses or logs, starting at 1. By default, at each. */
  hits?: number;
  /** `from`, the default: from this hit on. `at`: only at this one. `every`: at each multiple. */
  hitRule?: HitRule | undefined;
  /** A text with `{{expressions}}`. The breakpoint logs it, and never pauses. */
  log?: string;
  isOff?: boolean;
}

export type HitRule = 'from' | 'at' | 'every';

export interface DebuggerSettings {
  breakpoints: readonly Breakpoint[];
  pauseOnFailure: boolean;
}

/**
 * `request`: the user asked for it. `run-to`: the run has reached the step that it should run to. `page-left`: the page was
 * left or frozen during the run, and the browser has brought it back.
 */
export type PauseReason = 'breakpoint' | 'step' | 'failure' | 'request' | 'run-to' | 'page-left';

export interface Pause {
  /** Starts at 1. */
  id: number;
  info: StepInfo;
  reason: PauseReason;
  /** The step's failure, or why the breakpoint's condition couldn't be evaluated. */
  error?: unknown;
  /** Whether the step has failed, and can run again. */
  canRetry: boolean;
}

/**
 * What replaces a step's outcome. `branch` is for an `if`: by index, `else`, or null for none. `retry`: the outcome of the
 * step’s next attempt, in the context as it is now.
 */
export type ChosenOutcome =
  | { retry: true }
  | { value: unknown }
  | { error: { name?: string; message: string } }
  | { skip: true }
  | { branch: number | 'else' | null };

/** A step in one iteration. Without `iteration`, in any. */
export interface StepPlace {
  path: string;
  iteration?: readonly number[];
}

/**
 * Ends a pause. `resume`: up to the next breakpoint. `into`: up to the next step. `over`: up to the first step that starts
 * after this one has ended. `out`: up to the first step that starts after the block around this one has ended. An iteration
 * of a loop is such a block.
 */
export interface ResumeCommand {
  go: 'resume' | 'into' | 'over' | 'out';
  /** Replaces the step's outcome. Without it, the step runs, or fails if the pause is because of its failure. */
  outcome?: ChosenOutcome;
  /** Also pauses at this step. */
  runTo?: StepPlace;
}
