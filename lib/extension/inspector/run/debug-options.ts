/** Defines what a run is debugged with, and how the panel controls it while it’s paused. */
import type { Mock } from '../../../debugging/mocks/types.ts';
import type { DebuggerSettings, StepPlace } from '../../../debugging/stepper/types.ts';
import type { RemoteValue } from '../contract.ts';

export interface DebugOptions {
  settings?: DebuggerSettings;
  /** If one that’s on couldn’t apply, the run isn’t started. */
  mocks?: readonly Mock[];
  /** Starts at a step of a recorded run. */
  from?: RunFrom;
  /** Pauses once, at this step. */
  runTo?: StepPlace;
  /** Pauses before the first step. */
  pausesFirst?: boolean;
}

/** The steps before the place aren’t executed: they have their recorded outcomes and changes. */
export interface RunFrom {
  /** The recording as text. */
  recording: string;
  place: StepPlace;
  /** Pauses there, before anything is executed. */
  pauses?: boolean;
}

/** The options as the agent gets them. Long texts are IDs of texts that were sent with `putText`. */
export interface AgentDebugOptions extends Omit<DebugOptions, 'mocks' | 'from'> {
  /** JSON of `Mock[]`. */
  mocks?: string;
  from?: Omit<RunFrom, 'recording'> & { text: string };
}

/** The value of an expression, or why it has none. */
export type Evaluated = { value: RemoteValue } | { error: string };
