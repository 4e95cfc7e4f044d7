/** Owns the second step before something goes for good: typing a word. */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Field } from '../ui/field.tsx';
import { Button } from '../ui/index.ts';

export interface TypedWordProps {
  word: string;
  /** On its button. */
  does: string;
  onConfirm: () => Promise<void>;
  /** With it there is a way back, and the field takes the focus: the person has just asked for it. */
  onCancel?: () => void;
}

export function TypedWord({ word, does, onConfirm, onCancel }: TypedWordProps): JSX.Element {
  const [typed, setTyped] = useState('');
  const [busy, setBusy] = useState(false);
  const row = useRef<HTMLDivElement>(null);
  const isReady = typed.trim().toLowerCase() === word;
  useEffect(() => {
    if (onCancel) row.current?.querySelector('input')?.focus();
  }, []);
  const confirm = async (): Promise<void> => {
    if (!isReady || busy) return;
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
        unavailable={busy ? 'One moment.' : isReady ? null : `Type “${word}” first.`}
        onClick={() => void confirm()}
      >
        {does}
      </Button>
      {onCancel ? (
        <Button kind="quiet" onClick={onCancel}>
          Cancel
        </Button>
      ) : null}
    </div>
  );
}
