/** Owns finding an action by id or name, and how it is answered. */
import type { Action, PublishedAction } from '../../../contract/index.ts';
import { and, eq } from '../../db/drizzle.ts';
import { actions } from '../../db/schema.ts';
import { notFound } from '../../http/errors.ts';
import type { Db } from '../../jobs/types.ts';

export type ActionRow = typeof actions.$inferSelect;

/** How an address names an action: a text of digits alone may be either, an id first, unless `by` says which. */
export interface Reference {
  text: string;
  by: 'id' | 'name' | undefined;
}

/** @throws HttpError 404 */
export async function findAction(db: Db, appId: number, { text, by }: Reference): Promise<ActionRow> {
  const id = /^[1-9]\d{0,9}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : null;
  const [byId] = id !== null && by !== 'name' ? await db.select().from(actions).where(and(eq(actions.appId, appId), eq(actions.id, id))) : [];
  if (byId) return byId;
  const [byName] = by === 'id' ? [] : await db.select().from(actions).where(and(eq(actions.appId, appId), eq(actions.name, text)));
  if (byName) return byName;
  throw notFound(`action ${text} in app ${appId}`);
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
    revision: row.revision,
  };
}

/** What publishing the working copy fixes. */
export const workingCopy = ({ active, frequency, timezone, environment, triggers, functions, pageId }: ActionRow): PublishedAction => ({
  active,
  frequency,
  timezone,
  environment,
  triggers,
  functions,
  pageId,
});
