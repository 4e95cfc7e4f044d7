/** Owns what the views of every surface know of the lock, and how they hear of its changes. */
import { useLayoutEffect, useReducer } from 'preact/hooks';
import type { Result } from '../../lib/platform-api/coded-error.ts';
import type { LockState, VaultState } from '../../lib/extension/messaging/model/lock.ts';

/** What a surface knows of the lock, and can do about it. */
export interface UnlockPort {
  state(): LockState | null;
  isAsking(): boolean;
  subscribe(listener: () => void): () => void;
  unlock(passphrase: string): Promise<Result<VaultState>>;
  notNow(): void;
}

/** Draws again whenever something about the lock has changed. */
export function useLock<T extends Pick<UnlockPort, 'subscribe'>>(lock: T): T {
  const [, draw] = useReducer((count: number) => count + 1, 0);
  useLayoutEffect(() => lock.subscribe(() => draw(undefined)), [lock]);
  return lock;
}
