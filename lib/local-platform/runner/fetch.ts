/** Owns the one way from a run to the network: requests that the platform makes for it, to public addresses and its own API. */
import * as v from 'valibot';
import { AnswerTooLarge, BODY_LIMIT, createNetwork, REDIRECTS } from '../network.ts';

export const RunRequestMessage = v.object({
  id: v.number(),
  url: v.string(),
  method: v.pipe(v.string(), v.regex(/^[A-Z]{1,20}$/)),
  headers: v.array(v.tuple([v.string(), v.string()])),
  body: v.nullable(v.string()),
  redirect: v.string(),
});
export type RunRequestMessage = v.InferOutput<typeof RunRequestMessage>;

export interface FetchAnswer {
  url: string;
  status: number;
  statusText: string;
  redirected: boolean;
  headers: [string, string][];
  body: string;
}
/** @param take told of each part of an answer, in bytes; throws when the run holds too much of them */
export type RunFetch = (
  request: RunRequestMessage,
  signal: AbortSignal,
  take: (bytes: number) => void,
) => Promise<FetchAnswer>;

export interface RunFetchOptions {
  /** Answers requests to the platform's own API, without a network. */
  api: { origin: () => string; fetch: (request: Request) => Response | Promise<Response> };
  /** Hosts, or hosts with a port, that may be reached though they are private. */
  allowPrivate: readonly string[];
  /** Longest body of an answer, in bytes. */
  bodyLimit?: number;
}

/** The platform's own, or the connection's, to set. */
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
/** No requests of a page, in browsers either. */
const REFUSED_METHODS = new Set(['CONNECT', 'TRACE', 'TRACK']);
const SECRET_HEADERS = new Set(['authorization', 'cookie', 'auth-token', 'proxy-authorization']);

export function createRunFetch({ api, allowPrivate, bodyLimit = BODY_LIMIT }: RunFetchOptions): RunFetch {
  const allowed = new Set(allowPrivate.map((host) => host.toLowerCase()));
  const network = createNetwork((host) => allowed.has(host), bodyLimit);

  async function ask(
    request: RunRequestMessage,
    signal: AbortSignal,
    take: (bytes: number) => void,
  ): Promise<FetchAnswer> {
    if (REFUSED_METHODS.has(request.method))
      throw new Error(`${request.method} is not possible in a run; use another method.`);
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
        throw new Error(`${url.host} redirects${hop ? ' without end' : ''}, which was not wanted.`);
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
  ): Promise<FetchAnswer> {
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
        throw new AnswerTooLarge(`The answer of ${host} is larger than ${bodyLimit / 1024 / 1024} MB.`);
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
  ): Promise<FetchAnswer> {
    const answer = await network({ url, method, headers, body }, signal, take);
    return { ...answer, url: url.href, redirected: false, body: answer.body.toString() };
  }
  return ask;
}

function parse(address: string): URL {
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error(`${url.protocol} is not possible in a run; use http or https.`);
  if (url.username || url.password)
    throw new Error('An address with a user name or password in it is not possible; use a header.');
  return url;
}
