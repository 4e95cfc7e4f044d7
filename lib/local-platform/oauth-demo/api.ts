/** Owns what each demo service serves besides OAuth2: its protected JSON API, its front page and the menu of faults. */
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Hono, type Context } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { faultRoutes } from './fault-routes.ts';
import type { Faults } from './faults.ts';
import { createItems, readNew } from './items.ts';
import { h, pageHeaders, pageText } from './pages.ts';
import { USER, type Bearer } from './service.ts';

export interface ApiOptions {
  title: string;
  appOrigins: ReadonlySet<string>;
  faults: Faults;
  check: (token: string) => Promise<Bearer | null>;
  other: () => string;
}

const REALM = 'demo';
const MEGABYTE = 1024 * 1024;
const BODY_LIMIT = 11 * MEGABYTE;
const MOST_MEGABYTES = 50;
const LONGEST_WAIT = 60_000;

type Env = { Variables: { bearer: Bearer } };

export function createApi({ title, appOrigins, faults, check, other }: ApiOptions): Hono<Env> {
  const app = new Hono<Env>();
  const items = createItems();

  app.use(
    '*',
    bodyLimit({ maxSize: BODY_LIMIT, onError: (c) => refuse(c, 413, 'too_large', 'The body has more than 11 MB.') }),
  );
  app.use('*', async (c, next) => {
    const origin = c.req.header('origin');
    const known = origin !== undefined && appOrigins.has(origin);
    if (c.req.method === 'OPTIONS' && c.req.header('access-control-request-method'))
      c.res = c.body(
        null,
        204,
        known
          ? {
              'Access-Control-Allow-Methods': 'GET, POST, PUT, DELETE',
              'Access-Control-Allow-Headers': 'Authorization, Content-Type',
            }
          : {},
      );
    else await next();
    c.header('Vary', 'Origin');
    if (known) {
      c.header('Access-Control-Allow-Origin', origin);
      c.header('Access-Control-Expose-Headers', 'Date, WWW-Authenticate');
    }
  });

  /** RFC 6750, section 3: 401 for a missing or bad token, 403 for one without the scope. */
  const needs = (scope?: string) => async (c: Context<Env>, next: () => Promise<void>) => {
    const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(c.req.header('authorization') ?? '')?.[1];
    if (token === undefined)
      return refuse(
        c,
        401,
        'invalid_request',
        'Send an access token in the Authorization header.',
        `Bearer realm="${REALM}"`,
      );
    const bearer = await check(token);
    if (!bearer)
      return refuse(
        c,
        401,
        'invalid_token',
        'The access token is unknown, expired or revoked.',
        `Bearer realm="${REALM}", error="invalid_token", error_description="The access token is unknown, expired or revoked."`,
      );
    if (scope !== undefined && !bearer.scopes.includes(scope)) {
      return refuse(
        c,
        403,
        'insufficient_scope',
        `This needs the scope ${scope}.`,
        `Bearer realm="${REALM}", error="insufficient_scope", scope="${scope}"`,
      );
    }
    c.set('bearer', bearer);
    return next();
  };

  app.get('/api/profile', needs('profile'), (c) =>
    c.json({ ...USER, client: c.get('bearer').clientId, scopes: c.get('bearer').scopes }),
  );
  app.get('/api/items', needs('items.read'), (c) => c.json(items.list(c.req.query())));
  app.post('/api/items', needs('items.write'), async (c) => {
    const found = await readNew(c.req.raw);
    if ('problem' in found) return refuse(c, found.status, 'invalid_request', found.problem);
    return c.json('item' in found ? { item: items.add(found.item) } : found, 201);
  });
  app.put('/api/items/:id', needs('items.write'), async (c) => {
    const found = await readNew(c.req.raw);
    if (!('item' in found)) return refuse(c, 400, 'invalid_request', 'Send the item as a JSON object.');
    const item = items.change(Number(c.req.param('id')), found.item);
    return item ? c.json({ item }) : refuse(c, 404, 'not_found', 'There is no such item.');
  });
  app.delete('/api/items/:id', needs('items.write'), (c) =>
    items.remove(Number(c.req.param('id'))) ? c.body(null, 204) : refuse(c, 404, 'not_found', 'There is no such item.'),
  );
  app.get('/api/slow', needs(), async (c) => {
    const ms = Math.min(Number(c.req.query('ms') ?? 3_000) || 0, LONGEST_WAIT);
    await delay(ms, null, { signal: c.req.raw.signal }).catch(() => null);
    return c.json({ waited: ms });
  });
  app.get('/api/text', needs(), (c) => c.text('A plain text: "quotes", <angles> and an umlaut: ü.\n'));
  app.get('/api/big', needs(), (c) =>
    c.json({ text: 'x'.repeat(Math.min(Number(c.req.query('mb') ?? 1) || 0, MOST_MEGABYTES) * MEGABYTE) }),
  );
  app.get('/api/error/:status', needs(), (c) => {
    const status = Number(c.req.param('status'));
    return status >= 400 && status <= 599
      ? refuse(c, status as ContentfulStatusCode, 'on_purpose', `This answers ${status}, as it was asked to.`)
      : refuse(c, 404, 'not_found', 'Ask for a status from 400 to 599.');
  });
  app.get('/api/redirect', needs(), (c) => c.redirect(`${other()}/api/arrived`, 302));
  app.get('/api/arrived', (c) => c.json({ authorization: c.req.header('authorization') !== undefined }));
  app.all('/api/*', (c) => refuse(c, 404, 'not_found', 'There is nothing at this address of the demo API.'));

  app.get('/', (c) =>
    c.body(
      pageText(
        title,
        h`<h1>${title}</h1>
<p>An OAuth2 service with a protected API, for trying out logins. It belongs to the local platform and forgets everything with it.</p>
<p><a href="/faults">Make the next exchange go wrong</a></p>`,
      ),
      200,
      pageHeaders(),
    ),
  );
  app.get('/page.css', async (c) =>
    c.body(await readFile(new URL('page.css', import.meta.url), 'utf8'), 200, { 'Content-Type': 'text/css' }),
  );
  faultRoutes(app, { title, faults, appOrigins });
  return app;
}

function refuse(
  c: Context,
  status: ContentfulStatusCode,
  error: string,
  description: string,
  challenge?: string,
): Response {
  return c.json(
    { error, error_description: description },
    status,
    challenge === undefined ? {} : { 'WWW-Authenticate': challenge },
  );
}
