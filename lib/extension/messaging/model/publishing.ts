/** A publish record: the intent is written before the request, and the outcome after it. */
import * as v from 'valibot';
import { Release } from '../../../platform-api/app.ts';
import type { Audience } from '../../../platform-api/sessions/audience.ts';
import { ErrorValue } from '../../../platform-api/errors.ts';

const Version = v.pipe(v.number(), v.integer());
/** Epoch milliseconds within the range that `Date` supports. */
const Time = v.pipe(v.number(), v.minValue(-8.64e15), v.maxValue(8.64e15));

/** An app’s known release; `version` is null if the platform doesn’t report it. */
export const KnownRelease = v.object({ version: v.nullable(Version), updatedAt: v.string() });
export type KnownRelease = v.InferOutput<typeof KnownRelease>;

/** Version 0.1.0 stored an error’s hint as `next`. */
const StoredError = v.pipe(
  v.object({ ...ErrorValue.entries, next: v.optional(v.string()) }),
  v.transform(({ next, ...error }): ErrorValue => (next === undefined ? error : { hint: next, ...error })),
);

export const PublishOutcome = v.variant('state', [
  /**
   * `settled` means that the outcome was found by reading the app again, not from the response. The time is empty if it
   * belongs to a later release.
   */
  v.object({ state: v.literal('published'), at: Time, app: KnownRelease, settled: v.boolean() }),
  /** Definitely not published. */
  v.object({ state: v.literal('failed'), at: Time, error: StoredError }),
  /** Possibly published, so the request is never sent again. `PUBLISHED_TWICE`: published more than once. */
  v.object({ state: v.literal('unknown'), at: Time, error: StoredError }),
]);
export type PublishOutcome = v.InferOutput<typeof PublishOutcome>;

/** Whether the update is known to have been published more than once. */
export const isTwice = (outcome: PublishOutcome | null): boolean =>
  outcome?.state === 'unknown' && outcome.error.code === 'PUBLISHED_TWICE';

export const PublishRecord = v.object({
  /** Also the request's Idempotency-Key. */
  id: v.string(),
  environmentId: v.string(),
  /** The environment’s base URL at the time of publishing. */
  baseUrl: v.string(),
  appId: Version,
  appName: v.string(),
  release: Release,
  /** The release that the user saw before publishing. */
  expected: KnownRelease,
  startedAt: Time,
  /** Written just before sending the request; null means that nothing was sent. */
  sentAt: v.nullable(Time),
  /** Null while running. */
  outcome: v.nullable(PublishOutcome),
  /** Whether the popup has shown the outcome. */
  seen: v.boolean(),
  /** Whether a notification has reported the outcome. Missing in old records. */
  told: v.optional(v.boolean(), false),
  /** Whether the user dismissed an unknown outcome. */
  discarded: v.boolean(),
});
export type PublishRecord = v.InferOutput<typeof PublishRecord>;

/** What the popup shows before publishing. */
export interface PublishPreview {
  appId: number;
  name: string;
  /** Taken from the app list, releases published from this browser, or sessions, in that order. */
  current: KnownRelease;
  /** Whether the version is only the newest that sessions report. Those have it after a user has started the app. */
  isFromSessions: boolean;
  /** Null if the sessions can’t be loaded; `audienceError` says why. */
  audience: Audience | null;
  audienceError: ErrorValue | null;
}
