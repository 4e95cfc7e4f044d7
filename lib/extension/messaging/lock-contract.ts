/** Owns what the lock of a surface offers, apart from the lock itself, which some surfaces load late. */
import type { Result } from '../../platform-api/coded-error.ts';
import type { LockState, VaultState } from './model/lock.ts';
import type { Send } from './protocol.ts';

export interface Lock {
  /** The surface's way to the worker. A message that was refused with `VAULT_LOCKED`, and changes nothing, waits here until it can be asked again. */
  readonly send: Send;
  /** Null until the worker has answered. */
  state(): LockState | null;
  /** Whether the person is to be asked for the passphrase. */
  isAsking(): boolean;
  subscribe(listener: () => void): () => void;
  /** Asks the worker how things stand. */
  look(): Promise<void>;
  /** Looks now, and whenever this window gets the focus; tells of the person at work in it. */
  follow(surface: Pick<EventTarget, 'addEventListener'>): void;
  unlock(passphrase: string): Promise<Result<VaultState>>;
  /** The person wants to enter it. */
  ask(): void;
  /** Whoever waits is told `VAULT_LOCKED`; the person is asked anew when something else wants a token. */
  notNow(): void;
}

/** Tells the other surfaces that something about the lock has changed, and no more; a `BroadcastChannel` has this shape. */
export interface LockChannel {
  postMessage(nothing: null): void;
  addEventListener(type: 'message', listener: () => void): void;
}

/** The name of that channel. */
export const CHANNEL = 'platform-devtools.lock';
