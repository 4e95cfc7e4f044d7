/** A stored publish: the intent, written before the request, and the outcome, written after it. */
import * as v from 'valibot';
import { Release } from '../../../platform-api/app.ts';
import type { Audience } from '../../../platform-api/sessions/audience.ts';
import { ErrorValue } from '../../../platform-api/errors.ts';

const Version = v.pipe(v.number(), v.integer());
/** Epoch milliseconds, of which a date can be made. */
const Time = v.pipe(v.number(), v.minValue(-8.64e15), v.maxValue(8.64e15));

/** An app's release as it is known; `version` is null where the platform does not say. */
export const KnownRelease = v.object({ version: v.nullable(Version), updatedAt: v.string() });
export type KnownRelease = v.InferOutput<typeof KnownRelease>;

/** Version 0.1.0 stored the hint of an error as `next`. */
const StoredError = v.pipe(
  v.object({ ...ErrorValue.entries, next: v.optional(v.string()) }),
  v.transform(({ next, ...error }): ErrorValue => (next === undefined ? error : { hint: next, ...error })),
);

export const PublishOutcome = v.variant('state', [
  /** `settled` when it was found by reading the app again, and not told by the answer. */
  v.object({ state: v.literal('published'), at: Time, app: KnownRelease, settled: v.boolean() }),
  /** Certainly not published. */
  v.object({ state: v.literal('failed'), at: Time, error: StoredError }),
  /** It may have been published or not; never sent again. */
  v.object({ state: v.literal('unknown'), at: Time, error: StoredError }),
]);
export type PublishOutcome = v.InferOutput<typeof PublishOutcome>;

export const PublishRecord = v.object({
  /** Also the request's Idempotency-Key. */
  id: v.string(),
  environmentId: v.string(),
  /** Where it went: an environment can be given another address later. */
  baseUrl: v.string(),
  appId: Version,
  appName: v.string(),
  release: Release,
  /** The app as the person saw it when deciding. */
  expected: KnownRelease,
  startedAt: Time,
  /** Written just before the request goes out; null means that nothing was sent. */
  sentAt: v.nullable(Time),
  /** Null while it is under way. */
  outcome: v.nullable(PublishOutcome),
  /** Whether the popup has shown the outcome. */
  seen: v.boolean(),
  /** Whether a notification has told the outcome; none that was written before there were any has. */
  told: v.optional(v.boolean(), false),
  /** The person has decided not to wait for an unknown outcome. */
  discarded: v.boolean(),
});
export type PublishRecord = v.InferOutput<typeof PublishRecord>;

/** What a person should know before publishing. */
export interface PublishPreview {
  appId: number;
  name: string;
  /** As it is now: from the list of apps, else from what was published from here, else from the sessions. */
  current: KnownRelease;
  /** Null where the sessions cannot be had: why. */
  audience: Audience | null;
  audienceError: ErrorValue | null;
}
