/** Owns what is asked about an app's actions, and changing them (decisions, "Platform endpoints"); an action is always named by its id. */
import type { Action, ActionChange, FunctionDescriptor, NewAction } from '../platform-api/index.ts';
import { ActionAnswer, ActionList, FunctionList } from '../platform-api/index.ts';
import type { Request } from './exchange.ts';
import { change, getJson, MB, pageQuery, parsed } from './json.ts';
import type { CallOptions, Connection } from './types.ts';

export interface ActionAddress {
  appId: number;
  actionId: number;
}

/** `by=id`: a name may consist of digits too. */
export const actionPath = ({ appId, actionId }: ActionAddress, operation = ''): string =>
  `/v1/apps/${appId}/actions/${actionId}${operation}?by=id`;

const ifMatch = (revision: number | undefined): Record<string, string> =>
  revision === undefined ? {} : { 'If-Match': `"${revision}"` };

const LOOK = 'Read the actions again, and look before you repeat it.';
/** An action has at most about 1 MB, twice: its working copy and the published one. */
const ANSWER = 4 * MB;

/** `GET /v1/functions`: the packages that a step can name. */
export async function listFunctions(connection: Connection, options: CallOptions = {}): Promise<FunctionDescriptor[]> {
  return (await getJson(connection, '/v1/functions', FunctionList, 'list of functions', 8 * MB, options)).functions;
}

/** `GET /v1/apps/:appId/actions`: all of them, or with `limit` some, by id. */
export async function listActions(
  connection: Connection,
  args: { appId: number; limit?: number | undefined; offset?: number | undefined },
  options: CallOptions = {},
): Promise<Action[]> {
  return (
    await getJson(
      connection,
      `/v1/apps/${args.appId}/actions${pageQuery(args)}`,
      ActionList,
      'list of actions',
      32 * MB,
      options,
    )
  ).actions;
}

/** `POST /v1/apps/:appId/actions`. @throws CodedError of `change` */
export async function createAction(
  connection: Connection,
  args: { appId: number; action: NewAction },
  options: CallOptions = {},
): Promise<Action> {
  const request = { method: 'POST', path: `/v1/apps/${args.appId}/actions`, body: args.action } as const;
  const answer = await change(
    connection,
    request,
    { what: 'whether the action was created', hint: LOOK },
    options,
    (response) => parsed(response, ActionAnswer, 'action', ANSWER),
  );
  return answer.action;
}

/** `PUT …/actions/:id`; `change.revision`: refused with `CONFLICT` when the action has another by now. @throws CodedError of `change` */
export async function updateAction(
  connection: Connection,
  args: ActionAddress & { change: ActionChange },
  options: CallOptions = {},
): Promise<Action> {
  const request = { method: 'PUT', path: actionPath(args), body: args.change } as const;
  const answer = await change(
    connection,
    request,
    { what: 'whether the action was changed', hint: LOOK },
    options,
    (response) => parsed(response, ActionAnswer, 'action', ANSWER),
  );
  return answer.action;
}

/** `DELETE …/actions/:id`. @throws CodedError of `change` */
export async function removeAction(
  connection: Connection,
  args: ActionAddress,
  options: CallOptions = {},
): Promise<null> {
  return change(
    connection,
    { method: 'DELETE', path: actionPath(args) },
    { what: 'whether the action was removed', hint: LOOK },
    options,
    () => Promise.resolve(null),
  );
}

/** `POST …/actions/:id/publish`; false unpublishes. `revision`: refused with `CONFLICT` when the action has another by now. @throws CodedError of `change` */
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
  const answer = await change(connection, request, { what, hint: LOOK }, options, (response) =>
    parsed(response, ActionAnswer, 'action', ANSWER),
  );
  return answer.action;
}
