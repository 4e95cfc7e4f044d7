/**
 * Publishes a release. The intent is on disk before the request and until the user knows the outcome, so that an
 * interrupted publish is noticed the next time.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { homeFolder } from '../../local-platform/installation.ts';
import { CodedError, toErrorValue } from '../../platform-api/coded-error.ts';
import type { PublishResult, Release } from '../../platform-api/app.ts';
import { type Connection, listApps, publishRelease } from '../../rest/index.ts';
import { changeJsonFile, type JsonFile, readJsonFile } from '../config/json-file.ts';

const Intent = v.object({
  id: v.optional(v.string()),
  startedAt: v.string(),
  versionBefore: v.nullable(v.number()),
  /** Whether the user knows the outcome. It stays, so that a publish that has started before can see it. */
  isSettled: v.optional(v.boolean(), false),
});
type Intent = v.InferOutput<typeof Intent>;
/** By base URL and app ID: the last one of each app. */
type Intents = Record<string, Intent>;

const intentsOf = (env: NodeJS.ProcessEnv): JsonFile<Intents> => ({
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

export interface Published {
  app: PublishResult['app'];
  /** Call it once the user knows the outcome. @throws CodedError `FILES_NOT_WRITTEN` */
  settle: () => Promise<void>;
}

/**
 * Of several at once, from any processes, one is sent.
 * @throws CodedError `NOT_FOUND`, `RELEASE_INVALID`, `PUBLISH_UNCONFIRMED`, `CONFLICT` before anything is sent;
 *   `OUTCOME_UNKNOWN`
 */
export async function publish(
  connection: Connection,
  { appId, release, again = false }: PublishArgs,
  { env, signal }: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<Published> {
  const intents = intentsOf(env);
  const key = `${connection.baseUrl} ${appId}`;
  const earlier = (await readJsonFile(intents))[key];
  const app = (await listApps(connection, { signal })).find(({ id }) => id === appId);
  if (!app)
    throw new CodedError({
      code: 'NOT_FOUND',
      message: `Couldn’t find app ${appId} in the list of apps. Nothing was sent.`,
      hint: 'Check which apps the token can access with platform-devtools apps.',
    });
  const version = app.version ?? null;
  if (earlier && !earlier.isSettled && !again) throw unconfirmed(appId, earlier, version);
  signal.throwIfAborted();
  const intent: Intent = {
    id: randomUUID(),
    startedAt: new Date().toISOString(),
    versionBefore: version,
    isSettled: false,
  };
  await changeJsonFile(intents, (all) => {
    const { [key]: last } = all;
    if (!isDeepStrictEqual(last, earlier)) throw overtaken(appId, last, version);
    return { ...all, [key]: intent };
  }).catch((error: unknown) => {
    throw nothingSent(error);
  });
  const replace = (by: Intent | undefined): Promise<void> =>
    changeJsonFile(intents, ({ [key]: last, ...others }) => {
      const next = last?.id === intent.id ? by : last;
      return { ...others, ...(next && { [key]: next }) };
    });
  try {
    // Not aborted by Ctrl+C: the request has a time limit, and its response says what happened.
    const published = await publishRelease(connection, { appId, release, idempotencyKey: randomUUID() });
    return { app: published, settle: () => replace({ ...intent, isSettled: true }) };
  } catch (error) {
    // Nothing was published, so that the earlier one is still the last.
    // If that can’t be stored, the next publish asks to check first. This error says what happened.
    if (!(error instanceof CodedError && error.code === 'OUTCOME_UNKNOWN'))
      await replace(earlier).catch(() => undefined);
    throw error;
  }
}

/** The intent couldn’t be stored. */
function nothingSent(error: unknown): CodedError {
  const value = toErrorValue(error);
  const message = value.message.includes('Nothing was sent.') ? value.message : `${value.message} Nothing was sent.`;
  return new CodedError({ ...value, message }, { cause: error });
}

/** Another publish has started or ended since this one began. */
const overtaken = (appId: number, last: Intent | undefined, version: number | null): CodedError =>
  last && !last.isSettled
    ? unconfirmed(appId, last, version)
    : new CodedError({
        code: 'CONFLICT',
        message: `Another publish of app ${appId} has ended while this one started. Nothing was sent.`,
        hint: 'Check the app, then publish again.',
      });

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
