/** Owns how answers leave: their security headers, JSON, and pages for errors that a person meets in a browser. */
import type { Context } from 'hono';
import { html } from 'hono/html';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { HttpError } from './errors.ts';
import { isOutage } from '../db/outage.ts';

/** Of every answer; pages have a policy of their own. */
export const SECURITY = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};
const JSON_HEADERS = { ...SECURITY, 'Content-Type': 'application/json; charset=utf-8' };

/**
 * Scripts and styles come from this server alone and nothing inline runs; functions may call any service, so that is left open.
 */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self' http: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const json = (
  c: Context,
  value: unknown,
  status: ContentfulStatusCode = 200,
  headers: Record<string, string> = {},
): Response => jsonText(c, JSON.stringify(value), status, headers);

/** JSON that is text already. */
export const jsonText = (
  c: Context,
  text: string,
  status: ContentfulStatusCode = 200,
  headers?: Record<string, string>,
): Response => c.body(text, status, headers ? { ...JSON_HEADERS, ...headers } : JSON_HEADERS);

/** JSON that is made while it leaves. What goes wrong before the first piece is answered as an error; what does later cuts the answer off. */
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

/** Done, and nothing to say about it. */
export const empty = (c: Context): Response => c.body(null, 204, SECURITY);

export const file = (c: Context, text: string, type: string, headers?: Record<string, string>): Response =>
  c.body(text, 200, { ...SECURITY, 'Content-Type': `${type}; charset=utf-8`, ...headers });

type Html = ReturnType<typeof html>;

/** A whole page; everything put into `body` by the `html` tag is escaped. */
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
        <link rel="stylesheet" href="/v1/packages/page.css" />
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

/** Any thrown thing as an answer; what we did not foresee is told to the log, and to nobody else. */
export function errorAnswer(c: Context, thrown: unknown, log: (error: unknown) => void): Response | Promise<Response> {
  if (!(thrown instanceof HttpError)) log(thrown);
  const error =
    thrown instanceof HttpError
      ? thrown
      : isOutage(thrown)
        ? unreachable()
        : new HttpError(500, 'INTERNAL', 'The platform failed to answer; its output says why. Try again.');
  const status = error.status as ContentfulStatusCode;
  if (isNavigation(c)) return page(c, `${error.status} · local platform`, explain(error), status, error.headers);
  return json(
    c,
    { error: error.code, message: error.message, ...(error.details && { details: error.details }) },
    status,
    error.headers,
  );
}

const unreachable = (): HttpError =>
  new HttpError(
    503,
    'DATABASE_UNAVAILABLE',
    'The database of this platform cannot be reached; check that its Postgres server runs, then try again.',
    { headers: { 'Retry-After': '1' } },
  );

const isNavigation = (c: Context): boolean =>
  c.req.method === 'GET' && (c.req.header('accept') ?? '').includes('text/html');

function explain(error: HttpError): Html {
  const steps =
    error.status === 401
      ? html`<p>
            A browser cannot send the <code>Auth-token</code> header by itself, so this page has to be opened by the
            extension:
          </p>
          <ol>
            <li>Open DevTools on any tab and choose the tab <b>Platform</b>.</li>
            <li>There, on tab <b>Run</b>, paste this address into the box beside <b>Open</b>.</li>
            <li>Press <b>Open</b>.</li>
          </ol>`
      : html``;
  return html`<h1>${error.status}</h1>
    <p>${error.message}</p>
    ${steps}
    <p><small>${error.code}</small></p>`;
}
