/** Says in words what is live while the platform isn’t as the last step left it, and what settling makes live. */
import type { Drift, Journal, Position, Situation } from '../../../../migrate/switch-over/index.ts';
import type { GuardQuestion } from '../../shared/guard-questions.ts';

export const SETTLE = 'Settle';

/** What the platform has now, or what the journal says of it where the platform doesn’t report what is live. */
export function driftText(drift: Drift, { v2, v3 }: Pick<Situation, 'v2' | 'v3'>): string {
  const isReported = (v2 === null || v2.isLive !== undefined) && (v3 === null || v3.live !== undefined);
  return isReported ? textOf(drift) : `By this browser’s journal: ${textOf(drift)}`;
}

function textOf({ live, isThere }: Drift): string {
  if (live === 'both') return 'Both versions are live: each event runs twice. Settle it now.';
  if (live === 'neither') return 'Neither version is live: events are missed. Settle it now, then check for them.';
  if (isThere)
    return 'The platform is at another step than this browser’s journal says. Settle it to continue from there.';
  return 'The actions aren’t as the last step left them. Settle it to continue.';
}

/** What is live in a position, by the names of both versions. */
function liveIn(to: Position, { v2, draft }: Journal): string {
  if (to === 'switched' || to === 'removed') return `“${draft.name}” handles all events, and “${v2.name}” none.`;
  const isV2 = v2.wasLive ? `“${v2.name}” handles all events.` : `“${v2.name}” isn’t published, as before.`;
  if (to === 'answering') return `${isV2} “${draft.name}” only answers calls.`;
  return to === 'draft' ? `${isV2} “${draft.name}” is an inactive draft.` : `${isV2} There is no V3 action.`;
}

export const settleQuestion = ({ to, isThere }: Drift, journal: Journal): GuardQuestion => ({
  title: 'Settle the switch-over',
  effect: `${isThere ? 'Changes nothing on the platform:' : 'Then:'} ${liveIn(to, journal)}`,
  button: SETTLE,
  always: true,
});
