/** The platform's current time, used as the reference for session times. */
import type { Sessions } from '../../../lib/extension/panel/apps/sessions.ts';
import { useNow } from '../shared/use-now.ts';

/** Epoch milliseconds: the platform's time when the sessions were loaded, plus the time elapsed since. */
export function useSessionsNow(sessions: Sessions): number {
  const now = useNow();
  const loadedAt = sessions.loadedAt.value;
  return loadedAt === null ? now : sessions.now.value + Math.max(0, now - loadedAt);
}
