/** Owns what an app's analytics sessions say about who gets its next release. */
import type { AnalyticsSession, Audience } from '../../lib/contract/index.ts';

/** The newest version that sessions know; null when they tell none. */
export function latestVersion(sessions: readonly AnalyticsSession[]): number | null {
  let latest: number | null = null;
  for (const { appVersion } of sessions) if (appVersion?.latestVersion != null && appVersion.latestVersion > (latest ?? -1)) latest = appVersion.latestVersion;
  return latest;
}

/**
 * A user is an email; a session without one is a user of its own. A user's version is that of the session used last; without a version
 * it counts as not behind.
 */
export function audienceOf(sessions: readonly AnalyticsSession[], version: number | null): Audience {
  const lastOf = new Map<string, AnalyticsSession>();
  for (const session of sessions) {
    const user = session.user?.email ?? `#${session.id}`;
    const other = lastOf.get(user);
    if (!other || time(session) > time(other)) lastOf.set(user, session);
  }
  const newest = version ?? latestVersion(sessions);
  let behind = 0;
  for (const { appVersion } of lastOf.values()) if (newest !== null && appVersion?.currentVersion != null && newest - appVersion.currentVersion >= 2) behind++;
  return { users: lastOf.size, behind };
}

const time = ({ lastAccessedAt }: AnalyticsSession): number => Date.parse(lastAccessedAt) || 0;
