/** Operations on actions and function packages (decisions, "Platform endpoints"). Actions are addressed by ID. */
import type { ActionChange, ActionRevision, FullRevision, NewAction } from '../platform-api/index.ts';
import { Action, ActionResponse, FunctionDescriptor, RevisionList, RevisionResponse } from '../platform-api/index.ts';
import type { Request } from './exchange.ts';
import { change, getJson, getList, MB, pageQuery, parsed } from './json.ts';
import type { CallOptions, Connection } from './types.ts';

export interface ActionAddress {
  appId: number;
  actionId: number;
}

/** Uses `by=id`, since names can also consist of digits. */
export const actionPath = ({ appId, actionId }: ActionAddress, operation = ''): string =>
  `/v1/apps/${appId}/actions/${actionId}${operation}?by=id`;

const ifMatch = (revision: number | undefined): Record<string, string> =>
  revision === undefined ? {} : { 'If-Match': `"${revision}"` };

const CHECK_ACTIONS = 'Refresh the actions and check them before you try again.';
/** An action can be up to about 1 MB, and the response contains it twice: the working copy and the published copy. */
const ACTION_SIZE = 4 * MB;

/** `GET /v1/functions`: the available function packages. */
export async function listFunctions(connection: Connection, options: CallOptions = {}): Promise<FunctionDescriptor[]> {
  const form = { key: 'functions', item: FunctionDescriptor, what: 'list of functions', limit: 8 * MB };
  return getList(connection, '/v1/functions', form, options);
}

/** `GET /v1/apps/:appId/actions`: all actions by ID, or one page with `limit`. */
export async function listActions(
  connection: Connection,
  args: { appId: number; limit?: number | undefined; offset?: number | undefined },
  options: CallOptions = {},
): Promise<Action[]> {
  const form = { key: 'actions', item: Action, what: 'list of actions', limit: 32 * MB };
  return getList(connection, `/v1/apps/${args.appId}/actions${pageQuery(args)}`, form, options);
}

/** `POST /v1/apps/:appId/actions`. @throws the errors of `change` */
export async function createAction(
  connection: Connection,
  args: { appId: number; action: NewAction },
  options: CallOptions = {},
): Promise<Action> {
  const request = { method: 'POST', path: `/v1/apps/${args.appId}/actions`, body: args.action } as const;
  const { action } = await change(
    connection,
    request,
    { what: 'whether the action was created', hint: CHECK_ACTIONS },
    options,
    (response) => parsed(response, ActionResponse, 'action', ACTION_SIZE),
  );
  return action;
}

/**
 * `PUT …/actions/:id`. With `change.revision`, fails with `CONFLICT` if the action has changed since.
 * @throws the errors of `change`
 */
export async function updateAction(
  connection: Connection,
  args: ActionAddress & { change: ActionChange },
  options: CallOptions = {},
): Promise<Action> {
  const request = { method: 'PUT', path: actionPath(args), body: args.change } as const;
  const { action } = await change(
    connection,
    request,
    { what: 'whether the action was changed', hint: CHECK_ACTIONS },
    options,
    (response) => parsed(response, ActionResponse, 'action', ACTION_SIZE),
  );
  return action;
}

/** `DELETE …/actions/:id`. @throws the errors of `change` */
export async function removeAction(
  connection: Connection,
  args: ActionAddress,
  options: CallOptions = {},
): Promise<null> {
  return change(
    connection,
    { method: 'DELETE', path: actionPath(args) },
    { what: 'whether the action was removed', hint: CHECK_ACTIONS },
    options,
    () => Promise.resolve(null),
  );
}

/**
 * `POST …/actions/:id/publish`. `publish: false` unpublishes. `revision` works as in `updateAction`.
 * @throws the errors of `change`
 */
export async function publishAction(
  connection: Connection,
  args: ActionAddress & { publish: boolean; revision?: number | undefined },
  options: CallOptions = {},
): Promise<Action> {
  const request: Omit<Request, 'accept'> = {
    method: 'POST',
    path: actionPath(args, '/publish'),
    body: { publish: args.publish },
    headers: ifMatch(args.revision),
  };
  const what = `whether the action was ${args.publish ? 'published' : 'unpublished'}`;
  const { action } = await change(connection, request, { what, hint: CHECK_ACTIONS }, options, (response) =>
    parsed(response, ActionResponse, 'action', ACTION_SIZE),
  );
  return action;
}

/** `GET …/actions/:id/revisions`: newest first. */
export async function listRevisions(
  connection: Connection,
  args: ActionAddress,
  options: CallOptions = {},
): Promise<ActionRevision[]> {
  const path = actionPath(args, '/revisions');
  return (await getJson(connection, path, RevisionList, 'list of revisions', 4 * MB, options)).revisions;
}

/** `GET …/actions/:id/revisions/:revision`: one version with its content. */
export async function readRevision(
  connection: Connection,
  { revision, ...address }: ActionAddress & { revision: number },
  options: CallOptions = {},
): Promise<FullRevision> {
  const path = actionPath(address, `/revisions/${revision}`);
  return (await getJson(connection, path, RevisionResponse, 'revision', ACTION_SIZE, options)).revision;
}

/**
 * `POST …/actions/:id/revisions/:revision/restore`. `expected` is the action’s current revision, and works as `revision`
 * does in `updateAction`.
 * @throws the errors of `change`
 */
export async function restoreRevision(
  connection: Connection,
  { revision, expected, ...address }: ActionAddress & { revision: number; expected?: number | undefined },
  options: CallOptions = {},
): Promise<Action> {
  const request = {
    method: 'POST',
    path: actionPath(address, `/revisions/${revision}/restore`),
    headers: ifMatch(expected),
  } as const;
  const uncertainty = { what: 'whether the revision was restored', hint: CHECK_ACTIONS };
  const { action } = await change(connection, request, uncertainty, options, (response) =>
    parsed(response, ActionResponse, 'action', ACTION_SIZE),
  );
  return action;
}
