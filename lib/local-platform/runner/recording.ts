/** Defines what a run’s process responds with when it’s asked for the recording. Used on both sides. */

/** Why a run has no recording. */
export const MISSING = {
  /** The process didn’t respond, as in an endless loop. */
  unresponsive: 'unresponsive',
  /** The process ended first, as when it has used up its memory. */
  ended: 'ended',
  tooLarge: 'too-large',
  /** A script of the run kept it from being recorded, or what the process sent isn’t a recording. */
  failed: 'failed',
  /** A screen has no steps. */
  screen: 'screen',
} as const;
export type MissingRecording = (typeof MISSING)[keyof typeof MISSING];

/** A recording as JSON, or why there is none. */
export type RunRecording = { text: string } | { missing: MissingRecording };

/** In bytes. Far less than the longest line that a run may send. */
export const RECORDING_LINE_LIMIT = 10 * 1024 * 1024;
