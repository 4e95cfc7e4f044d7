/** Routes for listing apps, publishing updates, and listing analytics sessions (specification, "REST API"). */
import { and, asc, eq, isNull } from '../../db/drizzle.ts';
import * as v from 'valibot';
import { Release, type App } from '../../../platform-api/index.ts';
import { publish } from '../../apps/publish.ts';
import { sessionsJson } from '../../apps/sessions/list.ts';
import { apps, appUsers } from '../../db/schema.ts';
import { json, jsonPieces, jsonText } from '../response.ts';
import { requireApp } from '../access.ts';
import { once } from '../once.ts';
import { idParam, paging, readJson } from '../request.ts';
import type { Route } from '../router.ts';
import type { Services } from '../services.ts';

const PublishRequest = v.object({ release: Release });

export function appRoutes(services: Services): Route[] {
  const { db, cache } = services;
  return [
    {
      path: '/v1/apps',
      auth: 'token',
      methods: {
        GET: async (c, access) => {
          const { limit, offset } = paging(c);
          const text = await cache.get(`apps ${access.userId} ${limit} ${offset}`, async () => {
            const query = db
              .select()
              .from(apps)
              .innerJoin(appUsers, and(eq(appUsers.appId, apps.id), eq(appUsers.userId, access.userId)))
              .where(isNull(apps.deletedAt))
              .orderBy(asc(apps.id))
              .offset(offset)
              .$dynamic();
            const rows = await (limit === undefined ? query : query.limit(limit));
            return JSON.stringify({ apps: rows.map((row) => listedApp(row.apps, row.app_users)) });
          });
          return jsonText(c, text);
        },
      },
    },
    {
      path: '/v1/apps/:id/publish',
      auth: 'token',
      methods: {
        POST: async (c, access) => {
          const app = await requireApp(services, access, idParam(c, 'id', 'app'));
          const { release } = await readJson(c, PublishRequest);
          const { result } = await cache.change(() =>
            once(services, c, access, (tx) => publish(tx, services, { app, release, userId: access.userId })),
          );
          return json(c, result, 201);
        },
      },
    },
    {
      path: '/v1/apps/:id/analytics/sessions',
      auth: 'token',
      methods: {
        GET: async (c, access) => {
          const app = await requireApp(services, access, idParam(c, 'id', 'app'));
          return jsonPieces(c, sessionsJson(db, app.id, paging(c), services.clock()));
        },
      },
    },
  ];
}

/** `settings`, `releases`, `dependencies`, and `slug` are always empty in lists (specification, "App"). */
function listedApp(app: typeof apps.$inferSelect, { appRoleId, appId, userId }: typeof appUsers.$inferSelect): App {
  return {
    id: app.id,
    name: app.name,
    icon: app.icon,
    version: app.version,
    settings: {},
    releases: [],
    dependencies: [],
    slug: null,
    createdAt: app.createdAt.toISOString(),
    updatedAt: app.updatedAt.toISOString(),
    deletedAt: app.deletedAt?.toISOString() ?? null,
    organizationId: app.organizationId,
    startingPageId: app.startingPageId,
    productionAppId: app.productionAppId,
    appUser: { appRoleId, appId, userId },
  };
}
