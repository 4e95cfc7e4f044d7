/** Asks the user to type a word to confirm an action that can’t be undone. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Field } from '../ui/field.tsx';
import { Button } from '../ui/index.ts';

export interface TypedWordProps {
  word: string;
  action: string;
  onConfirm: () => Promise<void>;
  /** When set, shows Cancel and focuses the field. */
  onCancel?: () => void;
}

export function TypedWord({ word, action, onConfirm, onCancel }: TypedWordProps): JSX.Element {
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  const row = useRef<HTMLDivElement>(null);
  const isReady = typed.trim().toLowerCase() === word;
  useEffect(() => {
    if (onCancel) row.current?.querySelector('input')?.focus();
  }, []);
  const confirm = async (): Promise<void> => {
    if (!isReady || isBusy) return;
    setBusy(true);
    await onConfirm();
    setBusy(false);
    setTyped('');
  };
  return (
    <div class="typed-word" ref={row}>
      <Field
        name={`confirm-${word}`}
        label={`Type “${word}” to confirm`}
        value={typed}
        onInput={setTyped}
        onEnter={() => void confirm()}
      />
      <Button
        kind="danger"
        unavailable={isBusy ? 'Wait for this to finish' : isReady ? null : `Type “${word}” first`}
        onClick={() => void confirm()}
      >
        {action}
      </Button>
      {onCancel ? (
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
      ) : null}
    </div>
  );
}
