/** Hooks for the current time, according to this computer's clock or the platform's. */
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { PlatformClock } from '../../../lib/extension/panel/actions/platform-clock.ts';

/** The time in epoch milliseconds, updated every `interval` milliseconds. */
export function useNow(interval = 5_000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), interval);
    return () => clearInterval(timer);
  }, [interval]);
  return now;
}

/** Null if schedules follow this computer's clock. */
export const PlatformClockContext = createContext<Pick<PlatformClock, 'virtual'> | null>(null);

/** The time that schedules follow, in epoch milliseconds: the virtual clock's, if there is one. */
export function usePlatformNow(interval?: number): number {
  const now = useNow(interval);
  return useContext(PlatformClockContext)?.virtual.value ?? now;
}
