/** Owns what a surface knows of the vault's lock: it learns from every answer, and asks again for what was refused once the vault is open. */
import type { LockState, VaultState } from './model/lock.ts';
import { attend } from './attend.ts';
import { CHANNEL, type Lock, type LockChannel } from './lock-contract.ts';
import type { MessageName, Send } from './protocol.ts';

/** These only read: they are asked again wherever the vault was opened. */
const ANYWHERE = /\.(list|get|test|preview|settle)$/;
/** These move a tab or hand out a file, which is to happen in front of who wanted it. What changes something is never done later by itself. */
const HERE = /^(debugPage|pages)\.|\.export$/;
/** A worker that says both `VAULT_LOCKED` and that it is open is not asked without end. */
const TRIES = 3;

type Where = 'here' | 'elsewhere';

export function createLock(ask: Send, channel: LockChannel = new BroadcastChannel(CHANNEL)): Lock {
  let state: LockState | null = null;
  let asking = false;
  let looking: Promise<void> | null = null;
  let unlocking = false;
  let held: ((where: Where | null) => void)[] = [];
  const listeners = new Set<() => void>();
  const tell = (): void => listeners.forEach((listener) => listener());

  function release(where: Where | null): void {
    const all = held;
    held = [];
    for (const go of all) go(where);
  }

  function know(next: LockState, where: Where): void {
    const isLocked = next.kind === 'locked';
    asking = isLocked && (asking || state?.kind !== 'locked');
    state = next;
    // Another answer can tell of an unlocking here before its own.
    if (!isLocked) release(unlocking ? 'here' : where);
    tell();
  }

  function look(where: Where = 'elsewhere'): Promise<void> {
    const before = state;
    looking ??= ask('vault.state', undefined).then((answer) => {
      looking = null;
      // What another answer has told meanwhile may be newer.
      if (state !== before) return look(where);
      return answer.ok ? know(answer.value.lock, where) : notNow();
    });
    return looking;
  }

  /** Resolves to whether the message may be asked again. */
  async function opened(name: MessageName): Promise<boolean> {
    const waits = ANYWHERE.test(name) || HERE.test(name);
    const open =
      waits &&
      new Promise<boolean>((resolve) => {
        held.push((where) => resolve(where === 'here' || (where !== null && ANYWHERE.test(name))));
      });
    asking = true;
    tell();
    // Where it was opened since, that was a moment ago.
    void look('here');
    return open;
  }

  function notNow(): void {
    asking = false;
    release(null);
    tell();
  }

  const send: Send = async (name, takes, signal) => {
    for (let tried = 1; ; tried++) {
      const answer = await ask(name, takes, signal);
      if (answer.ok) {
        await hear(name, answer.value);
        return answer;
      }
      if (answer.error.code !== 'VAULT_LOCKED' || tried === TRIES || !(await opened(name))) return answer;
    }
  };

  async function hear(name: MessageName, value: unknown): Promise<void> {
    if (name === 'data.erase') await look();
    else if (name === 'vault.state') return know((value as VaultState).lock, 'elsewhere');
    else if (name.startsWith('vault.') && value) know((value as VaultState).lock, 'here');
    else return;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin alone
    channel.postMessage(null);
  }

  channel.addEventListener('message', () => void look());
  const stateNow = (): LockState | null => state;
  return {
    send,
    look,
    notNow,
    follow(surface) {
      surface.addEventListener('focus', () => void look());
      attend({ send, state: stateNow }, surface);
      void look();
    },
    state: stateNow,
    isAsking: () => asking,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async unlock(passphrase) {
      unlocking = true;
      const answer = await send('vault.unlock', { passphrase });
      unlocking = false;
      // When it may be tried again.
      if (!answer.ok) await look();
      return answer;
    },
    ask() {
      asking = state?.kind === 'locked';
      tell();
    },
  };
}
