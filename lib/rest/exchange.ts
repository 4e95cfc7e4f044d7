/** Sends one request to the platform. Handles the URL, token, time limit, retries, and errors. */
import { CodedError } from '../platform-api/index.ts';
import { readHead } from './body.ts';
import { aborted, notSent, responseError, redirected, slow, statusError, unreachable } from './failures.ts';
import { isSpecified } from './specified.ts';
import type { CallOptions, ChangeChannel, Connection, SendRequest } from './types.ts';

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Starts with `/v1`. */
  path: string;
  accept: string;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** How many characters of an error response to read. Default: 16,384. */
  errorLimit?: number;
}

export const JSON_TYPE = 'application/json';

const TIME_LIMIT = 20_000;
const MAX_RETRIES = 2;
const MAX_WAIT = 5;

/**
 * Sends one request, and passes a successful response to `read`. Only GET requests are retried: after 429 and 503, at
 * most twice, within the time limit, and never at once, and each once more if its connection was closed. Redirects are
 * never followed, so the token is only sent to the base URL. Requests beyond the specification go through the
 * connection’s gate.
 */
export async function exchange<T>(
  connection: Connection,
  request: Request,
  options: CallOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const send = (): Promise<T> => exchangeOverChannel(connection, request, options, read);
  const { gate } = connection;
  if (!gate || isSpecified(request)) return send();
  const { signal } = options;
  return gate.pass({ isRead: request.method === 'GET', isPage: request.accept !== JSON_TYPE, signal }, send);
}

async function exchangeOverChannel<T>(
  connection: Connection,
  request: Request,
  options: CallOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  if (request.method === 'GET') return exchangeOver(fetch, connection, request, options, read);
  const channel = connection.changes ?? OVER_FETCH;
  let isSent = false;
  try {
    return await channel.run((send) => {
      const once: SendRequest = (url, init) => {
        isSent = true;
        return send(url, init);
      };
      return exchangeOver(once, connection, request, options, read);
    }, options.signal);
  } catch (error) {
    throw isSent ? error : notSent(error, options.signal);
  }
}

const OVER_FETCH: ChangeChannel = { run: (work) => work(fetch) };

async function exchangeOver<T>(
  send: SendRequest,
  connection: Connection,
  request: Request,
  options: CallOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { timeoutMs = TIME_LIMIT } = options;
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
  const { host } = new URL(connection.baseUrl);
  let hasResponse = false;
  try {
    for (let retries = 0; ; retries++) {
      hasResponse = false;
      const attempt = (): Promise<Response> =>
        send(connection.baseUrl + request.path, init(connection, request, signal));
      const response = await (request.method === 'GET' ? overOpenConnection(attempt) : attempt());
      hasResponse = true;
      if (response.ok) return await read(response);
      // Browsers report redirects only as status 0.
      if (response.status < 400) throw redirected(host, response.status);
      const retryAfter = secondsToWait(response.headers);
      // The status is sufficient if reading the body fails.
      const text = await readHead(response, request.errorLimit).catch(() => '');
      const wait = Math.max(retryAfter ?? 0, 0.3 * 2 ** retries);
      if (!canRetry(request, response, retries, wait))
        throw statusError(response.status, text, retryAfter, response.headers.get('www-authenticate'));
      await pause(wait * 1000, signal);
    }
  } catch (error) {
    if (options.signal?.aborted) throw aborted();
    if (error instanceof CodedError) throw withoutToken(error, connection.token);
    if (limit.aborted) throw slow(host, timeoutMs);
    if (hasResponse)
      throw responseError('ANSWER_CUT_OFF', 'The connection ended before the platform’s response was complete.');
    throw unreachable(host, error);
  }
}

/**
 * Servers close connections that aren’t used for some seconds. A process that was busy for longer notices only when its
 * next request fails. Browsers send it again themselves.
 */
async function overOpenConnection(attempt: () => Promise<Response>): Promise<Response> {
  try {
    return await attempt();
  } catch (error) {
    if (!isConnectionClosed(error)) throw error;
    return attempt();
  }
}

function isConnectionClosed(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET';
}

/** @param wait in seconds */
function canRetry({ method }: Request, { status }: Response, retries: number, wait: number): boolean {
  return method === 'GET' && (status === 429 || status === 503) && retries < MAX_RETRIES && wait <= MAX_WAIT;
}

function init({ token }: Connection, { method, accept, body, headers }: Request, signal: AbortSignal): RequestInit {
  return {
    method,
    signal,
    headers: {
      ...headers,
      Accept: accept,
      'Auth-token': token,
      ...(body === undefined ? {} : { 'Content-Type': JSON_TYPE }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    redirect: 'manual',
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
  };
}

/** A number, perhaps with a unit, a comment, or the same number again. */
const SECONDS = /^(\d+(?:\.\d+)?)(?:(?:, *\1)+| *s(?:ec(?:ond)?s?)?| *\(.*\))?$/i;
/** Begins as an HTTP date or an ISO 8601 date does: `Date.parse` finds dates in other text, too. */
const DATE = /^((mon|tue|wed|thu|fri|sat|sun)[a-z]*,? |\d{4}-)/i;
const LONGEST_WAIT = 86_400;

/** Reads `Retry-After` (RFC 9110 section 10.2.3). Null without a time that is still to come. At most a day. */
function secondsToWait(headers: Headers): number | null {
  const header = headers.get('retry-after') ?? '';
  // The platform’s clock can differ from this device’s.
  const now = Date.parse(headers.get('date') ?? '') || Date.now();
  const value = DATE.test(header) ? (Date.parse(header) - now) / 1000 : Number(SECONDS.exec(header)?.[1] ?? NaN);
  return value >= 0 ? Math.min(value, LONGEST_WAIT) : null;
}

export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
}

/** Masks the token, since platforms might repeat it in errors, and errors are shown and copied. */
function withoutToken(error: CodedError, token: string): CodedError {
  const text = JSON.stringify(error.value);
  const secret = JSON.stringify(token).slice(1, -1);
  if (secret.length < 8 || !text.includes(secret)) return error;
  return new CodedError(JSON.parse(text.replaceAll(secret, '••••')) as CodedError['value']);
}
