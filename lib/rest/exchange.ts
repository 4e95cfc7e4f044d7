/** Owns one exchange with the platform: address, token, time limit, retries, and the meaning of its status. */
import { CodedError } from '../platform-api/index.ts';
import { readHead } from './body.ts';
import { aborted, answerError, redirected, slow, statusError, unreachable } from './failures.ts';
import type { CallOptions, Connection } from './types.ts';

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Begins with `/v1`. */
  path: string;
  accept: string;
  /** Sent as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  /** How many characters of a refusal are read; 16,384 unless told otherwise. */
  refusalLimit?: number;
}

const TIME_LIMIT = 20_000;
const RETRIES = 2;
const LONGEST_WAIT = 5;
const ERROR_BODY = 16_384;

/**
 * Sends one request and hands a successful answer to `read`. Only a GET is repeated, after 429 and 503, at most twice and
 * within the time limit. The token is sent to the base URL alone: a redirect is never followed.
 */
export async function exchange<T>(
  connection: Connection,
  request: Request,
  options: CallOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const timeoutMs = options.timeoutMs ?? TIME_LIMIT;
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
  const { host } = new URL(connection.baseUrl);
  let answered: boolean | undefined;
  try {
    for (let tried = 0; ; tried++) {
      answered = false;
      const response = await fetch(connection.baseUrl + request.path, init(connection, request, signal));
      answered = true;
      if (response.ok) return await read(response);
      // A browser tells of a redirect no more than the status 0.
      if (response.status < 400) throw redirected(host, response.status);
      const retryAfter = seconds(response.headers.get('retry-after'));
      const wait = retryAfter ?? 0.3 * 2 ** tried;
      // The status alone says what happened, also when its sentence breaks off.
      const text = await readHead(response, request.refusalLimit ?? ERROR_BODY).catch(() => '');
      const again =
        request.method === 'GET' &&
        (response.status === 429 || response.status === 503) &&
        tried < RETRIES &&
        wait <= LONGEST_WAIT;
      if (!again) throw statusError(response.status, text, retryAfter);
      await pause(wait * 1000, signal);
    }
  } catch (error) {
    if (options.signal?.aborted) throw aborted();
    if (error instanceof CodedError) throw withoutToken(error, connection.token);
    if (limit.aborted) throw slow(host, timeoutMs);
    if (answered)
      throw answerError('ANSWER_CUT_OFF', 'The connection broke before the platform’s answer was complete.');
    throw unreachable(host, error);
  }
}

function init({ token }: Connection, { method, accept, body, headers }: Request, signal: AbortSignal): RequestInit {
  return {
    method,
    signal,
    headers: {
      ...headers,
      Accept: accept,
      'Auth-token': token,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    redirect: 'manual',
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
  };
}

/** `Retry-After` is a number of seconds or a date. */
function seconds(header: string | null): number | null {
  if (header === null) return null;
  const value = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(value) ? Math.max(0, value) : null;
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

/** A platform may repeat the token in what it says; our errors are shown and copied. */
function withoutToken(error: CodedError, token: string): CodedError {
  const text = JSON.stringify(error.value);
  const secret = JSON.stringify(token).slice(1, -1);
  if (secret.length < 8 || !text.includes(secret)) return error;
  return new CodedError(JSON.parse(text.replaceAll(secret, '••••')) as CodedError['value']);
}
