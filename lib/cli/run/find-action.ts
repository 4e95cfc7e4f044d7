/** Finds an action by its ID or name. */
import { CodedError } from '../../platform-api/coded-error.ts';
import { type CallOptions, type Connection, listActions } from '../../rest/index.ts';
import { nearestName } from '../../shared/edit-distance.ts';

export interface FoundAction {
  actionId: number;
  /** Null if only the ID is known. */
  name: string | null;
}

/** @throws CodedError `ACTION_NOT_FOUND`, `ACTIONS_NOT_LISTED`, or those of the REST client */
export async function findAction(
  connection: Connection,
  appId: number,
  given: string,
  options: CallOptions = {},
): Promise<FoundAction> {
  // A platform that offers only what the specification shows can’t list actions.
  if (/^[1-9]\d{0,14}$/.test(given)) return { actionId: Number(given), name: null };
  const actions = await listActions(connection, { appId }, options).catch((error: unknown): never => {
    throw error instanceof CodedError && isNotOffered(error) ? notListed(given) : error;
  });
  const found = actions.find(({ name }) => name === given);
  if (found) return { actionId: found.id, name: found.name };
  const meant = nearestName(
    given,
    actions.map(({ name }) => name),
  );
  throw new CodedError({
    code: 'ACTION_NOT_FOUND',
    message: `App ${appId} has no action “${given}”.${meant === undefined ? '' : ` Did you mean “${meant}”?`}`,
    hint: `Try actions list --app ${appId} to see all names.`,
  });
}

/** A 404 without the error body of our platform. */
const isNotOffered = ({ value }: CodedError): boolean =>
  value.code === 'ENDPOINT_MISSING' || (value.status === 404 && value.said === undefined);

const notListed = (name: string): CodedError =>
  new CodedError({
    code: 'ACTIONS_NOT_LISTED',
    message: `Couldn’t find “${name}”: this platform doesn’t list actions over REST.`,
    hint: 'Use the ID of the action, which is in the URL of its debug page.',
  });
