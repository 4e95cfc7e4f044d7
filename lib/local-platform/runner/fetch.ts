/** Sends the requests of a run, which has no network of its own: to public IP addresses and to the platform’s API. */
import * as v from 'valibot';
import { ResponseTooLarge, BODY_LIMIT, createNetwork, REDIRECTS } from '../network.ts';

export const RunRequestMessage = v.object({
  id: v.number(),
  url: v.string(),
  method: v.pipe(v.string(), v.regex(/^[A-Z]{1,20}$/)),
  headers: v.array(v.tuple([v.string(), v.string()])),
  body: v.nullable(v.string()),
  redirect: v.string(),
});
export type RunRequestMessage = v.InferOutput<typeof RunRequestMessage>;

export interface FetchedResponse {
  url: string;
  status: number;
  statusText: string;
  redirected: boolean;
  headers: [string, string][];
  body: string;
}
/** @param take called with the size of each chunk in bytes; throws when the run’s responses are too large together */
export type RunFetch = (
  request: RunRequestMessage,
  signal: AbortSignal,
  take: (bytes: number) => void,
) => Promise<FetchedResponse>;

export interface RunFetchOptions {
  /** Handles requests to the platform’s own API, without a network. */
  api: { origin: () => string; fetch: (request: Request) => Response | Promise<Response> };
  /** Private hosts, or hosts with a port, that may be reached. */
  allowPrivate: readonly string[];
  /** Longest body of a response, in bytes. */
  bodyLimit?: number;
}

/** Headers that only the platform or the connection sets. */
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'expect',
  'proxy-authorization',
  'accept-encoding',
]);
/** Browsers don’t let pages send these either. */
const REFUSED_METHODS = new Set(['CONNECT', 'TRACE', 'TRACK']);
const SECRET_HEADERS = new Set(['authorization', 'cookie', 'auth-token', 'proxy-authorization']);

export function createRunFetch({ api, allowPrivate, bodyLimit = BODY_LIMIT }: RunFetchOptions): RunFetch {
  const allowed = new Set(allowPrivate.map((host) => host.toLowerCase()));
  const network = createNetwork((host) => allowed.has(host), bodyLimit);

  async function ask(
    request: RunRequestMessage,
    signal: AbortSignal,
    take: (bytes: number) => void,
  ): Promise<FetchedResponse> {
    if (REFUSED_METHODS.has(request.method))
      throw new Error(`Runs can’t send ${request.method} requests. Use another method.`);
    let url = parse(request.url);
    let { method, body } = request;
    let headers = request.headers.filter(([name]) => !OWN_HEADERS.has(name));
    for (let hop = 0; ; hop += 1) {
      const answer =
        url.origin === api.origin()
          ? await askApi(url, method, headers, body, signal, take)
          : await askNetwork(url, method, headers, body, signal, take);
      const location = new Map(answer.headers).get('location');
      if (request.redirect === 'manual' || location === undefined || ![301, 302, 303, 307, 308].includes(answer.status))
        return { ...answer, redirected: hop > 0 };
      if (request.redirect === 'error' || hop === REDIRECTS)
        throw new Error(`${url.host} ${hop ? 'redirects too often' : 'redirected the request'}.`);
      const next = new URL(location, url);
      if (next.origin !== url.origin) headers = headers.filter(([name]) => !SECRET_HEADERS.has(name));
      if (answer.status === 303 || (method === 'POST' && answer.status < 303)) {
        method = method === 'HEAD' ? 'HEAD' : 'GET';
        body = null;
        headers = headers.filter(([name]) => !name.startsWith('content-'));
      }
      url = parse(next.href);
    }
  }

  async function askApi(
    url: URL,
    method: string,
    headers: [string, string][],
    body: string | null,
    signal: AbortSignal,
    take: (bytes: number) => void,
  ): Promise<FetchedResponse> {
    const response = await api.fetch(
      new Request(url, {
        method,
        headers: [...headers, ['host', url.host]],
        body: method === 'GET' || method === 'HEAD' ? null : body,
        signal,
      }),
    );
    return {
      url: url.href,
      status: response.status,
      statusText: response.statusText,
      redirected: false,
      headers: [...response.headers],
      body: await textOf(response, url, take),
    };
  }

  async function textOf({ body }: Response, { host }: URL, take: (bytes: number) => void): Promise<string> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body ?? []) {
      size += chunk.length;
      if (size > bodyLimit)
        throw new ResponseTooLarge(`The response from ${host} is larger than ${bodyLimit / 1024 / 1024} MB.`);
      take(chunk.length);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
  }

  async function askNetwork(
    url: URL,
    method: string,
    headers: [string, string][],
    body: string | null,
    signal: AbortSignal,
    take: (bytes: number) => void,
  ): Promise<FetchedResponse> {
    const answer = await network({ url, method, headers, body }, signal, take);
    return { ...answer, url: url.href, redirected: false, body: answer.body.toString() };
  }
  return ask;
}

function parse(address: string): URL {
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error(`Runs can’t use ${url.protocol} URLs. Use http or https.`);
  if (url.username || url.password) throw new Error('URLs of runs can’t have a user name or password. Use a header.');
  return url;
}
