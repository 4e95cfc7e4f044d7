/** Streams an app’s V2 actions, ordered by ID. An app can have more of them than fit into memory at once. */
import type { Database } from '../../db/database.ts';
import { and, asc, eq, gt, gte, sql } from '../../db/drizzle.ts';
import { actions } from '../../db/schema.ts';
import { listedAction, type ActionRow } from './find.ts';

const CHUNK = 1_000;

/** Returns the list as chunks of JSON. Database errors are thrown before the first chunk, if there are few actions. */
export async function* actionsJson(
  db: Database,
  appId: number,
  { limit = Infinity, offset }: { limit: number | undefined; offset: number },
): AsyncGenerator<string, void> {
  let left = limit;
  let last: number | null = null;
  for (;;) {
    const count = Math.min(left, CHUNK);
    const rows: ActionRow[] = count === 0 ? [] : await readChunk(db, appId, last, offset, count);
    yield `${last === null ? '{"actions":[' : rows.length > 0 ? ',' : ''}${rows.map((row) => JSON.stringify(listedAction(row))).join()}`;
    left -= rows.length;
    if (rows.length < CHUNK) break;
    last = rows.at(-1)!.id;
  }
  yield ']}';
}

/** After the action `last`, or the first ones after `offset` others, which are skipped within the index. */
function readChunk(
  db: Database,
  appId: number,
  last: number | null,
  offset: number,
  limit: number,
): Promise<ActionRow[]> {
  const isListed = and(eq(actions.appId, appId), eq(actions.actionVersion, 'v2'));
  const first = sql`(select id from ${actions} where ${isListed} order by id offset ${offset} limit 1)`;
  const start = last !== null ? gt(actions.id, last) : offset > 0 ? gte(actions.id, first) : undefined;
  return db.select().from(actions).where(and(isListed, start)).orderBy(asc(actions.id)).limit(limit);
}
