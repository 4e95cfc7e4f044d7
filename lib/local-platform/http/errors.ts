/** Owns the errors that the REST API answers with (decisions, "REST"). */
import { invalidMessage } from '../../platform-api/names.ts';

export interface Detail {
  /** JSON Pointer into the request's body, or the name of a query parameter. */
  path: string;
  message: string;
}

/** Thrown by any handler; becomes `{error, message, details?}` with `status`. */
export class HttpError extends Error {
  override name = 'HttpError';
  readonly status: number;
  readonly code: string;
  /** A list of places; of a failed run `{errorType, errorMessage, trace}`. */
  readonly details: object | undefined;
  readonly headers: Record<string, string>;
  constructor(
    status: number,
    code: string,
    message: string,
    more: { details?: object; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = more.details;
    this.headers = more.headers ?? {};
  }
}

export const malformed = (message: string): HttpError => new HttpError(400, 'MALFORMED', message);

export const unauthorized = (code: `TOKEN_${string}`, message: string): HttpError => new HttpError(401, code, message);

/** Also for what exists but is not the token's to see: the answer must not tell the two apart. */
export const notFound = (what: string): HttpError =>
  new HttpError(
    404,
    'NOT_FOUND',
    `There is no ${what}, or this token has no access to it; check the address and the token.`,
  );

/** For what no token could open: what is served to anybody, and what cannot be the address of anything. */
export const absent = (what: string): HttpError =>
  new HttpError(404, 'NOT_FOUND', `There is no ${what}; check the address.`);

export const conflict = (code: string, message: string): HttpError => new HttpError(409, code, message);

export const invalid = (details: Detail[]): HttpError =>
  new HttpError(422, 'INVALID', invalidMessage(details[0]?.message), { details });
