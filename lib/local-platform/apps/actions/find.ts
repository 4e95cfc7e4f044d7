/** Finds actions by ID or name, and turns rows into the API’s action resources. */
import { isDeepStrictEqual } from 'node:util';
import type { Action } from '../../../platform-api/index.ts';
import { and, eq, sql } from '../../db/drizzle.ts';
import { actions, type PublishedCopy } from '../../db/schema.ts';
import { conflict, HttpError, notFound } from '../../http/errors.ts';
import type { Db } from '../../jobs/types.ts';

export type ActionRow = typeof actions.$inferSelect;

/** How a URL refers to an action. A string of digits is tried as an ID first, unless `by` is set. */
export interface Reference {
  text: string;
  by: 'id' | 'name' | undefined;
}

/** Finds a V2 action by ID, or by its working copy’s name. @throws HttpError 404; 409 `ACTION_NOT_V2` */
export async function findAction(db: Db, appId: number, reference: Reference): Promise<ActionRow> {
  const row = await lookUp(db, appId, reference, 'working');
  if (!row) throw noAction('v2', appId, reference.text);
  requireV2(row);
  return row;
}

/** @throws HttpError 409 `ACTION_NOT_V2` */
export function requireV2({ name, actionVersion }: ActionRow): void {
  if (actionVersion !== 'v2') throw conflict('ACTION_NOT_V2', `The action ${name} is a V3 action.`);
}

export function noAction(version: ActionRow['actionVersion'], appId: number, text: string): HttpError {
  if (version === 'v2') return notFound(`action ${text} in app ${appId}`);
  return new HttpError(404, 'ACTION_NOT_FOUND', `App ${appId} has no action ${text}.`);
}

/** @param copy the copy whose name to compare: a published copy keeps its name until the next publish */
export async function lookUp(
  db: Db,
  appId: number,
  { text, by }: Reference,
  copy: 'working' | 'published',
): Promise<ActionRow | undefined> {
  const id = /^[1-9]\d{0,9}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : null;
  const [byId] =
    id !== null && by !== 'name'
      ? await db
          .select()
          .from(actions)
          .where(and(eq(actions.appId, appId), eq(actions.id, id)))
      : [];
  if (byId) return byId;
  const named = copy === 'working' ? eq(actions.name, text) : sql`${actions.published} ->> 'name' = ${text}`;
  const [byName] =
    by === 'id'
      ? []
      : await db
          .select()
          .from(actions)
          .where(and(eq(actions.appId, appId), named));
  return byName;
}

export function listedAction(row: ActionRow): Action {
  return {
    id: row.id,
    name: row.name,
    active: row.active,
    frequency: row.frequency,
    timezone: row.timezone,
    environment: row.environment,
    triggers: row.triggers,
    functions: row.functions,
    lastRunAt: row.lastRunAt?.toISOString() ?? null,
    nextRunAt: row.nextRunAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    appId: row.appId,
    pageId: row.pageId,
    published: row.published,
    publishedAt: row.publishedAt?.toISOString() ?? null,
    unpublishedChanges: unpublishedChanges(row),
    revision: row.revision,
  };
}

/** The fields in which the working copy differs from the published copy. */
function unpublishedChanges(row: ActionRow): string[] {
  if (!row.published) return [];
  const published: Record<string, unknown> = { ...row.published };
  return Object.entries(workingCopy(row)).flatMap(([field, value]) =>
    isDeepStrictEqual(value, published[field]) ? [] : [field],
  );
}

/** The copy that publishing stores. */
export const workingCopy = ({
  name,
  active,
  frequency,
  timezone,
  environment,
  triggers,
  functions,
  pageId,
  actionVersion,
  code,
  description,
  dependencies,
}: ActionRow): PublishedCopy => ({
  name,
  active,
  frequency,
  timezone,
  environment,
  triggers,
  functions,
  pageId,
  ...(actionVersion === 'v3' && { actionVersion, code: code ?? '', description, dependencies: dependencies ?? [] }),
});
