/** What installations of App Actions V3 differ in: limits, the shape of results, and what logs contain. */

const MB = 1024 * 1024;

export interface ProfileV3 {
  /** Time limits for a run, in milliseconds. */
  time: { server: number; client: number };
  /** Limit for a result, in bytes of JSON. */
  result: number;
  /** Limit for a manual run’s payload, in bytes of JSON. */
  payload: number;
  /** Limit for the runs of all V3 actions of an app in a minute. */
  runsPerMinute: number;
  /** Whether `runWithResult` returns `{success, data}` for runs on the server. */
  hasEnvelope: boolean;
  /** Whether log records of runs contain payloads, results, errors, and console lines. */
  logsValues: { server: boolean; client: boolean };
}

export const PROFILE_NAMES = ['plain', 'envelope'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

export const V3_PROFILES: Readonly<Record<ProfileName, ProfileV3>> = {
  plain: {
    time: { server: 120_000, client: 30_000 },
    result: 6 * MB,
    // Not shown anywhere, so it’s the same as for results.
    payload: 6 * MB,
    runsPerMinute: 30,
    hasEnvelope: false,
    logsValues: { server: true, client: true },
  },
  envelope: {
    time: { server: 60_000, client: 30_000 },
    result: 5 * MB,
    payload: 5 * MB,
    runsPerMinute: 30,
    hasEnvelope: true,
    logsValues: { server: false, client: true },
  },
};
