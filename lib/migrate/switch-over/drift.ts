/** Says when the platform isn’t as a switch-over left it: a late request, or someone else, has changed it. Pure. */
import { firesItself, nextRequest, type Observed, v2LiveOf, v3LiveOf } from './next-request.ts';
import { type Journal, type Position, POSITIONS } from './types.ts';

export interface Drift {
  /** How many versions handle events now. */
  live: 'both' | 'neither' | 'one';
  /** Where settling leads to: what the platform has if that’s a position, or else the position of the journal. */
  to: Position;
  /** Whether the platform is there already, so that settling changes nothing on it. */
  isThere: boolean;
}

type Seen = Observed & { journal: Journal };

/** Null during a step, and if the platform is as its last one left it. */
export function driftOf({ journal, v2, v3 }: Seen): Drift | null {
  const { position, goal } = journal;
  if (goal !== null) return null;
  const isHere = (v3 !== null || position === 'none') && nextRequest(position, journal, { v2, v3 }) === null;
  const live = liveVersions({ journal, v2, v3 });
  // V3 is the only one left.
  if (v2 === null && v3 !== null && live === 'neither') return { live, to: 'removed', isThere: false };
  if (isHere) return null;
  if (v3 === null) return { live, to: 'none', isThere: nextRequest('none', journal, { v2, v3 }) === null };
  const there = POSITIONS.find((each) => each !== 'none' && nextRequest(each, journal, { v2, v3 }) === null);
  return { live, to: there ?? position, isThere: there !== undefined };
}

/** How many versions handle events now, as far as it’s known. */
export function liveVersions({ journal, v2, v3 }: Seen): Drift['live'] {
  const isV2Live = v2LiveOf(journal, v2) === 'on';
  const v3Live = v3LiveOf(journal, v3);
  if (!firesItself(journal.draft)) return isV2Live || v3Live !== 'off' || !journal.v2.wasLive ? 'one' : 'neither';
  const isV3Live = v3?.live ? v3.live.active && firesItself(v3.live) : v3Live === 'full';
  if (isV2Live && isV3Live) return 'both';
  return isV2Live || isV3Live || !journal.v2.wasLive ? 'one' : 'neither';
}

/** What a platform doesn’t report can’t be known from the journal once others have changed something. */
export const unsureOf = (journal: Journal, { v2, v3 }: Observed): Journal => ({
  ...journal,
  ...(v2 && v2.isLive === undefined && { v2Live: 'unknown' as const }),
  ...(v3 && v3.live === undefined && { v3Live: 'unknown' as const }),
});
