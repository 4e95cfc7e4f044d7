/** Owns the one way from a run to the network: requests that the platform makes for it, to public addresses and its own API. */
import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import * as v from 'valibot';
import { guardedLookup, isPrivate, refusal } from './addresses.ts';

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
export type RunFetch = (request: RunRequestMessage, signal: AbortSignal) => Promise<FetchAnswer>;

export interface RunFetchOptions {
  /** Answers requests to the platform's own API, without a network. */
  api: { origin: () => string; fetch: (request: Request) => Response | Promise<Response> };
  /** Hosts, or hosts with a port, that may be reached though they are private. */
  allowPrivate: readonly string[];
  /** Longest body of an answer, in bytes. */
  bodyLimit?: number;
}

const BODY_LIMIT = 10 * 1024 * 1024;
const REDIRECTS = 5;
const BODILESS = new Set([101, 204, 205, 304]);
/** The platform's own, or the connection's, to set. */
const OWN_HEADERS = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'te', 'trailer', 'expect', 'proxy-authorization', 'accept-encoding']);
const SECRET_HEADERS = new Set(['authorization', 'cookie', 'auth-token', 'proxy-authorization']);

export function createRunFetch({ api, allowPrivate, bodyLimit = BODY_LIMIT }: RunFetchOptions): RunFetch {
  const allowed = new Set(allowPrivate.map((host) => host.toLowerCase()));

  async function ask(request: RunRequestMessage, signal: AbortSignal): Promise<FetchAnswer> {
    let url = parse(request.url);
    let { method, body } = request;
    let headers = request.headers.filter(([name]) => !OWN_HEADERS.has(name));
    for (let hop = 0; ; hop += 1) {
      const answer = url.origin === api.origin() ? await askApi(url, method, headers, body, signal) : await askNetwork(url, method, headers, body, signal);
      const location = new Map(answer.headers).get('location');
      if (request.redirect === 'manual' || location === undefined || ![301, 302, 303, 307, 308].includes(answer.status)) return { ...answer, redirected: hop > 0 };
      if (request.redirect === 'error' || hop === REDIRECTS) throw new Error(`${url.host} redirects${hop ? ' without end' : ''}, which was not wanted.`);
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

  async function askApi(url: URL, method: string, headers: [string, string][], body: string | null, signal: AbortSignal): Promise<FetchAnswer> {
    const response = await api.fetch(new Request(url, { method, headers: [...headers, ['host', url.host]], body: method === 'GET' || method === 'HEAD' ? null : body, signal }));
    return { url: url.href, status: response.status, statusText: response.statusText, redirected: false, headers: [...response.headers], body: await response.text() };
  }

  async function askNetwork(url: URL, method: string, headers: [string, string][], body: string | null, signal: AbortSignal): Promise<FetchAnswer> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const open = allowed.has(host) || allowed.has(url.host);
    if (!open && isIP(host) && isPrivate(host)) throw refusal(host, host);
    const send = url.protocol === 'https:' ? requestHttps : requestHttp;
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = send(url, { method, headers: Object.fromEntries(headers), signal, agent: false, ...(!open && { lookup: guardedLookup as never }) }, resolve);
      outgoing.once('error', reject);
      outgoing.end(body ?? undefined);
    });
    const chunks: Buffer[] = [];
    let size = 0;
    if (!BODILESS.has(response.statusCode ?? 0)) {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > bodyLimit) {
          response.destroy();
          throw new Error(`The answer of ${url.host} is larger than ${bodyLimit / 1024 / 1024} MB.`);
        }
        chunks.push(chunk);
      }
    }
    return {
      url: url.href,
      status: response.statusCode ?? 0,
      statusText: response.statusMessage ?? '',
      redirected: false,
      headers: Object.entries(response.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]),
      body: Buffer.concat(chunks).toString(),
    };
  }
  return ask;
}

function parse(address: string): URL {
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error(`${url.protocol} is not possible in a run; use http or https.`);
  if (url.username || url.password) throw new Error('An address with a user name or password in it is not possible; use a header.');
  return url;
}
