/** Sends an analytics event through the page and waits for the actions that it triggers. */
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import type { FiredAction } from '../contract.ts';
import { fields, number, readOrNull, text } from '../bounded-reader.ts';
import type { ApiTarget } from './contract.ts';
import type { PageApi } from './page-api.ts';

/** In milliseconds. A triggered action can run for 120 seconds (specification, "Limits"), and is reported afterward. */
const LIMIT = 130_000;
const MAX_FIRED = 1_000;
const MAX_NAME = 300;

/**
 * The actions that the event triggered in the page, once they have ended, or null if the page doesn't report them.
 * Fails with `ANALYTICS_ABSENT`, `EVENT_LOST` (the page went away), `EVENT_SLOW`, or the code of the page's error.
 */
export async function trackEvent(
  api: Pick<PageApi, 'call'>,
  target: ApiTarget,
  method: 'pageView' | 'event',
  data: Record<string, unknown>,
  limit = LIMIT,
): Promise<Result<FiredAction[] | null>> {
  const path = `App.Analytics.${method}` as const;
  const response = await api.call(target, { path, args: [data], limit, task: 'send the event' });
  return response.ok
    ? { ok: true, value: firedActions(response.value) }
    : { ok: false, error: eventError(response.error) };
}

function eventError(error: ErrorValue): ErrorValue {
  switch (error.code) {
    case 'API_MISSING':
      return { ...error, code: 'ANALYTICS_ABSENT', hint: 'Open the preview or live page of the app.' };
    case 'PAGE_LEFT':
      return {
        code: 'EVENT_LOST',
        message: 'The page navigated before it reported which runs the event started.',
        hint: 'Check the logs to see what ran.',
      };
    case 'PAGE_SILENT':
      return {
        code: 'EVENT_SLOW',
        message: `The actions that the event fired didn’t finish within ${LIMIT / 1_000} seconds.`,
        hint: 'Check the logs for their results.',
      };
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
function firedActions(value: unknown): FiredAction[] | null {
  return Array.isArray(value)
    ? value.slice(0, MAX_FIRED).flatMap((item) => readOrNull(() => firedAction(item)) ?? [])
    : null;
}

function firedAction(item: unknown): FiredAction {
  const { actionId, name, state } = fields(item);
  const shown = text(name);
  return {
    actionId: number(actionId),
    name: shown.length > MAX_NAME ? `${shown.slice(0, MAX_NAME)}…` : shown,
    state: state === 'failed' ? 'failed' : 'completed',
  };
}
