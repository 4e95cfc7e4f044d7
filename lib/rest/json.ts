/** Helpers for operations that read JSON, and for changes, which are never retried. */
import * as v from 'valibot';
import { CodedError, issueDetails } from '../platform-api/index.ts';
import { describeUnreadable, type Unreadable, withUnreadable } from '../platform-api/lists/unreadable.ts';
import { readJson } from './body.ts';
import type { Request } from './exchange.ts';
import { exchange, JSON_TYPE } from './exchange.ts';
import { ENDPOINT_MISSING, formError, NotSentError } from './failures.ts';
import type { CallOptions, Connection } from './types.ts';

export const MB = 1024 * 1024;

/** The query `?limit=&offset=` (decisions, "REST"), or an empty string without a limit. */
export const pageQuery = ({ limit, offset = 0 }: { limit?: number | undefined; offset?: number | undefined }): string =>
  limit === undefined ? '' : `?limit=${limit}&offset=${offset}`;

/** Statuses that mean that nothing has changed on the platform. */
const UNCHANGED = new Set([400, 401, 404, 405, 413, 415, 417, 422]);
/**
 * Statuses that mean it only with the platform’s own error: a firewall can replace the response to a change, and a proxy
 * can repeat a change, by one of these.
 */
const UNCHANGED_IF_SAID = new Set([403, 409, 429]);

export async function getJson<S extends v.GenericSchema>(
  connection: Connection,
  path: string,
  schema: S,
  what: string,
  limit: number,
  options: CallOptions,
): Promise<v.InferOutput<S>> {
  return exchange(connection, { method: 'GET', path, accept: JSON_TYPE }, options, (response) =>
    parsed(response, schema, what, limit),
  );
}

/** A list in a response: the schema of its items, and the name of its property. */
export interface ListForm<S extends v.GenericSchema> {
  key: string;
  item: S;
  /** Such as `list of apps`. */
  what: string;
  /** In bytes. */
  limit: number;
}

/** Reads a list item by item. `unreadableOf` says what couldn’t be read. */
export async function getList<S extends v.GenericSchema>(
  connection: Connection,
  path: string,
  { key, item, what, limit }: ListForm<S>,
  options: CallOptions,
): Promise<v.InferOutput<S>[]> {
  const whole = v.looseObject({ [key]: v.array(v.unknown()) });
  return exchange(connection, { method: 'GET', path, accept: JSON_TYPE }, options, async (response) => {
    const { [key]: items } = await parsed(response, whole, what, limit);
    return readItems(connection, items as unknown[], { key, item, what }, response.status);
  });
}

/** @throws CodedError `ANSWER_INVALID` if the items have another form than the platform’s */
export function readItems<S extends v.GenericSchema>(
  connection: Pick<Connection, 'onUnreadable'>,
  items: readonly unknown[],
  { key, item, what }: Omit<ListForm<S>, 'limit'>,
  status: number,
): v.InferOutput<S>[] {
  const list: v.InferOutput<S>[] = [];
  const unreadable: Unreadable[] = [];
  for (const [index, given] of items.entries()) {
    const result = v.safeParse(item, given);
    if (result.success) {
      list.push(result.output);
      continue;
    }
    const [{ path, message } = { path: '', message: 'invalid format' }] = issueDetails(result.issues);
    unreadable.push(describeUnreadable(given, index, path, message));
  }
  if (list.length === 0 && unreadable.every(({ id }) => id === null)) throwForm(items, { key, item, what }, status);
  if (unreadable.length > 0) connection.onUnreadable?.(what, unreadable);
  return withUnreadable(list, unreadable);
}

function throwForm(
  items: readonly unknown[],
  { key, item, what }: Omit<ListForm<v.GenericSchema>, 'limit'>,
  status: number,
): void {
  const result = v.safeParse(v.object({ [key]: v.array(item) }), { [key]: items });
  if (!result.success) throw formError(what, result.issues, status);
}

export async function parsed<S extends v.GenericSchema>(
  response: Response,
  schema: S,
  what: string,
  limit: number,
): Promise<v.InferOutput<S>> {
  const result = v.safeParse(schema, await readJson(response, limit));
  if (!result.success) throw formError(what, result.issues, response.status);
  return result.output;
}

/** What is unknown if a change gets no response, such as “whether the action was created”, and how to find out. */
export interface Uncertainty {
  what: string;
  hint: string;
}

/**
 * Sends a change with an `Idempotency-Key`. Never retries. Each call has its own key: if a user repeats a change after
 * an unknown outcome, they mean another one.
 * @throws CodedError `OUTCOME_UNKNOWN` if the change might have been made. With any other code, it wasn’t made.
 */
export async function change<T>(
  connection: Connection,
  request: Omit<Request, 'accept'>,
  uncertainty: Uncertainty,
  options: CallOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const headers = { 'Idempotency-Key': crypto.randomUUID(), ...request.headers };
  try {
    return await exchange(connection, { ...request, headers, accept: JSON_TYPE }, options, read);
  } catch (error) {
    throw isOutcomeKnown(error) ? error : unknownOutcome(uncertainty, error);
  }
}

/**
 * Whether the outcome is known: either nothing changed, or the run failed. A redirect says neither: platforms also
 * redirect after a change.
 */
function isOutcomeKnown(error: unknown): boolean {
  if (!(error instanceof CodedError)) return false;
  if (error instanceof NotSentError || error.code === ENDPOINT_MISSING) return true;
  const { status = 0, said, failure } = error.value;
  return UNCHANGED.has(status) || (UNCHANGED_IF_SAID.has(status) && said !== undefined) || failure !== undefined;
}

export function unknownOutcome({ what, hint }: Uncertainty, error: unknown): CodedError {
  return new CodedError(
    {
      code: 'OUTCOME_UNKNOWN',
      message: `Couldn’t confirm ${what}: ${error instanceof Error ? error.message : String(error)}`,
      hint,
    },
    { cause: error },
  );
}
