/** Reports requests made with fetch, XMLHttpRequest, and sendBeacon. Never reads bodies or headers. */
import { callThrough, capture } from './capture.ts';
import { cut } from './describe-cursor.ts';
import {
  headerGet,
  isSafeInteger,
  listen,
  optionalGetter,
  optionalMethod,
  responseHeaders,
  responseStatus,
  toText,
  urlHref,
  WeakMapOf,
  weakGet,
  weakSet,
} from './pristine.ts';
import { attempt } from './safe.ts';

export interface RequestObserver {
  /** Returns a number that identifies the request, or 0 if its end doesn't need to be reported. */
  started(method: string, url: string): number;
  ended(request: number, status: number | null, bytes: number | null, error?: string): void;
}

const Xhr = globalThis.XMLHttpRequest as typeof XMLHttpRequest | undefined;
const xhrState = optionalGetter<number>(Xhr, 'readyState');
const xhrStatus = optionalGetter<number>(Xhr, 'status');
const xhrHeader = optionalMethod<(self: object, name: string) => string | null>(Xhr, 'getResponseHeader');
const requestUrl = optionalGetter<string>(globalThis.Request, 'url');
const requestMethod = optionalGetter<string>(globalThis.Request, 'method');

/** `number` is 0 if no request is pending. */
interface XhrRequest {
  method: string;
  url: string;
  number: number;
}

/** @returns a function that stops reporting */
export function captureNetwork(observer: RequestObserver): () => void {
  const undo = [captureFetch(observer), captureXhr(observer), captureBeacon(observer)];
  return () => {
    for (let i = 0; i < undo.length; i++) undo[i]!();
  };
}

function captureFetch(observer: RequestObserver): () => void {
  return capture(globalThis, 'fetch', (original, self, args) => {
    const request = attempt(() => observer.started(fetchMethod(args), fetchUrl(args[0])));
    const response = callThrough(original, self, args);
    if (request) void followFetch(response, request, observer);
    return response;
  });
}

function captureXhr(observer: RequestObserver): () => void {
  const requests = new WeakMapOf<object, XhrRequest>();
  const undoOpen = capture(Xhr?.prototype, 'open', (original, self, args) => {
    attempt(() => {
      const known = weakGet(requests, self as object);
      weakSet(requests, self as object, { method: urlText(args[0], 'GET'), url: urlText(args[1], ''), number: 0 });
      if (!known) followXhr(self as object, () => weakGet(requests, self as object)!, observer);
    });
    return callThrough(original, self, args);
  });
  const undoSend = capture(Xhr?.prototype, 'send', (original, self, args) => {
    attempt(() => {
      const request = weakGet(requests, self as object);
      if (request) request.number = observer.started(request.method, request.url);
    });
    return callThrough(original, self, args);
  });
  return () => {
    undoOpen();
    undoSend();
  };
}

function captureBeacon(observer: RequestObserver): () => void {
  return capture(globalThis.Navigator?.prototype, 'sendBeacon', (original, self, args) => {
    const request = attempt(() => observer.started('POST', urlText(args[0], '')));
    const isQueued = callThrough(original, self, args);
    if (request !== undefined)
      observer.ended(request, null, null, isQueued === true ? undefined : 'The browser didn’t queue the request.');
    return isQueued;
  });
}

/** Awaits the response separately. The page gets fetch's original Promise, with the body unread. */
async function followFetch(pending: unknown, request: number, observer: RequestObserver): Promise<void> {
  try {
    const response = (await pending) as object;
    const status = attempt(() => responseStatus!(response)) ?? null;
    observer.ended(request, status, size(attempt(() => headerGet!(responseHeaders!(response), 'content-length'))));
  } catch (thrown) {
    observer.ended(request, null, null, reason(thrown));
  }
}

/**
 * Called at `open`, so that these listeners run before the page's own. The first event that ends the request is
 * reported.
 */
function followXhr(xhr: object, current: () => XhrRequest, observer: RequestObserver): void {
  if (!listen) return;
  function ended(status: number | null, error?: string): void {
    const request = current();
    if (request.number === 0) return;
    const bytes = status === null ? null : size(attempt(() => xhrHeader!(xhr, 'content-length')));
    observer.ended(request.number, status, bytes, error);
    request.number = 0;
  }
  listen(xhr, 'readystatechange', () => {
    const status = attempt(() => (xhrState!(xhr) === 4 ? xhrStatus!(xhr) : 0));
    if (status) ended(status);
  });
  listen(xhr, 'error', () => ended(null, 'The request failed: there was no response, or the browser blocked it.'));
  listen(xhr, 'abort', () => ended(null, 'The request was aborted.'));
  listen(xhr, 'timeout', () => ended(null, 'The request timed out.'));
}

function fetchUrl(input: unknown): string {
  const url = typeof input === 'object' && input !== null ? attempt(() => requestUrl!(input)) : undefined;
  return url === undefined ? urlText(input, '') : cut(url, 2_000);
}

function fetchMethod(args: unknown[]): string {
  const options = args[1];
  const given = typeof options === 'object' && options !== null ? (options as { method?: unknown }).method : undefined;
  if (given !== undefined) return urlText(given, 'GET');
  const input = args[0];
  return (typeof input === 'object' && input !== null ? attempt(() => requestMethod!(input)) : undefined) ?? 'GET';
}

/** Converts a string or `URL` to text. Other values aren't converted, because the page's `toString` would run twice. */
function urlText(value: unknown, fallback: string): string {
  if (typeof value === 'string') return cut(value, 2_000);
  return cut(attempt(() => urlHref!(value as object)) ?? fallback, 2_000);
}

function size(length: string | null | undefined): number | null {
  const bytes = typeof length === 'string' && length !== '' ? +length : -1;
  return isSafeInteger(bytes) && bytes >= 0 ? bytes : null;
}

function reason(thrown: unknown): string {
  const message =
    typeof thrown === 'object' && thrown !== null ? attempt(() => toText((thrown as Error).message)) : undefined;
  return cut(message ?? 'The request failed.', 500);
}
