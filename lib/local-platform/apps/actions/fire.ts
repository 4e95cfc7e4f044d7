/** Checks a manual run: which copy runs, whether it can run, and what is queued (decisions, "Actions"). */
import type { ProfileName } from '../../../platform-api/actions-v3/profiles.ts';
import type { Trigger } from '../../../platform-api/index.ts';
import type { PublishedCopy } from '../../db/schema.ts';
import type { Access, Mode } from '../../http/auth.ts';
import { conflict, HttpError, invalid } from '../../http/errors.ts';
import type { Db, RunRequest } from '../../jobs/types.ts';
import { programOf } from '../actions-v3/program.ts';
import { findAction, lookUp, requireV2, workingCopy, type ActionRow, type Reference } from './find.ts';

/**
 * Decides which copy to run. A page always runs its own mode’s copy. A request with a user token can choose; the
 * default is the working copy.
 * @throws HttpError 422
 */
export function modeOf(access: Access, requested: Mode | undefined): Mode {
  if (access.mode === null) return requested ?? 'preview';
  if (requested !== undefined && requested !== access.mode)
    throw invalid([{ path: '/mode', message: `mode must be ${access.mode} on this page.` }]);
  return access.mode;
}

/**
 * Returns the copy that a run in this mode uses. A name in `reference` is looked up among the copies of that kind.
 * @throws HttpError 404; 409 `ACTION_UNPUBLISHED`
 */
export async function findCopy(
  db: Db,
  appId: number,
  reference: Reference,
  mode: Mode,
): Promise<{ row: ActionRow; copy: PublishedCopy }> {
  const live = mode === 'live' ? await lookUp(db, appId, reference, 'published') : undefined;
  const row = live ?? (await findAction(db, appId, reference));
  requireV2(row);
  const copy = copyOf(row, mode);
  if (mode === 'live' && !live)
    throw conflict(
      'ACTION_UNPUBLISHED',
      `The action ${row.name} was published under the name ${copy.name}.`,
      'Use the published name, or publish the action again.',
    );
  return { row, copy };
}

/** @throws HttpError 409 */
export function copyOf(row: ActionRow, mode: Mode): PublishedCopy {
  if (mode === 'preview') return workingCopy(row);
  if (!row.published)
    throw conflict('ACTION_UNPUBLISHED', `The action ${row.name} isn’t published, so the live app can’t run it.`);
  return row.published;
}

/** @throws HttpError 409 when the action is inactive or has no such trigger */
export function requireTrigger({ name, active, triggers }: PublishedCopy, trigger: Trigger['trigger']): void {
  if (!active) throw conflict('ACTION_INACTIVE', `The action ${name} is inactive.`);
  if (!triggers.some((each) => each.trigger === trigger)) {
    throw conflict('TRIGGER_MISSING', `The action ${name} has no ${trigger} trigger.`);
  }
}

/** @throws HttpError 413 */
export function requirePayloadLength(payload: Record<string, unknown>, limit: number): void {
  const { length } = JSON.stringify(payload);
  if (length > limit)
    throw new HttpError(
      413,
      'PAYLOAD_TOO_LARGE',
      `The payload is limited to ${limit} characters of JSON. This one has ${length}.`,
    );
}

/** @param profile of a V3 run */
export function manualRun(
  { row, copy, inPage = false }: { row: ActionRow; copy: PublishedCopy; inPage?: boolean },
  mode: Mode,
  payload: Record<string, unknown>,
  depth: number,
  now: Date,
  profile: ProfileName,
): RunRequest {
  return {
    appId: row.appId,
    actionId: row.id,
    actionName: copy.name,
    trigger: 'manual',
    mode: 'on-demand',
    copy: mode === 'preview' ? 'working' : 'published',
    ...programOf(copy, profile, inPage ? 'client' : 'server'),
    payload,
    depth,
    firedAt: now.toISOString(),
    ...(mode === 'preview' && { revision: row.revision }),
  };
}
