/** Owns the time that schedules go by in this tab: the platform's, which may be a virtual one. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PlatformClock } from '../../../lib/panel/actions/platform-clock.ts';
import { useNow } from './use-now.ts';

/** Null: the time of this machine. */
export const ClockContext = createContext<PlatformClock | null>(null);

/** The platform's time in epoch milliseconds; where that is this machine's, anew every `every` milliseconds. */
export function usePlatformNow(every?: number): number {
  const now = useNow(every);
  return useContext(ClockContext)?.virtual.value ?? now;
}
