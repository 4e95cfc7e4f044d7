/** Owns removing an action: told what is lost, and a second press. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Action } from '../../../lib/platform-api/action.ts';
import type { ActionsState } from '../../../lib/extension/panel/actions/actions-state.ts';
import { Button } from '../../ui/index.ts';

export function RemoveButton({ state, action }: { state: ActionsState; action: Action }): JSX.Element {
  const [asks, setAsks] = useState(false);
  const { busy } = state.work.of(action.id);
  if (!asks)
    return (
      <section class="part">
        <Button kind="danger" unavailable={busy ? 'Wait for what is going on.' : null} onClick={() => setAsks(true)}>
          Remove
        </Button>
      </section>
    );
  const isLive = action.published !== null && action.published !== undefined;
  return (
    <section class="part confirm" role="group" aria-label="Remove the action">
      <p role="alert">
        <strong>
          Remove <span class="untrusted">{action.name}</span> for good?
        </strong>{' '}
        Its pipeline, {isLive ? 'its published copy, ' : ''}triggers and schedule are lost and cannot be had back.{' '}
        {isLive ? 'Live apps that run it are refused from then on. ' : ''}Its log records stay.
      </p>
      <div class="buttons">
        <Button kind="danger" onClick={() => void state.remove(action)}>
          {busy === 'remove' ? 'Removing…' : 'Remove for good'}
        </Button>
        <Button onClick={() => setAsks(false)}>Keep it</Button>
      </div>
    </section>
  );
}
