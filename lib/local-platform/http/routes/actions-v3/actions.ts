/** Routes for listing, creating, updating, removing, and publishing V3 actions, and for their versions. */
import type { Context } from 'hono';
import * as v from 'valibot';
import {
  readActionV3Change,
  readNewActionV3,
  type ActionV3,
  type ActionV3List,
  type ReadV3,
  type VersionV3,
} from '../../../../platform-api/actions-v3/index.ts';
import type { ActionRevision } from '../../../../platform-api/index.ts';
import {
  assetsOf,
  contentOf,
  copyOfV3,
  findActionV3,
  listActionsV3,
  listedActionV3,
  type FoundV3,
} from '../../../apps/actions-v3/find.ts';
import {
  createActionV3,
  findVersion,
  invalidV3,
  publishActionV3,
  removeActionV3,
  requireMaster,
  restoreActionV3,
  updateActionV3,
} from '../../../apps/actions-v3/write.ts';
import type { ActionRow } from '../../../apps/actions/find.ts';
import { authorOf, listRevisions } from '../../../apps/actions/revisions.ts';
import type { Stored } from '../../../apps/actions/write.ts';
import { requireApp, type AppRow } from '../../access.ts';
import type { Access, Mode } from '../../auth.ts';
import { invalid } from '../../errors.ts';
import { once } from '../../once.ts';
import { idParam, paging, readJson } from '../../request.ts';
import { empty, json } from '../../response.ts';
import type { Handler, Route } from '../../router.ts';
import type { Services } from '../../services.ts';
import { ifMatch } from '../actions.ts';

type InApp = (handle: (c: Context, app: AppRow, access: Access) => Promise<Response>) => Handler;

const ACTIONS = '/v3/apps/:appId/actions';
const ACTION = `${ACTIONS}/:action`;
const DEFAULT_COUNT = 50;

export function actionV3Routes(services: Services): Route[] {
  const inApp: InApp = (handle) => async (c, access) =>
    handle(c, await requireApp(services, access, idParam(c, 'appId', 'app')), access);
  const publishing = (publish: boolean): Handler =>
    inApp(async (c, app, access) => {
      const [id, seen] = [actionParam(c), ifMatch(c)];
      const response = await change(services, c, access, async (stored) => {
        const row = await publishActionV3(stored, app, id, publish, seen);
        return { row, copy: copyOfV3(row, publish ? 'live' : 'preview') };
      });
      return publish ? response : empty(c);
    });
  return [
    {
      path: ACTIONS,
      auth: 'page',
      methods: {
        GET: inApp((c, app, access) => list(services, c, app, access)),
        POST: inApp(async (c, app, access) => {
          const input = await readV3(c, readNewActionV3);
          const create = async (stored: Stored): Promise<FoundV3> =>
            master(await createActionV3(stored, app.id, input));
          return change(services, c, access, create, 201);
        }),
      },
    },
    {
      path: ACTION,
      auth: 'page',
      methods: {
        GET: inApp(async (c, app, access) => {
          const reference = { text: actionParam(c), by: 'id' as const };
          const found = await findActionV3(services.db, app.id, reference, placeOf(c, access));
          return actionResponse(c, await listed(services, c, found));
        }),
        PUT: inApp(async (c, app, access) => {
          const [id, seen] = [actionParam(c), ifMatch(c)];
          await requireMaster(services, app.id, id, access.mode, 'update');
          const input = await readV3(c, readActionV3Change);
          return change(services, c, access, async (stored) =>
            master(await updateActionV3(stored, app.id, id, input, seen)),
          );
        }),
        DELETE: inApp(async (c, app, access) => {
          const id = actionParam(c);
          await requireMaster(services, app.id, id, access.mode, 'delete');
          await once(services, c, access, (tx) => removeActionV3({ db: tx }, app.id, id));
          return empty(c);
        }),
      },
    },
    { path: `${ACTION}/publish`, auth: 'page', methods: { POST: publishing(true) } },
    { path: `${ACTION}/unpublish`, auth: 'page', methods: { POST: publishing(false) } },
    ...versionRoutes(services, inApp),
  ];
}

/** Not for pages, since authors are named by email. */
function versionRoutes(services: Services, inApp: InApp): Route[] {
  const { db } = services;
  const row = async (c: Context, app: AppRow): Promise<ActionRow> =>
    (await findActionV3(db, app.id, { text: actionParam(c), by: 'id' }, 'preview')).row;
  return [
    {
      path: `${ACTION}/versions`,
      auth: 'token',
      methods: {
        GET: inApp(async (c, app) =>
          json(c, { versions: (await listRevisions(db, await row(c, app))).map(listedVersion) }),
        ),
      },
    },
    {
      path: `${ACTION}/versions/:version`,
      auth: 'token',
      methods: {
        GET: inApp(async (c, app) => {
          const action = await row(c, app);
          const id = idParam(c, 'version', 'version');
          const content = contentOf(await findVersion(db, action, id));
          const about = (await listRevisions(db, action)).find(({ revision }) => revision === id)!;
          return json(c, { version: { ...listedVersion(about), action: content } });
        }),
      },
    },
    {
      path: `${ACTION}/versions/:version/restore`,
      auth: 'token',
      methods: {
        POST: inApp(async (c, app, access) => {
          const [id, version, seen] = [actionParam(c), idParam(c, 'version', 'version'), ifMatch(c)];
          return change(services, c, access, async (stored) =>
            master(await restoreActionV3(stored, app.id, id, version, seen)),
          );
        }),
      },
    },
  ];
}

async function list(services: Services, c: Context, app: AppRow, access: Access): Promise<Response> {
  const { limit = DEFAULT_COUNT, offset } = paging(c);
  const { found, total } = await listActionsV3(services.db, app.id, placeOf(c, access), { limit, offset });
  const response: ActionV3List = {
    actions: await Promise.all(found.map((each) => listed(services, c, each))),
    pagination: { total, hasMore: offset + found.length < total },
  };
  return json(c, response);
}

const master = (row: ActionRow): FoundV3 => ({ row, copy: copyOfV3(row, 'preview') });

const listed = async (services: Services, c: Context, found: FoundV3): Promise<ActionV3> =>
  listedActionV3(found, await assetsOf(services, new URL(c.req.url).origin, found.copy.dependencies));

const actionResponse = (c: Context, action: ActionV3, status: 200 | 201 = 200): Response =>
  json(c, { action }, status, { ETag: `"${action.revision}"` });

const listedVersion = ({ revision, ...others }: ActionRevision): VersionV3 => ({ id: revision, ...others });

/** Makes a change once, and responds with the copy that it has changed. */
async function change(
  services: Services,
  c: Context,
  access: Access,
  work: (stored: Stored) => Promise<FoundV3>,
  status: 200 | 201 = 200,
): Promise<Response> {
  const { result } = await once(services, c, access, async (tx) =>
    listed(services, c, await work({ ...services, db: tx, author: authorOf(access) })),
  );
  return actionResponse(c, result, status);
}

/** An ID in the URL. Other text belongs to no action. */
const actionParam = (c: Context): string => (c.req.param('action') ?? '').slice(0, 40);

/**
 * The place that the caller sees actions from. A page has one. A user’s token can choose it with `?mode=live`.
 * @throws HttpError 422
 */
function placeOf(c: Context, { mode }: Access): Mode {
  const asked = c.req.query('mode');
  if (asked !== undefined && asked !== 'preview' && asked !== 'live')
    throw invalid([{ path: '/mode', message: 'mode must be preview or live.' }]);
  return mode ?? asked ?? 'preview';
}

async function readV3<T>(c: Context, read: (given: unknown) => ReadV3<T>): Promise<T> {
  const result = read(await readJson(c, v.unknown()));
  if ('problems' in result) throw invalidV3(result.problems);
  return result.value;
}
