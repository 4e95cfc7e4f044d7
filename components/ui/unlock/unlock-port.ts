/** Connects views to the vault’s lock. */
import { useLayoutEffect, useReducer } from 'preact/hooks';
import type { Lock } from '../../../lib/extension/messaging/lock.ts';

export type UnlockPort = Pick<Lock, 'state' | 'isPrompting' | 'subscribe' | 'unlock' | 'dismiss'>;

/** Re-renders whenever the lock changes. */
export function useLock<T extends Pick<UnlockPort, 'subscribe'>>(lock: T): T {
  const [, render] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => lock.subscribe(() => render(undefined)), [lock]);
  return lock;
}
