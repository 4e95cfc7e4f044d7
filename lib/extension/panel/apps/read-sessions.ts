/** Owns reading all sessions of an app in pieces, from a list that moves meanwhile. */
import type { Result } from '../../../platform-api/coded-error.ts';
import type { AnalyticsSession } from '../../../platform-api/session.ts';

/** Some 3 MB: short enough that nobody waits long for a piece. */
const PIECE = 5_000;
/** Where sessions are that large. */
const SMALLEST_PIECE = 50;
/** Asks for so many sessions from `offset` on, by id. */
export type AskPiece = (piece: { limit: number; offset: number }) => Promise<Result<readonly AnalyticsSession[]>>;

/** A list that never ends would be read for ever. */
const MOST = 1_000_000;
/** Of how many sessions pages are a multiple where a platform gives fewer than were asked for. */
const ROUND = 50;
const TOO_LARGE: ReadonlySet<string> = new Set(['ANSWER_TOO_LARGE', 'ANSWER_UNSENDABLE']);

/**
 * Hands each piece to `take` as it comes, with the time by which it is judged (epoch milliseconds); what comes again is newer. A piece begins with the last session of the one before: where it
 * does not, sessions are gone, others have moved to where was read already, and reading goes back.
 * @returns null when `take` answered false, which ends it
 */
export async function readSessions(
  ask: AskPiece,
  time: Promise<number>,
  take: (piece: readonly AnalyticsSession[], now: number) => boolean,
): Promise<Result<null> | null> {
  const known = new Set<number>();
  for (let offset = 0, limit = PIECE; ;) {
    const piece = await ask({ limit, offset });
    if (!piece.ok) {
      if (!TOO_LARGE.has(piece.error.code) || limit <= SMALLEST_PIECE) return piece;
      limit /= 10;
      continue;
    }
    const { value } = piece;
    if (offset > 0 && !value.some(({ id }) => known.has(id))) {
      offset = Math.max(0, offset - limit + 1);
      continue;
    }
    const before = known.size;
    for (const { id } of value) known.add(id);
    if (!take(value, await time)) return null;
    if (known.size > MOST)
      return {
        ok: false,
        error: {
          code: 'ANSWER_TOO_LARGE',
          message: `The platform lists more than ${MOST.toLocaleString('en')} sessions.`,
          hint: 'Look at an app with fewer, or ask the platform’s operator whether the list is right.',
        },
      };
    // Fewer than were asked for are the last ones, but for a round number: it may be as many as the platform gives at once. And an
    // installation that knows no paging and has exactly so many answers the same again.
    const isLast = value.length === 0 || (value.length < limit && value.length % ROUND !== 0);
    if (isLast || known.size === before) return { ok: true, value: null };
    offset += value.length - 1;
  }
}
