/** Serves `/faults`: JSON for tests, and a page with buttons. */
import type { Context, Env, Hono } from 'hono';
import * as v from 'valibot';
import { plural } from '../../shared/format.ts';
import type { FaultTarget } from './fault-menu.ts';
import type { Faults } from './faults.ts';
import { h, pageHeaders, pageText } from './pages.ts';

const TARGETS = ['redirect', 'token', 'api'] as const satisfies FaultTarget[];
const MAX_TIMES = 1_000;
const MAX_WAIT = 60_000;
/** How many applied faults the page lists. */
const MAX_LISTED = 5;

const FaultRequest = v.object({
  next: v.nullable(v.string()),
  times: v.optional(
    v.pipe(
      v.union([v.number(), v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number))]),
      v.integer(),
      v.minValue(1),
      v.maxValue(MAX_TIMES),
    ),
    1,
  ),
  at: v.optional(v.picklist(TARGETS)),
  ms: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_WAIT))),
});

interface FaultRoutesOptions {
  title: string;
  faults: Faults;
  appOrigins: ReadonlySet<string>;
}

export function faultRoutes<E extends Env>(app: Hono<E>, { title, faults, appOrigins }: FaultRoutesOptions): void {
  app.get('/faults', (c) => {
    if (!accepts(c, 'text/html')) return c.json(faults.state(), 200, { 'Cache-Control': 'no-store' });
    return c.body(page(title, faults), 200, pageHeaders());
  });
  app.post('/faults', async (c) => {
    if (!isAllowedOrigin(c, appOrigins))
      return refuse(c, 403, `The origin ${c.req.header('origin')} isn’t allowed to change faults.`);
    const isForm = (c.req.header('content-type') ?? '').startsWith('application/x-www-form-urlencoded');
    const body: unknown = isForm ? await c.req.parseBody() : await c.req.json().catch(() => undefined);
    const parsed = v.safeParse(FaultRequest, body);
    if (!parsed.success)
      return refuse(
        c,
        422,
        `Send {next: name or null, times?: 1 to ${MAX_TIMES}, at?: ${TARGETS.join(', ')}, ms?: 1 to ${MAX_WAIT}}.`,
      );
    const { next, ...options } = parsed.output;
    if (next === null || (isForm && next === '')) faults.clear();
    else if (!faults.activate(next, options)) {
      const target = options.at ? ` at ${options.at}` : '';
      return refuse(
        c,
        422,
        `Unknown fault ${JSON.stringify(next.slice(0, 60))}${target}. GET /faults lists all faults.`,
      );
    }
    return isForm && !accepts(c, 'application/json') ? c.redirect('/faults', 303) : c.json(faults.state());
  });
}

const accepts = (c: Context, type: string): boolean => (c.req.header('accept') ?? '').includes(type);

function isAllowedOrigin(c: Context, appOrigins: ReadonlySet<string>): boolean {
  const origin = c.req.header('origin');
  // The page’s referrer policy is no-referrer, so browsers send the origin “null” when its form is submitted.
  const isOwnPage = c.req.header('sec-fetch-site') === 'same-origin';
  return origin === undefined || isOwnPage || origin === new URL(c.req.url).origin || appOrigins.has(origin);
}

const refuse = (c: Context, status: 403 | 422, description: string): Response =>
  c.json({ error: 'invalid_request', error_description: description }, status);

function page(title: string, faults: Faults): string {
  const { next, struck, menu } = faults.state();
  const names = next.map(({ name, times }) => (times > 1 ? `${name} (${plural(times, 'time')})` : name)).join(', ');
  const status = names ? h`Next: ${names}. <button name="next" value="">Clear</button>` : 'No fault is active.';
  const rows = menu.map(
    ({ name, says }) => h`<tr><td><button name="next" value="${name}">${name}</button></td><td>${says}</td></tr>
`,
  );
  const applied = struck
    .slice(-MAX_LISTED)
    .map(({ name, at }) => `${name} (${at})`)
    .join(', ');
  return pageText(
    `Faults · ${title}`,
    h`<h1>Faults of ${title}</h1>
<form method="post" action="/faults">
<p role="status">${status}</p>
<table>
${rows}</table>
</form>
<p class="soft">${applied ? `Applied: ${applied}.` : 'No fault was applied yet.'}</p>`,
  );
}
