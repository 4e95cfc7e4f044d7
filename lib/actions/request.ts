/** Owns `Platform.request`: how functions reach the platform from a page, with the page's own token. */
import { readEnv } from './environment.ts';

export interface PlatformRequest {
  /** Default GET. */
  method?: string;
  /** Sent as JSON. */
  body?: unknown;
}

/** The platform's refusal: its `code` and sentence, and the HTTP status (null when there was no answer). */
export class RequestError extends Error {
  override name = 'RequestError';
  readonly code: string;
  readonly status: number | null;
  /** One entry per invalid place, `{path, message}`; of a failed run `{errorType, errorMessage, trace}`. */
  readonly details: unknown;
  constructor(
    code: string,
    status: number | null,
    message: string,
    { details, ...options }: ErrorOptions & { details?: unknown } = {},
  ) {
    super(message, options);
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/**
 * Asks the platform and answers the parsed JSON, undefined for an answer without content. A runner without a page gives functions another `request` of this form.
 * @param path below `/v1/`, such as `data-sources/12/entries`
 * @throws RequestError
 */
export type RequestPlatform = (path: string, request?: PlatformRequest) => Promise<unknown>;

/** @param apiUrl the platform's `/v1/` */
export function createRequest(apiUrl: string): RequestPlatform {
  return async (path, { method = 'GET', body } = {}) => {
    const url = new URL(path, apiUrl);
    // The token is the platform's own: a path that leads elsewhere must not take it there.
    if (!url.href.startsWith(apiUrl))
      throw new RequestError('PATH_INVALID', null, `${path} is not a path of the platform.`);
    const headers: Record<string, string> = { Accept: 'application/json' };
    const token = readEnv()?.token;
    if (typeof token === 'string') headers['Auth-token'] = token;
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    let response: Response;
    try {
      const init: RequestInit = { method, headers };
      if (body !== undefined) init.body = JSON.stringify(body);
      response = await fetch(url, init);
    } catch (error) {
      throw new RequestError(
        'PLATFORM_UNREACHABLE',
        null,
        `The platform did not answer (${method} ${path}); check that it is running.`,
        { cause: error },
      );
    }
    if (response.status === 204) return undefined;
    const text = await response.text();
    const answer = parse(text);
    if (response.ok && answer !== undefined) return answer;
    const { error, message, details } = (answer ?? {}) as { error?: unknown; message?: unknown; details?: unknown };
    throw new RequestError(
      typeof error === 'string' ? error : 'ANSWER_INVALID',
      response.status,
      typeof message === 'string'
        ? message
        : `The platform answered ${response.status} without JSON (${method} ${path}).`,
      { details },
    );
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
