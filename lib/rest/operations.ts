/** Owns the operations of the platform's REST API, one function each (specification, "Endpoints"). */
import * as v from 'valibot';
import type { Action, AnalyticsSession, App } from '../contract/index.ts';
import { ActionList, AppList, CodedError, PublishResult, Release, SessionList, compileUrl, issueDetails } from '../contract/index.ts';
import { readHead, readJson } from './body.ts';
import { exchange } from './exchange.ts';
import { answerError, formError } from './failures.ts';
import type { CallOptions, Connection } from './types.ts';

const MB = 1024 * 1024;

/** Errors that say for sure that nothing was published. */
const CERTAINLY_NOT = new Set([400, 401, 403, 404, 405, 409, 413, 415, 422, 429]);

/** `GET /v1/apps`: the apps that the token has access to. */
export async function listApps(connection: Connection, options: CallOptions = {}): Promise<App[]> {
  return (await getJson(connection, '/v1/apps', AppList, 'list of apps', 32 * MB, options)).apps;
}

/** `GET /v1/apps/:id/analytics/sessions`: all sessions of an app, which can be many. */
export async function listSessions(connection: Connection, args: { appId: number }, options: CallOptions = {}): Promise<AnalyticsSession[]> {
  return (await getJson(connection, `/v1/apps/${args.appId}/analytics/sessions`, SessionList, 'list of sessions', 64 * MB, options)).sessions;
}

/** `GET /v1/apps/:appId/actions` (decisions, "Platform endpoints"). */
export async function listActions(connection: Connection, args: { appId: number }, options: CallOptions = {}): Promise<Action[]> {
  return (await getJson(connection, `/v1/apps/${args.appId}/actions`, ActionList, 'list of actions', 32 * MB, options)).actions;
}

/**
 * `POST /v1/apps/:id/publish`. Never repeated.
 * @throws CodedError `RELEASE_INVALID` before anything is sent; `OUTCOME_UNKNOWN` when the update may or may not have been
 * published: read the apps again and let the person decide; any other code means that it was not published.
 */
export async function publishRelease(
  connection: Connection,
  args: { appId: number; release: Release; idempotencyKey?: string },
  options: CallOptions = {},
): Promise<PublishResult['app']> {
  const release = v.safeParse(Release, args.release);
  if (!release.success) {
    throw new CodedError({ code: 'RELEASE_INVALID', message: 'A release has a type (silent, visible or forced) and notes.', next: 'Correct it and publish again.', details: issueDetails(release.issues) });
  }
  const headers: Record<string, string> = args.idempotencyKey ? { 'Idempotency-Key': args.idempotencyKey } : {};
  const request = { method: 'POST', path: `/v1/apps/${args.appId}/publish`, accept: 'application/json', body: { release: release.output }, headers } as const;
  try {
    const answer = await exchange(connection, request, options, (response) => parsed(response, PublishResult, 'publish result', MB));
    return answer.app;
  } catch (error) {
    if (error instanceof CodedError && (CERTAINLY_NOT.has(error.value.status ?? 0) || error.code === 'ANSWER_REDIRECTED')) throw error;
    throw new CodedError({
      code: 'OUTCOME_UNKNOWN',
      message: `It is not known whether the update was published: ${error instanceof Error ? error.message : String(error)}`,
      next: 'Read the list of apps again: a changed version or time of change means that it was published. Only then decide.',
    }, { cause: error });
  }
}

/**
 * Asks for an action's debug page and looks at no more than its status and head, so that a refusal is told before a tab goes there.
 * @throws CodedError as every operation; `ANSWER_NOT_HTML`, `ANSWER_EMPTY`
 */
export async function checkCompilePage(connection: Connection, args: { appId: number; taskId: number }, options: CallOptions = {}): Promise<void> {
  const path = compileUrl('', args.appId, args.taskId);
  await exchange(connection, { method: 'GET', path, accept: 'text/html' }, options, async (response) => {
    const head = (await readHead(response, 1024)).trimStart();
    if (!head) throw answerError('ANSWER_EMPTY', 'The debug page is empty.', response.status);
    const type = response.headers.get('content-type') ?? '';
    if (!/html/i.test(type) && !head.startsWith('<')) throw answerError('ANSWER_NOT_HTML', 'What the platform answers is no page.', response.status);
  });
}

async function getJson<S extends v.GenericSchema>(connection: Connection, path: string, schema: S, what: string, limit: number, options: CallOptions): Promise<v.InferOutput<S>> {
  return exchange(connection, { method: 'GET', path, accept: 'application/json' }, options, (response) => parsed(response, schema, what, limit));
}

async function parsed<S extends v.GenericSchema>(response: Response, schema: S, what: string, limit: number): Promise<v.InferOutput<S>> {
  const result = v.safeParse(schema, await readJson(response, limit));
  if (!result.success) throw formError(what, result.issues, response.status);
  return result.output;
}
