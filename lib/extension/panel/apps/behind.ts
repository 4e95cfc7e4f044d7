/** Lists an app's users who are behind its newest version. */
import type { AppUse } from '../../../platform-api/sessions/audience.ts';
import type { BehindUser } from './types.ts';

/** Users who are at least `least` versions behind. The furthest behind come first, then the most recently active. */
export function usersBehind(users: ReadonlyMap<string, AppUse>, latest: number | null, least: number): BehindUser[] {
  if (latest === null) return [];
  const found: BehindUser[] = [];
  for (const { key, email, version, usedAt } of users.values()) {
    if (version !== null && latest - version >= least)
      found.push({ key, email, version, behind: latest - version, lastAccess: usedAt });
  }
  return found.sort((a, b) => b.behind - a.behind || (b.lastAccess ?? -Infinity) - (a.lastAccess ?? -Infinity) || 0);
}
