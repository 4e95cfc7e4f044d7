/** Reads a page of sessions, also of a platform without paging. */
import type { AnalyticsSession } from '../../platform-api/index.ts';
import { unreadableOf, withUnreadable } from '../../platform-api/lists/unreadable.ts';
import { type CallOptions, type Connection, listSessions } from '../../rest/index.ts';

/** Asks for all up to the end of the page: whether a platform has skipped some can’t be seen. */
export async function sessionsFrom(
  connection: Connection,
  { appId, limit, offset }: { appId: number; limit: number | undefined; offset: number },
  { signal }: CallOptions,
): Promise<AnalyticsSession[]> {
  const end = limit === undefined ? undefined : offset + limit;
  const all = await listSessions(connection, { appId, limit: end }, { signal });
  return withUnreadable(all.slice(offset, end), unreadableOf(all));
}
