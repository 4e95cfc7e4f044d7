/** Publishes a release. The intent is on disk before the request, so that an interrupted one is noticed the next time. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import { homeFolder } from '../../local-platform/installation.ts';
import { CodedError } from '../../platform-api/coded-error.ts';
import type { PublishResult, Release } from '../../platform-api/app.ts';
import { type Connection, listApps, publishRelease } from '../../rest/index.ts';
import { changeJsonFile, type JsonFile, readJsonFile } from '../config/json-file.ts';

const Intent = v.object({ startedAt: v.string(), versionBefore: v.nullable(v.number()) });
type Intent = v.InferOutput<typeof Intent>;

const intentsOf = (env: NodeJS.ProcessEnv): JsonFile<Record<string, Intent>> => ({
  path: join(homeFolder(env), 'publishing.json'),
  schema: v.record(v.string(), Intent),
  code: 'CONFIG_INVALID',
  empty: {},
});

export interface PublishArgs {
  appId: number;
  release: Release;
  /** Publishes although it’s unknown how an earlier publish ended. */
  again?: boolean;
}

/**
 * @throws CodedError `NOT_FOUND`, `RELEASE_INVALID`, `PUBLISH_UNCONFIRMED` before anything is sent; `OUTCOME_UNKNOWN`
 */
export async function publish(
  connection: Connection,
  { appId, release, again = false }: PublishArgs,
  { env, signal }: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<PublishResult['app']> {
  const intents = intentsOf(env);
  const key = `${connection.baseUrl} ${appId}`;
  const app = (await listApps(connection, { signal })).find(({ id }) => id === appId);
  if (!app)
    throw new CodedError({
      code: 'NOT_FOUND',
      message: `Couldn’t find app ${appId} in the list of apps. Nothing was sent.`,
      hint: 'Check which apps the token can access with platform-devtools apps.',
    });
  const earlier = (await readJsonFile(intents))[key];
  if (earlier && !again) throw unconfirmed(appId, earlier, app.version ?? null);
  signal.throwIfAborted();
  const intent: Intent = { startedAt: new Date().toISOString(), versionBefore: app.version ?? null };
  await changeJsonFile(intents, (all) => ({ ...all, [key]: intent }));
  try {
    // Not aborted by Ctrl+C: the request has a time limit, and its response says what happened.
    const published = await publishRelease(connection, { appId, release, idempotencyKey: randomUUID() });
    await forget(intents, key);
    return published;
  } catch (error) {
    if (!(error instanceof CodedError && error.code === 'OUTCOME_UNKNOWN')) await forget(intents, key);
    throw error;
  }
}

const forget = (intents: JsonFile<Record<string, Intent>>, key: string): Promise<void> =>
  changeJsonFile(intents, ({ [key]: _done, ...others }) => others);

const unconfirmed = (appId: number, { startedAt, versionBefore }: Intent, version: number | null): CodedError =>
  new CodedError({
    code: 'PUBLISH_UNCONFIRMED',
    message:
      `Couldn’t confirm how an earlier publish of app ${appId} ended (${startedAt}), or whether it has. ` +
      (version === versionBefore
        ? `The app’s version is ${version === null ? 'unknown' : `still ${version}`}. Nothing was sent.`
        : `The app’s version was ${versionBefore ?? 'unknown'} and is now ${version ?? 'unknown'}. Nothing was sent.`),
    hint: 'Check the app, then add --again to publish.',
  });
