/** Finds the action to run, also on a platform that doesn’t list actions. */
import { CodedError } from '../../platform-api/coded-error.ts';
import { type CallOptions, type Connection, listActions } from '../../rest/index.ts';
import { findAction } from '../operations/find-action.ts';

export interface ActionToRun {
  actionId: number;
  /** Absent if only the ID is known. */
  name?: string;
}

/** @throws CodedError `ACTION_NOT_FOUND`, `ACTIONS_NOT_LISTED`, or those of the REST client */
export async function actionToRun(
  connection: Connection,
  appId: number,
  given: string,
  options: CallOptions = {},
): Promise<ActionToRun> {
  const actions = await listActions(connection, { appId }, options).catch((error: unknown): null => {
    if (error instanceof CodedError && isNotOffered(error)) return null;
    throw error;
  });
  const isId = /^[1-9]\d{0,14}$/.test(given);
  const isListed = actions?.some(({ id, name }) => name === given || String(id) === given) ?? false;
  // The list can lack an action whose debug page the platform serves.
  if (isId && !isListed) return { actionId: Number(given) };
  if (actions) {
    const { id, name } = findAction(actions, given);
    return { actionId: id, name };
  }
  throw new CodedError({
    code: 'ACTIONS_NOT_LISTED',
    message: `Couldn’t find “${given}”: the platform responded to the list of actions with 404.`,
    hint: 'Check the base URL. If the platform doesn’t offer the list, use the action’s ID, which is in the URL of its debug page.',
  });
}

/** A 404 without the error body of our platform. */
const isNotOffered = ({ value }: CodedError): boolean =>
  value.code === 'ENDPOINT_MISSING' || (value.status === 404 && value.said === undefined);
