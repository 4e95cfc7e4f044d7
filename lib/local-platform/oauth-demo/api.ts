/** The parts of a demo service that aren’t OAuth2: its protected JSON API, its front page, and its faults. */
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { faultRoutes } from './fault-routes.ts';
import type { Faults } from './faults.ts';
import { Items, readNew } from './items.ts';
import { h, pageHeaders, pageText } from './pages.ts';
import { USER, type Bearer } from './service.ts';

export interface ApiOptions {
  title: string;
  appOrigins: ReadonlySet<string>;
  faults: Faults;
  check: (token: string) => Promise<Bearer | null>;
  /** The base URL of the other service. */
  other: () => string;
}

const REALM = 'demo';
const MEGABYTE = 1024 * 1024;
const MAX_BODY = 11 * MEGABYTE;
const MAX_MEGABYTES = 50;
const MAX_WAIT = 60_000;

type Env = { Variables: { bearer: Bearer } };
type Guard = (scope?: string) => MiddlewareHandler<Env>;

export function createApi({ title, appOrigins, faults, check, other }: ApiOptions): Hono<Env> {
  const app = new Hono<Env>();
  app.use(
    '*',
    bodyLimit({
      maxSize: MAX_BODY,
      onError: (c) => refuse(c, 413, 'too_large', 'The body is limited to 11 MB.'),
    }),
  );
  app.use('*', cors(appOrigins));
  const requireToken = createGuard(check);
  itemRoutes(app, requireToken);
  sampleRoutes(app, requireToken, other);
  app.all('/api/*', (c) => refuse(c, 404, 'not_found', 'The demo API has nothing at this URL.'));
  pageRoutes(app, title);
  faultRoutes(app, { title, faults, appOrigins });
  return app;
}

function cors(appOrigins: ReadonlySet<string>): MiddlewareHandler {
  return async (c, next) => {
    const origin = c.req.header('origin');
    const isAllowed = origin !== undefined && appOrigins.has(origin);
    const isPreflight = c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined;
    if (isPreflight) c.res = c.body(null, 204);
    else await next();
    c.header('Vary', 'Origin');
    if (!isAllowed) return;
    c.header('Access-Control-Allow-Origin', origin);
    c.header('Access-Control-Expose-Headers', 'Date, WWW-Authenticate');
    if (!isPreflight) return;
    c.header('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE');
    c.header('Access-Control-Allow-Headers', 'Authorization, Content-Type');
  };
}

/** RFC 6750 section 3: 401 for a missing or invalid token, 403 for a token without the required scope. */
function createGuard(check: ApiOptions['check']): Guard {
  return (scope) => async (c, next) => {
    const challenge = `Bearer realm="${REALM}"`;
    const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(c.req.header('authorization') ?? '')?.[1];
    if (token === undefined)
      return refuse(c, 401, 'invalid_request', 'Send an access token in the Authorization header.', challenge);
    const bearer = await check(token);
    if (!bearer) {
      const description = 'The access token is unknown, expired, or revoked.';
      const details = `${challenge}, error="invalid_token", error_description="${description}"`;
      return refuse(c, 401, 'invalid_token', description, details);
    }
    if (scope !== undefined && !bearer.scopes.includes(scope)) {
      const details = `${challenge}, error="insufficient_scope", scope="${scope}"`;
      return refuse(c, 403, 'insufficient_scope', `This request needs the scope ${scope}.`, details);
    }
    c.set('bearer', bearer);
    return next();
  };
}

function itemRoutes(app: Hono<Env>, requireToken: Guard): void {
  const items = new Items();
  const notFound = (c: Context) => refuse(c, 404, 'not_found', 'This item doesn’t exist.');
  app.get('/api/profile', requireToken('profile'), (c) => {
    const { clientId, scopes } = c.get('bearer');
    return c.json({ ...USER, client: clientId, scopes });
  });
  app.get('/api/items', requireToken('items.read'), (c) => c.json(items.list(c.req.query())));
  app.post('/api/items', requireToken('items.write'), async (c) => {
    const received = await readNew(c.req.raw);
    if ('problem' in received) return refuse(c, received.status, 'invalid_request', received.problem);
    return c.json('item' in received ? { item: items.add(received.item) } : received, 201);
  });
  app.put('/api/items/:id', requireToken('items.write'), async (c) => {
    const received = await readNew(c.req.raw);
    if (!('item' in received)) return refuse(c, 400, 'invalid_request', 'Send the item as a JSON object.');
    const item = items.update(Number(c.req.param('id')), received.item);
    return item ? c.json({ item }) : notFound(c);
  });
  app.delete('/api/items/:id', requireToken('items.write'), (c) =>
    items.remove(Number(c.req.param('id'))) ? c.body(null, 204) : notFound(c),
  );
}

/** A variety of responses, for trying out clients. */
function sampleRoutes(app: Hono<Env>, requireToken: Guard, other: () => string): void {
  app.get('/api/slow', requireToken(), async (c) => {
    const ms = Math.min(Number(c.req.query('ms') ?? 3_000) || 0, MAX_WAIT);
    await delay(ms, null, { signal: c.req.raw.signal }).catch(() => null);
    return c.json({ waited: ms });
  });
  app.get('/api/text', requireToken(), (c) => c.text('Plain text: “quotes”, <angle brackets>, and an umlaut: ü.\n'));
  app.get('/api/big', requireToken(), (c) =>
    c.json({ text: 'x'.repeat(Math.min(Number(c.req.query('mb') ?? 1) || 0, MAX_MEGABYTES) * MEGABYTE) }),
  );
  app.get('/api/error/:status', requireToken(), (c) => {
    const status = Number(c.req.param('status'));
    return status >= 400 && status <= 599
      ? refuse(c, status as ContentfulStatusCode, 'on_purpose', `You requested status ${status}.`)
      : refuse(c, 404, 'not_found', 'The status must be between 400 and 599.');
  });
  app.get('/api/redirect', requireToken(), (c) => c.redirect(`${other()}/api/arrived`, 302));
  app.get('/api/arrived', (c) => c.json({ authorization: c.req.header('authorization') !== undefined }));
}

function pageRoutes(app: Hono<Env>, title: string): void {
  const body = h`<h1>${title}</h1>
<p>An OAuth2 service with a protected API, for trying out logins. It is part of the local platform and stores nothing.</p>
<p><a href="/faults">Choose a fault for the next request</a></p>`;
  app.get('/', (c) => c.body(pageText(title, body), 200, pageHeaders()));
  app.get('/page.css', async (c) => {
    const css = await readFile(new URL('page.css', import.meta.url), 'utf8');
    return c.body(css, 200, { 'Content-Type': 'text/css' });
  });
}

function refuse(
  c: Context,
  status: ContentfulStatusCode,
  error: string,
  description: string,
  challenge?: string,
): Response {
  const headers: Record<string, string> = challenge === undefined ? {} : { 'WWW-Authenticate': challenge };
  return c.json({ error, error_description: description }, status, headers);
}
