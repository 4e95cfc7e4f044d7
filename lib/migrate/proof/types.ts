/** What a proof takes and finds. */
import type { Recording } from '../../debugging/recording/format.ts';
import type { StepReport } from '../types.ts';

/**
 * Loads code in the realm in which it’s to run, such as with `new Function`.
 * @param names variables that the code sees
 * @returns a function that takes their values, and returns what the code defines as `execute`
 */
export type LoadCode = (
  code: string,
  names: readonly string[],
) => (...values: unknown[]) => (context: { payload: unknown }) => Promise<unknown>;

/**
 * Calls the listener once nothing can happen anymore that code could wait for: no timer, and no other work. Each listener
 * replaces the one before.
 */
export type WhenIdle = (listener: () => void) => void;

/** Something that V3 did differently. */
export interface Difference {
  /**
   * `order`: another step, or none. `call`: another call of the platform or of a package. `context`: another value that a
   * step would see. `result` and `failure`: another end. `code`: the code can’t be loaded.
   */
  what: 'order' | 'call' | 'context' | 'result' | 'failure' | 'code';
  /** The step in V2, or the last one before the difference. */
  path: string;
  iteration: readonly number[];
  /** JSON Pointer into the context, or what the calls are about. */
  place?: string;
  v2: unknown;
  v3: unknown;
}

/** One recorded run, compared with a run of the code on its outcomes. */
export interface Comparison {
  /** At most one of each kind: after the first, the code’s run ends. */
  differences: Difference[];
  /** What the recording doesn’t have, so that it can’t be compared. */
  unknown: { path: string; reason: string }[];
  /** How many of the recorded steps were compared. */
  steps: number;
  /** Whether the recorded run ended by itself, and the code’s run with it. */
  isWhole: boolean;
}

/** Statuses from best to worst. */
export const STATUSES = ['proved', 'equal-so-far', 'faithful', 'needs-person', 'blocked', 'differs'] as const;
export type Status = (typeof STATUSES)[number];

export interface ProvedStep extends StepReport {
  status: Status;
  /** In how many recorded runs it ran. */
  runs: number;
  /** In how many generated runs it ran. Absent if there were none. */
  generated?: number;
}

export interface Branch {
  /** Of the `if` step, the loop, or the package that skips steps. */
  path: string;
  /** The block’s steps: `/3/elseFunctions`; for none at all, the path of the step itself. */
  block: string;
  /** In words, such as “/3 without a match” or “/2 with several items”. */
  name: string;
  /** In how many recorded runs it ran. */
  runs: number;
  /** In how many generated runs it ran. Absent if there were none. */
  generated?: number;
  /** If only generated runs took it: the inputs of the first one. */
  example?: GeneratedRun['inputs'];
}

/** A run in V2’s engine with a payload and outcomes that nobody recorded. */
export interface GeneratedRun {
  recording: Recording;
  /** The blocks that no run before it took, as in `Branch.block`. */
  reached: string[];
  /** For people: the payload as JSON, and by path what steps put into the context. Long ones are cut, with “…”. */
  inputs: { payload: string; outcomes: Record<string, string> };
}

/** A recording that proves nothing about the action. */
export interface RunAside {
  /** Its index. */
  recording: number;
  /** The step that it’s about. Empty if it’s about none. */
  path: string;
  reason: string;
}

export interface Proof {
  /** The worst of the steps. */
  status: Status;
  steps: ProvedStep[];
  comparisons: Comparison[];
  branches: Branch[];
  /** In words, such as “9 of 11 branches ran. `/3/elseFunctions` never did.” */
  coverage: string;
  /** Recordings that don’t count. */
  aside: RunAside[];
  /** One for each generated run. Absent if there were none. */
  generated?: Comparison[];
}

export interface ProofOptions {
  load: LoadCode;
  recordings: readonly Recording[];
  dataSources?: ReadonlyMap<string, number>;
  /** Without it, code that never ends is waited for. */
  whenIdle?: WhenIdle;
  /** Runs that `generateRuns` made. They can’t prove a step by themselves. */
  generated?: readonly GeneratedRun[];
}
