/** Routes for listing, creating, updating, removing, and publishing actions (decisions, "Platform endpoints"). */
import type { Context } from 'hono';
import { ActionChange, ActionId, ActionReference, NewAction, PublishAction } from '../../../platform-api/index.ts';
import { findAction, listedAction, type ActionRow, type Reference } from '../../apps/actions/find.ts';
import { createAction, publishAction, removeAction, updateAction } from '../../apps/actions/write.ts';
import { asc, eq } from '../../db/drizzle.ts';
import { actions } from '../../db/schema.ts';
import { requireApp, type AppRow } from '../access.ts';
import { empty, json } from '../response.ts';
import { conflict, invalid } from '../errors.ts';
import { check, idParam, paging, readJson } from '../request.ts';
import type { Handler, Route } from '../router.ts';
import type { Services } from '../services.ts';

export function actionRoutes(services: Services): Route[] {
  const { db } = services;
  const inApp =
    (handle: (c: Context, app: AppRow) => Promise<Response>): Handler =>
    async (c, access) =>
      handle(c, await requireApp(services, access, idParam(c, 'appId', 'app')));

  return [
    {
      path: '/v1/apps/:appId/actions',
      auth: 'page',
      methods: {
        GET: inApp(async (c, app) => {
          const { limit, offset } = paging(c);
          const query = db
            .select()
            .from(actions)
            .where(eq(actions.appId, app.id))
            .orderBy(asc(actions.id))
            .offset(offset)
            .$dynamic();
          const rows = await (limit === undefined ? query : query.limit(limit));
          return json(c, { actions: rows.map(listedAction) });
        }),
        POST: inApp(async (c, app) =>
          actionResponse(c, await createAction(services, app.id, await readJson(c, NewAction)), 201),
        ),
      },
    },
    {
      path: '/v1/apps/:appId/actions/:action',
      auth: 'page',
      methods: {
        GET: inApp(async (c, app) => actionResponse(c, await findAction(db, app.id, referenceParam(c)))),
        PUT: inApp(async (c, app) => {
          const reference = referenceParam(c);
          const { revision, ...change } = await readJson(c, ActionChange);
          return actionResponse(c, await updateAction(services, app.id, reference, change, ifMatch(c) ?? revision));
        }),
        DELETE: inApp(async (c, app) => {
          await removeAction(services, app.id, referenceParam(c));
          return empty(c);
        }),
      },
    },
    {
      path: '/v1/apps/:appId/actions/:action/publish',
      auth: 'page',
      methods: {
        POST: inApp(async (c, app) => {
          const id = check(ActionId, c.req.param('action'));
          const { publish } = await readJson(c, PublishAction);
          return actionResponse(c, await publishAction(services, app.id, id, publish, ifMatch(c)));
        }),
      },
    },
  ];
}

const actionResponse = (c: Context, row: ActionRow, status: 200 | 201 = 200): Response =>
  json(c, { action: listedAction(row) }, status, { ETag: `"${row.revision}"` });

/**
 * Finds the action that the URL refers to. `?by=id` or `?by=name` decides how to read a string of digits.
 * @throws HttpError 422
 */
export function referenceParam(c: Context): Reference {
  const by = c.req.query('by');
  if (by !== undefined && by !== 'id' && by !== 'name')
    throw invalid([{ path: '/by', message: 'by must be id or name.' }]);
  return { text: check(ActionReference, c.req.param('action')), by };
}

/** The revision in `If-Match`. @throws HttpError 409 when it isn’t one of our ETags */
function ifMatch(c: Context): number | undefined {
  const header = c.req.header('if-match')?.trim();
  if (header === undefined || header === '*') return undefined;
  const match = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header);
  if (!match) throw conflict('CONFLICT', 'The If-Match header isn’t the ETag of an action.');
  return Number(match[1]);
}
