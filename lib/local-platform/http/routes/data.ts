/** Routes for data sources, their entries, and the outbox, which functions use from pages and runs. */
import type { SQL } from 'drizzle-orm';
import { and, asc, eq, sql } from '../../db/drizzle.ts';
import type { Context } from 'hono';
import * as v from 'valibot';
import { PlainObject } from '../../../platform-api/index.ts';
import { requireSpace } from '../../apps/data-usage.ts';
import { dataSourceEntries, dataSources, outbox } from '../../db/schema.ts';
import { requireApp, requireDataSource } from '../access.ts';
import type { Access } from '../auth.ts';
import { once } from '../once.ts';
import { json } from '../response.ts';
import { HttpError, invalid } from '../errors.ts';
import { idParam, paging, parseJson, readJson } from '../request.ts';
import { bind, type Route } from '../router.ts';
import type { Services } from '../services.ts';

const MAX_NEW_ENTRIES = 1_000;
const Text = (name: string, longest: number) =>
  v.pipe(
    v.string(`${name} must be a string.`),
    v.trim(),
    v.nonEmpty(`${name} must not be empty.`),
    v.maxLength(longest, `${name} is limited to ${longest} characters.`),
  );

const NewEntries = v.object({
  entries: v.pipe(
    v.array(PlainObject('An entry must be an object.'), 'entries must be an array of objects.'),
    v.minLength(1, 'entries must not be empty.'),
    v.maxLength(MAX_NEW_ENTRIES, `One request is limited to ${MAX_NEW_ENTRIES} entries.`),
  ),
});
const Email = v.object({
  kind: v.literal('email'),
  to: v.pipe(
    Text('to', 1_000),
    v.regex(
      /^[^\s@,;<>]+@[^\s@,;<>]+(\s*,\s*[^\s@,;<>]+@[^\s@,;<>]+)*$/,
      'to must be one or more email addresses, separated by commas.',
    ),
  ),
  subject: v.pipe(Text('subject', 998), v.regex(/^[^\r\n]*$/, 'subject must be one line.')),
  html: Text('html', 500_000),
});
const Notification = v.object({
  kind: v.literal('notification'),
  title: Text('title', 255),
  message: Text('message', 4_000),
});
const NewMessage = v.variant('kind', [Email, Notification], 'kind must be email or notification.');

export function dataRoutes(services: Services): Route[] {
  return [
    { path: '/v1/apps/:appId/data-sources', auth: 'page', methods: { GET: bind(services, listDataSources) } },
    {
      path: '/v1/data-sources/:id/entries',
      auth: 'page',
      methods: { GET: bind(services, listEntries), POST: bind(services, createEntries) },
    },
    {
      path: '/v1/apps/:appId/outbox',
      auth: 'page',
      methods: { GET: bind(services, listMessages), POST: bind(services, sendMessage) },
    },
  ];
}

async function listDataSources(services: Services, c: Context, access: Access): Promise<Response> {
  const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
  const rows = await services.db
    .select()
    .from(dataSources)
    .where(eq(dataSources.appId, app.id))
    .orderBy(asc(dataSources.id));
  return json(c, { dataSources: rows });
}

async function listEntries(services: Services, c: Context, access: Access): Promise<Response> {
  const { source } = await requireDataSource(services, access, idParam(c, 'id', 'data source'));
  const { limit, offset } = paging(c);
  const query = services.db
    .select({
      id: dataSourceEntries.id,
      data: dataSourceEntries.data,
      createdAt: dataSourceEntries.createdAt,
      updatedAt: dataSourceEntries.updatedAt,
    })
    .from(dataSourceEntries)
    .where(and(eq(dataSourceEntries.dataSourceId, source.id), ...matching(c)))
    .orderBy(asc(dataSourceEntries.id))
    .offset(offset)
    .$dynamic();
  return json(c, { entries: await (limit === undefined ? query : query.limit(limit)) });
}

async function createEntries(services: Services, c: Context, access: Access): Promise<Response> {
  const { app, source } = await requireDataSource(services, access, idParam(c, 'id', 'data source'));
  const { entries } = await readJson(c, NewEntries);
  const { cache, logs, limits, onEffect } = services;
  const { result: created, isRepeated } = await cache.change(() =>
    once(services, c, access, async (tx) => {
      const rows = await tx
        .insert(dataSourceEntries)
        .values(entries.map((data) => ({ dataSourceId: source.id, data })))
        .returning();
      await requireSpace(tx, app.id, limits);
      await logs.write(
        tx,
        rows.map((row) => ({
          appId: app.id,
          organizationId: app.organizationId,
          dataSourceId: source.id,
          dataSourceEntryId: row.id,
          type: 'dataSource.entry.create',
          data: { columns: Object.keys(row.data) },
        })),
        access.depth,
      );
      return rows.map(({ id, data, createdAt, updatedAt }) => ({ id, data, createdAt, updatedAt }));
    }),
  );
  if (!isRepeated)
    for (const { data } of created) onEffect({ what: 'entry', value: { dataSourceId: source.id, data } });
  return json(c, { entries: created }, 201);
}

async function listMessages(services: Services, c: Context, access: Access): Promise<Response> {
  const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
  const { limit, offset } = paging(c);
  const query = services.db
    .select()
    .from(outbox)
    .where(eq(outbox.appId, app.id))
    .orderBy(asc(outbox.id))
    .offset(offset)
    .$dynamic();
  return json(c, { messages: await (limit === undefined ? query : query.limit(limit)) });
}

async function sendMessage(services: Services, c: Context, access: Access): Promise<Response> {
  const app = await requireApp(services, access, idParam(c, 'appId', 'app'));
  const { kind, ...message } = await readJson(c, NewMessage);
  // Stored before it is sent, so that a repeated request doesn’t send it again.
  const { result: id, isRepeated } = await once(services, c, access, async (tx) => {
    const [stored] = await tx.insert(outbox).values({ appId: app.id, kind, message }).returning({ id: outbox.id });
    return stored!.id;
  });
  const { db, mailer, onEffect } = services;
  if (!isRepeated) onEffect({ what: 'message', value: { kind, ...message } });
  if ('to' in message && !isRepeated)
    await db
      .update(outbox)
      .set(await mailer.send(message))
      .where(eq(outbox.id, id));
  const [row] = await db.select().from(outbox).where(eq(outbox.id, id));
  if (row?.delivery === 'failed') {
    const text = `Couldn’t send the email: ${row.error} The email stays in the outbox.`;
    throw new HttpError(502, 'EMAIL_NOT_SENT', text);
  }
  return json(c, { message: row }, 201);
}

/** Filters by `where`, a JSON object. An entry matches if it equals all fields. Null also matches an absent field. */
function matching(c: Context): SQL[] {
  const text = c.req.query('where');
  if (text === undefined) return [];
  let where: unknown;
  try {
    where = parseJson(text);
  } catch (error) {
    if (error instanceof HttpError) throw error;
    where = null;
  }
  if (typeof where !== 'object' || where === null || Array.isArray(where))
    throw invalid([{ path: '/where', message: 'where must be a JSON object of fields and their values.' }]);
  return Object.entries(where).map(
    ([field, value]) =>
      sql`coalesce((${dataSourceEntries.data} -> ${field}::text)::jsonb, 'null') = ${JSON.stringify(value)}::jsonb`,
  );
}
