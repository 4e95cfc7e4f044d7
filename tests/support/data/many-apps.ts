/** Platforms with many apps and sessions, for tests and benches. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../lib/local-platform/db/database.ts';
import { sql } from '../../../lib/local-platform/db/drizzle.ts';
import { openDatabase } from '../../../lib/local-platform/db/open.ts';
import { ORGANIZATION } from '../../../lib/local-platform/db/seed/apps.ts';
import { DEVELOPER } from '../../../lib/local-platform/db/seed/index.ts';
import { startPlatform, type Platform, type PlatformOptions } from '../../../lib/local-platform/index.ts';

/** Adds `count` apps that the developer’s token sees (`App 00001` and so on, every seventh without a version); returns the id of the first. */
export async function manyApps(db: Database, count: number): Promise<number> {
  const { rows } = await db.execute<{ first: number }>(sql`
    with made as (
      insert into apps (name, organization_id, icon, version, starting_page_id, production_app_id)
      select 'App ' || lpad(n::text, 5, '0'), ${ORGANIZATION.id}::integer, 'https://cdn.example.com/icons/' || n || '.png', case when n % 7 = 0 then null else 1 + n % 40 end, n, case when n % 2 = 0 then n end
      from generate_series(1, ${count}::integer) as n returning id
    ), seen as (insert into app_users (app_role_id, app_id, user_id) select 2, id, ${DEVELOPER.id}::integer from made)
    select min(id) as first from made`);
  await db.execute(sql`analyze apps, app_users`);
  return rows[0]!.first;
}

/**
 * Adds `count` sessions to app `appId`: copies of its demo sessions, each some minutes older than the previous one, of
 * `count * 5 / 8` users (`user-1@example.com` and so on), every ninth without a user. 100,000 take some seconds. Returns the id
 * of the first.
 */
export async function manySessions(db: Database, appId: number, count: number): Promise<number> {
  const shifted = (field: string) =>
    sql`((each.app_version ->> ${field}::text)::timestamptz - copy.ago) at time zone 'UTC'`;
  const { rows } = await db.execute<{ first: number }>(sql`
    with demo as (select *, row_number() over (order by id) - 1 as place, count(*) over () as size from analytics_sessions where app_id = ${appId}),
    made as (
      insert into analytics_sessions (app_id, identifier, last_accessed_at, user_email, app_version, recorded_version)
      select each.app_id, each.identifier, each.last_accessed_at - copy.ago, case when n % 9 > 0 then 'user-' || 1 + n % greatest(1, ${count}::integer * 5 / 8) || '@example.com' end,
        json_build_object(
          'isManualCheck', each.app_version -> 'isManualCheck', 'lastCheckedAt', to_char(${shifted('lastCheckedAt')}, 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"'),
          'latestVersion', each.app_version -> 'latestVersion', 'currentVersion', each.app_version -> 'currentVersion', 'nrOfDownloads', each.app_version -> 'nrOfDownloads', 'lastUpdateType', null,
          'localUpdatedAt', to_char(${shifted('localUpdatedAt')}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'assetsToDownload', each.app_version -> 'assetsToDownload'),
        each.recorded_version
      from generate_series(0, ${count}::integer - 1) as n
      cross join lateral (select make_interval(mins => (n / 320 * 37 + n) % 1440) as ago) as copy
      join demo as each on each.place = n % each.size
      order by n returning id
    ) select min(id) as first from made`);
  await db.execute(sql`analyze analytics_sessions`);
  return rows[0]!.first;
}

/**
 * A platform’s data folder, filled by `fill`. If `url` is given, the database is at that URL instead. Call `remove`
 * after the platform has closed.
 */
export async function filledFolder(
  fill: (db: Database) => Promise<unknown>,
  url?: string,
): Promise<{ data: string; remove(): Promise<void> }> {
  const data = await mkdtemp(join(tmpdir(), 'platform-filled-'));
  const remove = (): Promise<void> => rm(data, { recursive: true, force: true });
  try {
    const { db, close } = await openDatabase({ data, url });
    await fill(db).finally(close);
    return { data, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** A platform in this process on its own folder, filled by `fill`; closing it removes the folder. */
export async function startFilled(
  fill: (db: Database) => Promise<unknown>,
  options: Omit<PlatformOptions, 'data' | 'databaseUrl'> = {},
): Promise<Platform> {
  const { data, remove } = await filledFolder(fill);
  const platform = await startPlatform({ port: 0, ...options, data }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return { ...platform, close: () => platform.close().finally(remove) };
}
