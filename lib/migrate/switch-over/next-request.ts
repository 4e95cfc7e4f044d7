/** Decides which request comes next, so that never both versions fire. Pure. */
import { same } from '../../platform-api/where.ts';
import type { ChangeRequest, Draft, Firing, Journal, Position, V2Live, V2State, V3Live, V3State } from './types.ts';

type Planned = Omit<Draft, 'code'>;

/** What the V3 action fires on while V2 still does: its manual calls, and nothing that fires by itself. */
export const quietFiring = ({ triggers, timezone }: Planned): Firing => ({
  triggers: triggers.filter(({ trigger }) => trigger === 'manual'),
  frequency: null,
  timezone,
});

export const fullFiring = ({ triggers, frequency, timezone }: Planned): Firing => ({ triggers, frequency, timezone });

export const contentOf = (draft: Planned, content: 'quiet' | 'full' | 'idle'): Firing & { active: boolean } => ({
  ...(content === 'quiet' ? quietFiring(draft) : fullFiring(draft)),
  active: content !== 'idle',
});

/** Whether anything but a manual call fires the action, so that both versions mustn’t be live. */
export const firesItself = ({ triggers }: Firing): boolean => triggers.some(({ trigger }) => trigger !== 'manual');

/** Platforms can add fields. */
const bare = (triggers: Firing['triggers']) => triggers.map(({ trigger, where = null }) => ({ trigger, where }));

const isSameFiring = (one: Firing, other: Firing): boolean =>
  same(bare(one.triggers), bare(other.triggers)) &&
  one.frequency === other.frequency &&
  (one.frequency === null || (one.timezone ?? 'UTC') === (other.timezone ?? 'UTC'));

/** What V3 fires on, from what the platform reports or, if it doesn’t, from the outcomes of requests. */
export function v3LiveOf(journal: Journal, v3: V3State | null): V3Live {
  if (v3 === null) return 'off';
  if (v3.live === undefined) return journal.v3Live;
  if (v3.live === null || !v3.live.active) return 'off';
  if (isSameFiring(v3.live, quietFiring(journal.draft))) return 'quiet';
  return isSameFiring(v3.live, fullFiring(journal.draft)) ? 'full' : 'unknown';
}

export function v2LiveOf(journal: Journal, v2: V2State | null): V2Live {
  if (v2 === null) return 'off';
  return v2.isLive === undefined ? journal.v2Live : v2.isLive ? 'on' : 'off';
}

const hasContent = (v3: V3State, wanted: Firing & { active: boolean }): boolean =>
  v3.active === wanted.active && isSameFiring(v3, wanted);

export interface Observed {
  v2: V2State | null;
  v3: V3State | null;
}

/**
 * The next request on the way to a position, or null if it’s reached. First both working copies become what they’ll be,
 * which no trigger sees. Then one version is taken off, and once that’s confirmed the other one goes live. So a request
 * that arrives late publishes a copy that doesn’t fire.
 */
export function nextRequest(target: Position, journal: Journal, { v2, v3 }: Observed): ChangeRequest | null {
  if (v3 === null) return target === 'draft' ? { to: 'v3.create' } : restoreV2(journal, v2);
  if (target === 'none' || target === 'draft') return towardDraft(target, journal, v2, v3);
  if (target === 'answering') return towardAnswering(journal, v2, v3);
  const request = towardSwitched(journal, v2, v3);
  return request ?? (target === 'removed' && v2 ? { to: 'v2.remove' } : null);
}

/** What makes V2 live as it was before, given that V3 doesn’t fire by itself. */
function restoreV2(journal: Journal, v2: V2State | null): ChangeRequest | null {
  const { wasActive, wasLive } = journal.v2;
  if (v2 === null) return null;
  if (v2.active !== wasActive) return { to: 'v2.update', active: wasActive };
  return wasLive && v2LiveOf(journal, v2) !== 'on' ? { to: 'v2.publish' } : null;
}

function towardDraft(
  target: 'none' | 'draft',
  journal: Journal,
  v2: V2State | null,
  v3: V3State,
): ChangeRequest | null {
  if (v2 && v2.active !== journal.v2.wasActive) return { to: 'v2.update', active: journal.v2.wasActive };
  if (v3LiveOf(journal, v3) !== 'off') return { to: 'v3.unpublish' };
  const request = restoreV2(journal, v2);
  if (request) return request;
  if (target === 'none') return { to: 'v3.remove' };
  return hasContent(v3, contentOf(journal.draft, 'idle')) ? null : { to: 'v3.update', content: 'idle' };
}

/** V2 fires as it did before, and V3 answers calls. */
function towardAnswering(journal: Journal, v2: V2State | null, v3: V3State): ChangeRequest | null {
  if (v2 && v2.active !== journal.v2.wasActive) return { to: 'v2.update', active: journal.v2.wasActive };
  if (!hasContent(v3, contentOf(journal.draft, 'quiet'))) return { to: 'v3.update', content: 'quiet' };
  if (v3LiveOf(journal, v3) !== 'quiet') return { to: 'v3.publish' };
  return restoreV2(journal, v2);
}

/** V3 fires, and V2 doesn’t. */
function towardSwitched(journal: Journal, v2: V2State | null, v3: V3State): ChangeRequest | null {
  if (!hasContent(v3, contentOf(journal.draft, 'full'))) return { to: 'v3.update', content: 'full' };
  if (v2?.active) return { to: 'v2.update', active: false };
  if (v2 && v2LiveOf(journal, v2) !== 'off') return { to: 'v2.unpublish' };
  const live = v3LiveOf(journal, v3);
  const isQuietEnough = live === 'quiet' && isSameFiring(quietFiring(journal.draft), fullFiring(journal.draft));
  return live === 'full' || isQuietEnough ? null : { to: 'v3.publish' };
}

/** What a journal says once a request was sent, before its outcome is known. */
export function sent(journal: Journal, request: ChangeRequest): Journal {
  const next = { ...journal, pending: request };
  if (request.to === 'v2.publish' || request.to === 'v2.unpublish') return { ...next, v2Live: 'unknown' };
  if (request.to === 'v3.publish' || request.to === 'v3.unpublish') return { ...next, v3Live: 'unknown' };
  return next;
}

/** @param v3 the action as the response to the request has it */
export function confirmed(journal: Journal, request: ChangeRequest, v3: V3State | null): Journal {
  const next = { ...journal, pending: null };
  switch (request.to) {
    case 'v2.publish':
      return { ...next, v2Live: 'on' };
    case 'v2.unpublish':
      return { ...next, v2Live: 'off' };
    case 'v3.update': {
      // Another panel could have published what was there before.
      const isUnsure = v3?.live === undefined && journal.v3Live !== 'off';
      return isUnsure ? { ...next, v3Live: 'unknown' } : next;
    }
    case 'v3.publish': {
      return { ...next, v3Live: v3LiveOf(journal, v3 && { ...v3, live: v3.live ?? v3 }) };
    }
    case 'v3.unpublish':
      return { ...next, v3Live: 'off' };
    case 'v3.remove':
      return { ...next, v3Live: 'off', v3Id: null };
    case 'v3.create':
      return { ...next, v3Id: v3?.id ?? null };
    default:
      return next;
  }
}

/** Whether events can find neither version live from this request on. */
export function takesOff(journal: Journal, request: ChangeRequest): boolean {
  if (!firesItself(journal.draft)) return false;
  if (request.to === 'v2.unpublish') return true;
  const isOfV3 = request.to === 'v3.publish' || request.to === 'v3.unpublish';
  return isOfV3 && journal.goal !== 'switched' && (journal.v3Live === 'full' || journal.v3Live === 'unknown');
}
