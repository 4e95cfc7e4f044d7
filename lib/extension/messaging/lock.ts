/** Tracks the vault’s lock in one surface, prompts for the passphrase, and retries refused requests after an unlock. */
import { isRecent } from '../../shared/format.ts';
import type { Result } from '../../platform-api/coded-error.ts';
import type { LockState, VaultState } from './model/lock.ts';
import type { MessageName, Send } from './protocol.ts';

/** Messages that only read. They’re retried in every surface, no matter where the vault was unlocked. */
const READS = /\.(list|get|test|preview|settle)$/;
/**
 * Messages that navigate a tab or export a file. They’re retried only in the surface that unlocked the vault. Messages
 * that change data are never retried.
 */
const LOCAL = /^(debugPage|pages)\.|\.export$/;
/** Ends the retry loop if the worker reports both `VAULT_LOCKED` and an open vault. */
const MAX_ATTEMPTS = 3;
/** Minimum time between reports of user activity to the worker, in milliseconds. */
const ACTIVITY_INTERVAL = 20_000;

/** Notifies other surfaces that the lock changed, without any data. */
export interface LockChannel {
  postMessage(nothing: null): void;
  addEventListener(type: 'message', listener: () => void): void;
}
type Surface = Pick<EventTarget, 'addEventListener'>;
type UnlockedAt = 'here' | 'elsewhere';

export class Lock {
  readonly #ask: Send;
  readonly #channel: LockChannel;
  readonly #listeners = new Set<() => void>();
  #state: LockState | null = null;
  #isPrompting = false;
  #isUnlocking = false;
  #refreshing: Promise<void> | null = null;
  /** Resumes refused requests that are waiting for an unlock; null means that the user gave up. */
  #waiting: ((unlocked: UnlockedAt | null) => void)[] = [];

  constructor(ask: Send, channel: LockChannel) {
    this.#ask = ask;
    this.#channel = channel;
    channel.addEventListener('message', () => void this.refresh());
  }

  /** Sends a message to the worker. A read refused with `VAULT_LOCKED` waits until the vault is unlocked. */
  readonly send: Send = async (name, takes, signal) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#ask(name, takes, signal);
      if (answer.ok) {
        await this.#learn(name, answer.value);
        return answer;
      }
      const isFinal = answer.error.code !== 'VAULT_LOCKED' || attempt === MAX_ATTEMPTS;
      if (isFinal || !(await this.#waitForUnlock(name))) return answer;
    }
  };

  /** Null until the worker has responded. */
  state(): LockState | null {
    return this.#state;
  }

  /** Whether to show the unlock form. */
  isPrompting(): boolean {
    return this.#isPrompting;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Loads the lock’s state from the worker. */
  refresh(unlockedAt: UnlockedAt = 'elsewhere'): Promise<void> {
    const before = this.#state;
    this.#refreshing ??= this.#ask('vault.state', undefined).then((answer) => {
      this.#refreshing = null;
      // Another response has changed the state since, and might be newer than this one.
      if (this.#state !== before) return this.refresh(unlockedAt);
      return answer.ok ? this.#setState(answer.value.lock, unlockedAt) : this.dismiss();
    });
    return this.#refreshing;
  }

  /** Refreshes now and whenever this window receives focus, and reports user activity to the worker. */
  watch(surface: Surface, now: () => number = Date.now): void {
    surface.addEventListener('focus', () => void this.refresh());
    let lastReport = -Infinity;
    for (const type of ['keydown', 'pointerdown', 'pointermove', 'wheel']) {
      const report = (event: Event): void => {
        // Uses the absolute difference, so that setting back the clock doesn’t stop the reports.
        if (!event.isTrusted || this.#state?.kind !== 'unlocked') return;
        if (isRecent(lastReport, ACTIVITY_INTERVAL, now())) return;
        lastReport = now();
        void this.send('vault.active', undefined);
      };
      surface.addEventListener(type, report, { capture: true, passive: true });
    }
    void this.refresh();
  }

  async unlock(passphrase: string): Promise<Result<VaultState>> {
    this.#isUnlocking = true;
    const answer = await this.send('vault.unlock', { passphrase });
    this.#isUnlocking = false;
    // Find out when the next attempt is allowed.
    if (!answer.ok) await this.refresh();
    return answer;
  }

  prompt(): void {
    this.#isPrompting = this.#state?.kind === 'locked';
    this.#notify();
  }

  /** Hides the unlock form. Waiting requests fail with `VAULT_LOCKED`; the next one prompts again. */
  dismiss(): void {
    this.#isPrompting = false;
    this.#release(null);
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #release(unlocked: UnlockedAt | null): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume(unlocked);
  }

  #setState(next: LockState, unlockedAt: UnlockedAt): void {
    const isLocked = next.kind === 'locked';
    this.#isPrompting = isLocked && (this.#isPrompting || this.#state?.kind !== 'locked');
    this.#state = next;
    // The state can arrive with another response before this surface’s own unlock response does.
    if (!isLocked) this.#release(this.#isUnlocking ? 'here' : unlockedAt);
    this.#notify();
  }

  /** Resolves to true if the message should be retried. */
  async #waitForUnlock(name: MessageName): Promise<boolean> {
    const canRepeat = (unlocked: UnlockedAt | null): boolean =>
      unlocked === 'here' ? READS.test(name) || LOCAL.test(name) : unlocked === 'elsewhere' && READS.test(name);
    const repeat =
      canRepeat('here') && new Promise<boolean>((resolve) => this.#waiting.push((at) => resolve(canRepeat(at))));
    this.#isPrompting = true;
    this.#notify();
    // If the vault has just been unlocked, treat it as unlocked here.
    void this.refresh('here');
    return repeat;
  }

  async #learn(name: MessageName, value: unknown): Promise<void> {
    if (name === 'vault.state') return this.#setState((value as VaultState).lock, 'elsewhere');
    if (name === 'data.erase') await this.refresh();
    else if (name.startsWith('vault.') && value) this.#setState((value as VaultState).lock, 'here');
    else return;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches only its own origin
    this.#channel.postMessage(null);
  }
}
