/** Reads what a migration needs from a platform: actions, data sources, sources of packages, and recordings. */
import { parseRecording } from '../../../debugging/index.ts';
import type { Recording } from '../../../debugging/recording/format.ts';
import type { Pipeline } from '../../../pipeline/index.ts';
import { type Action, CodedError } from '../../../platform-api/index.ts';
import { type Unreadable, unreadableOf } from '../../../platform-api/lists/unreadable.ts';
import {
  type CallOptions,
  type Connection,
  listActions,
  listApps,
  listDataSources,
  listLogs,
  readRecording,
} from '../../../rest/index.ts';
import type { ReadJob } from '../types.ts';
import { userPackagesOf } from './packages.ts';

export interface PlatformQuery {
  connection: Connection;
  appId: number;
  /** Names of actions. Empty for all. */
  names: readonly string[];
  signal?: AbortSignal | undefined;
}

/** @throws CodedError `ACTIONS_NOT_LISTED`, `ACTION_NOT_FOUND`, and those of the REST client */
export async function readPlatform(
  { connection, appId, names, signal }: PlatformQuery,
  given: ReadonlyMap<string, string>,
): Promise<ReadJob[]> {
  const actions = chosen(await actionsOf(connection, appId, { signal }), names, appId);
  const dataSources = new Map(
    (await listDataSources(connection, { appId }, { signal })).map(({ id, name }) => [name, id]),
  );
  const jobs: ReadJob[] = [];
  for (const action of actions) {
    const functions = action.functions as Pipeline;
    const sources = new Map(given);
    for (const name of userPackagesOf(functions)) {
      if (sources.has(name)) continue;
      const source = await sourceOf(connection, name, signal);
      if (source !== null) sources.set(name, source);
    }
    const recordings = await recordingsOf(connection, action, { signal });
    jobs.push({ action: { ...action, functions }, sources, dataSources, recordings });
  }
  return jobs;
}

/** V2 actions by ID. */
async function actionsOf(connection: Connection, appId: number, options: CallOptions): Promise<Action[]> {
  try {
    const actions = await listActions(connection, { appId }, options);
    const [unreadable] = unreadableOf(actions);
    // One that is left out would look as if the app didn’t have it.
    if (unreadable) throw actionUnreadable(unreadable);
    return actions.filter((action) => action.actionVersion !== 'v3').sort((one, other) => one.id - other.id);
  } catch (error) {
    if (
      !(error instanceof CodedError) ||
      error.code === 'ANSWER_INVALID' ||
      !(await isListed(connection, appId, options))
    )
      throw error;
    throw new CodedError(
      {
        code: 'ACTIONS_NOT_LISTED',
        message: `Couldn’t list the actions of app ${appId}: the platform responded with 404, and may not offer them over REST.`,
        hint: 'Copy the JSON of each action from the panel’s editor into a file, and pass it with --action-file.',
      },
      { cause: error },
    );
  }
}

const actionUnreadable = ({ item, why }: Unreadable): CodedError =>
  new CodedError({
    code: 'ANSWER_INVALID',
    message: `Couldn’t read the action ${item}: ${why}.`,
    hint: 'Correct the action on the platform, then try again.',
  });

/** Whether the platform itself responds, and has the app. */
const isListed = async (connection: Connection, appId: number, options: CallOptions): Promise<boolean> =>
  listApps(connection, options).then(
    (apps) => apps.some(({ id }) => id === appId),
    () => false,
  );

function chosen(actions: Action[], names: readonly string[], appId: number): Action[] {
  if (names.length === 0) return actions;
  const missing = names.find((name) => actions.every((action) => action.name !== name));
  if (missing === undefined) return actions.filter(({ name }) => names.includes(name));
  throw new CodedError({
    code: 'ACTION_NOT_FOUND',
    message: `Couldn’t find the V2 action “${missing}” in app ${appId}.`,
    hint: 'Check the name, or leave out --action to migrate all actions.',
  });
}

const SOURCE_LIMIT = 1024 * 1024;

/** Null if the platform doesn’t serve it. Without the token, since scripts are public. */
async function sourceOf({ baseUrl }: Connection, name: string, signal?: AbortSignal): Promise<string | null> {
  const url = `${baseUrl}/v1/functions/${encodeURIComponent(name)}.js`;
  try {
    const limit = AbortSignal.any([AbortSignal.timeout(20_000), ...(signal ? [signal] : [])]);
    const response = await fetch(url, { redirect: 'error', signal: limit });
    const isScript = response.ok && /javascript/.test(response.headers.get('content-type') ?? '');
    const source = isScript ? await response.text() : '';
    return isScript && source.length <= SOURCE_LIMIT ? source : null;
  } catch {
    signal?.throwIfAborted();
    return null;
  }
}

/** The recordings that the platform has of the action’s last runs, oldest first. */
async function recordingsOf(connection: Connection, { id, appId }: Action, options: CallOptions): Promise<Recording[]> {
  const { logs } = await listLogs(connection, { appId, query: { id, limit: 100 } }, options);
  const recordings: Recording[] = [];
  for (const log of logs.filter(({ hasRecording }) => hasRecording === true).reverse()) {
    options.signal?.throwIfAborted();
    // It may have been removed since it was listed.
    const content = await readRecording(connection, { appId, logId: log.id }, options).catch(() => null);
    const parsed = content === null ? null : parseRecording(content);
    if (parsed?.ok) recordings.push(parsed.value);
  }
  return recordings;
}
