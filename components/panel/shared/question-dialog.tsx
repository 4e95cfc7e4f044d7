/** A question before something that can’t be undone. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from '../../ui/index.ts';
import { takeEscape } from './take-escape.ts';
import './question-dialog.css';

export interface QuestionDialogProps {
  /** Without its question mark. */
  title: string;
  /** What will happen. */
  effect: string;
  /** The button that confirms. */
  button: string;
  onConfirm: () => void;
  onCancel: () => void;
  above?: ComponentChildren;
  below?: ComponentChildren;
}

export function QuestionDialog(props: QuestionDialogProps): JSX.Element {
  const { title, effect, button, onConfirm, onCancel, above, below } = props;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    // If the button had focus, the key press that opened the dialog would also confirm it.
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="question"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-effect`}
      onKeyDown={(event) => {
        if (takeEscape(event)) onCancel();
      }}
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
    >
      {above}
      <h2 id={`${id}-title`} ref={heading} tabIndex={-1} class="untrusted">
        {title}?
      </h2>
      <p id={`${id}-effect`} class="untrusted">
        {effect}
      </p>
      {below}
      <div class="buttons">
        <Button kind="danger" onClick={onConfirm}>
          {button}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </dialog>
  );
}
