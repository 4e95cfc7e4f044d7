/** A small form on the options page. Focuses its first field, allows one submission at a time, and shows errors. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ErrorValue } from '../../lib/platform-api/index.ts';
import { Alert, Button } from '../ui/index.ts';

export interface SmallFormProps {
  label: string;
  /** The submit button’s label. */
  action: string;
  isValid: boolean;
  /** Resolves to an error, or null on success. */
  onSubmit: () => Promise<ErrorValue | null>;
  onDone: () => void;
  onCancel: () => void;
  /** Error codes that concern the first field. Their text is passed to `children`. */
  refusal?: RegExp;
  /** @param wasSubmitted whether to show validation errors */
  children: (wasSubmitted: boolean, refusal: string | null) => ComponentChildren;
}

export function SmallForm({
  label,
  action,
  isValid,
  onSubmit,
  onDone,
  onCancel,
  refusal,
  children,
}: SmallFormProps): JSX.Element {
  const form = useRef<HTMLFormElement>(null);
  const [wasSubmitted, setSubmitted] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ErrorValue | null>(null);
  const fieldError = error && refusal?.test(error.code) ? [error.message, error.hint].filter(Boolean).join(' ') : null;
  useEffect(() => form.current?.querySelector<HTMLElement>('input, button')?.focus(), []);

  const submit = async (): Promise<void> => {
    if (isBusy) return;
    setSubmitted(true);
    setError(null);
    if (isValid) {
      setBusy(true);
      const failed = await onSubmit();
      setBusy(false);
      if (!failed) return onDone();
      setError(failed);
    }
    // The fields aren’t marked as invalid until the next render.
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
      {children(wasSubmitted, fieldError)}
      {error && fieldError === null ? <Alert error={error} /> : null}
      <div class="form-actions">
        <Button kind="primary" type="submit" unavailable={isBusy ? 'Wait for this to finish' : null}>
          {action}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
        <span class={isBusy ? 'status' : 'visually-hidden'} role="status">
          {isBusy ? 'Please wait…' : fieldError}
        </span>
      </div>
    </form>
  );
}
