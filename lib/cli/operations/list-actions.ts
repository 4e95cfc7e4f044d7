/** Lists the V2 actions of an app, and says so if the platform doesn’t offer that. */
import { type Action, CodedError } from '../../platform-api/index.ts';
import { type CallOptions, type Connection, listActions as requestActions } from '../../rest/index.ts';

/** @throws CodedError `ACTIONS_NOT_LISTED`, and those of the REST client */
export async function listActions(
  connection: Connection,
  appId: number,
  { signal }: CallOptions = {},
): Promise<Action[]> {
  try {
    const actions = await requestActions(connection, { appId }, { signal });
    return actions.filter((action) => action.actionVersion !== 'v3');
  } catch (error) {
    throw error instanceof CodedError && isNotOffered(error) ? notListed(appId, error) : error;
  }
}

/** A 404 without the error body of our platform. */
const isNotOffered = ({ value }: CodedError): boolean =>
  value.code === 'ENDPOINT_MISSING' || (value.status === 404 && value.said === undefined);

const notListed = (appId: number, cause: unknown): CodedError =>
  new CodedError(
    {
      code: 'ACTIONS_NOT_LISTED',
      message: `Couldn’t list the actions of app ${appId}: this platform doesn’t offer them over REST.`,
      hint: 'Open a page of the app, and use the Actions tab of the extension.',
    },
    { cause },
  );
