/** The form that asks for the vault's passphrase. */
import type { JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ErrorValue } from '../../lib/platform-api/errors.ts';
import { Alert } from './alert.tsx';
import { Button } from './button.tsx';
import { Field } from './field.tsx';
import type { UnlockPort } from './unlock-port.ts';
import { useSecondsUntil } from './use-seconds-until.ts';
import './unlock.css';

export interface UnlockFormProps {
  lock: UnlockPort;
  /** False while you type elsewhere. */
  takesFocus: boolean;
  /** Opens the page where the vault can be reset. */
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
  const isRefused = error !== null && error.code.startsWith('PASSPHRASE_');
  const input = (): HTMLInputElement | null => form.current?.querySelector('input') ?? null;

  useLayoutEffect(() => {
    const before = document.activeElement;
    if (takesFocus) input()?.focus();
    // Back to the previous element, unless the focus has moved on.
    return () => {
      if (form.current?.contains(document.activeElement) && before instanceof HTMLElement) before.focus();
    };
  }, []);
  /** Announced once, not every second. */
  const wait = useMemo(() => seconds, [retryAt]);

  const unlock = async (): Promise<void> => {
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
    <form
      ref={form}
      class="unlock"
      aria-label="Unlock"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void unlock();
      }}
    >
      <strong role="status">Tokens are locked. Enter the passphrase to continue.</strong>
      {error && !isRefused ? <Alert error={error} /> : null}
      <Field
        name="passphrase"
        label="Passphrase"
        type={isShown ? 'text' : 'password'}
        value={passphrase}
        problem={isRefused ? error.message : null}
        onInput={setPassphrase}
      />
      <div class="buttons">
        <Button
          kind="primary"
          type="submit"
          unavailable={busy ? 'Wait for the check to finish' : seconds > 0 ? 'Wait before you try again' : null}
        >
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
      {seconds > 0 ? (
        <p class="wait" aria-hidden="true">
          Try again in {seconds.toLocaleString('en')} s.
        </p>
      ) : null}
      <p class="visually-hidden" role="status">
        {isRefused ? error.message : ''}{' '}
        {seconds > 0
          ? `You can try again in ${wait === 1 ? 'one second' : `${wait} seconds`}.`
          : isRefused
            ? 'You can try again now.'
            : ''}
      </p>
    </form>
  );
}
