/** Builds responses: security headers, JSON, pages, and errors, which browsers get as a page. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { HttpError } from './errors.ts';
import { faultOf, type DatabaseFault } from '../db/outage.ts';

/** Headers for every response. Pages have a separate policy. */
export const SECURITY = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};
const JSON_HEADERS = { ...SECURITY, 'Content-Type': 'application/json; charset=utf-8' };

/** Only scripts and styles from this server load, and no inline script runs. Functions can call any service. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self' http: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const json = (
  c: Context,
  value: unknown,
  status: ContentfulStatusCode = 200,
  headers: Record<string, string> = {},
): Response => jsonText(c, JSON.stringify(value), status, headers);

/** Responds with JSON that is already serialized. */
export const jsonText = (
  c: Context,
  text: string,
  status: ContentfulStatusCode = 200,
  headers?: Record<string, string>,
): Response => c.body(text, status, headers ? { ...JSON_HEADERS, ...headers } : JSON_HEADERS);

const decompress = promisify(gunzip);

/** Responds with JSON that is already compressed, decompressed for clients that don’t accept it. */
export async function jsonGzip(c: Context, content: Uint8Array): Promise<Response> {
  const headers = { ...JSON_HEADERS, Vary: 'Accept-Encoding' };
  const accepted = (c.req.header('accept-encoding') ?? '').split(',').map((each) => each.trim().toLowerCase());
  if (accepted.some((each) => /^(gzip|\*)(\s*;\s*q=(1|0?\.\d*[1-9]\d*)(\.0+)?)?$/.test(each)))
    return c.body(new Uint8Array(content), 200, { ...headers, 'Content-Encoding': 'gzip' });
  return c.body(new Uint8Array(await decompress(content)), 200, headers);
}

/** Streams JSON. A failure before the first chunk becomes an error response. A later one aborts the response. */
export async function jsonPieces(c: Context, pieces: AsyncGenerator<string, void>): Promise<Response> {
  let next = await pieces.next();
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      if (next.done) return controller.close();
      controller.enqueue(encoder.encode(next.value));
      next = await pieces.next();
    },
    cancel: async () => void (await pieces.return()),
  });
  return c.body(body, 200, JSON_HEADERS);
}

export const empty = (c: Context): Response => c.body(null, 204, SECURITY);

export const file = (c: Context, text: string, type: string, headers?: Record<string, string>): Response =>
  c.body(text, 200, { ...SECURITY, 'Content-Type': `${type}; charset=utf-8`, ...headers });

type Html = ReturnType<typeof html>;

/** Builds a complete page. The `html` tag escapes every value in `body`. */
export async function page(
  c: Context,
  title: string,
  body: Html,
  status: ContentfulStatusCode = 200,
  headers: Record<string, string> = {},
): Promise<Response> {
  const text = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${c.get('pagesRoot')}/packages/page.css" />
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html> `;
  return c.body(text.toString(), status, {
    ...SECURITY,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': PAGE_POLICY,
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    ...headers,
  });
}

/** The response to an unknown URL from a platform with error bodies of its own. */
export const notFoundPage = (c: Context): Promise<Response> => page(c, 'Not found', html`<h1>Not found</h1>`, 404);

/** Builds the response to a thrown value. Unexpected errors are logged, and the response doesn’t reveal them. */
export function errorResponse(
  c: Context,
  thrown: unknown,
  log: (error: unknown) => void,
): Response | Promise<Response> {
  if (!(thrown instanceof HttpError)) log(thrown);
  const error =
    thrown instanceof HttpError
      ? thrown
      : (databaseError(faultOf(thrown)) ??
        new HttpError(500, 'INTERNAL', 'The platform couldn’t respond because of an internal error.'));
  const status = error.status as ContentfulStatusCode;
  if (isNavigation(c)) return page(c, `${error.status} · local platform`, explain(error), status, error.headers);
  return json(c, errorBody(error), status, error.headers);
}

/** The body of an error response. */
export const errorBody = ({
  code,
  message,
  hint,
  details,
}: Pick<HttpError, 'code' | 'message' | 'hint' | 'details'>) => ({
  error: code,
  message,
  ...(hint !== undefined && { hint }),
  ...(details && { details }),
});

function databaseError(fault: DatabaseFault | null): HttpError | null {
  if (fault === 'unreachable')
    return new HttpError(503, 'DATABASE_UNAVAILABLE', 'Couldn’t reach the platform’s database.', {
      headers: { 'Retry-After': '1' },
    });
  if (fault === 'disk-full')
    return new HttpError(507, 'DISK_FULL', 'Couldn’t store the data: the disk of the platform’s database is full.');
  if (fault === 'damaged')
    return new HttpError(
      500,
      'DATABASE_DAMAGED',
      'Couldn’t read the data: a part of the platform’s database is damaged.',
    );
  return null;
}

const isNavigation = (c: Context): boolean =>
  c.req.method === 'GET' && (c.req.header('accept') ?? '').includes('text/html');

function explain(error: HttpError): Html {
  const steps =
    error.status === 401
      ? html`<p>
            A browser can’t send the <code>Auth-token</code> header on its own. Open this page with the extension:
          </p>
          <ol>
            <li>Open DevTools in any tab and choose the <b>Platform</b> panel.</li>
            <li>On the <b>Run</b> tab, paste this URL into the field beside <b>Open</b>.</li>
            <li>Choose <b>Open</b>.</li>
          </ol>`
      : html``;
  return html`<h1>${error.status}</h1>
    <p>${error.message}</p>
    ${error.hint === undefined || error.status === 401 ? '' : html`<p>${error.hint}</p>`} ${steps}
    <p><small>${error.code}</small></p>`;
}
