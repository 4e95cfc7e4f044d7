/** Derives an app’s users from its analytics sessions: which version each of them has, and who is behind. */
import type { AnalyticsSession } from './session.ts';
import { isAhead, timeOf } from './timestamp.ts';

/** How many users an app has, by its analytics sessions, and how many of them are at least two versions behind. */
export interface Audience {
  users: number;
  behind: number;
}

/** A user as the session used last tells it; `usedAt` is in epoch milliseconds, null where no session tells it, or only with a date in the future. */
export interface AppUse {
  key: string;
  email: string | null;
  version: number | null;
  usedAt: number | null;
}

/** The newest version that sessions know; null when they tell none. */
export function latestVersion(sessions: Iterable<AnalyticsSession>): number | null {
  let latest: number | null = null;
  for (const { appVersion } of sessions)
    if (appVersion?.latestVersion != null && (latest === null || appVersion.latestVersion > latest))
      latest = appVersion.latestVersion;
  return latest;
}

/**
 * The users of these sessions by their keys: a user is an email, a session without one is a user of its own. A session whose last access
 * is no date, or lies in the future, decides nothing where another one tells when it was used.
 * @param now epoch milliseconds
 * @param users those of the list's pieces before this one
 */
export function usersOf(
  sessions: Iterable<AnalyticsSession>,
  now: number,
  users = new Map<string, AppUse>(),
): Map<string, AppUse> {
  for (const { id, user, lastAccessedAt, appVersion } of sessions) {
    const email = user?.email || null;
    const key = email ?? `#${id}`;
    const told = timeOf(lastAccessedAt);
    const usedAt = told === null || isAhead(told, now) ? null : told;
    const other = users.get(key);
    if (!other || (usedAt ?? -Infinity) > (other.usedAt ?? -Infinity))
      users.set(key, { key, email, version: appVersion?.currentVersion ?? null, usedAt });
  }
  return users;
}

/** Who two or more versions behind `newest` is; a user of no known version counts as not behind. */
export function audienceOf(users: ReadonlyMap<string, AppUse>, newest: number | null): Audience {
  let behind = 0;
  for (const { version } of users.values()) if (newest !== null && version !== null && newest - version >= 2) behind++;
  return { users: users.size, behind };
}
