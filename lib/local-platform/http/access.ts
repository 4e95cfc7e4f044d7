/** Checks which apps a token has access to, and which data sources in them. */
import { and, eq, isNull } from '../db/drizzle.ts';
import { apps, appUsers, dataSources } from '../db/schema.ts';
import type { Access } from './auth.ts';
import { HttpError, notFound } from './errors.ts';
import type { Services } from './services.ts';

type Stored = Pick<Services, 'db' | 'cache'>;

export type AppRow = typeof apps.$inferSelect;

/** @throws HttpError 404, also when the app exists but the token has no access to it */
export async function requireApp({ db, cache }: Stored, access: Access, id: number): Promise<AppRow> {
  if (access.appId !== null && access.appId !== id) throw notFound(`app ${id}`);
  return cache.get(`app ${access.isRun ? 'run' : access.userId} ${id}`, async () => {
    const query = db
      .select({ app: apps })
      .from(apps)
      .where(and(eq(apps.id, id), isNull(apps.deletedAt)))
      .$dynamic();
    const seen = access.isRun
      ? query
      : query.innerJoin(appUsers, and(eq(appUsers.appId, apps.id), eq(appUsers.userId, access.userId)));
    const [row] = await seen;
    if (!row) throw notFound(`app ${id}`);
    return row.app;
  });
}

/** @throws HttpError 404 */
export async function requireDataSource(
  stored: Stored,
  access: Access,
  id: number,
): Promise<{ app: AppRow; source: typeof dataSources.$inferSelect }> {
  const [source] = await stored.db.select().from(dataSources).where(eq(dataSources.id, id));
  const app = source && (await requireApp(stored, access, source.appId).catch(nullIfHidden));
  if (!source || !app) throw notFound(`data source ${id}`);
  return { app, source };
}

/** Treats an app without access as missing. Rethrows all other errors. */
function nullIfHidden(error: unknown): null {
  if (error instanceof HttpError && error.status === 404) return null;
  throw error;
}
