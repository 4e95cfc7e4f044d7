/** Converts error responses, malformed responses, and failed connections to errors with a message and a hint. */
import * as v from 'valibot';
import { CodedError, RestErrorBody, RunFailure, issueDetails } from '../platform-api/index.ts';
import type { ErrorValue } from '../platform-api/index.ts';
import { truncate } from '../shared/format.ts';
import { connectionCause } from './connection-causes.ts';

/** How many characters of the platform’s message an error shows. */
const MESSAGE_LENGTH = 300;

interface Meaning {
  code: string;
  message: string;
  hint: string;
}

const MEANINGS: Record<number, Meaning> = {
  400: {
    code: 'REQUEST_REFUSED',
    message: 'The platform rejected the request as malformed.',
    hint: 'Check that the base URL points to the platform’s API.',
  },
  401: {
    code: 'TOKEN_REFUSED',
    message: 'The platform doesn’t accept the token (status 401).',
    hint: 'Enter a valid token for this environment. This one may be expired, revoked, or from another one.',
  },
  403: {
    code: 'ACCESS_DENIED',
    message: 'The platform refused the request (status 403).',
    hint: 'Check what the token permits. A firewall can refuse a request, too.',
  },
  404: {
    code: 'NOT_FOUND',
    message: 'Nothing was found at this URL (status 404), or the token has no access to it.',
    hint: 'Check the app, the action, and the base URL (the part before /v1).',
  },
  405: {
    code: 'REQUEST_REFUSED',
    message: 'The platform doesn’t support this operation at this URL.',
    hint: 'Check that the base URL is the part before /v1.',
  },
  409: {
    code: 'CONFLICT',
    message: 'The request conflicts with the current state on the platform.',
    hint: 'Refresh, check the current state, then try again.',
  },
  413: {
    code: 'REQUEST_TOO_LARGE',
    message: 'The request exceeds the platform’s size limit.',
    hint: 'Send less data.',
  },
  415: {
    code: 'REQUEST_REFUSED',
    message: 'The platform doesn’t accept this content type.',
    hint: 'Check that the base URL points to the platform’s API.',
  },
  422: {
    code: 'REQUEST_INVALID',
    message: 'The platform found invalid values in the request.',
    hint: 'Correct the listed values and try again.',
  },
  424: { code: 'ACTION_FAILED', message: 'The action failed.', hint: 'Check the run’s record in the logs.' },
  429: {
    code: 'RATE_LIMITED',
    message: 'The platform received too many requests.',
    hint: 'Wait a moment and try again.',
  },
  503: {
    code: 'PLATFORM_UNAVAILABLE',
    message: 'The platform is unavailable (status 503).',
    hint: 'Wait a moment and try again.',
  },
};

const LOGIN_REQUIRED: Meaning = {
  code: 'LOGIN_REQUIRED',
  message: 'The server asks for a login, such as HTTP Basic. It’s unknown whether the platform accepts the token.',
  hint: 'Check the token. If a server in front of the platform asks, enter a base URL that requires only the token.',
};

/** The limits of an app, by the platform’s code. Unlike the limits of a request, a smaller or later one may not help. */
const QUOTAS: Record<string, Meaning> = {
  DATA_TOO_LARGE: {
    code: 'DATA_TOO_LARGE',
    message: 'The data sources of the app are full. Nothing was stored.',
    hint: 'Write less data, or ask the platform’s operator for a higher limit.',
  },
  QUEUE_FULL: {
    code: 'QUEUE_FULL',
    message: 'The app has too many waiting runs. The run wasn’t queued.',
    hint: 'Try again when some of them have started.',
  },
};

/** A login that browsers ask for themselves. A server in front of the platform can require it. */
const LOGIN = /^(basic|digest|negotiate|ntlm)\b/i;

/**
 * The error for a response with status 400 or above. `text` is the start of its body. `retryAfter` is in seconds.
 * @param challenge the `WWW-Authenticate` header
 */
export function statusError(
  status: number,
  text: string,
  retryAfter: number | null,
  challenge: string | null = null,
): CodedError {
  const body = readBody(text);
  const meaning = meaningOf(status, body, challenge);
  const failed = body && runFailed(status, body);
  if (failed) return failed;
  const ownHint =
    retryAfter !== null && retryAfter > 0 ? `Try again in ${Math.ceil(retryAfter)} seconds.` : meaning.hint;
  const error: ErrorValue = {
    code: meaning.code,
    message: body
      ? `${meaning.message} The platform’s message: ${truncate(body.message, MESSAGE_LENGTH)}`
      : meaning.message,
    hint: body?.hint === undefined ? ownHint : truncate(body.hint, MESSAGE_LENGTH),
    status,
    ...(retryAfter !== null && { retryAfter }),
    ...(body && {
      said: { code: truncate(body.error, MESSAGE_LENGTH), message: truncate(body.message, MESSAGE_LENGTH) },
    }),
  };
  const details = body && readDetails(body.details);
  return new CodedError(details ? { ...error, details } : error);
}

function meaningOf(status: number, body: RestErrorBody | null, challenge: string | null): Meaning {
  if (status === 401 && body === null && LOGIN.test(challenge ?? '')) return LOGIN_REQUIRED;
  return quotaOf(status, body) ?? MEANINGS[status] ?? otherStatus(status);
}

const quotaOf = (status: number, body: RestErrorBody | null): Meaning | undefined =>
  (status === 413 || status === 429) && body && Object.hasOwn(QUOTAS, body.error) ? QUOTAS[body.error] : undefined;

const FAILED_RUNS: Record<string, string> = {
  ACTION_FAILED: 'Check the trace, or run the action on the Run tab to see every step.',
  TIMEOUT: 'Open the Run tab to see which step takes so long.',
  RESULT_TOO_LARGE: 'Update the action to return less data.',
};

/** The error for a response that reports a failed run. */
function runFailed(status: number, { error, message, details }: RestErrorBody): CodedError | null {
  const failure = v.safeParse(RunFailure, details);
  const hint = Object.hasOwn(FAILED_RUNS, error) ? FAILED_RUNS[error] : undefined;
  return failure.success && hint !== undefined
    ? new CodedError({
        code: error,
        message: truncate(message, MESSAGE_LENGTH) || 'The run failed without a message.',
        hint,
        status,
        failure: failure.output,
      })
    : null;
}

function otherStatus(status: number): Meaning {
  if (status === 502 || status === 504)
    return {
      code: 'PLATFORM_FAILED',
      message: `A gateway got no valid response from the platform (status ${status}).`,
      hint: 'Try again. If the error persists, contact the platform’s operator.',
    };
  if (status >= 500)
    return {
      code: 'PLATFORM_FAILED',
      message: `The platform failed (status ${status}).`,
      hint: 'Try again. If the error persists, contact the platform’s operator.',
    };
  return {
    code: 'STATUS_UNEXPECTED',
    message: `The platform responded with an unexpected status: ${status}.`,
    hint: 'Check that the base URL points to the platform’s API.',
  };
}

function readBody(text: string): RestErrorBody | null {
  try {
    const parsed = v.safeParse(RestErrorBody, JSON.parse(text));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}

function readDetails(details: unknown): ErrorValue['details'] | null {
  const parsed = v.safeParse(v.array(v.object({ path: v.string(), message: v.string() })), details);
  return parsed.success
    ? parsed.output.slice(0, 50).map(({ path, message }) => ({
        path: truncate(path, MESSAGE_LENGTH),
        message: truncate(message, MESSAGE_LENGTH),
      }))
    : null;
}

/**
 * The error for a failed connection. Browsers don’t reveal the cause, and Node does.
 * @param host as `URL.host` has it
 */
export function unreachable(host: string, cause: unknown): CodedError {
  const known = connectionCause(cause, host);
  return new CodedError(
    {
      code: 'PLATFORM_UNREACHABLE',
      message: `Couldn’t connect to ${host}${known ? `: ${known.what}` : ''}.`,
      hint:
        known?.hint ??
        'Check the base URL and the network, and make sure that the platform is running ' +
          '(local platform: npx platform-devtools platform in the project’s folder).',
    },
    { cause },
  );
}

export const ENDPOINT_MISSING = 'ENDPOINT_MISSING';

/** The error for a request beyond the specification, on a platform that seems to offer nothing beyond it. */
export const endpointMissing = (cause?: unknown): CodedError =>
  new CodedError(
    {
      code: ENDPOINT_MISSING,
      message: 'The platform responded to a request beyond the specified REST API as if it didn’t exist.',
      hint:
        'Open a page of the app to use the Actions tab. “Test connection” on the options page checks the platform ' +
        'again.',
    },
    { cause },
  );

/** A change that wasn’t sent, so nothing has changed on the platform. */
export class NotSentError extends CodedError {}

export function notSent(cause: unknown, signal: AbortSignal | undefined): NotSentError {
  if (signal?.aborted) return new NotSentError(aborted().value, { cause });
  return new NotSentError(
    {
      code: 'CHANGE_NOT_SENT',
      message: `Couldn’t send the change: ${withPeriod(cause instanceof Error ? cause.message : String(cause))} Nothing was sent.`,
      hint: 'Try again. If the error persists, restart the browser.',
    },
    { cause },
  );
}

const withPeriod = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

export const slow = (host: string, milliseconds: number): CodedError =>
  new CodedError({
    code: 'PLATFORM_SLOW',
    message: `${host} didn’t send a complete response within ${Math.ceil(milliseconds / 1000)} seconds.`,
    hint: 'Try again. If the error persists, check if the platform is overloaded.',
  });

export const aborted = (): CodedError => new CodedError({ code: 'ABORTED', message: 'The request was canceled.' });

export const redirected = (host: string, status: number): CodedError =>
  new CodedError({
    code: 'ANSWER_REDIRECTED',
    message: `${host} redirected the request. The redirect wasn’t followed, so the token was sent only to ${host}.`,
    hint: 'Enter the new URL as the base URL if you trust it.',
    ...(status ? { status } : {}),
  });

/** The error for a successful response with an unusable body. */
export function responseError(
  code: 'ANSWER_HTML' | 'ANSWER_EMPTY' | 'ANSWER_NOT_JSON' | 'ANSWER_CUT_OFF' | 'ANSWER_TOO_LARGE' | 'ANSWER_NOT_HTML',
  what: string,
  status?: number,
): CodedError {
  if (code === 'ANSWER_TOO_LARGE')
    return new CodedError({
      code,
      message: what,
      hint: 'Try a narrower request, for example with a filter.',
      ...(status ? { status } : {}),
    });
  const hint =
    code === 'ANSWER_CUT_OFF' || code === 'ANSWER_EMPTY'
      ? 'Try again. If the error persists, check for a proxy between you and the platform.'
      : 'Check that the base URL points to the platform’s API, not its website.';
  return new CodedError({ code, message: what, hint, ...(status ? { status } : {}) });
}

/** The error for JSON that doesn’t match the specification. The message contains the first invalid field. */
export function formError(what: string, issues: readonly v.BaseIssue<unknown>[], status: number): CodedError {
  const details = issueDetails(issues);
  return new CodedError({
    code: 'ANSWER_INVALID',
    message: `The response isn’t a valid ${what}: ${details[0]?.path || 'the whole value'} is invalid (${details[0]?.message ?? 'invalid format'}).`,
    hint: 'Check that the base URL points to a platform with the /v1 API.',
    status,
    details,
  });
}
