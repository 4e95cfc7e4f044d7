/** Implements `Platform.request`, which sends requests from functions to the platform with the page’s token. */
import { readEnv } from './environment.ts';

export interface PlatformRequest {
  /** Default GET. */
  method?: string;
  /** Sent as JSON. */
  body?: unknown;
}

/** An error response from the platform. `status` is null if there was no response. */
export class RequestError extends Error {
  override name = 'RequestError';
  readonly code: string;
  readonly status: number | null;
  /** For an invalid request, an array of `{path, message}`. For a failed run, `{errorType, errorMessage, trace}`. */
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
 * Resolves with the response’s parsed JSON, or with undefined if the response has no content.
 * @param path relative to `/v1/`, such as `data-sources/12/entries`
 * @throws RequestError
 */
export type RequestPlatform = (path: string, request?: PlatformRequest) => Promise<unknown>;

export interface RequestOptions {
  /**
   * Whether changes have an `Idempotency-Key`. Browsers send a request again if its reused connection ends too early.
   * With a key, the platform makes the change once. Default true.
   */
  hasKeys?: boolean;
}

/** @param apiUrl the platform’s `/v1/` URL */
export function createRequest(apiUrl: string, { hasKeys = true }: RequestOptions = {}): RequestPlatform {
  return async (path, { method = 'GET', body } = {}) => {
    const url = new URL(path, apiUrl);
    // The token must never be sent to another server.
    if (!url.href.startsWith(apiUrl))
      throw new RequestError('PATH_INVALID', null, `${path} isn’t a path on the platform.`);
    const init: RequestInit = { method, headers: headersOf(method, body !== undefined, hasKeys) };
    if (body !== undefined) init.body = jsonOf(body);
    let response: Response | undefined;
    let text: string;
    try {
      response = await fetch(url, init);
      text = await response.text();
    } catch (error) {
      throw unanswered(`${method} ${path}`, response?.status ?? null, error);
    }
    if (response.status === 204) return undefined;
    const parsed = parse(text);
    if (response.ok && parsed !== undefined) return parsed;
    const { error, message, details } = (parsed ?? {}) as { error?: unknown; message?: unknown; details?: unknown };
    throw new RequestError(
      typeof error === 'string' ? error : 'ANSWER_INVALID',
      response.status,
      typeof message === 'string'
        ? message
        : `The platform responded to ${method} ${path} with status ${response.status} and no JSON.`,
      { details },
    );
  };
}

function jsonOf(body: unknown): string {
  try {
    return JSON.stringify(body);
  } catch (error) {
    const cause = error instanceof Error ? error.message.split('\n')[0]!.replace(/\.$/, '') : 'it throws';
    throw new RequestError('INVALID', null, `Couldn’t convert the data to JSON: ${cause}. Nothing was sent.`, {
      cause: error,
    });
  }
}

function unanswered(request: string, status: number | null, cause: unknown): RequestError {
  const isRead = /^(get|head) /i.test(request);
  const code = status === null ? 'PLATFORM_UNREACHABLE' : 'ANSWER_INVALID';
  const what = status === null ? 'a response' : 'the whole response';
  const message = isRead
    ? `Couldn’t get ${what} to ${request} from the platform. Check that it is running.`
    : `Couldn’t confirm whether the platform handled ${request}: ${status === null ? 'no response' : 'only a part of the response'} arrived. Check the data before you try again.`;
  return new RequestError(code, status, message, { cause });
}

function headersOf(method: string, hasBody: boolean, hasKeys: boolean): Record<string, string> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  const token = readEnv()?.token;
  if (typeof token === 'string') headers['Auth-token'] = token;
  if (hasBody) headers['Content-Type'] = 'application/json';
  const key = !hasKeys || /^(get|head)$/i.test(method) ? null : newKey();
  if (key !== null) headers['Idempotency-Key'] = key;
  return headers;
}

/** Null in a page without `crypto`. */
function newKey(): string | null {
  const { crypto } = globalThis as { crypto?: Crypto };
  // Not `randomUUID`: pages without HTTPS don’t have it.
  const bytes = crypto?.getRandomValues?.(new Uint8Array(16));
  return bytes ? Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
