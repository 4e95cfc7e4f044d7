/**
 * Reports requests made with fetch, XMLHttpRequest, and sendBeacon, with their headers, and with their bodies if asked.
 * The page's own bodies stay unread.
 */
import type { RecordedBody, RecordedHeaders } from '../../contract.ts';
import { callThrough, capture } from '../capture.ts';
import { cut, ownValue } from '../describe/describe-cursor.ts';
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
} from '../pristine.ts';
import {
  BodyCopy,
  DetailBudget,
  maskedUrl,
  readHeaderLines,
  readHeaders,
  sentBody,
  unreadable,
} from './request-details.ts';
import { attempt, bareList } from '../safe.ts';

export interface RequestDetails {
  headers?: RecordedHeaders | undefined;
  body?: RecordedBody | undefined;
}

export interface RequestObserver {
  /** With `urls`, no details are read, and the URLs aren't masked. */
  records: 'urls' | 'headers' | 'bodies';
  /** Returns a number that identifies the request, or 0 if its end doesn't need to be reported. */
  started(method: string, url: string, details: RequestDetails): number;
  /** Called again if the body becomes known later. */
  ended(
    request: number,
    status: number | null,
    bytes: number | null,
    error: string | undefined,
    details: RequestDetails,
  ): void;
}

const Xhr = globalThis.XMLHttpRequest as typeof XMLHttpRequest | undefined;
const xhrState = optionalGetter<number>(Xhr, 'readyState');
const xhrStatus = optionalGetter<number>(Xhr, 'status');
const xhrType = optionalGetter<string>(Xhr, 'responseType');
const xhrText = optionalGetter<string>(Xhr, 'responseText');
const xhrHeader = optionalMethod<(self: object, name: string) => string | null>(Xhr, 'getResponseHeader');
const xhrHeaders = optionalMethod<(self: object) => string>(Xhr, 'getAllResponseHeaders');
const requestUrl = optionalGetter<string>(globalThis.Request, 'url');
const requestMethod = optionalGetter<string>(globalThis.Request, 'method');
const requestHeaders = optionalGetter<object>(globalThis.Request, 'headers');

/** `number` is 0 if no request is pending. */
interface XhrRequest {
  method: string;
  url: string;
  number: number;
  headers: RecordedHeaders;
}

/** What the captured functions of a run share. */
interface Recording {
  observer: RequestObserver;
  budget: DetailBudget;
  /** Copies of bodies that haven't ended. */
  copies: BodyCopy[];
}

/** @returns a function that reports what is pending, and stops reporting */
export function captureNetwork(observer: RequestObserver): () => void {
  const recording: Recording = { observer, budget: new DetailBudget(), copies: bareList() };
  const undo = [captureFetch(recording), captureXhr(recording), captureBeacon(recording)];
  return () => {
    for (let i = 0; i < undo.length; i++) undo[i]!();
    for (let i = 0; i < recording.copies.length; i++) recording.copies[i]!.finish('time');
  };
}

function captureFetch(recording: Recording): () => void {
  return capture(globalThis, 'fetch', (original, self, args) => {
    const request = attempt(() => {
      const details = { headers: fetchHeaders(recording, args), body: sentBodyOf(recording, optionOf(args, 'body')) };
      return start(recording, fetchMethod(args), fetchUrl(args[0]), details);
    });
    const response = callThrough(original, self, args);
    if (request) void followFetch(response, request, recording);
    return response;
  });
}

function captureXhr(recording: Recording): () => void {
  const requests = new WeakMapOf<object, XhrRequest>();
  const undoOpen = capture(Xhr?.prototype, 'open', (original, self, args) => {
    attempt(() => {
      const known = weakGet(requests, self as object);
      const method = urlText(args[0], 'GET');
      weakSet(requests, self as object, { method, url: urlText(args[1], ''), number: 0, headers: bareList() });
      if (!known) followXhr(self as object, () => weakGet(requests, self as object)!, recording);
    });
    return callThrough(original, self, args);
  });
  const undoHeader = capture(Xhr?.prototype, 'setRequestHeader', (original, self, args) => {
    attempt(() => {
      const headers = weakGet(requests, self as object)?.headers;
      if (headers && typeof args[0] === 'string' && typeof args[1] === 'string' && headers.length < 100)
        headers[headers.length] = [args[0], args[1]];
    });
    return callThrough(original, self, args);
  });
  const undoSend = capture(Xhr?.prototype, 'send', (original, self, args) => {
    attempt(() => {
      const request = weakGet(requests, self as object);
      if (!request) return;
      const details = { headers: headersOf(recording, request.headers), body: sentBodyOf(recording, args[0]) };
      request.number = start(recording, request.method, request.url, details);
    });
    return callThrough(original, self, args);
  });
  return () => {
    undoOpen();
    undoHeader();
    undoSend();
  };
}

function captureBeacon(recording: Recording): () => void {
  const { observer } = recording;
  return capture(globalThis.Navigator?.prototype, 'sendBeacon', (original, self, args) => {
    const request = attempt(() =>
      start(recording, 'POST', urlText(args[0], ''), { body: sentBodyOf(recording, args[1]) }),
    );
    const isQueued = callThrough(original, self, args);
    if (request !== undefined)
      observer.ended(request, null, null, isQueued === true ? undefined : 'The browser didn’t queue the request.', {});
    return isQueued;
  });
}

function start({ observer }: Recording, method: string, url: string, details: RequestDetails): number {
  return observer.started(method, observer.records === 'urls' ? url : maskedUrl(url), details);
}

function headersOf({ observer, budget }: Recording, given: unknown): RecordedHeaders | undefined {
  return observer.records === 'urls' ? undefined : budget.headers(readHeaders(given));
}

function sentBodyOf({ observer, budget }: Recording, given: unknown): RecordedBody | undefined {
  return observer.records === 'bodies' ? sentBody(given, budget) : undefined;
}

/** Awaits the response separately. The page gets fetch's original Promise, with the body unread. */
async function followFetch(pending: unknown, request: number, recording: Recording): Promise<void> {
  const { observer, budget } = recording;
  try {
    const response = (await pending) as object;
    const status = attempt(() => responseStatus!(response)) ?? null;
    const headers = attempt(() => responseHeaders!(response));
    const valueOf = (name: string): string | null => (headers && attempt(() => headerGet!(headers, name))) ?? null;
    const bytes = size(valueOf('content-length'));
    const isRead = observer.records === 'bodies';
    const why = isRead ? unreadable(valueOf('content-type')) : null;
    const body = why ? { text: '', cut: why } : undefined;
    observer.ended(request, status, bytes, undefined, { headers: headersOf(recording, headers), body });
    if (!isRead || why) return;
    const copy = new BodyCopy(response, (text, reason) =>
      observer.ended(request, status, bytes, undefined, { body: budget.body(text, reason) }),
    );
    recording.copies[recording.copies.length] = copy;
  } catch (thrown) {
    observer.ended(request, null, null, reason(thrown), {});
  }
}

/**
 * Called at `open`, so that these listeners run before the page's own. The first event that ends the request is
 * reported.
 */
function followXhr(xhr: object, current: () => XhrRequest, recording: Recording): void {
  if (!listen) return;
  const { observer } = recording;
  function ended(status: number | null, error?: string): void {
    const request = current();
    if (request.number === 0) return;
    const bytes = status === null ? null : size(attempt(() => xhrHeader!(xhr, 'content-length')));
    const lines = status === null ? undefined : attempt(() => xhrHeaders!(xhr));
    const headers = lines === undefined ? undefined : headersOf(recording, readHeaderLines(lines));
    const body = status === null ? undefined : xhrBody(xhr, recording);
    observer.ended(request.number, status, bytes, error, { headers, body });
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

function xhrBody(xhr: object, { observer, budget }: Recording): RecordedBody | undefined {
  if (observer.records !== 'bodies') return undefined;
  const type = attempt(() => xhrType!(xhr));
  const text = type === '' || type === 'text' ? attempt(() => xhrText!(xhr)) : undefined;
  return text === undefined ? { text: '', cut: 'binary' } : budget.body(text);
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

function fetchHeaders(recording: Recording, args: unknown[]): RecordedHeaders | undefined {
  const input = args[0];
  const ofRequest = typeof input === 'object' && input !== null ? attempt(() => requestHeaders!(input)) : undefined;
  return headersOf(recording, optionOf(args, 'headers') ?? ofRequest);
}

/** Only an own property, because a getter would run twice. */
function optionOf(args: unknown[], name: string): unknown {
  const options = args[1];
  return typeof options === 'object' && options !== null ? attempt(() => ownValue(options, name)) : undefined;
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
