/** Routes for listing log records, newest first, and for adding records, which fire `log` triggers. */
import type { Context } from 'hono';
import { LogQuery, NewLog } from '../../../platform-api/index.ts';
import { listLogs } from '../../logs/read.ts';
import { logRecord } from '../../logs/write.ts';
import { requireApp, requireDataSource } from '../access.ts';
import { once } from '../once.ts';
import { json } from '../response.ts';
import type { Access } from '../auth.ts';
import { HttpError, invalid } from '../errors.ts';
import { check, idParam, queryJson, readJson } from '../request.ts';
import type { Route } from '../router.ts';
import type { Services } from '../services.ts';

export function logRoutes(services: Services): Route[] {
  const { db, logs } = services;
  return [
    {
      path: '/v1/apps/:appId/logs',
      auth: 'page',
      methods: {
        GET: async (c, access) => {
          const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
          const query = check(LogQuery, {
            ...c.req.query(),
            id: numberParam(c, 'id'),
            limit: numberParam(c, 'limit'),
            before: numberParam(c, 'before'),
            where: queryJson(c, 'where'),
          });
          return json(c, await listLogs(db, app.id, query, services.hasRecordings ? services.clock() : undefined));
        },
        POST: async (c, access) => {
          const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
          const entry = await readJson(c, NewLog);
          requireOwnType(access, entry.type);
          if (entry.dataSourceId !== null) await requireOwnSource(access, app.id, entry.dataSourceId);
          const { result: log } = await once(services, c, access, async (tx) => {
            const record = { ...entry, appId: app.id, organizationId: app.organizationId };
            const [row] = await logs.write(tx, [record], access.depth);
            return logRecord(row!);
          });
          return json(c, { log }, 201);
        },
      },
    },
  ];

  async function requireOwnSource(access: Access, appId: number, id: number): Promise<void> {
    const found = await requireDataSource(services, access, id).catch((error: unknown) => {
      if (error instanceof HttpError) return null;
      throw error;
    });
    if (found?.app.id !== appId)
      throw invalid([{ path: '/dataSourceId', message: `There is no data source ${id} in app ${appId}.` }]);
  }
}

/** Record types that only the platform writes. */
const RESERVED = /^app\.(task|action|logs)\.|^app\.publish$/;

/** A user’s own token can add records of these types, for trying out triggers. @throws HttpError 403 */
function requireOwnType({ appId }: Access, type: string): void {
  if (appId === null || !RESERVED.test(type)) return;
  throw new HttpError(
    403,
    'LOG_TYPE_RESERVED',
    `Pages and runs can’t add log records of type ${type}, which is reserved for the platform.`,
  );
}

/** Parses a query parameter as a number. Other strings stay unchanged, so that the schema reports them. */
function numberParam(c: Context, name: string): number | string | undefined {
  const text = c.req.query(name);
  return text !== undefined && /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text;
}
