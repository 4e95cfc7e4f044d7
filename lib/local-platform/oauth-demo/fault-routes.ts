/** Owns the menu of faults over HTTP: JSON for tests, and a page of buttons for people. */
import type { Context, Env, Hono } from 'hono';
import * as v from 'valibot';
import type { Place } from './fault-menu.ts';
import type { Faults } from './faults.ts';
import { h, pageHeaders, pageText } from './pages.ts';

const PLACES = ['redirect', 'token', 'api'] as const satisfies Place[];
const MOST_TIMES = 1_000;
const LONGEST_WAIT = 60_000;

const Order = v.object({
  next: v.nullable(v.string()),
  times: v.optional(
    v.pipe(
      v.union([v.number(), v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number))]),
      v.integer(),
      v.minValue(1),
      v.maxValue(MOST_TIMES),
    ),
    1,
  ),
  at: v.optional(v.picklist(PLACES)),
  ms: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(LONGEST_WAIT))),
});

export function faultRoutes<E extends Env>(
  app: Hono<E>,
  { title, faults, appOrigins }: { title: string; faults: Faults; appOrigins: ReadonlySet<string> },
): void {
  app.get('/faults', (c) => {
    if (!(c.req.header('accept') ?? '').includes('text/html'))
      return c.json(faults.state(), 200, { 'Cache-Control': 'no-store' });
    return c.body(page(title, faults), 200, pageHeaders());
  });
  app.post('/faults', async (c) => {
    const origin = c.req.header('origin');
    // The page of buttons tells nobody where it is: its form comes without the name of its origin.
    const isOwnPage = c.req.header('sec-fetch-site') === 'same-origin';
    if (origin !== undefined && !isOwnPage && origin !== new URL(c.req.url).origin && !appOrigins.has(origin))
      return bad(c, 403, `The menu of faults is not for ${origin}.`);
    const isForm = (c.req.header('content-type') ?? '').startsWith('application/x-www-form-urlencoded');
    const sent: unknown = isForm ? await c.req.parseBody() : await c.req.json().catch(() => undefined);
    const parsed = v.safeParse(Order, sent);
    if (!parsed.success)
      return bad(
        c,
        422,
        `Send {next: name or null, times?: 1 to ${MOST_TIMES}, at?: ${PLACES.join(', ')}, ms?: 1 to ${LONGEST_WAIT}}.`,
      );
    const { next, ...how } = parsed.output;
    if (next === null || (isForm && next === '')) faults.clear();
    else if (!faults.arm(next, how))
      return bad(
        c,
        422,
        `There is no fault ${JSON.stringify(next.slice(0, 60))}${how.at ? ` at ${how.at}` : ''}; GET /faults lists them.`,
      );
    return isForm ? c.redirect('/faults', 303) : c.json(faults.state());
  });
}

const bad = (c: Context, status: 403 | 422, description: string): Response =>
  c.json({ error: 'invalid_request', error_description: description }, status);

function page(title: string, faults: Faults): string {
  const { next, struck, menu } = faults.state();
  return pageText(
    `Faults · ${title}`,
    h`<h1>Faults of ${title}</h1>
<form method="post" action="/faults">
<p role="status">${next.length === 0 ? 'Nothing will go wrong.' : h`Next: ${next.map(({ name, times }) => `${name}${times > 1 ? ` (${times} times)` : ''}`).join(', ')}. <button name="next" value="">Take back</button>`}</p>
<table>
${menu.map(
  ({ name, says }) => h`<tr><td><button name="next" value="${name}">${name}</button></td><td>${says}</td></tr>
`,
)}</table>
</form>
<p class="soft">${
      struck.length === 0
        ? 'None has struck yet.'
        : `Struck: ${struck
            .slice(-5)
            .map(({ name, at }) => `${name} (${at})`)
            .join(', ')}.`
    }</p>`,
  );
}
