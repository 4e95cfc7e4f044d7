/** The analytics session resource (specification, "Analytics session (REST)"). */
import * as v from 'valibot';

const Id = v.pipe(v.number(), v.integer());

/** Devices don’t always report everything about themselves. Missing values become null. */
const Text = v.nullish(v.string(), null);
const Count = v.nullish(Id, null);

/** An analytics session as listed by the REST API. `lastCheckedAt` has a numeric UTC offset. */
export const AnalyticsSession = v.looseObject({
  id: Id,
  identifier: v.nullish(
    v.looseObject({
      os: v.nullish(v.looseObject({ major: Text, family: Text }), null),
      device: v.nullish(v.looseObject({ family: Text }), null),
      browser: v.nullish(v.looseObject({ major: Text, minor: Text, family: Text }), null),
      ipAddress: Text,
      userAgent: Text,
    }),
    null,
  ),
  lastAccessedAt: Text,
  user: v.nullish(v.looseObject({ email: Text }), null),
  appVersion: v.nullish(
    v.looseObject({
      isManualCheck: v.nullish(v.boolean(), null),
      lastCheckedAt: Text,
      latestVersion: Count,
      currentVersion: Count,
      nrOfDownloads: Count,
      lastUpdateType: Text,
      localUpdatedAt: Text,
      assetsToDownload: Count,
    }),
    null,
  ),
});
export type AnalyticsSession = v.InferOutput<typeof AnalyticsSession>;
