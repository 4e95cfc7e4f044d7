/** Stores and reads the versions of actions’ working copies. */
import { isDeepStrictEqual } from 'node:util';
import type { ActionRevision, FullRevision } from '../../../platform-api/index.ts';
import { and, desc, eq, getTableColumns, sql } from '../../db/drizzle.ts';
import { actionRevisions, users, type PublishedCopy } from '../../db/schema.ts';
import type { Access } from '../../http/auth.ts';
import { HttpError } from '../../http/errors.ts';
import type { Db } from '../../jobs/types.ts';
import { workingCopy, type ActionRow } from './find.ts';

/** How many versions of an action are kept, and how many bytes of JSON they may take. The current one always is. */
const KEPT = { versions: 50, bytes: 16 * 1024 * 1024 };

type RevisionRow = typeof actionRevisions.$inferSelect;
export type Author = Pick<RevisionRow, 'author' | 'userId'>;
export type Change = Pick<RevisionRow, 'change'> & Partial<Pick<RevisionRow, 'restored'>>;

export const authorOf = ({ isRun, appId, userId }: Access): Author =>
  isRun ? { author: 'run', userId: null } : { author: appId === null ? 'user' : 'page', userId };

/** Stores the version that a change has made, and removes the oldest ones. `before` is null for a new action. */
export async function recordRevision(
  db: Db,
  author: Author,
  change: Change,
  before: ActionRow | null,
  after: ActionRow,
): Promise<void> {
  const { id: actionId, revision, updatedAt } = after;
  const copy = workingCopy(after);
  const changed = before && changedFields(workingCopy(before), copy);
  await db
    .insert(actionRevisions)
    .values({ ...author, ...change, actionId, revision, copy, changed, createdAt: updatedAt });
  await db.execute(sql`
    delete from action_revisions using (
      select revision as old, row_number() over newest as place, sum(octet_length(copy::text)) over newest as bytes
      from action_revisions where action_id = ${actionId} window newest as (order by revision desc)
    ) as known
    where action_id = ${actionId} and revision = old and place > 1
      and (place > ${KEPT.versions} or bytes > ${KEPT.bytes})`);
}

function changedFields(before: PublishedCopy, after: PublishedCopy): string[] {
  const old: Record<string, unknown> = { ...before };
  return Object.entries(after).flatMap(([field, value]) => (isDeepStrictEqual(value, old[field]) ? [] : [field]));
}

const { copy: _, ...columns } = getTableColumns(actionRevisions);

/** Newest first. */
export async function listRevisions(db: Db, { id }: ActionRow): Promise<ActionRevision[]> {
  const rows = await db
    .select({ ...columns, email: users.email })
    .from(actionRevisions)
    .leftJoin(users, eq(users.id, actionRevisions.userId))
    .where(eq(actionRevisions.actionId, id))
    .orderBy(desc(actionRevisions.revision));
  return rows.map(listed);
}

/** @throws HttpError 404 `REVISION_NOT_STORED` */
export async function findRevision(db: Db, { id, name }: ActionRow, revision: number): Promise<FullRevision> {
  const [row] = await db
    .select({ ...getTableColumns(actionRevisions), email: users.email })
    .from(actionRevisions)
    .leftJoin(users, eq(users.id, actionRevisions.userId))
    .where(and(eq(actionRevisions.actionId, id), eq(actionRevisions.revision, revision)));
  if (row) return { ...listed(row), action: row.copy };
  throw new HttpError(404, 'REVISION_NOT_STORED', `Revision ${revision} of the action ${name} isn’t stored.`);
}

function listed({
  revision,
  createdAt,
  change,
  changed,
  restored,
  author,
  email,
}: Omit<RevisionRow, 'copy'> & { email: string | null }): ActionRevision {
  const by = author && { kind: author, email };
  return { revision, createdAt: createdAt.toISOString(), change, changed, restored, by };
}
