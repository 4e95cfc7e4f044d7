/** What is found when both versions of an action really run. */

/** Something that V3 did differently. Values are as JSON shows them. */
export interface EffectDifference {
  /**
   * `message`: an email or a notification. `entry`: of a data source. `request`: to another host. `order`: each kind is
   * as in V2, but V3 does another kind first. Its values are kinds.
   */
  what: 'message' | 'entry' | 'request' | 'order' | 'result' | 'failure';
  /** Which one of its kind, from 0. For the order: which one of all. */
  index?: number;
  /** JSON Pointer into the value. Empty for all of it. */
  place: string;
  /** Absent if only V3 did this. */
  v2?: unknown;
  /** Absent if only V2 did this. */
  v3?: unknown;
}

export interface EffectsInput {
  payload: Record<string, unknown>;
  /** True if nobody recorded a run with it. */
  generated?: boolean;
}

export interface EffectsRun extends EffectsInput {
  /** How many of each were compared. */
  messages: number;
  entries: number;
  requests: number;
  differences: EffectDifference[];
  /** Why it isn’t known whether both ended in the same way. */
  unknown?: string;
}

export interface EffectsReport {
  profile: 'plain' | 'envelope';
  state: 'equal' | 'differs' | 'unknown';
  /** Why nothing is known, or why the rest isn’t. */
  reason?: string;
  runs: EffectsRun[];
}
