/** Removes an action after a confirmation that says what will be lost. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Action } from '../../../lib/platform-api/action.ts';
import type { ActionsState } from '../../../lib/extension/panel/actions/actions-state.ts';
import { Button } from '../../ui/index.ts';

export function RemoveButton({ state, action }: { state: ActionsState; action: Action }): JSX.Element {
  const [isConfirming, setConfirming] = useState(false);
  const { busy } = state.work.of(action.id);
  if (!isConfirming)
    return (
      <section class="part">
        <Button
          kind="danger"
          unavailable={state.cannotReach.value ?? (busy ? 'Wait for the current operation to finish' : null)}
          onClick={() => setConfirming(true)}
        >
          Remove action…
        </Button>
      </section>
    );
  const isLive = action.published !== null && action.published !== undefined;
  return (
    <section class="part confirm" role="group" aria-label="Remove action">
      <p role="alert">
        <strong>
          Remove action “<span class="untrusted">{action.name}</span>”?
        </strong>{' '}
        You can’t undo this. {isLive ? 'Live apps will no longer be able to run it. ' : ''}Its log records are
        preserved.
      </p>
      <div class="buttons">
        <Button kind="danger" onClick={() => void state.remove(action)}>
          {busy === 'remove' ? 'Removing…' : 'Remove action'}
        </Button>
        <Button onClick={() => setConfirming(false)}>Cancel</Button>
      </div>
    </section>
  );
}
