/** Owns having the page tell an analytics event to its platform, and waiting for what it fired. */
import type { ErrorValue, Result } from '../../../platform-api/errors.ts';
import { checked, type Fields, fields, list, Nonsense, number, one, orNull, text } from '../bounded-reader.ts';
import type { RunInspector } from './types.ts';
import type { FiredAction, Tracked } from '../contract.ts';

/** A fired action runs for 120 seconds at most (specification, "Limits"), and is told of afterwards. */
const LONGEST = 130_000;
/** Milliseconds between two questions, at first and at last. */
const [SOON, SELDOM] = [80, 1_000];

/**
 * The actions that the event fired in the page once they have ended; null when the page does not say. `ANALYTICS_ABSENT`, `EVENT_LOST`
 * (the page went elsewhere meanwhile), `EVENT_SLOW`, or the code of the page's own refusal.
 */
export async function trackEvent(
  { call, namespace }: Pick<RunInspector, 'call' | 'namespace'>,
  method: 'pageView' | 'event',
  data: Record<string, unknown>,
): Promise<Result<FiredAction[] | null>> {
  const id = crypto.randomUUID();
  let answer = await call('track', [id, method, JSON.stringify(data), namespace()], parseTracked);
  const until = Date.now() + LONGEST;
  for (let wait = SOON; answer.ok; wait = Math.min(wait * 1.5, SELDOM)) {
    const { tracked } = answer.value;
    if (tracked === null)
      return fail({
        code: 'EVENT_LOST',
        message: 'The page went elsewhere before it said what the event fired.',
        hint: 'The logs tell what ran.',
      });
    if (tracked.state === 'told') return { ok: true, value: tracked.fired };
    if (tracked.state === 'refused')
      return fail({
        code: tracked.code,
        message: tracked.message,
        hint: 'Open the preview or the live page of the app, and look at the event.',
      });
    if (Date.now() > until)
      return fail({
        code: 'EVENT_SLOW',
        message: `What the event fired has not ended within ${LONGEST / 1_000} seconds.`,
        hint: 'The logs tell how it ends.',
      });
    await new Promise((resolve) => setTimeout(resolve, wait));
    answer = await call('tracked', [id], parseTracked);
  }
  return answer;
}

const fail = (error: ErrorValue): { ok: false; error: ErrorValue } => ({ ok: false, error });

/** null: the document was told no such event. */
const parseTracked = (value: unknown): { tracked: Tracked | null } | null =>
  checked(() => ({ tracked: value === null ? null : tracked(fields(value)) }));

function tracked(given: Fields): Tracked {
  if (given.state === 'waiting') return { state: 'waiting' };
  if (given.state === 'refused') return { state: 'refused', code: text(given.code), message: text(given.message) };
  if (given.state !== 'told') throw new Nonsense();
  const fired = orNull(list, given.fired);
  return {
    state: 'told',
    fired:
      fired &&
      fired.map((item) => ({
        actionId: number(fields(item).actionId),
        name: text(fields(item).name),
        state: one(['completed', 'failed'] as const, fields(item).state),
      })),
  };
}
