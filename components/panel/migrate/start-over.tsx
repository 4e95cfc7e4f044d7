/** Asks before edited code is replaced with the generated code. */
import type { JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from '../../ui/index.ts';
import { takeEscape } from '../shared/take-escape.ts';
import '../shell/guard.css';

export function StartOver({ onConfirm, onCancel }: { onConfirm: () => void; onCancel: () => void }): JSX.Element {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    heading.current?.focus();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="guard"
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
      <h2 id={`${id}-title`} ref={heading} tabIndex={-1}>
        Start over with the generated code?
      </h2>
      <p id={`${id}-effect`}>Your changes of the code are removed. Accepted differences stay.</p>
      <div class="buttons">
        <Button kind="danger" onClick={onConfirm}>
          Start over
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </dialog>
  );
}
