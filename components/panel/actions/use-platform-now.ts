/** Owns the time that schedules go by in this tab: the platform's, which may be a virtual one. */
import { signal } from '@preact/signals';
import type { PlatformClock } from '../../../lib/extension/panel/actions/platform-clock.ts';
import { useNow } from './use-now.ts';

/** Of the one panel in this page; null: the time of this machine. No context, whose code every page would load with Preact, the popup too. */
export const platformClock = signal<PlatformClock | null>(null);

/** The platform's time in epoch milliseconds; where that is this machine's, anew every `every` milliseconds. */
export function usePlatformNow(every?: number): number {
  const now = useNow(every);
  return platformClock.value?.virtual.value ?? now;
}
