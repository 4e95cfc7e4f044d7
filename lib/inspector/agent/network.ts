/** Owns the requests of a run: fetch, XMLHttpRequest and sendBeacon, seen from outside. Bodies and headers are left alone. */
import { callThrough, capture } from './capture.ts';
import { cut } from './cursor.ts';
import { isSafeInteger, optionalGetter as read, optionalMethod as method, toText, WeakMapOf, weakGet, weakSet } from './pristine.ts';

export interface RequestTeller {
  /** @returns the request's number */
  started(method: string, url: string): number;
  ended(request: number, status: number | null, bytes: number | null, error?: string): void;
}

const Xhr = globalThis.XMLHttpRequest as typeof XMLHttpRequest | undefined;
const listen = method<(self: object, type: string, listener: () => void) => void>(globalThis.EventTarget, 'addEventListener');
const xhrStatus = read<number>(Xhr, 'status');
const xhrHeader = method<(self: object, name: string) => string | null>(Xhr, 'getResponseHeader');
const requestUrl = read<string>(globalThis.Request, 'url');
const requestMethod = read<string>(globalThis.Request, 'method');
const responseStatus = read<number>(globalThis.Response, 'status');
const responseHeaders = read<Headers>(globalThis.Response, 'headers');
const headerGet = method<(self: object, name: string) => string | null>(globalThis.Headers, 'get');
const urlHref = read<string>(globalThis.URL, 'href');
const beaconOwner = globalThis.Navigator?.prototype;

/** @returns how to stop */
export function captureNetwork(tell: RequestTeller): () => void {
  const opened = new WeakMapOf<object, { method: string; url: string }>();
  const undo = [
    capture(globalThis, 'fetch', (original, self, args) => {
      const request = attempt(() => tell.started(fetchMethod(args), fetchUrl(args[0])));
      const answer = callThrough(original, self, args);
      if (request !== undefined) void follow(answer, request, tell);
      return answer;
    }),
    capture(Xhr?.prototype, 'open', (original, self, args) => {
      attempt(() => weakSet(opened, self as object, { method: textOr(args[0], 'GET'), url: textOr(args[1], '') }));
      return callThrough(original, self, args);
    }),
    capture(Xhr?.prototype, 'send', (original, self, args) => {
      attempt(() => followXhr(self as object, weakGet(opened, self as object), tell));
      return callThrough(original, self, args);
    }),
    capture(beaconOwner, 'sendBeacon', (original, self, args) => {
      const request = attempt(() => tell.started('POST', textOr(args[0], '')));
      const accepted = callThrough(original, self, args);
      if (request !== undefined) tell.ended(request, null, null, accepted === true ? undefined : 'The browser did not queue it.');
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

function followXhr(xhr: object, request: { method: string; url: string } | undefined, tell: RequestTeller): void {
  if (!request || !listen) return;
  const number = tell.started(request.method, request.url);
  let error: string | undefined;
  listen(xhr, 'error', () => (error = 'The request failed: no answer, or the browser refused it.'));
  listen(xhr, 'abort', () => (error = 'The request was aborted.'));
  listen(xhr, 'timeout', () => (error = 'The request took longer than its limit.'));
  listen(xhr, 'loadend', () => {
    const status = attempt(() => xhrStatus!(xhr)) || null;
    tell.ended(number, status, size(attempt(() => xhrHeader!(xhr, 'content-length'))), error);
  });
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
  const found = typeof thrown === 'object' && thrown !== null ? attempt(() => toText((thrown as Error).message)) : undefined;
  return cut(found ?? 'The request failed.', 500);
}

function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
