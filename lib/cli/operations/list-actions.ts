/** Lists the V2 actions of an app, and says so if the platform doesn’t offer that. */
import { type Action, CodedError } from '../../platform-api/index.ts';
import { unreadableOf, withUnreadable } from '../../platform-api/lists/unreadable.ts';
import { type CallOptions, type Connection, listActions as requestActions } from '../../rest/index.ts';

/** @throws CodedError `ACTIONS_NOT_LISTED`, and those of the REST client */
export async function listActions(
  connection: Connection,
  appId: number,
  { signal }: CallOptions = {},
): Promise<Action[]> {
  try {
    const actions = await requestActions(connection, { appId }, { signal });
    const v2 = actions.filter((action) => action.actionVersion !== 'v3');
    return withUnreadable(v2, unreadableOf(actions));
  } catch (error) {
    throw error instanceof CodedError && isNotOffered(error) ? notListed(appId, error) : error;
  }
}

/**
 * For what compares all actions: one that can’t be read would look removed.
 * @throws CodedError `ANSWER_INVALID`, and those of `listActions`
 */
export async function listAllActions(connection: Connection, appId: number, options: CallOptions): Promise<Action[]> {
  const actions = await listActions(connection, appId, options);
  const [first] = unreadableOf(actions);
  if (!first) return actions;
  throw new CodedError({
    code: 'ANSWER_INVALID',
    message: `Couldn’t read the action ${first.item}: ${first.why}. Nothing was changed.`,
    hint: 'Correct the action on the platform, then try again.',
  });
}

/** A 404 without the error body of our platform. */
const isNotOffered = ({ value }: CodedError): boolean =>
  value.code === 'ENDPOINT_MISSING' || (value.status === 404 && value.said === undefined);

const notListed = (appId: number, cause: unknown): CodedError =>
  new CodedError(
    {
      code: 'ACTIONS_NOT_LISTED',
      message: `Couldn’t list the actions of app ${appId}: the platform responded with 404, and may not offer them over REST.`,
      hint: 'Open a page of the app, and use the Actions tab of the extension.',
    },
    { cause },
  );
