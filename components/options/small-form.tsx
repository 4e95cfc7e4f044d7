/** Owns how the small forms of the options page behave: where the focus goes, one submission at a time, and how a refusal is told. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ErrorValue } from '../../lib/platform-api/index.ts';
import { Alert, Button } from '../ui/index.ts';

export interface SmallFormProps {
  label: string;
  /** On its button. */
  does: string;
  isValid: boolean;
  /** What went wrong; null when it is done. */
  onSubmit: () => Promise<ErrorValue | null>;
  onDone: () => void;
  onCancel: () => void;
  /** Code of an error that concerns the first field and is shown beside it: as `refusal`. */
  refusal?: RegExp;
  /** @param tried whether what is wrong with the fields is to be shown */
  children: (tried: boolean, refusal: string | null) => ComponentChildren;
}

export function SmallForm({
  label,
  does,
  isValid,
  onSubmit,
  onDone,
  onCancel,
  refusal,
  children,
}: SmallFormProps): JSX.Element {
  const form = useRef<HTMLFormElement>(null);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ErrorValue | null>(null);
  const beside = error && refusal?.test(error.code) ? [error.message, error.hint].filter(Boolean).join(' ') : null;
  useEffect(() => form.current?.querySelector('input')?.focus(), []);

  const submit = async (): Promise<void> => {
    if (busy) return;
    setTried(true);
    setError(null);
    if (isValid) {
      setBusy(true);
      const failed = await onSubmit();
      setBusy(false);
      if (!failed) return onDone();
      setError(failed);
    }
    // Once the marks are there.
    setTimeout(() => {
      const wrong = form.current?.querySelector<HTMLInputElement>('[aria-invalid=true]');
      wrong?.focus();
      wrong?.select();
    });
  };
  return (
    <form
      ref={form}
      class="small-form"
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {children(tried, beside)}
      {error && beside === null ? <Alert error={error} /> : null}
      <div class="form-actions">
        <Button kind="primary" type="submit" unavailable={busy ? 'One moment.' : null}>
          {does}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <span class={busy ? 'status' : 'visually-hidden'} role="status">
          {busy ? 'One moment…' : beside}
        </span>
      </div>
    </form>
  );
}
