/** Asks for the passphrase when locked tokens are needed. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { UnlockForm } from './unlock-form.tsx';
import { type UnlockPort, useLock } from './unlock-port.ts';

/** For this many milliseconds after a key press, the form doesn't take focus, so that it doesn't interrupt typing. */
const TYPING = 3_000;

export function Unlock({ lock, onForgotten }: { lock: UnlockPort; onForgotten: () => void }): JSX.Element | null {
  const isPrompting = useLock(lock).isPrompting();
  const typedAt = useRef(-Infinity);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // Enter submits the request that needs the tokens, so it doesn't count as typing.
      if (event.key !== 'Enter') typedAt.current = performance.now();
    };
    // On the window, where keys of an input method arrive, too.
    window.addEventListener('keydown', onKey, { capture: true, passive: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, []);
  return isPrompting ? (
    <UnlockForm lock={lock} takesFocus={performance.now() - typedAt.current > TYPING} onForgotten={onForgotten} />
  ) : null;
}
