/** Owns when a person is asked for the passphrase. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { UnlockForm } from './unlock-form.tsx';
import { type UnlockPort, useLock } from './unlock-port.ts';

/** Milliseconds after a key in which a person is taken to be typing: they are not interrupted by a form that takes the focus. */
const TYPING = 3_000;

/** The form, as long as it is wanted. */
export function Unlock({ lock, onForgotten }: { lock: UnlockPort; onForgotten: () => void }): JSX.Element | null {
  const isPrompting = useLock(lock).isPrompting();
  const typedAt = useRef(-Infinity);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // Enter asks for something, which is what the form answers.
      if (event.key !== 'Enter') typedAt.current = performance.now();
    };
    document.addEventListener('keydown', onKey, { capture: true, passive: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, []);
  return isPrompting ? (
    <UnlockForm lock={lock} takesFocus={performance.now() - typedAt.current > TYPING} onForgotten={onForgotten} />
  ) : null;
}
