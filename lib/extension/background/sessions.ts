/** Owns an app's sessions in pieces: a message takes no more than 64 MB, and an installation that knows no paging answers all at once. */
import type { AnalyticsSession } from '../../platform-api/index.ts';
import type { CallOptions, Connection } from '../../rest/index.ts';
import { listSessions } from '../../rest/index.ts';
import type { Share } from './share.ts';

export interface PieceOrder {
  appId: number;
  limit: number;
  offset: number;
}

export interface SessionPieces {
  /** The piece from `offset` on; from 0 on it is always read anew. `timeoutMs` is for one request, in milliseconds; `signal` ends the waiting. */
  list(connection: Connection, order: PieceOrder, options?: CallOptions): Promise<AnalyticsSession[]>;
}

/** A list of 60 MB on a line of some speed; below the 30 seconds after which a browser ends a worker whose request waits. */
const READ_LIMIT = 28_000;
/** How long an unpaged list is kept for the pieces that follow, and of how many apps; each can be 200 MB as objects. */
const KEPT_FOR = 30_000;
const KEPT_MOST = 2;

export function createSessionPieces(share: Share): SessionPieces {
  const kept = new Map<string, { all: AnalyticsSession[]; timer: ReturnType<typeof setTimeout> }>();

  function drop(key: string): void {
    clearTimeout(kept.get(key)?.timer);
    kept.delete(key);
  }

  function keep(key: string, all: AnalyticsSession[]): void {
    drop(key);
    kept.set(key, { all, timer: setTimeout(() => kept.delete(key), KEPT_FOR) });
    for (const oldest of kept.keys()) if (kept.size > KEPT_MOST) drop(oldest);
  }

  return {
    async list(connection, { appId, limit, offset }, { timeoutMs, signal } = {}) {
      // Nothing that another token has seen is cut up for this one.
      const key = JSON.stringify([connection, appId]);
      const cut = (all: AnalyticsSession[]): AnalyticsSession[] => {
        if (offset + limit < all.length) keep(key, all);
        else drop(key);
        return all.slice(offset, offset + limit);
      };
      const whole = offset === 0 ? undefined : kept.get(key)?.all;
      if (whole) return cut(whole);
      const ask = (until?: AbortSignal): Promise<AnalyticsSession[]> =>
        listSessions(connection, { appId, limit, offset }, { timeoutMs: timeoutMs ?? READ_LIMIT, signal: until });
      // Who has a limit of its own neither waits longer for another's request, nor ends it.
      const found = await (timeoutMs === undefined
        ? share.join(['sessions', key, limit, offset], ask, signal)
        : ask(signal));
      return found.length > limit ? cut(found) : found;
    },
  };
}
