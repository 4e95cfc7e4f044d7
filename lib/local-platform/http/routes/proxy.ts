/** Owns `POST /v1/proxy`: a request that the platform makes for a page, for services that browsers may not ask (specification, `useProxy`). */
import type { Context } from 'hono';
import type { StatusCode } from 'hono/utils/http-status';
import * as v from 'valibot';
import { AnswerTooLarge, REDIRECTS, type AskNetwork, type NetworkAnswer, type NetworkRequest } from '../../network.ts';
import { AddressRefused } from '../../runner/addresses.ts';
import { SECURITY } from '../answer.ts';
import { HttpError } from '../errors.ts';
import { readJson } from '../request.ts';
import type { Route } from '../router.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const MOST_HEADERS = 100;
const LONGEST_ADDRESS = 16_384;
const LONGEST_HEADER = 16_384;

/** The platform's, the connection's or the browser's to say, not a page's. */
const OWN_HEADERS =
  /^(host|connection|keep-alive|upgrade|te|trailers?|expect|via|forwarded|content-length|transfer-encoding|accept-encoding|cookie2?|auth-token|origin|referer|date|(proxy|sec|x-forwarded|access-control)-.*|x-real-ip)$/;
const SECRET_HEADERS = /^(authorization|x-.*(token|key|secret|auth).*)$/;
/** What a page may need of an answer. Not among it: cookies, and what would give a stranger's answer a say in the platform's origin. */
const PASSED_HEADERS =
  /^(content-(type|language|disposition|range|encoding)|accept-ranges|date|age|etag|last-modified|link|location|retry-after|ratelimit.*|x-(?!content-type-options$|frame-options$|dns-prefetch).*)$/;
const BODILESS = new Set([204, 205, 304]);

/** By what Node makes of it: the pattern of a schema library runs out of stack on megabytes. */
const isBase64 = (text: string): boolean => Buffer.from(text, 'base64').toString('base64') === text;

const Header = v.pipe(
  v.string('A header must be a text.'),
  v.maxLength(LONGEST_HEADER, `A header has at most ${LONGEST_HEADER} characters.`),
  v.regex(/^[\t\x20-\x7e]*$/, 'A header must be one line of ASCII characters.'),
);
const Order = v.object({
  url: v.pipe(
    v.string('url must be a text.'),
    v.maxLength(LONGEST_ADDRESS, `url has at most ${LONGEST_ADDRESS} characters.`),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const url = URL.canParse(dataset.value) ? new URL(dataset.value) : null;
      if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password) return url;
      addIssue({ message: 'url must be a full address with http or https, without user name or password.' });
      return NEVER;
    }),
  ),
  method: v.optional(
    v.pipe(
      v.string('method must be a text.'),
      v.toUpperCase(),
      v.picklist(METHODS, `method must be one of ${METHODS.join(', ')}.`),
    ),
    'GET',
  ),
  headers: v.optional(
    v.pipe(
      v.record(
        v.pipe(v.string(), v.regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/, 'This is not the name of a header.')),
        Header,
        'headers must be an object of texts.',
      ),
      v.check((headers) => Object.keys(headers).length <= MOST_HEADERS, `Send at most ${MOST_HEADERS} headers.`),
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
        'body must be a text, an object {base64}, or null.',
      ),
    ),
    null,
  ),
});

export interface ProxyOptions {
  network: AskNetwork;
  /** For the whole answer, in milliseconds. */
  timeLimit: number;
}

export const proxyRoutes = ({ network, timeLimit }: ProxyOptions): Route[] => [
  {
    path: '/v1/proxy',
    auth: 'page',
    methods: {
      POST: async (c) => {
        const { headers, method, url, body } = await readJson(c, Order);
        if (body !== null && (method === 'GET' || method === 'HEAD'))
          throw refused(422, 'INVALID', `A ${method} request has no body; leave it out, or use another method.`);
        const own = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
          OWN_HEADERS.test(name.toLowerCase()) ? [] : [[name.toLowerCase(), value]],
        );
        const late = AbortSignal.timeout(timeLimit);
        const gone = c.req.raw.signal;
        try {
          return answer(c, await follow(network, { url, method, headers: own, body }, AbortSignal.any([late, gone])));
        } catch (error) {
          if (late.aborted)
            throw refused(
              504,
              'PROXY_TIMEOUT',
              `${url.host} did not answer in full within ${timeLimit / 1000} s; try again later.`,
            );
          if (gone.aborted) throw refused(499, 'CLIENT_GONE', 'Whoever asked has gone.');
          throw explained(error, url);
        }
      },
    },
  },
];

/** Follows redirects as a browser would, and stricter: secrets stay with the origin that they were meant for. */
async function follow(network: AskNetwork, first: NetworkRequest, signal: AbortSignal): Promise<NetworkAnswer> {
  let request = first;
  for (let hop = 0; ; hop += 1) {
    const found = await network(request, signal);
    const location = found.headers.find(([name]) => name === 'location')?.[1];
    if (location === undefined || ![301, 302, 303, 307, 308].includes(found.status)) return found;
    if (hop === REDIRECTS)
      throw refused(
        502,
        'PROXY_REDIRECT_REFUSED',
        `${first.url.host} redirects more than ${REDIRECTS} times; ask for the address that it leads to.`,
      );
    request = next(request, found.status, location);
  }
}

function next(before: NetworkRequest, status: number, location: string): NetworkRequest {
  const url = URL.canParse(location, before.url) ? new URL(location, before.url) : null;
  const leads = `${before.url.host} redirects`;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw refused(502, 'PROXY_REDIRECT_REFUSED', `${leads} to what is no address of a server.`);
  if (before.url.protocol === 'https:' && url.protocol === 'http:')
    throw refused(502, 'PROXY_REDIRECT_REFUSED', `${leads} from https to http; ask for the address that it leads to.`);
  const foreign = url.origin !== before.url.origin;
  let { method, body, headers } = before;
  if ((status === 303 && method !== 'HEAD') || (method === 'POST' && status < 303)) {
    method = 'GET';
    body = null;
    headers = headers.filter(([name]) => !name.startsWith('content-'));
  }
  // A body to a token endpoint holds the client's secret.
  if (foreign && body !== null)
    throw refused(
      502,
      'PROXY_REDIRECT_REFUSED',
      `${leads} what was sent to ${url.host}, another origin; send it there yourself if you trust it.`,
    );
  return { url, method, body, headers: foreign ? headers.filter(([name]) => !SECRET_HEADERS.test(name)) : headers };
}

function answer(c: Context, { status, headers, body }: NetworkAnswer): Response {
  if (status < 200 || status > 599)
    throw refused(502, 'PROXY_UNREACHABLE', `The service answered with the status ${status}, which is none.`);
  // Any other challenge would have the browser ask the person for a password to the platform.
  const passed = headers.filter(
    ([name, value]) => PASSED_HEADERS.test(name) || (name === 'www-authenticate' && /^(bearer|dpop)\b/i.test(value)),
  );
  const policy = { ...SECURITY, 'Content-Security-Policy': "sandbox; default-src 'none'", 'Platform-Proxy': 'service' };
  return c.newResponse(BODILESS.has(status) ? null : new Uint8Array(body), status as StatusCode, {
    ...Object.fromEntries(passed),
    ...policy,
  });
}

const refused = (status: number, code: string, message: string): HttpError => new HttpError(status, code, message);

function explained(error: unknown, { host }: URL): unknown {
  if (error instanceof AddressRefused) return refused(403, 'PROXY_ADDRESS_REFUSED', error.message);
  if (error instanceof AnswerTooLarge)
    return refused(
      502,
      'PROXY_TOO_LARGE',
      `${error.message.replace(/\.$/, '')}, which is more than the proxy passes on; ask for less at once.`,
    );
  if (error instanceof HttpError || !(error instanceof Error)) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  const reasons: Record<string, string> = {
    ENOTFOUND: `There is no host ${host}; check the address.`,
    EAI_AGAIN: `The name ${host} cannot be looked up now; check the network.`,
    ECONNREFUSED: `${host} refuses the connection; check the port, and that the service runs.`,
  };
  return refused(
    502,
    'PROXY_UNREACHABLE',
    reasons[code] ?? `${host} gave no proper answer${code && ` (${code})`}; check the address and the service.`,
  );
}
