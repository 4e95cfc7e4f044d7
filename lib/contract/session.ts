/** Owns the analytics session resource (specification, "Analytics session (REST)"). */
import * as v from 'valibot';

const Id = v.pipe(v.number(), v.integer());

/** One analytics session as the REST API lists it; `lastCheckedAt` carries a numeric UTC offset. */
export const AnalyticsSession = v.looseObject({
  id: Id,
  identifier: v.looseObject({
    os: v.looseObject({ major: v.string(), family: v.string() }),
    device: v.looseObject({ family: v.string() }),
    browser: v.looseObject({ major: v.string(), minor: v.string(), family: v.string() }),
    ipAddress: v.string(),
    userAgent: v.string(),
  }),
  lastAccessedAt: v.string(),
  user: v.nullish(v.looseObject({ email: v.string() }), null),
  appVersion: v.looseObject({
    isManualCheck: v.boolean(),
    lastCheckedAt: v.string(),
    latestVersion: Id,
    currentVersion: Id,
    nrOfDownloads: Id,
    lastUpdateType: v.nullable(v.string()),
    localUpdatedAt: v.string(),
    assetsToDownload: Id,
  }),
});
export type AnalyticsSession = v.InferOutput<typeof AnalyticsSession>;
export const SessionList = v.looseObject({ sessions: v.array(AnalyticsSession) });
