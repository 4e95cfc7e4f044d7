/** Operations on apps (specification, "Endpoints"), and checks of platform pages. */
import * as v from 'valibot';
import { AnalyticsSession, App, CodedError, PublishResult, Release, issueDetails } from '../platform-api/index.ts';
import { readHead } from './body.ts';
import { exchange, JSON_TYPE } from './exchange.ts';
import { responseError } from './failures.ts';
import { change, getList, MB, pageQuery, parsed } from './json.ts';
import type { CallOptions, Connection } from './types.ts';

const OneTimeToken = v.object({ token: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,4096}$/)) });

/** `GET /v1/apps`: the apps that the token can access. */
export async function listApps(connection: Connection, options: CallOptions = {}): Promise<App[]> {
  const form = { key: 'apps', item: App, what: 'list of apps', limit: 32 * MB };
  return getList(connection, '/v1/apps', form, options);
}

/**
 * `GET /v1/apps/:id/analytics/sessions`: all sessions by ID, or one page with `limit`. Platforms without paging always
 * return all sessions.
 */
export async function listSessions(
  connection: Connection,
  args: { appId: number; limit?: number | undefined; offset?: number | undefined },
  options: CallOptions = {},
): Promise<AnalyticsSession[]> {
  const form = { key: 'sessions', item: AnalyticsSession, what: 'list of sessions', limit: 128 * MB };
  return getList(connection, `/v1/apps/${args.appId}/analytics/sessions${pageQuery(args)}`, form, options);
}

/**
 * `POST /v1/apps/:id/publish`. Never retries.
 * @throws CodedError `RELEASE_INVALID` before anything is sent; `OUTCOME_UNKNOWN` if the update might have been
 * published. With any other code, it wasn’t published.
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
      message: 'A release must have a type (silent, visible, or forced) and release notes. Nothing was sent.',
      hint: 'Correct the release and publish again.',
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
  const uncertainty = {
    what: 'whether the update was published',
    hint: 'Check the app’s version and update time before you publish again.',
  };
  return (
    await change(connection, request, uncertainty, options, (response) =>
      parsed(response, PublishResult, 'publish result', MB),
    )
  ).app;
}

/**
 * `POST /v1/apps/:id/one-time-tokens`: a token for one GET of a page within a minute.
 * Not sent as a change: an unused token has no effect, so a repeated request is harmless.
 */
export async function issueOneTimeToken(
  connection: Connection,
  { appId, path }: { appId: number; path: string },
  options: CallOptions = {},
): Promise<string> {
  const request = { method: 'POST', path: `/v1/apps/${appId}/one-time-tokens`, body: { path } } as const;
  const read = (response: Response) => parsed(response, OneTimeToken, 'one-time token', MB);
  return (await exchange({ ...connection, changes: undefined }, { ...request, accept: JSON_TYPE }, options, read))
    .token;
}

/**
 * Requests a platform page, such as a debug page, and checks its status and first characters, so that errors are shown
 * before a tab opens the page. `path` is relative to the base URL. `title` is the page’s name in messages.
 * @throws CodedError the errors of any operation; `ANSWER_NOT_HTML`, `ANSWER_EMPTY`
 */
export async function checkPage(
  connection: Connection,
  { path, title }: { path: string; title: string },
  options: CallOptions = {},
): Promise<void> {
  // With text/html, the platform would send its error as a page instead of JSON.
  await exchange(connection, { method: 'GET', path, accept: '*/*' }, options, async (response) => {
    const head = (await readHead(response, 1024)).trimStart();
    if (!head) throw responseError('ANSWER_EMPTY', `The ${title} is empty.`, response.status);
    if (/^\s*attachment/i.test(response.headers.get('content-disposition') ?? ''))
      throw responseError('ANSWER_NOT_HTML', `The platform sends the ${title} as a download.`, response.status);
    const type = response.headers.get('content-type') ?? '';
    if (!/html/i.test(type) && !head.startsWith('<'))
      throw responseError('ANSWER_NOT_HTML', 'The platform’s response isn’t a web page.', response.status);
  });
}
