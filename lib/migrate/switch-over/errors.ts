/** Why a step of a switch-over can’t be taken, or can’t be confirmed. */
import type { ErrorValue } from '../../platform-api/coded-error.ts';
import { formatTime } from '../../shared/format.ts';

type Failed = { ok: false; error: ErrorValue };
const failed = (error: ErrorValue): Failed => ({ ok: false, error });

export const nameTaken = (name: string): Failed =>
  failed({
    code: 'NAME_TAKEN',
    message: `Couldn’t create the draft: the app already has an action named “${name}”. Nothing was changed.`,
    hint: 'Enter another name.',
  });

export const v2Gone = (): Failed =>
  failed({
    code: 'NOT_FOUND',
    message: 'Couldn’t continue: the list of actions no longer has the V2 action.',
    hint: 'Refresh the list, and check both actions.',
  });

export const v3Gone = (): Failed =>
  failed({
    code: 'V3_GONE',
    message: 'Couldn’t continue: the list of actions no longer has the V3 action.',
    hint: 'Choose “Go back” to make V2 live again, then create the draft again.',
  });

/** Going back would publish them. */
export const v2Edited = (fields: readonly string[]): Failed =>
  failed({
    code: 'V2_EDITED',
    message: `Couldn’t switch over: the V2 action has unpublished changes (${fields.join(', ')}). Nothing was changed.`,
    hint: 'Publish or restore them first. Otherwise, going back would make them live.',
  });

export const scheduleNear = (safe: number): Failed =>
  failed({
    code: 'SCHEDULE_NEAR',
    message: 'Couldn’t switch over now: a scheduled run is too near. Nothing was changed.',
    hint: `Try again at ${formatTime(safe, { seconds: true })}.`,
  });

export const changedByOthers = (): Failed =>
  failed({
    code: 'SWITCH_CHANGED',
    message: 'Couldn’t confirm the step: one of the actions changed during it.',
    hint: 'Check both actions, then choose the step again, or “Go back”.',
  });

export const movedOn = (): Failed =>
  failed({
    code: 'SWITCH_MOVED',
    message: 'Couldn’t take the step: the switch-over is somewhere else by now. Nothing was changed.',
    hint: 'Check the plan, which was loaded again, then choose the next step.',
  });

export const drifted = (): Failed =>
  failed({
    code: 'SWITCH_DRIFTED',
    message: 'Couldn’t take the step: the actions aren’t as the last step left them. Nothing was changed.',
    hint: 'Check the notice above the plan, and choose its button first.',
  });

export const notMissed = (): Failed =>
  failed({
    code: 'EVENT_NOT_MISSED',
    message: 'Couldn’t run it: a version has handled the event, or might still. Nothing was sent.',
    hint: 'Check the missed events again.',
  });

export const noReceiver = (): Failed =>
  failed({
    code: 'NO_RECEIVER',
    message: 'Couldn’t run it: no version with a manual trigger is live. Nothing was sent.',
    hint: 'Add a manual trigger to the live version, or cause the event again.',
  });

export const journalFailed = (thrown: unknown): Failed =>
  failed({
    code: 'JOURNAL_FAILED',
    message: `Couldn’t store the next step, so it wasn’t sent: ${thrown instanceof Error ? thrown.message : 'unknown reason'}`,
    hint: 'Free up some disk space, or allow the extension to store data. Then try again.',
  });
