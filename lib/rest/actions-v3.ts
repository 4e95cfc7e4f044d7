/** Operations on V3 actions (actions-v3, "JavaScript API", as the local platform serves it). Actions are addressed by ID. */
import * as v from 'valibot';
import {
  type ActionV3,
  type ActionV3List,
  ActionV3List as ListSchema,
  ActionV3Response,
} from '../platform-api/actions-v3/record.ts';
import { CodedError, type Trigger } from '../platform-api/index.ts';
import type { ActionAddress } from './actions.ts';
import type { Request } from './exchange.ts';
import { change, getJson, MB, pageQuery, parsed, type Uncertainty } from './json.ts';
import type { CallOptions, Connection } from './types.ts';

/** What callers set. */
export interface ActionV3Fields {
  name: string;
  code: string;
  description: string | null;
  active: boolean;
  environment: 'server' | 'client' | 'any';
  triggers: Trigger[];
  dependencies: string[];
  frequency: string | null;
  timezone: string | null;
}

const ACTION_SIZE = 4 * MB;
const CHECK = 'Refresh the switch-over, which reads the action again.';

const pathOf = ({ appId, actionId }: ActionAddress, operation = ''): string =>
  `/v3/apps/${appId}/actions/${actionId}${operation}`;

const ifMatch = (revision: number | undefined): Record<string, string> =>
  revision === undefined ? {} : { 'If-Match': `"${revision}"` };

/** `GET /v3/apps/:appId/actions`: the master copies, ordered by ID. */
export function listActionsV3(
  connection: Connection,
  args: { appId: number; limit: number; offset: number },
  options: CallOptions = {},
): Promise<ActionV3List> {
  const path = `/v3/apps/${args.appId}/actions${pageQuery(args)}`;
  return getJson(connection, path, ListSchema, 'list of V3 actions', 32 * MB, options);
}

/** `GET …/:id`: the master copy, and the production copy or null. Null if the app doesn’t have the action. */
export async function readActionV3(
  connection: Connection,
  args: ActionAddress,
  options: CallOptions = {},
): Promise<{ action: ActionV3; live: ActionV3 | null } | null> {
  const [action, live] = await Promise.all([
    readCopy(connection, args, '', options),
    readCopy(connection, args, '?mode=live', options),
  ]);
  return action && { action, live };
}

async function readCopy(
  connection: Connection,
  args: ActionAddress,
  query: string,
  options: CallOptions,
): Promise<ActionV3 | null> {
  try {
    const path = pathOf(args) + query;
    return (await getJson(connection, path, ActionV3Response, 'V3 action', ACTION_SIZE, options)).action;
  } catch (error) {
    if (error instanceof CodedError && error.value.said?.code === 'ACTION_NOT_FOUND') return null;
    throw error;
  }
}

/** `POST /v3/apps/:appId/actions`. @throws the errors of `change` */
export function createActionV3(
  connection: Connection,
  { appId, action }: { appId: number; action: ActionV3Fields },
  options: CallOptions = {},
): Promise<ActionV3> {
  const request = { method: 'POST', path: `/v3/apps/${appId}/actions`, body: action } as const;
  return changeAction(connection, request, { what: 'whether the V3 action was created', hint: CHECK }, options);
}

/** `PUT …/:id`: changes the master copy. With `revision`, fails with `CONFLICT` if it has changed since. */
export function updateActionV3(
  connection: Connection,
  {
    change: properties,
    revision,
    ...address
  }: ActionAddress & {
    change: Partial<ActionV3Fields>;
    revision?: number | undefined;
  },
  options: CallOptions = {},
): Promise<ActionV3> {
  const request = { method: 'PUT', path: pathOf(address), body: properties, headers: ifMatch(revision) } as const;
  return changeAction(connection, request, { what: 'whether the V3 action was changed', hint: CHECK }, options);
}

/** `POST …/:id/publish`: resolves with the production copy. `revision` works as in `updateActionV3`. */
export function publishActionV3(
  connection: Connection,
  { revision, ...address }: ActionAddress & { revision?: number | undefined },
  options: CallOptions = {},
): Promise<ActionV3> {
  const request = { method: 'POST', path: pathOf(address, '/publish'), headers: ifMatch(revision) } as const;
  return changeAction(connection, request, { what: 'whether the V3 action was published', hint: CHECK }, options);
}

/** `POST …/:id/unpublish`. */
export async function unpublishActionV3(
  connection: Connection,
  address: ActionAddress,
  options: CallOptions = {},
): Promise<null> {
  const request = { method: 'POST', path: pathOf(address, '/unpublish') } as const;
  const uncertainty = { what: 'whether the V3 action was unpublished', hint: CHECK };
  return change(connection, request, uncertainty, options, () => Promise.resolve(null));
}

/** `DELETE …/:id`. */
export async function removeActionV3(
  connection: Connection,
  address: ActionAddress,
  options: CallOptions = {},
): Promise<null> {
  const request = { method: 'DELETE', path: pathOf(address) } as const;
  const uncertainty = { what: 'whether the V3 action was removed', hint: CHECK };
  return change(connection, request, uncertainty, options, () => Promise.resolve(null));
}

const Queued = v.looseObject({ runId: v.pipe(v.string(), v.nonEmpty(), v.maxLength(100)) });

/** `POST …/:id/run`: queues a run of the production copy. */
export async function runActionV3(
  connection: Connection,
  { payload, ...address }: ActionAddress & { payload: Record<string, unknown> },
  options: CallOptions = {},
): Promise<{ runId: string }> {
  const request = {
    method: 'POST',
    path: `${pathOf(address, '/run')}?by=id`,
    body: { payload, mode: 'live' },
  } as const;
  const uncertainty = {
    what: 'whether the run was queued',
    hint: 'Check the missed events again. Until the run is logged, they say that it might be running.',
  };
  const { runId } = await change(connection, request, uncertainty, options, (response) =>
    parsed(response, Queued, 'queued run', MB),
  );
  return { runId };
}

async function changeAction(
  connection: Connection,
  request: Omit<Request, 'accept'>,
  uncertainty: Uncertainty,
  options: CallOptions,
): Promise<ActionV3> {
  const { action } = await change(connection, request, uncertainty, options, (response) =>
    parsed(response, ActionV3Response, 'V3 action', ACTION_SIZE),
  );
  return action;
}
