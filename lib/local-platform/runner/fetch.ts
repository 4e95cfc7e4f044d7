/** Sends requests for runs, which have no network access: to public IP addresses and to the platform’s API. */
import * as v from 'valibot';
import { METHOD } from './context/host.ts';
import { ResponseTooLarge, BODY_LIMIT, createNetwork, REDIRECTS, type SendToNetwork } from '../network.ts';

export const RunRequestMessage = v.object({
  id: v.number(),
  url: v.string(),
  method: v.pipe(v.string(), v.regex(METHOD)),
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
/** @param take called with the size of each chunk in bytes; throws if the run’s responses are too large in total */
export type RunFetch = (
  request: RunRequestMessage,
  signal: AbortSignal,
  take: (bytes: number) => void,
) => Promise<FetchedResponse>;

export interface RunFetchOptions {
  /** Handles requests to the platform’s own API, without using the network. */
  api: { origin: () => string; fetch: (request: Request) => Response | Promise<Response> };
  /** Private hosts, or hosts with a port, that runs can reach. */
  allowPrivate: readonly string[];
  /** Maximum size of a response’s body, in bytes. */
  bodyLimit?: number;
  /** Sends all other requests instead of the network. */
  network?: SendToNetwork | undefined;
}

/** Headers that only the platform or the connection can set. */
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
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const SECRET_HEADERS = new Set(['authorization', 'cookie', 'auth-token', 'proxy-authorization']);

/** A run’s request, or the request that follows a redirect. */
interface Hop {
  url: URL;
  method: string;
  headers: [string, string][];
  body: string | null;
}
type Take = (bytes: number) => void;
type Send = (hop: Hop, signal: AbortSignal, take: Take) => Promise<FetchedResponse>;

export function createRunFetch({ api, allowPrivate, bodyLimit = BODY_LIMIT, ...options }: RunFetchOptions): RunFetch {
  const allowed = new Set(allowPrivate.map((host) => host.toLowerCase()));
  const network = options.network ?? createNetwork((host) => allowed.has(host), bodyLimit);
  const sendToApi: Send = async (hop, signal, take) => {
    const { url, method, headers } = hop;
    const body = method === 'GET' || method === 'HEAD' ? null : hop.body;
    const response = await api.fetch(
      new Request(url, { method, headers: [...headers, ['host', url.host]], body, signal }),
    );
    return {
      url: url.href,
      status: response.status,
      statusText: response.statusText,
      redirected: false,
      headers: [...response.headers],
      body: await textOf(response, url.host, bodyLimit, take),
    };
  };
  const sendToNetwork: Send = async (hop, signal, take) => {
    const response = await network(hop, signal, take);
    return { ...response, url: hop.url.href, redirected: false, body: Buffer.from(response.body).toString() };
  };
  return (request, signal, take) =>
    follow(request, (hop) => (hop.url.origin === api.origin() ? sendToApi : sendToNetwork)(hop, signal, take));
}

/** Sends a request and follows its redirects, according to the Fetch Standard. */
async function follow(
  { method, url, headers, body, redirect }: RunRequestMessage,
  send: (hop: Hop) => Promise<FetchedResponse>,
): Promise<FetchedResponse> {
  if (REFUSED_METHODS.has(method)) throw new Error(`Runs can’t send ${method} requests. Use another method.`);
  let hop: Hop = { url: parse(url), method, body, headers: headers.filter(([name]) => !OWN_HEADERS.has(name)) };
  for (let hops = 0; ; hops += 1) {
    const response = await send(hop);
    const location = new Map(response.headers).get('location');
    if (redirect === 'manual' || location === undefined || !REDIRECT_STATUSES.has(response.status))
      return { ...response, redirected: hops > 0 };
    if (redirect === 'error' || hops === REDIRECTS)
      throw new Error(`${hop.url.host} ${hops ? 'redirected too many times' : 'redirected the request'}.`);
    hop = redirected(hop, response.status, new URL(location, hop.url));
  }
}

function redirected({ url: from, method, headers, body }: Hop, status: number, to: URL): Hop {
  const url = parse(to.href);
  const known = url.origin === from.origin ? headers : headers.filter(([name]) => !SECRET_HEADERS.has(name));
  if (status !== 303 && !(method === 'POST' && status < 303)) return { url, method, headers: known, body };
  return {
    url,
    method: method === 'HEAD' ? 'HEAD' : 'GET',
    headers: known.filter(([name]) => !name.startsWith('content-')),
    body: null,
  };
}

async function textOf({ body }: Response, host: string, limit: number, take: Take): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > limit) throw new ResponseTooLarge(`The response from ${host} is larger than ${limit / 1024 / 1024} MB.`);
    take(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parse(address: string): URL {
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new Error(`Runs can’t use ${url.protocol} URLs. Use http or https.`);
  if (url.username || url.password) throw new Error('URLs in runs can’t have a username or password. Use a header.');
  return url;
}
