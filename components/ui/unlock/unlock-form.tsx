/** A form that asks for the vault's passphrase. */
import type { JSX, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ErrorValue } from '../../../lib/platform-api/errors.ts';
import { Alert } from '../alert.tsx';
import { Button } from '../button.tsx';
import { Field } from '../field.tsx';
import type { UnlockPort } from './unlock-port.ts';
import './unlock.css';

export interface UnlockFormProps {
  lock: UnlockPort;
  /** False while the user is typing elsewhere. */
  takesFocus: boolean;
  /** Opens the page where the user can reset the vault. */
  onForgotten: () => void;
}

export function UnlockForm({ lock, takesFocus, onForgotten }: UnlockFormProps): JSX.Element {
  const [passphrase, setPassphrase] = useState('');
  const [isShown, setShown] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ErrorValue | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const state = lock.state();
  const retryAt = state?.kind === 'locked' ? state.retryAt : null;
  const seconds = useSecondsUntil(retryAt);
  const refusal = error?.code.startsWith('PASSPHRASE_') ? error.message : null;
  const input = (): HTMLInputElement | null => form.current?.querySelector('input') ?? null;
  useFocus(form, takesFocus);

  const unlock = async (event: Event): Promise<void> => {
    event.preventDefault();
    input()?.focus();
    if (busy || seconds > 0 || passphrase === '') return;
    setBusy(true);
    const answer = await lock.unlock(passphrase);
    setBusy(false);
    setError(answer.ok ? null : answer.error);
    if (answer.ok) setPassphrase('');
    else input()?.select();
  };
  return (
    <form ref={form} class="unlock" aria-label="Unlock" noValidate onSubmit={(event) => void unlock(event)}>
      <strong role="status">Tokens are locked. Enter the passphrase to continue.</strong>
      {error && refusal === null ? <Alert error={error} /> : null}
      <Field
        name="passphrase"
        label="Passphrase"
        type={isShown ? 'text' : 'password'}
        value={passphrase}
        problem={refusal}
        onInput={setPassphrase}
      />
      <div class="buttons">
        <Button kind="primary" type="submit" unavailable={cannotUnlock(busy, seconds)}>
          {busy ? 'Unlocking…' : 'Unlock'}
        </Button>
        <Button kind="quiet" pressed={isShown} onClick={() => setShown(!isShown)}>
          Show
        </Button>
        <Button kind="quiet" onClick={() => lock.dismiss()}>
          Not now
        </Button>
        <Button kind="quiet" onClick={onForgotten}>
          Forgot passphrase
        </Button>
      </div>
      <Wait seconds={seconds} retryAt={retryAt} refusal={refusal} />
    </form>
  );
}

/** Focuses the form's input, and moves focus back when the form closes. */
function useFocus(form: RefObject<HTMLFormElement | null>, takesFocus: boolean): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    if (takesFocus) form.current?.querySelector('input')?.focus();
    // Don't move focus back if it's already elsewhere.
    return () => {
      if (form.current?.contains(document.activeElement) && before instanceof HTMLElement) before.focus();
    };
  }, []);
}

/** Whole seconds until `at` (epoch milliseconds), updated every second; 0 when that time has passed, or for null. */
function useSecondsUntil(at: number | null): number {
  const left = (): number => Math.max(0, Math.ceil(((at ?? 0) - Date.now()) / 1000));
  const [, draw] = useState(0);
  useEffect(() => {
    if (left() === 0) return undefined;
    const timer = setInterval(() => {
      draw((count) => count + 1);
      if (left() === 0) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [at]);
  return left();
}

function cannotUnlock(busy: boolean, seconds: number): string | null {
  if (busy) return 'Wait for the check to finish';
  return seconds > 0 ? 'Wait before you try again' : null;
}

interface WaitProps {
  seconds: number;
  retryAt: number | null;
  refusal: string | null;
}

/** Why the passphrase was rejected, and when the user can try again. */
function Wait({ seconds, retryAt, refusal }: WaitProps): JSX.Element {
  /** Keeps its initial value, so that screen readers announce the wait once, not every second. */
  const wait = useMemo(() => seconds, [retryAt]);
  const announced =
    seconds > 0 ? `You can try again in ${wait === 1 ? 'one second' : `${wait} seconds`}.` : 'You can try again now.';
  return (
    <>
      {seconds > 0 ? (
        <p class="wait" aria-hidden="true">
          Try again in {seconds.toLocaleString('en')} s.
        </p>
      ) : null}
      <p class="visually-hidden" role="status">
        {refusal ?? ''} {seconds > 0 || refusal !== null ? announced : ''}
      </p>
    </>
  );
}
