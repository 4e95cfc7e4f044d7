/** Determines an app’s users from its analytics sessions: which version each user has, and who is behind. */
import type { AnalyticsSession } from './session.ts';
import { isAhead, timeOf } from './timestamp.ts';

/** An app’s number of users, and how many of them are at least two versions behind, based on analytics sessions. */
export interface Audience {
  users: number;
  behind: number;
}

/** A user, as of their most recent session. `usedAt`: epoch milliseconds, or null if unknown or in the future. */
export interface AppUse {
  key: string;
  email: string | null;
  version: number | null;
  usedAt: number | null;
}

/** The newest version that any session reports, or null if none does. */
export function latestVersion(sessions: Iterable<AnalyticsSession>): number | null {
  let latest: number | null = null;
  for (const { appVersion } of sessions)
    if (appVersion?.latestVersion != null && (latest === null || appVersion.latestVersion > latest))
      latest = appVersion.latestVersion;
  return latest;
}

/**
 * Groups sessions into users, by key. Users are identified by email; a session without an email counts as one user.
 * Sessions with an invalid or future access date count only if the user has no others.
 * @param now epoch milliseconds
 * @param users the users found on earlier pages of the list
 */
export function usersOf(
  sessions: Iterable<AnalyticsSession>,
  now: number,
  users = new Map<string, AppUse>(),
): Map<string, AppUse> {
  for (const { id, user, lastAccessedAt, appVersion } of sessions) {
    const email = user?.email || null;
    const key = email ?? `#${id}`;
    const accessedAt = timeOf(lastAccessedAt);
    const usedAt = accessedAt === null || isAhead(accessedAt, now) ? null : accessedAt;
    const other = users.get(key);
    if (!other || (usedAt ?? -Infinity) > (other.usedAt ?? -Infinity))
      users.set(key, { key, email, version: appVersion?.currentVersion ?? null, usedAt });
  }
  return users;
}

/** Users with an unknown version don’t count as behind. */
export function audienceOf(users: ReadonlyMap<string, AppUse>, newest: number | null): Audience {
  let behind = 0;
  for (const { version } of users.values()) if (newest !== null && version !== null && newest - version >= 2) behind++;
  return { users: users.size, behind };
}
