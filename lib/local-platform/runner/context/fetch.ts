/** `fetch` in a run’s context. The platform sends the request and passes the response back. */
import { LINE, METHOD, type Host } from './host.ts';
import type { Watched } from './watch.ts';

/** The platform’s response to a single request. */
export type FetchOutcome = { id: number } & (
  | { error: string }
  | { url: string; status: number; statusText: string; redirected: boolean; headers: [string, string][]; body: string }
);

type HeaderSource = Iterable<readonly [unknown, unknown]> | Record<string, unknown> | null | undefined;

class Headers {
  #values = new Map<string, string>();
  constructor(init?: HeaderSource) {
    const entries =
      init === null || init === undefined
        ? []
        : Symbol.iterator in init
          ? (init as Iterable<readonly [unknown, unknown]>)
          : Object.entries(init);
    for (const [name, value] of entries) this.append(name, value);
  }
  append(name: unknown, value: unknown): void {
    const known = this.get(name);
    this.set(name, known === null ? value : `${known}, ${String(value)}`);
  }
  set(name: unknown, value: unknown): void {
    this.#values.set(headerName(name), headerValue(value));
  }
  get(name: unknown): string | null {
    return this.#values.get(headerName(name)) ?? null;
  }
  has(name: unknown): boolean {
    return this.#values.has(headerName(name));
  }
  delete(name: unknown): void {
    this.#values.delete(headerName(name));
  }
  forEach(callback: (value: string, name: string, headers: Headers) => void): void {
    for (const [name, value] of this) callback(value, name, this);
  }
  entries(): IterableIterator<[string, string]> {
    return [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1))[Symbol.iterator]();
  }
  keys(): IterableIterator<string> {
    return [...this.entries()].map(([name]) => name)[Symbol.iterator]();
  }
  values(): IterableIterator<string> {
    return [...this.entries()].map(([, value]) => value)[Symbol.iterator]();
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}

function headerName(name: unknown): string {
  const text = String(name).toLowerCase();
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(text))
    throw new TypeError(`${JSON.stringify(String(name).slice(0, 100))} isn’t a valid header name.`);
  return text;
}

function headerValue(value: unknown): string {
  const text = String(value).trim();
  if (/[\0\r\n]/.test(text)) throw new TypeError('A header value must be one line.');
  return text;
}

class Response {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly redirected: boolean;
  readonly headers: Headers;
  bodyUsed = false;
  #body: string;
  constructor(outcome: Exclude<FetchOutcome, { error: string }>) {
    this.url = outcome.url;
    this.status = outcome.status;
    this.statusText = outcome.statusText;
    this.redirected = outcome.redirected;
    this.headers = new Headers(outcome.headers);
    this.#body = outcome.body;
  }
  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }
  async text(): Promise<string> {
    if (this.bodyUsed) throw new TypeError('The body was already read.');
    this.bodyUsed = true;
    return this.#body;
  }
  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}

function validMethod(given: unknown = 'GET'): string {
  const method = String(given).toUpperCase();
  if (METHOD.test(method)) return method;
  throw new TypeError(`${JSON.stringify(method.slice(0, 100))} isn’t a valid method. Use letters, such as POST.`);
}

interface Init {
  method?: unknown;
  headers?: HeaderSource;
  body?: unknown;
  redirect?: unknown;
  signal?: { aborted: boolean; reason?: unknown; addEventListener(type: 'abort', listener: () => void): void };
}

/** @returns a function that receives the platform’s responses */
export function installFetch(host: Host, watched: Watched): (outcome: FetchOutcome) => void {
  const waiting = new Map<number, { resolve: (response: Response) => void; reject: (error: unknown) => void }>();
  const { parse, stringify } = JSON;
  let last = 0;

  async function fetch(address: unknown, init: Init = {}): Promise<Response> {
    const parts = host.parseUrl(String(address), null);
    if (parts === null) throw new TypeError(`Invalid URL: ${String(address).slice(0, 200)}`);
    const { signal, body } = init;
    if (signal?.aborted) throw signal.reason;
    const headers = new Headers(init.headers);
    const isForm =
      typeof body === 'object' && body !== null && body.constructor === Reflect.get(globalThis, 'URLSearchParams');
    if (body !== undefined && body !== null && !headers.has('content-type'))
      headers.set(
        'content-type',
        isForm ? 'application/x-www-form-urlencoded;charset=UTF-8' : 'text/plain;charset=UTF-8',
      );
    const method = validMethod(init.method ?? undefined);
    last += 1;
    const id = last;
    const request = {
      id,
      url: (parse(parts) as { href: string }).href,
      method,
      headers: [...headers],
      body: body === undefined || body === null ? null : String(body),
      redirect: String(init.redirect ?? 'follow'),
    };
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      signal?.addEventListener('abort', () => {
        waiting.delete(id);
        reject(signal.reason);
      });
      watched.current?.requestStarted(id, request);
      host.send(LINE.request + stringify(request));
    });
  }
  Object.assign(globalThis, { fetch, Headers, Response });

  return (outcome) => {
    watched.current?.requestEnded(outcome.id, outcome);
    const caller = waiting.get(outcome.id);
    waiting.delete(outcome.id);
    if ('error' in outcome) caller?.reject(new TypeError(outcome.error));
    else caller?.resolve(new Response(outcome));
  };
}
