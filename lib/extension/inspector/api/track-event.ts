/** Sends an analytics event through the page and waits for the actions that it triggers. */
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import type { FiredAction, FiredActions } from '../contract.ts';
import { fields, number, readOrNull, text } from '../bounded-reader.ts';
import type { ApiTarget } from './contract.ts';
import type { PageApi } from './page-api.ts';

/** In milliseconds. A triggered action can run for 120 seconds (specification, "Limits"), and is reported afterward. */
const LIMIT = 130_000;
const CHANGE = {
  whether: 'the event was sent, and which actions it fired',
  check: 'Check the logs before you send it again.',
};
const MAX_FIRED = 1_000;
const MAX_NAME = 300;

/**
 * The actions that the event triggered in the page, once they have ended, or null if the page doesn't report them.
 * Fails with `ANALYTICS_ABSENT`, `OUTCOME_UNKNOWN` (the page might have sent it), or the code of the page's refusal.
 */
export async function trackEvent(
  api: Pick<PageApi, 'call'>,
  target: ApiTarget,
  method: 'pageView' | 'event',
  data: Record<string, unknown>,
  limit = LIMIT,
): Promise<Result<FiredActions | null>> {
  const path = `App.Analytics.${method}` as const;
  const response = await api.call(target, { path, args: [data], limit, task: 'send the event', change: CHANGE });
  return response.ok
    ? { ok: true, value: firedActions(response.value) }
    : { ok: false, error: eventError(response.error) };
}

function eventError(error: ErrorValue): ErrorValue {
  switch (error.code) {
    case 'API_MISSING':
      return { ...error, code: 'ANALYTICS_ABSENT', hint: 'Open the preview or live page of the app.' };
    case 'PAGE_CALL_FAILED':
      return {
        code: error.said?.code || 'PAGE_EXCEPTION',
        message: error.said?.message ?? error.message,
        hint: 'Check the event, or open the preview or live page of the app.',
      };
    default:
      return error;
  }
}

/** The valid part of the result of `Platform.App.Analytics`. */
function firedActions(value: unknown): FiredActions | null {
  if (!Array.isArray(value)) return null;
  const actions = value.slice(0, MAX_FIRED).flatMap((item) => readOrNull(() => firedAction(item)) ?? []);
  return { actions, unread: value.length - actions.length };
}

function firedAction(item: unknown): FiredAction {
  const { actionId, name, state } = fields(item);
  const shown = text(name);
  return {
    actionId: number(actionId),
    name: shown.length > MAX_NAME ? `${shown.slice(0, MAX_NAME)}…` : shown,
    state: state === 'failed' || state === 'completed' ? state : 'unknown',
  };
}
