/** Routes for listing, creating, updating, removing, and publishing actions (decisions, "Platform endpoints"). */
import type { Context } from 'hono';
import {
  type Action,
  ActionChange,
  ActionId,
  ActionReference,
  NewAction,
  PublishAction,
} from '../../../platform-api/index.ts';
import { findAction, listedAction, type ActionRow, type Reference } from '../../apps/actions/find.ts';
import { actionsJson } from '../../apps/actions/list.ts';
import { authorOf, findRevision, listRevisions } from '../../apps/actions/revisions.ts';
import {
  createAction,
  publishAction,
  removeAction,
  restoreAction,
  type Stored,
  updateAction,
} from '../../apps/actions/write.ts';
import type { Transaction } from '../../db/database.ts';
import { requireApp, type AppRow } from '../access.ts';
import type { Access } from '../auth.ts';
import { once } from '../once.ts';
import { empty, json, jsonPieces } from '../response.ts';
import { conflict, invalid } from '../errors.ts';
import { check, idParam, paging, readJson } from '../request.ts';
import type { Handler, Route } from '../router.ts';
import type { Services } from '../services.ts';

type InApp = (handle: (c: Context, app: AppRow, access: Access) => Promise<Response>) => Handler;

export function actionRoutes(services: Services): Route[] {
  const { db } = services;
  const inApp: InApp = (handle) => async (c, access) =>
    handle(c, await requireApp(services, access, idParam(c, 'appId', 'app')), access);

  return [
    {
      path: '/v1/apps/:appId/actions',
      auth: 'page',
      methods: {
        GET: inApp((c, app) => jsonPieces(c, actionsJson(db, app.id, paging(c)))),
        POST: inApp(async (c, app, access) => {
          const input = await readJson(c, NewAction);
          return changed(services, c, access, (stored) => createAction(stored, app.id, input), 201);
        }),
      },
    },
    {
      path: '/v1/apps/:appId/actions/:action',
      auth: 'page',
      methods: {
        GET: inApp(async (c, app) => actionResponse(c, listedAction(await findAction(db, app.id, referenceParam(c))))),
        PUT: inApp(async (c, app, access) => {
          const reference = referenceParam(c);
          const { revision = undefined, ...change } = await readJson(c, ActionChange);
          const seen = ifMatch(c) ?? revision;
          return changed(services, c, access, (stored) => updateAction(stored, app.id, reference, change, seen));
        }),
        DELETE: inApp(async (c, app, access) => {
          const reference = referenceParam(c);
          await once(services, c, access, (tx) => removeAction({ db: tx }, app.id, reference));
          return empty(c);
        }),
      },
    },
    {
      path: '/v1/apps/:appId/actions/:action/publish',
      auth: 'page',
      methods: {
        POST: inApp(async (c, app, access) => {
          const id = check(ActionId, c.req.param('action'));
          const { publish } = await readJson(c, PublishAction);
          const seen = ifMatch(c);
          return changed(services, c, access, (stored) => publishAction(stored, app.id, id, publish, seen));
        }),
      },
    },
    ...revisionRoutes(services, inApp),
  ];
}

/** Not for pages, since authors are named by email. */
function revisionRoutes(services: Services, inApp: InApp): Route[] {
  const { db } = services;
  const path = '/v1/apps/:appId/actions/:action/revisions';
  const action = (c: Context, app: AppRow): Promise<ActionRow> => findAction(db, app.id, referenceParam(c));
  return [
    {
      path,
      auth: 'token',
      methods: { GET: inApp(async (c, app) => json(c, { revisions: await listRevisions(db, await action(c, app)) })) },
    },
    {
      path: `${path}/:revision`,
      auth: 'token',
      methods: {
        GET: inApp(async (c, app) => {
          const revision = idParam(c, 'revision', 'revision');
          return json(c, { revision: await findRevision(db, await action(c, app), revision) });
        }),
      },
    },
    {
      path: `${path}/:revision/restore`,
      auth: 'token',
      methods: {
        POST: inApp((c, app, access) => {
          const [reference, revision] = [referenceParam(c), idParam(c, 'revision', 'revision')];
          const seen = ifMatch(c);
          return changed(services, c, access, (stored) => restoreAction(stored, app.id, reference, revision, seen));
        }),
      },
    },
  ];
}

/** Makes a change once, and responds with the changed action. */
async function changed(
  services: Services,
  c: Context,
  access: Access,
  change: (stored: Stored) => Promise<ActionRow>,
  status: 200 | 201 = 200,
): Promise<Response> {
  const work = async (tx: Transaction): Promise<Action> =>
    listedAction(await change({ ...services, db: tx, author: authorOf(access) }));
  return actionResponse(c, (await once(services, c, access, work)).result, status);
}

const actionResponse = (c: Context, action: Action, status: 200 | 201 = 200): Response =>
  json(c, { action }, status, { ETag: `"${action.revision}"` });

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
export function ifMatch(c: Context): number | undefined {
  const header = c.req.header('if-match')?.trim();
  if (header === undefined || header === '*') return undefined;
  const match = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header);
  if (!match) throw conflict('CONFLICT', 'The If-Match header isn’t the ETag of an action.');
  return Number(match[1]);
}
