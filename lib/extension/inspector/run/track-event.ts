/** Sends an analytics event through the page and waits for the actions that it triggers. */
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import { type Fields, fields, InvalidData, list, number, oneOf, orNull, readOrNull, text } from '../bounded-reader.ts';
import type { FiredAction, TrackOutcome } from '../contract.ts';
import type { RunInspector } from './types.ts';

/** In milliseconds. A triggered action can run for 120 seconds (specification, "Limits"), and is reported afterward. */
const TIMEOUT = 130_000;
/** Milliseconds between polls, increasing from the first to the last. */
const [FIRST_INTERVAL, LAST_INTERVAL] = [80, 1_000];

/**
 * The actions that the event triggered in the page, once they have ended, or null if the page doesn't report them.
 * Fails with `ANALYTICS_ABSENT`, `EVENT_LOST` (the page went away), `EVENT_SLOW`, or the code of the page's error.
 */
export async function trackEvent(
  inspector: Pick<RunInspector, 'call' | 'namespace'>,
  method: 'pageView' | 'event',
  data: Record<string, unknown>,
): Promise<Result<FiredAction[] | null>> {
  const id = crypto.randomUUID();
  let response = await inspector.call('track', [id, method, JSON.stringify(data), inspector.namespace()], parseOutcome);
  const deadline = Date.now() + TIMEOUT;
  for (let wait = FIRST_INTERVAL; response.ok; wait = Math.min(wait * 1.5, LAST_INTERVAL)) {
    const result = resultOf(response.value.outcome);
    if (result) return result;
    if (Date.now() > deadline)
      return failure({
        code: 'EVENT_SLOW',
        message: `The actions that the event fired didn’t finish within ${TIMEOUT / 1_000} seconds.`,
        hint: 'Check the logs for their results.',
      });
    await new Promise((resolve) => setTimeout(resolve, wait));
    response = await inspector.call('trackOutcome', [id], parseOutcome);
  }
  return response;
}

/** Null while the outcome is pending. */
function resultOf(outcome: TrackOutcome | null): Result<FiredAction[] | null> | null {
  if (outcome === null)
    return failure({
      code: 'EVENT_LOST',
      message: 'The page navigated before it reported which runs the event started.',
      hint: 'Check the logs to see what ran.',
    });
  if (outcome.state === 'reported') return { ok: true, value: outcome.fired };
  if (outcome.state === 'pending') return null;
  return failure({
    code: outcome.code,
    message: outcome.message,
    hint: 'Check the event, or open the preview or live page of the app.',
  });
}

const failure = (error: ErrorValue): { ok: false; error: ErrorValue } => ({ ok: false, error });

/** `outcome` is null if the document doesn't know the event. */
const parseOutcome = (value: unknown): { outcome: TrackOutcome | null } | null =>
  readOrNull(() => ({ outcome: value === null ? null : readOutcome(fields(value)) }));

function readOutcome(given: Fields): TrackOutcome {
  if (given.state === 'pending') return { state: 'pending' };
  if (given.state === 'rejected') return { state: 'rejected', code: text(given.code), message: text(given.message) };
  if (given.state !== 'reported') throw new InvalidData();
  return { state: 'reported', fired: orNull((fired) => list(fired).map(readFiredAction), given.fired) };
}

function readFiredAction(value: unknown): FiredAction {
  const { actionId, name, state } = fields(value);
  return { actionId: number(actionId), name: text(name), state: oneOf(['completed', 'failed'], state) };
}
