/** Streams an app’s analytics sessions, ordered by ID, each in its current state. */
import type { AnalyticsSession } from '../../../platform-api/index.ts';
import type { Database } from '../../db/database.ts';
import { and, asc, eq, gt, sql } from '../../db/drizzle.ts';
import { analyticsSessions, releases } from '../../db/schema.ts';
import { stateAt, type PastRelease } from './state.ts';

/** Sessions per chunk: about 3 MB of JSON. */
const CHUNK = 5_000;

/**
 * Returns the list as chunks of JSON, with each session’s state at `now`. Database errors are thrown before the first
 * chunk, while an error response is still possible.
 */
export async function* sessionsJson(
  db: Database,
  appId: number,
  { limit = Infinity, offset }: { limit: number | undefined; offset: number },
  now: Date,
): AsyncGenerator<string, void> {
  const past = await pastReleases(db, appId);
  let left = limit;
  let after: number | null = null;
  for (;;) {
    const count = Math.min(left, CHUNK);
    const rows: Row[] = count === 0 ? [] : await readChunk(db, appId, after, after === null ? offset : 0, count);
    yield `${after === null ? '{"sessions":[' : rows.length > 0 ? ',' : ''}${rows.map((row) => JSON.stringify(listed(row, past, now))).join()}`;
    left -= rows.length;
    if (rows.length < CHUNK) break;
    after = rows.at(-1)!.id;
  }
  yield ']}';
}

type Row = Omit<typeof analyticsSessions.$inferSelect, 'appId' | 'lastAccessedAt'> & { lastAccessedAt: string };

/** Reads all rows as one JSON value: the database driver takes three times as long for separate rows. */
async function readChunk(
  db: Database,
  appId: number,
  after: number | null,
  offset: number,
  limit: number,
): Promise<Row[]> {
  const filter = and(eq(analyticsSessions.appId, appId), after === null ? undefined : gt(analyticsSessions.id, after));
  const { rows } = await db.execute<{ found: string }>(sql`
    select coalesce(json_agg(each order by each.id), '[]')::text as found
    from (
      select id, identifier, last_accessed_at as "lastAccessedAt", user_email as "userEmail", app_version as "appVersion", recorded_version as "recordedVersion"
      from ${analyticsSessions} where ${filter} order by id offset ${offset} limit ${limit}
    ) as each`);
  return JSON.parse(rows[0]!.found) as Row[];
}

async function pastReleases(db: Database, appId: number): Promise<PastRelease[]> {
  const rows = await db
    .select({ version: releases.version, type: releases.type, at: releases.createdAt })
    .from(releases)
    .where(eq(releases.appId, appId))
    .orderBy(asc(releases.version));
  return rows.map(({ version, type, at }) => ({ version, type, at: at.getTime() }));
}

function listed(row: Row, past: readonly PastRelease[], now: Date): AnalyticsSession {
  const { lastAccessedAt, appVersion } = stateAt(
    { ...row, lastAccessedAt: new Date(row.lastAccessedAt) },
    past,
    now.getTime(),
  );
  return {
    id: row.id,
    identifier: row.identifier,
    lastAccessedAt: lastAccessedAt.toISOString(),
    user: row.userEmail === null ? null : { email: row.userEmail },
    appVersion,
  };
}
