/** Creates, updates, removes, and publishes actions. Validates the whole action before storing anything. */
import { nextRun } from '../../../platform-api/cron/times.ts';
import {
  actionProblems,
  type ActionChange,
  type NewAction,
  type PublishedAction,
  type Trigger,
} from '../../../platform-api/index.ts';
import { validatePipeline } from '../../../pipeline/index.ts';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { and, eq, sql } from '../../db/drizzle.ts';
import { actions, screens, type PublishedCopy } from '../../db/schema.ts';
import { conflict, invalid, type Detail, type HttpError } from '../../http/errors.ts';
import type { Services } from '../../http/services.ts';
import type { Db } from '../../jobs/types.ts';
import { findAction, lookUp, noAction, workingCopy, type ActionRow, type Reference } from './find.ts';
import { findRevision, recordRevision, type Author, type Change } from './revisions.ts';

export type Stored = Pick<Services, 'catalogue' | 'clock'> & { db: Db; author: Author };

const MAX_DETAILS = 20;
const UNIQUE_VIOLATION = '23505';

/** @throws HttpError 422; 409 `NAME_TAKEN` */
export async function createAction(services: Stored, appId: number, input: NewAction): Promise<ActionRow> {
  const {
    name,
    active = true,
    environment = 'any',
    frequency = null,
    timezone = 'UTC',
    functions = [],
    pageId = null,
  } = input;
  const triggers: Trigger[] = input.triggers ?? [{ trigger: frequency === null ? 'manual' : 'schedule' }];
  const action = { active, environment, frequency, timezone, functions, pageId, triggers };
  await requireValid(services, appId, action);
  return insertAction(services, { ...action, name, appId });
}

/** Stores a new, valid action. @throws HttpError 409 `NAME_TAKEN` */
export async function insertAction(
  { db, clock, author }: Stored,
  action: typeof actions.$inferInsert,
): Promise<ActionRow> {
  const now = clock();
  const [row] = await unique(
    db
      .insert(actions)
      .values({ ...action, createdAt: now, updatedAt: now })
      .returning(),
    () => nameTaken(action.name),
  );
  await recordRevision(db, author, { change: 'create' }, null, row!);
  return row!;
}

/**
 * Updates the working copy. Concurrent updates of the same revision conflict: the second is refused. Callers that pass
 * `revision` also get this check for changes made earlier.
 * @throws HttpError 404, 422; 409 `CONFLICT`, `NAME_TAKEN`
 */
export async function updateAction(
  services: Stored,
  appId: number,
  reference: Reference,
  change: ActionChange,
  revision: number | undefined,
): Promise<ActionRow> {
  const row = await findAtRevision(services.db, appId, reference, revision);
  return replaceCopy(services, row, applyChange(row, change), { change: 'update' });
}

/**
 * Makes a stored version the working copy again, as a new revision. `seen` works as `revision` does in `updateAction`.
 * @throws HttpError 404, 422 if the version isn’t valid anymore; 404 `REVISION_NOT_STORED`; 409 `CONFLICT`, `NAME_TAKEN`
 */
export async function restoreAction(
  services: Stored,
  appId: number,
  reference: Reference,
  revision: number,
  seen: number | undefined,
): Promise<ActionRow> {
  const row = await findAtRevision(services.db, appId, reference, seen);
  const { action } = await findRevision(services.db, row, revision);
  return replaceCopy(services, row, action, { change: 'restore', restored: revision });
}

async function replaceCopy(services: Stored, row: ActionRow, copy: PublishedCopy, change: Change): Promise<ActionRow> {
  await requireValid(services, row.appId, copy);
  return storeCopy(services, row, copy, change);
}

/** Makes a valid copy the working copy. @throws HttpError 404; 409 `CONFLICT`, `NAME_TAKEN` */
export async function storeCopy(
  { db, clock, author }: Stored,
  row: ActionRow,
  copy: PublishedCopy,
  change: Change,
): Promise<ActionRow> {
  const updatedAt = sql`greatest(${clock().toISOString()}::timestamptz, ${actions.updatedAt} + interval '1 millisecond')`;
  const next = { ...copy, revision: row.revision + 1, updatedAt };
  const updated = await updateRow(db, row, next, () => nameTaken(copy.name));
  await recordRevision(db, author, change, row, updated);
  return updated;
}

function applyChange(row: ActionRow, change: ActionChange): PublishedCopy {
  const {
    name = row.name,
    active = row.active,
    environment = row.environment,
    frequency = row.frequency,
    timezone = row.timezone,
    functions = row.functions,
    pageId = row.pageId,
    triggers = row.triggers,
  } = change;
  // A frequency without triggers implies a schedule trigger, even in an update.
  const addsSchedule = change.frequency && !change.triggers && !triggers.some(({ trigger }) => trigger === 'schedule');
  return {
    name,
    active,
    environment,
    frequency,
    timezone: timezone ?? 'UTC',
    functions,
    pageId,
    triggers: addsSchedule ? [...triggers, { trigger: 'schedule' as const }] : triggers,
  };
}

/** Removes an action. Runs in progress still finish and are logged. @throws HttpError 404 */
export async function removeAction({ db }: Pick<Stored, 'db'>, appId: number, reference: Reference): Promise<void> {
  await deleteRow(db, await findAction(db, appId, reference));
}

/** @throws HttpError 404 */
export async function deleteRow(db: Db, { id, appId, actionVersion }: ActionRow): Promise<void> {
  const removed = await db.delete(actions).where(eq(actions.id, id)).returning({ id: actions.id });
  if (removed.length === 0) throw noAction(actionVersion, appId, String(id));
}

/**
 * Publishes the working copy, or unpublishes the action. `revision` is the latest revision that the caller has seen.
 * @throws HttpError 404; 409 `CONFLICT` when the action has changed since, `NAME_TAKEN` when another published copy has
 * the name
 */
export async function publishAction(
  services: Stored,
  appId: number,
  id: number,
  publish: boolean,
  revision?: number,
): Promise<ActionRow> {
  const row = await findAtRevision(services.db, appId, { text: String(id), by: 'id' }, revision);
  return storePublished(services, row, publish);
}

/** Publishes the working copy, or unpublishes it. @throws HttpError 404; 409 `CONFLICT`, `NAME_TAKEN` */
export async function storePublished({ db, clock }: Stored, row: ActionRow, publish: boolean): Promise<ActionRow> {
  const published = publish ? workingCopy(row) : null;
  const change = { published, publishedAt: publish ? clock() : null, ...fires(published, clock()) };
  return updateRow(db, row, change, () => publishedNameTaken(db, row));
}

/** @throws HttpError 404; 409 `CONFLICT` */
async function findAtRevision(
  db: Stored['db'],
  appId: number,
  reference: Reference,
  revision: number | undefined,
): Promise<ActionRow> {
  const row = await findAction(db, appId, reference);
  requireRevision(row, revision);
  return row;
}

/** @throws HttpError 409 `CONFLICT` if the action has changed since the caller has seen it */
export function requireRevision(row: ActionRow, seen: number | undefined): void {
  if (seen !== undefined && seen !== row.revision) throw changedConflict(row.name);
}

/**
 * Updates a row, provided that it hasn’t changed since it was read.
 * @throws HttpError 404; 409 `CONFLICT`, or the error that `taken` returns
 */
async function updateRow(
  db: Stored['db'],
  { id, appId, name, revision, actionVersion }: ActionRow,
  change: PgUpdateSetSource<typeof actions>,
  taken: () => HttpError | Promise<HttpError>,
): Promise<ActionRow> {
  const isUnchanged = and(eq(actions.id, id), eq(actions.revision, revision));
  // A savepoint: `taken` can’t read anything in a transaction that has failed.
  const update = db.transaction((tx) => tx.update(actions).set(change).where(isUnchanged).returning());
  const [updated] = await unique(update, taken);
  if (updated) return updated;
  const found = await lookUp(db, appId, { text: String(id), by: 'id' }, 'working');
  throw found ? changedConflict(name) : noAction(actionVersion, appId, String(id));
}

/**
 * What starts a published copy automatically: its next scheduled time, and filters for the log records that trigger it.
 */
export function fires(copy: PublishedAction | null, now: Date): Pick<ActionRow, 'nextRunAt' | 'listensTo'> {
  const triggers = copy?.active ? copy.triggers : [];
  const listensTo = triggers.filter(({ trigger }) => trigger === 'log').map(({ where }) => where ?? {});
  const scheduled = copy?.frequency && triggers.some(({ trigger }) => trigger === 'schedule');
  return {
    nextRunAt: scheduled ? nextRun(copy.frequency!, copy.timezone ?? 'UTC', now) : null,
    listensTo: listensTo.length > 0 ? listensTo : null,
  };
}

/** @throws HttpError 422 with all problems */
async function requireValid({ db, catalogue }: Stored, appId: number, action: PublishedAction): Promise<void> {
  const details: Detail[] = actionProblems({ ...action, frequency: action.frequency ?? null });
  if (action.pageId) {
    const [screen] = await db
      .select({ id: screens.id })
      .from(screens)
      .where(and(eq(screens.id, action.pageId), eq(screens.appId, appId)));
    if (!screen) details.push({ path: '/pageId', message: `App ${appId} has no screen ${action.pageId}.` });
  }
  const problems = validatePipeline(action.functions, { packages: await catalogue() });
  details.push(...problems.map(({ path, message }) => ({ path: `/functions${path}`, message })));
  if (details.length > 0) throw invalid(details.slice(0, MAX_DETAILS));
}

/** @param taken returns the error for when another action already has the name */
async function unique<T>(write: Promise<T>, taken: () => HttpError | Promise<HttpError>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const { cause } = error as { cause?: { code?: unknown } };
    if (cause?.code === UNIQUE_VIOLATION) throw await taken();
    throw error;
  }
}

const nameTaken = (name: string): HttpError => conflict('NAME_TAKEN', `This app already has an action named ${name}.`);

/** A renamed action’s published copy keeps the old name until the next publish. */
async function publishedNameTaken(db: Stored['db'], { appId, name }: ActionRow): Promise<HttpError> {
  const holder = await lookUp(db, appId, { text: name, by: 'name' }, 'published');
  if (!holder) return changedConflict(name);
  return conflict(
    'NAME_TAKEN',
    `The published copy of the action ${holder.name} still has the name ${name}.`,
    `Publish ${holder.name} again, or unpublish it.`,
  );
}

const changedConflict = (name: string): HttpError =>
  conflict('CONFLICT', `The action ${name} has changed since you read it.`);
