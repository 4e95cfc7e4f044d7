/** Owns the platform's time, by which the times of sessions are told. */
import type { Sessions } from '../../../lib/extension/panel/apps/types.ts';
import { useNow } from '../actions/use-now.ts';

/** Epoch milliseconds: the platform's time when the sessions were read, and what has gone by since. */
export function useSessionsNow(sessions: Sessions): number {
  const now = useNow();
  const readAt = sessions.loadedAt.value;
  return readAt === null ? now : sessions.now.value + Math.max(0, now - readAt);
}
