/** Routes for function packages, for the scripts that pages include, and for debug pages (decisions, "REST"). */
import type { Context } from 'hono';
import type { CompileResponse, CompileEnv } from '../../../platform-api/index.ts';
import { findAction } from '../../apps/actions/find.ts';
import type { FunctionPackage } from '../../functions/catalogue.ts';
import { requireApp } from '../access.ts';
import { file, json, page } from '../response.ts';
import type { Access } from '../auth.ts';
import { createBundles, RUNTIME } from '../bundles.ts';
import { compilePage } from '../compile-page.ts';
import { absent } from '../errors.ts';
import { idParam } from '../request.ts';
import { bind, type Route } from '../router.ts';
import type { Services } from '../services.ts';

/** Paths of the scripts that every page loads, the runtime first. */
export async function runtimeScripts({ catalogue, pagesRoot }: Services): Promise<string[]> {
  const names = [...(await catalogue()).keys()];
  return [`${pagesRoot}/packages/${RUNTIME}`, ...names.map((name) => `${pagesRoot}/functions/${name}.js`)];
}

/** Apps on other origins include the packages too, as scripts and as modules. Packages contain no private data. */
const ANY_APP = { 'Cross-Origin-Resource-Policy': 'cross-origin', 'Access-Control-Allow-Origin': '*' };

export function debugRoutes(services: Services): Route[] {
  const { catalogue } = services;
  const bundle = createBundles();
  return [
    { path: '/v1/apps/:appId/tasks/:taskId/compile', auth: 'token', methods: { GET: bind(services, compile) } },
    {
      path: '/v1/functions',
      auth: 'page',
      methods: { GET: async (c) => json(c, { functions: [...(await catalogue()).values()].map(listed) }) },
    },
    {
      path: '/v1/functions/:file',
      auth: 'open',
      methods: {
        GET: async (c) => {
          const name = c.req.param('file')!;
          const found = name.endsWith('.js') ? (await catalogue()).get(name.slice(0, -'.js'.length)) : undefined;
          if (!found) throw absent(`function ${JSON.stringify(name.slice(0, 80))}`);
          return file(c, found.source, 'text/javascript');
        },
      },
    },
    {
      path: '/v1/packages/:file',
      auth: 'open',
      anyOrigin: true,
      methods: {
        GET: async (c) => {
          const name = c.req.param('file')!;
          const found = await bundle(name);
          if (!found) throw absent(`package ${JSON.stringify(name.slice(0, 80))}`);
          return file(c, found.text, found.type, ANY_APP);
        },
      },
    },
  ];
}

const listed = ({ source: _source, ...descriptor }: FunctionPackage) => descriptor;

/** Returns an action’s debug page, or its parts as JSON if the query has no `html`. */
async function compile(services: Services, c: Context, access: Access): Promise<Response> {
  const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
  const taskId = idParam(c, 'taskId', 'action');
  const action = await findAction(services.db, app.id, { text: String(taskId), by: 'id' });
  const scripts = await runtimeScripts(services);
  if (c.req.query('html') === undefined) {
    const { origin } = new URL(c.req.url);
    const response: CompileResponse = {
      task: { id: action.id, name: action.name },
      pipeline: action.functions,
      scripts: scripts.map((path) => origin + path),
    };
    return json(c, response);
  }
  const env: CompileEnv = {
    appId: app.id,
    taskId: action.id,
    organizationId: app.organizationId,
    mode: 'preview',
    taskPipeline: action.functions,
    token: services.auth.pageToken(access, app.id),
  };
  return page(c, `${action.name} · ${app.name}`, compilePage(action.name, app.name, env, scripts));
}
