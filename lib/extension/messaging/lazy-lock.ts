/** Owns a surface's way to the worker where few set a passphrase: what knows of the lock is loaded when there is one. */
import { CHANNEL, type Lock, type LockChannel } from './lock-contract.ts';
import type { Send } from './protocol.ts';

/** @param surface the window of the surface. @param load gives the lock that follows it from then on */
export function createLazyLock(
  ask: Send,
  surface: Pick<EventTarget, 'addEventListener'>,
  load: () => Promise<Lock>,
  channel: LockChannel = new BroadcastChannel(CHANNEL),
): Send {
  let lock: Promise<Lock> | null = null;
  const loaded = (): Promise<Lock> => (lock ??= load());
  const look = async (): Promise<void> => {
    if (lock) return;
    const answer = await ask('vault.state', undefined);
    // Where it cannot be loaded, whoever asks for a token is told that they are locked.
    if (answer.ok && answer.value.lock.kind !== 'open') loaded().catch(() => {});
  };
  channel.addEventListener('message', () => void look());
  surface.addEventListener('focus', () => void look());
  void look();
  return async (name, takes, signal) => {
    const before = lock;
    const send = before
      ? await before.then(
          (one) => one.send,
          () => ask,
        )
      : ask;
    const answer = await send(name, takes, signal);
    return before || answer.ok || answer.error.code !== 'VAULT_LOCKED'
      ? answer
      : loaded().then(
          (one) => one.send(name, takes, signal),
          () => answer,
        );
  };
}
