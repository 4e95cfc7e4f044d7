/** Owns the operations of the platform's REST API, one function each (specification, "Endpoints"). */
import * as v from 'valibot';
import type { AnalyticsSession, App } from '../platform-api/index.ts';
import { AppList, CodedError, PublishResult, Release, SessionList, issueDetails } from '../platform-api/index.ts';
import { readHead } from './body.ts';
import { exchange } from './exchange.ts';
import { answerError } from './failures.ts';
import { change, getJson, MB, pageQuery, parsed } from './json.ts';
import type { CallOptions, Connection } from './types.ts';

/** `GET /v1/apps`: the apps that the token has access to. */
export async function listApps(connection: Connection, options: CallOptions = {}): Promise<App[]> {
  return (await getJson(connection, '/v1/apps', AppList, 'list of apps', 32 * MB, options)).apps;
}

/** `GET /v1/apps/:id/analytics/sessions`: all of them, or with `limit` some, by id; an installation that knows no paging answers all in any case. */
export async function listSessions(
  connection: Connection,
  args: { appId: number; limit?: number | undefined; offset?: number | undefined },
  options: CallOptions = {},
): Promise<AnalyticsSession[]> {
  return (
    await getJson(
      connection,
      `/v1/apps/${args.appId}/analytics/sessions${pageQuery(args)}`,
      SessionList,
      'list of sessions',
      128 * MB,
      options,
    )
  ).sessions;
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
    throw new CodedError({
      code: 'RELEASE_INVALID',
      message: 'A release has a type (silent, visible or forced) and notes.',
      hint: 'Correct it and publish again.',
      details: issueDetails(release.issues),
    });
  }
  const headers: Record<string, string> = args.idempotencyKey ? { 'Idempotency-Key': args.idempotencyKey } : {};
  const request = {
    method: 'POST',
    path: `/v1/apps/${args.appId}/publish`,
    body: { release: release.output },
    headers,
  } as const;
  const doubt = {
    what: 'whether the update was published',
    hint: 'Read the list of apps again: a changed version or time of change means that it was published. Only then decide.',
  };
  return (
    await change(connection, request, doubt, options, (response) =>
      parsed(response, PublishResult, 'publish result', MB),
    )
  ).app;
}

/**
 * Asks for a page of the platform, such as an action's debug page, and looks at no more than its status and head, so that a refusal
 * is told before a tab goes there. `path` is below the base URL; `title` is what a sentence calls the page.
 * @throws CodedError as every operation; `ANSWER_NOT_HTML`, `ANSWER_EMPTY`
 */
export async function checkPage(
  connection: Connection,
  { path, title }: { path: string; title: string },
  options: CallOptions = {},
): Promise<void> {
  // Not text/html alone: a refusal would be a page, without the platform's code and sentence in a form that can be read.
  await exchange(connection, { method: 'GET', path, accept: '*/*' }, options, async (response) => {
    const head = (await readHead(response, 1024)).trimStart();
    if (!head) throw answerError('ANSWER_EMPTY', `The ${title} is empty.`, response.status);
    const type = response.headers.get('content-type') ?? '';
    if (!/html/i.test(type) && !head.startsWith('<'))
      throw answerError('ANSWER_NOT_HTML', 'What the platform answers is no page.', response.status);
  });
}
