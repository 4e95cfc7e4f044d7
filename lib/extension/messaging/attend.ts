/** Owns telling the worker of the person at work in a surface. */
import type { LockState } from './model/lock.ts';
import type { Send } from './protocol.ts';

/** Milliseconds: more often than this the worker need not hear of a person. */
const EVERY = 20_000;

/** @param surface the window of the surface */
export function attend(
  lock: { send: Send; state(): LockState | null },
  surface: Pick<EventTarget, 'addEventListener'>,
  now: () => number = Date.now,
): void {
  let told = -Infinity;
  for (const sign of ['keydown', 'pointerdown', 'pointermove', 'wheel']) {
    surface.addEventListener(
      sign,
      (event) => {
        // A clock that was set back must not keep the person unheard.
        if (!event.isTrusted || lock.state()?.kind !== 'unlocked' || Math.abs(now() - told) < EVERY) return;
        told = now();
        void lock.send('vault.active', undefined);
      },
      { capture: true, passive: true },
    );
  }
}
