/** Owns the sentences: what an answer of the platform that is no success means, and what to do hint. */
import * as v from 'valibot';
import { CodedError, RestErrorBody, RunFailure, issueDetails } from '../platform-api/index.ts';
import type { ErrorValue } from '../platform-api/index.ts';

interface Meaning {
  code: string;
  message: string;
  hint: string;
}

const MEANINGS: Record<number, Meaning> = {
  400: {
    code: 'REQUEST_REFUSED',
    message: 'The platform calls the request malformed.',
    hint: 'Check that the base URL is that of the platform’s API.',
  },
  401: {
    code: 'TOKEN_REFUSED',
    message: 'The platform does not accept the token: it is missing, revoked, or of another region.',
    hint: 'Enter a valid token of this environment in the options.',
  },
  403: {
    code: 'ACCESS_DENIED',
    message: 'The token may not do this.',
    hint: 'Use a token with access, or ask an administrator of the organization for it.',
  },
  404: {
    code: 'NOT_FOUND',
    message: 'There is no such thing, or the token has no access to it.',
    hint: 'Check the app and the action, and that the base URL is the part before /v1.',
  },
  405: {
    code: 'REQUEST_REFUSED',
    message: 'The platform does not offer this operation at this address.',
    hint: 'Check that the base URL is the part before /v1.',
  },
  409: {
    code: 'CONFLICT',
    message: 'The platform refuses this because of what is there now.',
    hint: 'Read the current state again, then decide.',
  },
  413: { code: 'REQUEST_TOO_LARGE', message: 'The request is larger than the platform accepts.', hint: 'Send less.' },
  415: {
    code: 'REQUEST_REFUSED',
    message: 'The platform does not take this kind of content.',
    hint: 'Check that the base URL is that of the platform’s API.',
  },
  422: {
    code: 'REQUEST_INVALID',
    message: 'The platform calls a value invalid.',
    hint: 'Correct what is listed and try again.',
  },
  424: { code: 'ACTION_FAILED', message: 'The action failed.', hint: 'Its record in the logs may say more.' },
  429: { code: 'RATE_LIMITED', message: 'The platform was asked too often.', hint: 'Wait a little and try again.' },
  503: {
    code: 'PLATFORM_UNAVAILABLE',
    message: 'The platform is not available right now.',
    hint: 'Wait a little and try again.',
  },
};

/** An answer with a status that is no success. `text` is its body, or the head of it; `retryAfter` is in seconds. */
export function statusError(status: number, text: string, retryAfter: number | null): CodedError {
  const meaning = MEANINGS[status] ?? otherStatus(status);
  const body = readBody(text);
  const failed = body && runFailed(status, body);
  if (failed) return failed;
  const error: ErrorValue = {
    code: meaning.code,
    message: body ? `${meaning.message} It says: ${cut(body.message)}` : meaning.message,
    hint: retryAfter !== null && retryAfter > 0 ? `Try again in ${Math.ceil(retryAfter)} seconds.` : meaning.hint,
    status,
    ...(retryAfter !== null && { retryAfter }),
    ...(body && { said: { code: cut(body.error), message: cut(body.message) } }),
  };
  const details = body && readDetails(body.details);
  return new CodedError(details ? { ...error, details } : error);
}

const FAILED_RUNS: Record<string, string> = {
  ACTION_FAILED: 'Read its trace; tab Run shows every step of such a run.',
  TIMEOUT: 'Let the action do less in one run, or look in tab Run for the step that takes so long.',
  RESULT_TOO_LARGE: 'Let the action return less.',
};

/** An answer that says how a run failed. */
function runFailed(status: number, { error, message, details }: RestErrorBody): CodedError | null {
  const failure = v.safeParse(RunFailure, details);
  const hint = Object.hasOwn(FAILED_RUNS, error) ? FAILED_RUNS[error] : undefined;
  return failure.success && hint !== undefined
    ? new CodedError({
        code: error,
        message: cut(message) || 'The run failed without saying why.',
        hint,
        status,
        failure: failure.output,
      })
    : null;
}

function otherStatus(status: number): Meaning {
  if (status >= 500)
    return {
      code: 'PLATFORM_FAILED',
      message: `The platform failed (status ${status}).`,
      hint: 'Try again; if it stays, tell those who run the platform.',
    };
  return {
    code: 'STATUS_UNEXPECTED',
    message: `The platform answered with status ${status}, which means nothing here.`,
    hint: 'Check that the base URL is that of the platform’s API.',
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
    ? parsed.output.slice(0, 50).map(({ path, message }) => ({ path: cut(path), message: cut(message) }))
    : null;
}

function cut(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

/** No connection: the browser does not say why. */
export const unreachable = (host: string, cause: unknown): CodedError =>
  new CodedError(
    {
      code: 'PLATFORM_UNREACHABLE',
      message: `No connection to ${host}.`,
      hint: 'Check the base URL and the network, and that the platform runs there (the local one: npm run platform).',
    },
    { cause },
  );

export const slow = (host: string, milliseconds: number): CodedError =>
  new CodedError({
    code: 'PLATFORM_SLOW',
    message: `${host} gave no whole answer within ${Math.ceil(milliseconds / 1000)} seconds.`,
    hint: 'Try again; if it stays, look whether the platform is busy.',
  });

export const aborted = (): CodedError => new CodedError({ code: 'ABORTED', message: 'The request was cancelled.' });

export const redirected = (host: string, status: number): CodedError =>
  new CodedError({
    code: 'ANSWER_REDIRECTED',
    message: `${host} wants to send the request elsewhere, which was not followed: the token goes to this address alone.`,
    hint: 'Enter the address that it leads to as base URL, if you trust it.',
    ...(status ? { status } : {}),
  });

/** An answer of success whose body cannot be used. */
export function answerError(
  code: 'ANSWER_HTML' | 'ANSWER_EMPTY' | 'ANSWER_NOT_JSON' | 'ANSWER_CUT_OFF' | 'ANSWER_TOO_LARGE' | 'ANSWER_NOT_HTML',
  what: string,
  status?: number,
): CodedError {
  if (code === 'ANSWER_TOO_LARGE')
    return new CodedError({
      code,
      message: what,
      hint: 'Narrow what is asked for: so much cannot be shown here.',
      ...(status ? { status } : {}),
    });
  const hint =
    code === 'ANSWER_CUT_OFF' || code === 'ANSWER_EMPTY'
      ? 'Try again; if it stays, look at what stands between you and the platform.'
      : 'Check that the base URL is that of the platform’s API and not of its website.';
  return new CodedError({ code, message: what, hint, ...(status ? { status } : {}) });
}

/** JSON that is not what the specification says; `issue` names the first field. */
export function formError(what: string, issues: readonly v.BaseIssue<unknown>[], status: number): CodedError {
  const details = issueDetails(issues);
  return new CodedError({
    code: 'ANSWER_INVALID',
    message: `The answer is not the ${what}: ${details[0]?.path || 'its whole'} is wrong (${details[0]?.message ?? 'another form'}).`,
    hint: 'Check that the base URL is that of the platform’s API, and that it is of a version with /v1.',
    status,
    details,
  });
}
