/** Owns firing an action by hand: which copy runs, whether it may, and what is queued (decisions, "Actions"). */
import type { PipelineStep, Trigger } from '../../../platform-api/index.ts';
import type { PublishedCopy } from '../../db/schema.ts';
import type { Access, Mode } from '../../http/auth.ts';
import { conflict, HttpError, invalid } from '../../http/errors.ts';
import type { Db, RunRequest } from '../../jobs/types.ts';
import { findAction, lookUp, workingCopy, type ActionRow, type Reference } from './find.ts';

/** A page runs its own copy; a user's token says which, the working one unless told otherwise. @throws HttpError 422 */
export function modeOf(access: Access, asked: Mode | undefined): Mode {
  if (access.mode === null) return asked ?? 'preview';
  if (asked !== undefined && asked !== access.mode)
    throw invalid([{ path: '/mode', message: `This page is the ${access.mode} one and runs that copy alone.` }]);
  return access.mode;
}

/** The copy that a run uses, of the action that has this name in it. @throws HttpError 404; 409 `ACTION_UNPUBLISHED` */
export async function findCopy(
  db: Db,
  appId: number,
  reference: Reference,
  mode: Mode,
): Promise<{ row: ActionRow; copy: PublishedCopy }> {
  const live = mode === 'live' ? await lookUp(db, appId, reference, 'published') : undefined;
  const row = live ?? (await findAction(db, appId, reference));
  const copy = copyOf(row, mode);
  if (mode === 'live' && !live)
    throw conflict(
      'ACTION_UNPUBLISHED',
      `The live app knows the action ${row.name} by the name ${copy.name}, under which it was published; use that one, or publish it again.`,
    );
  return { row, copy };
}

/** @throws HttpError 409 */
export function copyOf(row: ActionRow, mode: Mode): PublishedCopy {
  if (mode === 'preview') return workingCopy(row);
  if (!row.published)
    throw conflict(
      'ACTION_UNPUBLISHED',
      `The action ${row.name} is not published, so the live app cannot run it; publish it first.`,
    );
  return row.published;
}

/** @throws HttpError 409 when the action is inactive or has no such trigger */
export function requireTrigger({ name, active, triggers }: PublishedCopy, trigger: Trigger['trigger']): void {
  if (!active) throw conflict('ACTION_INACTIVE', `The action ${name} is inactive; activate it first.`);
  if (!triggers.some((each) => each.trigger === trigger)) {
    throw conflict(
      'TRIGGER_MISSING',
      `The action ${name} has no ${trigger} trigger; add one to its triggers to run it this way.`,
    );
  }
}

/** @throws HttpError 413 */
export function requireShort(payload: Record<string, unknown>, limit: number): void {
  const { length } = JSON.stringify(payload);
  if (length > limit)
    throw new HttpError(
      413,
      'PAYLOAD_TOO_LARGE',
      `The payload has ${length} characters as JSON, and ${limit} are allowed; send less, such as an id to look up.`,
    );
}

export function manualRun(
  row: ActionRow,
  copy: PublishedCopy,
  mode: Mode,
  payload: Record<string, unknown>,
  depth: number,
  now: Date,
): RunRequest {
  return {
    appId: row.appId,
    actionId: row.id,
    actionName: copy.name,
    trigger: 'manual',
    mode: 'on-demand',
    copy: mode === 'preview' ? 'working' : 'published',
    pipeline: copy.functions as PipelineStep[],
    pageId: copy.pageId ?? null,
    payload,
    depth,
    firedAt: now.toISOString(),
  };
}
