/**
 * `POST /v1/proxy`: sends a page’s request to a service that refuses cross-origin requests (specification, `useProxy`).
 */
import type { Context } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import * as v from 'valibot';
import {
  ResponseTooLarge,
  REDIRECTS,
  type SendToNetwork,
  type NetworkResponse,
  type NetworkRequest,
} from '../../network.ts';
import { AddressRefused } from '../../runner/addresses.ts';
import { SECURITY } from '../response.ts';
import { HttpError } from '../errors.ts';
import { readJson } from '../request.ts';
import type { Route } from '../router.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const MAX_HEADERS = 100;
const MAX_URL_LENGTH = 16_384;
const MAX_HEADER_LENGTH = 16_384;

/** Headers that only the platform, the connection, or a browser can set. */
const OWN_HEADERS =
  /^(host|connection|keep-alive|upgrade|te|trailers?|expect|via|forwarded|content-length|transfer-encoding|accept-encoding|cookie2?|auth-token|origin|referer|date|(proxy|sec|x-forwarded|access-control)-.*|x-real-ip)$/;
const SECRET_HEADERS = /^(authorization|x-.*(token|key|secret|auth).*)$/;
/** Response headers that pages might need. Drops cookies, and headers that would affect the platform’s own origin. */
const PASSED_HEADERS =
  /^(content-(type|language|disposition|range|encoding)|accept-ranges|date|age|etag|last-modified|link|location|retry-after|ratelimit.*|x-(?!content-type-options$|frame-options$|dns-prefetch).*)$/;
const BODILESS = new Set([204, 205, 304]);

/** Checks with Node’s decoder: the schema library’s regular expression overflows the stack on megabytes of input. */
const isBase64 = (text: string): boolean => Buffer.from(text, 'base64').toString('base64') === text;

const Header = v.pipe(
  v.string('A header must be a string.'),
  v.maxLength(MAX_HEADER_LENGTH, `A header is limited to ${MAX_HEADER_LENGTH} characters.`),
  v.regex(/^[\t\x20-\x7e]*$/, 'A header must be one line of ASCII characters.'),
);
const ProxyRequest = v.object({
  url: v.pipe(
    v.string('url must be a string.'),
    v.maxLength(MAX_URL_LENGTH, `url is limited to ${MAX_URL_LENGTH} characters.`),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const url = URL.canParse(dataset.value) ? new URL(dataset.value) : null;
      if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url;
      addIssue({ message: 'url must be a full http or https URL without a username or password.' });
      return NEVER;
    }),
  ),
  method: v.optional(
    v.pipe(
      v.string('method must be a string.'),
      v.toUpperCase(),
      v.picklist(METHODS, `method must be one of ${METHODS.join(', ')}.`),
    ),
    'GET',
  ),
  headers: v.optional(
    v.pipe(
      v.record(
        v.pipe(v.string(), v.regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/, 'This isn’t a valid header name.')),
        Header,
        'headers must be an object of strings.',
      ),
      v.check(
        (headers) => Object.keys(headers).length <= MAX_HEADERS,
        `A request is limited to ${MAX_HEADERS} headers.`,
      ),
    ),
    {},
  ),
  body: v.optional(
    v.nullable(
      v.union(
        [
          v.string(),
          v.pipe(
            v.object({ base64: v.pipe(v.string(), v.check(isBase64)) }),
            v.transform(({ base64 }) => Buffer.from(base64, 'base64')),
          ),
        ],
        'body must be a string, an object {base64}, or null.',
      ),
    ),
    null,
  ),
});

export interface ProxyOptions {
  network: SendToNetwork;
  /** Time limit for the complete response, in milliseconds. */
  timeLimit: number;
}

export const proxyRoutes = ({ network, timeLimit }: ProxyOptions): Route[] => [
  {
    path: '/v1/proxy',
    auth: 'page',
    methods: {
      POST: async (c) => {
        const { headers, method, url, body } = await readJson(c, ProxyRequest);
        if (body !== null && (method === 'GET' || method === 'HEAD'))
          throw refused(
            422,
            'INVALID',
            `A ${method} request can’t have a body.`,
            'Remove the body, or use another method.',
          );
        const own = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
          OWN_HEADERS.test(name.toLowerCase()) ? [] : [[name.toLowerCase(), value]],
        );
        const timeout = AbortSignal.timeout(timeLimit);
        const disconnected = c.req.raw.signal;
        try {
          const request = { url, method, headers: own, body };
          return passOn(c, await follow(network, request, AbortSignal.any([timeout, disconnected])));
        } catch (error) {
          if (timeout.aborted)
            throw refused(
              504,
              'PROXY_TIMEOUT',
              `${url.host} didn’t send a complete response within ${timeLimit / 1000} s.`,
            );
          if (disconnected.aborted) throw refused(499, 'CLIENT_GONE', 'The client closed the connection.');
          throw explained(error, url);
        }
      },
    },
  },
];

/** Follows redirects as a browser does, but never sends secrets to another origin. */
async function follow(network: SendToNetwork, first: NetworkRequest, signal: AbortSignal): Promise<NetworkResponse> {
  let request = first;
  for (let hop = 0; ; hop += 1) {
    const found = await network(request, signal);
    const location = found.headers.find(([name]) => name === 'location')?.[1];
    if (location === undefined || ![301, 302, 303, 307, 308].includes(found.status)) return found;
    if (hop === REDIRECTS)
      throw refused(502, 'PROXY_REDIRECT_REFUSED', `${first.url.host} redirected more than ${REDIRECTS} times.`);
    request = next(request, found.status, location);
  }
}

function next(before: NetworkRequest, status: number, location: string): NetworkRequest {
  const url = URL.canParse(location, before.url) ? new URL(location, before.url) : null;
  const leads = `${before.url.host} redirected`;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw refused(502, 'PROXY_REDIRECT_REFUSED', `${leads} to an invalid URL.`);
  if (before.url.protocol === 'https:' && url.protocol === 'http:')
    throw refused(502, 'PROXY_REDIRECT_REFUSED', `${leads} from https to http.`);
  const foreign = url.origin !== before.url.origin;
  let { method, body, headers } = before;
  if ((status === 303 && method !== 'HEAD') || (method === 'POST' && status < 303)) {
    method = 'GET';
    body = null;
    headers = headers.filter(([name]) => !name.startsWith('content-'));
  }
  // The body of a token request contains the client’s secret.
  if (foreign && body !== null)
    throw refused(
      502,
      'PROXY_REDIRECT_REFUSED',
      `${leads} the request, including its body, to another origin, ${url.host}.`,
      'Send the request to that URL if you trust it.',
    );
  return { url, method, body, headers: foreign ? headers.filter(([name]) => !SECRET_HEADERS.test(name)) : headers };
}

function passOn(c: Context, { status, headers, body }: NetworkResponse): Response {
  if (status < 200 || status > 599)
    throw refused(502, 'PROXY_UNREACHABLE', `The service responded with an invalid status: ${status}.`);
  // Any other challenge would make the browser ask the user for a password for the platform.
  const passed = headers.filter(
    ([name, value]) => PASSED_HEADERS.test(name) || (name === 'www-authenticate' && /^(bearer|dpop)\b/i.test(value)),
  );
  const policy = { ...SECURITY, 'Content-Security-Policy': "sandbox; default-src 'none'", 'Platform-Proxy': 'service' };
  return c.newResponse(BODILESS.has(status) ? null : new Uint8Array(body), status as StatusCode, {
    ...Object.fromEntries(passed),
    ...policy,
  });
}

const refused = (status: number, code: string, message: string, hint?: string): HttpError =>
  new HttpError(status, code, message, hint === undefined ? {} : { hint });

function explained(error: unknown, { host }: URL): unknown {
  if (error instanceof AddressRefused) return refused(403, 'PROXY_ADDRESS_REFUSED', error.message, error.hint);
  if (error instanceof ResponseTooLarge)
    return refused(502, 'PROXY_TOO_LARGE', error.message, 'Request less data at once.');
  if (error instanceof HttpError || !(error instanceof Error)) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    ENOTFOUND: 'its name wasn’t found.',
    EAI_AGAIN: 'the name lookup failed.',
    ECONNREFUSED: 'it refused the connection.',
  };
  const reason = reasons[code] ?? `it sent no valid response${code && ` (${code})`}.`;
  return refused(502, 'PROXY_UNREACHABLE', `Couldn’t reach ${host}: ${reason}`);
}
