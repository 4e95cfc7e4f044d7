/** The REST API’s errors (decisions, "REST"): a status, a code, what happened, and one hint. */
import { ERROR_CODES } from '../../platform-api/error-codes.ts';
import { invalidMessage } from '../../platform-api/actions/names.ts';

export interface Detail {
  /** JSON Pointer into the request’s body, or the name of a query parameter. */
  path: string;
  message: string;
}

/** Thrown by any handler. Becomes `{error, message, hint, details?}` with `status`. */
export class HttpError extends Error {
  override name = 'HttpError';
  readonly status: number;
  readonly code: string;
  /** One suggested next step. Default: the error reference’s hint for the code. */
  readonly hint: string | undefined;
  /** An array of fields; for a failed run, `{errorType, errorMessage, trace}`. */
  readonly details: object | undefined;
  readonly headers: Record<string, string>;
  constructor(
    status: number,
    code: string,
    message: string,
    { hint, details, headers = {} }: { hint?: string; details?: object; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint ?? (ERROR_CODES.platform[code] ?? ERROR_CODES.actionsV3[code])?.fix;
    this.details = details;
    this.headers = headers;
  }
}

export const malformed = (message: string, hint?: string): HttpError =>
  new HttpError(400, 'MALFORMED', message, hint === undefined ? {} : { hint });

export const unauthorized = (code: `TOKEN_${string}`, message: string, hint?: string): HttpError =>
  new HttpError(401, code, message, hint === undefined ? {} : { hint });

/**
 * Also used when the resource exists but the token has no access to it: the response must not reveal that it exists.
 */
export const notFound = (what: string): HttpError =>
  new HttpError(404, 'NOT_FOUND', `There is no ${what}, or this token has no access to it.`);

/** For resources that need no token: public files, and URLs that can’t exist. */
export const absent = (what: string): HttpError =>
  new HttpError(404, 'NOT_FOUND', `There is no ${what}.`, { hint: 'Check the URL.' });

export const conflict = (code: string, message: string, hint?: string): HttpError =>
  new HttpError(409, code, message, hint === undefined ? {} : { hint });

export const invalid = (details: Detail[]): HttpError =>
  new HttpError(422, 'INVALID', invalidMessage(details[0]?.message), { details });
