/** Owns the requests of a run: fetch, XMLHttpRequest and sendBeacon, seen from outside. Bodies and headers are left alone. */
import { callThrough, capture } from './capture.ts';
import { cut } from './describe-cursor.ts';
import {
  isSafeInteger,
  optionalGetter as read,
  optionalMethod as method,
  toText,
  WeakMapOf,
  weakGet,
  weakSet,
} from './pristine.ts';

export interface RequestTeller {
  /** @returns the request's number */
  started(method: string, url: string): number;
  ended(request: number, status: number | null, bytes: number | null, error?: string): void;
}

const Xhr = globalThis.XMLHttpRequest as typeof XMLHttpRequest | undefined;
const listen = method<(self: object, type: string, listener: () => void) => void>(
  globalThis.EventTarget,
  'addEventListener',
);
const xhrState = read<number>(Xhr, 'readyState');
const xhrStatus = read<number>(Xhr, 'status');
const xhrHeader = method<(self: object, name: string) => string | null>(Xhr, 'getResponseHeader');
const requestUrl = read<string>(globalThis.Request, 'url');
const requestMethod = read<string>(globalThis.Request, 'method');
const responseStatus = read<number>(globalThis.Response, 'status');
const responseHeaders = read<Headers>(globalThis.Response, 'headers');
const headerGet = method<(self: object, name: string) => string | null>(globalThis.Headers, 'get');
const urlHref = read<string>(globalThis.URL, 'href');
const beaconOwner = globalThis.Navigator?.prototype;

/** `number` is 0 while none is under way. */
interface XhrRequest {
  method: string;
  url: string;
  number: number;
}

/** @returns how to stop */
export function captureNetwork(tell: RequestTeller): () => void {
  const opened = new WeakMapOf<object, XhrRequest>();
  function watchXhr(xhr: object, request: XhrRequest): void {
    const known = weakGet(opened, xhr);
    weakSet(opened, xhr, request);
    if (!known) followXhr(xhr, () => weakGet(opened, xhr)!, tell);
  }
  const undo = [
    capture(globalThis, 'fetch', (original, self, args) => {
      const request = attempt(() => tell.started(fetchMethod(args), fetchUrl(args[0])));
      const answer = callThrough(original, self, args);
      // 0: nobody asks for the end, and what is not looked at stays the page's own.
      if (request) void follow(answer, request, tell);
      return answer;
    }),
    capture(Xhr?.prototype, 'open', (original, self, args) => {
      attempt(() => watchXhr(self as object, { method: textOr(args[0], 'GET'), url: textOr(args[1], ''), number: 0 }));
      return callThrough(original, self, args);
    }),
    capture(Xhr?.prototype, 'send', (original, self, args) => {
      attempt(() => {
        const request = weakGet(opened, self as object);
        if (request) request.number = tell.started(request.method, request.url);
      });
      return callThrough(original, self, args);
    }),
    capture(beaconOwner, 'sendBeacon', (original, self, args) => {
      const request = attempt(() => tell.started('POST', textOr(args[0], '')));
      const accepted = callThrough(original, self, args);
      if (request !== undefined)
        tell.ended(request, null, null, accepted === true ? undefined : 'The browser did not queue it.');
      return accepted;
    }),
  ];
  return () => {
    for (let i = 0; i < undo.length; i++) undo[i]!();
  };
}

/** Waits for the answer beside the page; the page gets the very Promise that fetch made, and the body untouched. */
async function follow(answer: unknown, request: number, tell: RequestTeller): Promise<void> {
  try {
    const response = (await answer) as object;
    const status = attempt(() => responseStatus!(response)) ?? null;
    tell.ended(request, status, size(attempt(() => headerGet!(responseHeaders!(response), 'content-length'))));
  } catch (thrown) {
    tell.ended(request, null, null, reason(thrown));
  }
}

/** Listens from `open` on and to the first event that tells the end, so that it is told before the page goes on by it. */
function followXhr(xhr: object, current: () => XhrRequest, tell: RequestTeller): void {
  if (!listen) return;
  function ended(status: number | null, error?: string): void {
    const request = current();
    if (request.number === 0) return;
    tell.ended(
      request.number,
      status,
      status === null ? null : size(attempt(() => xhrHeader!(xhr, 'content-length'))),
      error,
    );
    request.number = 0;
  }
  listen(xhr, 'readystatechange', () => {
    const status = attempt(() => (xhrState!(xhr) === 4 ? xhrStatus!(xhr) : 0));
    if (status) ended(status);
  });
  listen(xhr, 'error', () => ended(null, 'The request failed: no answer, or the browser refused it.'));
  listen(xhr, 'abort', () => ended(null, 'The request was aborted.'));
  listen(xhr, 'timeout', () => ended(null, 'The request took longer than its limit.'));
}

function fetchUrl(input: unknown): string {
  const url = typeof input === 'object' && input !== null ? attempt(() => requestUrl!(input)) : undefined;
  return url === undefined ? textOr(input, '') : cut(url, 2_000);
}

function fetchMethod(args: unknown[]): string {
  const options = args[1];
  const given = typeof options === 'object' && options !== null ? (options as { method?: unknown }).method : undefined;
  if (given !== undefined) return textOr(given, 'GET');
  const input = args[0];
  return (typeof input === 'object' && input !== null ? attempt(() => requestMethod!(input)) : undefined) ?? 'GET';
}

/** A string or a URL as text; anything else would run the page's `toString` twice. */
function textOr(value: unknown, otherwise: string): string {
  if (typeof value === 'string') return cut(value, 2_000);
  return cut(attempt(() => urlHref!(value as object)) ?? otherwise, 2_000);
}

function size(length: string | null | undefined): number | null {
  const bytes = typeof length === 'string' && length !== '' ? +length : -1;
  return isSafeInteger(bytes) && bytes >= 0 ? bytes : null;
}

function reason(thrown: unknown): string {
  const found =
    typeof thrown === 'object' && thrown !== null ? attempt(() => toText((thrown as Error).message)) : undefined;
  return cut(found ?? 'The request failed.', 500);
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
