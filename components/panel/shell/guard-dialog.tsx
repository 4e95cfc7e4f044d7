/** Asks before an operation, as the production guard says. */
import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { OpenQuestion, ProductionGuard } from '../../../lib/extension/panel/shared/production-guard.ts';
import { Checkbox } from '../../ui/field.tsx';
import { Badge, Button } from '../../ui/index.ts';
import { takeEscape } from '../shared/take-escape.ts';
import './guard.css';

export function GuardDialog({ guard }: { guard: ProductionGuard }): JSX.Element | null {
  const open = guard.question.value;
  return open ? <Question guard={guard} open={open} /> : null;
}

function Question({ guard, open: { environment, question } }: { guard: ProductionGuard; open: OpenQuestion }) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const [unlock, setUnlock] = useState(false);
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
      class="guard"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-effect`}
      onKeyDown={(event) => {
        if (takeEscape(event)) guard.cancel();
      }}
      onCancel={(event) => {
        event.preventDefault();
        guard.cancel();
      }}
    >
      {environment?.production ? <Badge tone="danger">Production</Badge> : null}
      <h2 id={`${id}-title`} ref={heading} tabIndex={-1} class="untrusted">
        {question.title}
        {environment ? ` on ${environment.name}` : ''}?
      </h2>
      <p id={`${id}-effect`} class="untrusted">
        {environment ? '' : 'Couldn’t load the environments, so this page might be production. '}
        {question.effect}
      </p>
      {question.always || !environment ? null : (
        <Checkbox name="unlock" label="Don’t ask again for 15 minutes" checked={unlock} onChange={setUnlock} />
      )}
      <div class="buttons">
        <Button kind="danger" onClick={() => guard.confirm(unlock)}>
          {question.button}
        </Button>
        <Button onClick={guard.cancel}>Cancel</Button>
      </div>
    </dialog>
  );
}
