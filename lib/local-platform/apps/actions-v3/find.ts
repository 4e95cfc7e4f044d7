/** Finds V3 actions, and turns rows into the API’s V3 resources (actions-v3, "The action record"). */
import {
  V3_PACKAGES,
  type ActionV3,
  type ActionV3Content,
  type AssetV3,
} from '../../../platform-api/actions-v3/index.ts';
import { and, asc, eq, isNotNull, sql } from '../../db/drizzle.ts';
import { actions, type ProgramV3, type PublishedCopy } from '../../db/schema.ts';
import type { Mode } from '../../http/auth.ts';
import { RUNTIME } from '../../http/bundles.ts';
import { conflict, HttpError } from '../../http/errors.ts';
import type { Services } from '../../http/services.ts';
import type { Db } from '../../jobs/types.ts';
import { lookUp, noAction, workingCopy, type ActionRow, type Reference } from '../actions/find.ts';

/** A master or a production copy. */
export type CopyV3 = PublishedCopy & ProgramV3;

/** What a place sees of an action: the master copy in preview, the production copy in live. */
export interface FoundV3 {
  row: ActionRow;
  copy: CopyV3;
}

/**
 * Finds an action by ID, or by the name that its copy has in this mode.
 * @throws HttpError 404 `ACTION_NOT_FOUND`, also for an unpublished action in live; 409 `ACTION_NOT_V3`
 */
export async function findActionV3(db: Db, appId: number, reference: Reference, mode: Mode): Promise<FoundV3> {
  const row = await lookUp(db, appId, reference, mode === 'live' ? 'published' : 'working');
  if (!row) throw noAction('v3', appId, reference.text);
  if (row.actionVersion !== 'v3') throw conflict('ACTION_NOT_V3', `The action ${row.name} is a V2 action.`);
  return { row, copy: copyOfV3(row, mode) };
}

/** @throws HttpError 404 `ACTION_NOT_FOUND` */
export function copyOfV3(row: ActionRow, mode: Mode): CopyV3 {
  const copy = mode === 'live' ? row.published : workingCopy(row);
  if (copy) return copy as CopyV3;
  throw new HttpError(
    404,
    'ACTION_NOT_FOUND',
    `The action ${row.name} isn’t published, so the live app doesn’t have it.`,
    {
      hint: 'Publish the action.',
    },
  );
}

/** Ordered by ID. `total`: how many there are on all pages. */
export async function listActionsV3(
  db: Db,
  appId: number,
  mode: Mode,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ found: FoundV3[]; total: number }> {
  const isPublished = mode === 'live' ? isNotNull(actions.published) : undefined;
  const here = and(eq(actions.appId, appId), eq(actions.actionVersion, 'v3'), isPublished);
  const rows = await db.select().from(actions).where(here).orderBy(asc(actions.id)).limit(limit).offset(offset);
  const [counted] = await db
    .select({ total: sql<number>`count(*)::int` })
    .from(actions)
    .where(here);
  return { found: rows.map((row) => ({ row, copy: copyOfV3(row, mode) })), total: counted!.total };
}

/** What callers can set, which is also what a version stores. */
export const contentOf = ({
  name,
  code,
  description = null,
  active,
  environment,
  triggers,
  dependencies = [],
  frequency = null,
  timezone = null,
}: ActionV3Content): ActionV3Content => ({
  name,
  code,
  description,
  active,
  environment,
  triggers,
  dependencies,
  frequency,
  timezone,
});

export const listedActionV3 = ({ row, copy }: FoundV3, assets: AssetV3[]): ActionV3 => ({
  id: row.id,
  appId: row.appId,
  ...contentOf(copy),
  assets,
  actionVersion: 'v3',
  lastRunAt: row.lastRunAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  publishedAt: row.publishedAt?.toISOString() ?? null,
  revision: row.revision,
});

/** Where the packages of an action are loaded from: those of the platform are part of its runtime. */
export async function assetsOf(
  { catalogue, pagesRoot }: Pick<Services, 'catalogue' | 'pagesRoot'>,
  origin: string,
  dependencies: readonly string[],
): Promise<AssetV3[]> {
  const packages = dependencies.length > 0 ? await catalogue() : new Map();
  return dependencies.flatMap((name) => {
    const isOwn = Object.hasOwn(V3_PACKAGES, name);
    if (!isOwn && !packages.has(name)) return [];
    const path = isOwn ? `${pagesRoot}/packages/${RUNTIME}` : `${pagesRoot}/functions/${name}.js`;
    return [{ name, url: origin + path, path }];
  });
}
