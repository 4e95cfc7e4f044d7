/** Owns the list of actions, the function packages and the debug page (decisions, "REST" and "Platform endpoints"). */
import { and, asc, eq } from '../../db/drizzle.ts';
import type { Context } from 'hono';
import type { Action, CompileAnswer, CompileEnv } from '../../../contract/index.ts';
import { actions } from '../../db/schema.ts';
import { requireApp } from '../access.ts';
import { file, json, page } from '../answer.ts';
import { createBundles, RUNTIME } from '../bundles.ts';
import { compilePage } from '../compile-page.ts';
import { notFound } from '../errors.ts';
import { idParam } from '../request.ts';
import type { Route } from '../router.ts';
import type { Services } from '../services.ts';

export function actionRoutes(services: Services): Route[] {
  const { db, catalogue, auth } = services;
  const bundle = createBundles();

  /** Addresses without the origin, the runtime first. */
  async function scripts(): Promise<string[]> {
    return [`/v1/packages/${RUNTIME}`, ...[...(await catalogue()).keys()].map((name) => `/v1/functions/${name}.js`)];
  }

  async function compile(c: Context, access: Parameters<typeof requireApp>[1]): Promise<Response> {
    const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
    const taskId = idParam(c, 'taskId', 'action');
    const [action] = await db.select().from(actions).where(and(eq(actions.appId, app.id), eq(actions.id, taskId)));
    if (!action) throw notFound(`action ${taskId} in app ${app.id}`);
    const { origin } = new URL(c.req.url);
    if (c.req.query('html') === undefined) {
      const answer: CompileAnswer = { task: { id: action.id, name: action.name }, pipeline: action.functions, scripts: (await scripts()).map((path) => origin + path) };
      return json(c, answer);
    }
    const env: CompileEnv = {
      appId: app.id,
      taskId: action.id,
      organizationId: app.organizationId,
      mode: 'preview',
      taskPipeline: action.functions,
      token: auth.pageToken(access, app.id),
    };
    return page(c, `${action.name} · ${app.name}`, compilePage(action.name, app.name, env, await scripts()));
  }

  return [
    {
      path: '/v1/apps/:appId/actions',
      auth: 'token',
      methods: {
        GET: async (c, access) => {
          const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
          const rows = await db.select().from(actions).where(eq(actions.appId, app.id)).orderBy(asc(actions.id));
          return json(c, { actions: rows.map(listedAction) });
        },
      },
    },
    { path: '/v1/apps/:appId/tasks/:taskId/compile', auth: 'token', methods: { GET: compile } },
    {
      path: '/v1/functions',
      auth: 'page',
      methods: {
        GET: async (c) => json(c, { functions: [...(await catalogue()).values()].map(({ id, name, package: packageName, description }) => ({ id, name, package: packageName, description })) }),
      },
    },
    {
      path: '/v1/functions/:file',
      auth: 'open',
      methods: {
        GET: async (c) => {
          const name = c.req.param('file')!;
          const found = name.endsWith('.js') ? (await catalogue()).get(name.slice(0, -'.js'.length)) : undefined;
          if (!found) throw notFound(`function ${JSON.stringify(name.slice(0, 80))}`);
          return file(c, found.source, 'text/javascript');
        },
      },
    },
    {
      path: '/v1/packages/:file',
      auth: 'open',
      methods: {
        GET: async (c) => {
          const name = c.req.param('file')!;
          const found = await bundle(name);
          if (!found) throw notFound(`package ${JSON.stringify(name.slice(0, 80))}`);
          return file(c, found.text, found.type);
        },
      },
    },
  ];
}

function listedAction(row: typeof actions.$inferSelect): Action {
  return {
    id: row.id,
    name: row.name,
    active: row.active,
    frequency: row.frequency,
    timezone: row.timezone,
    environment: row.environment,
    triggers: row.triggers,
    functions: row.functions,
    lastRunAt: row.lastRunAt?.toISOString() ?? null,
    nextRunAt: row.nextRunAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    appId: row.appId,
    pageId: row.pageId,
  };
}
