/** Removes an action. The production guard asks first, on every environment. */
import type { JSX } from 'preact';
import type { Action } from '../../../lib/platform-api/action.ts';
import type { ActionsState } from '../../../lib/extension/panel/actions/actions-state.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Button } from '../../ui/index.ts';
import { ProductionBadge } from '../shell/guard-badges.tsx';

interface RemoveButtonProps {
  panel: Panel;
  state: ActionsState;
  action: Action;
}

export function RemoveButton({ panel, state, action }: RemoveButtonProps): JSX.Element {
  const { busy } = state.work.of(action.id);
  return (
    <section class="part">
      <div class="buttons">
        <Button
          kind="danger"
          unavailable={state.cannotReach.value ?? (busy ? 'Wait for the current operation to finish' : null)}
          onClick={() => void state.remove(action)}
        >
          {busy === 'remove' ? 'Removing…' : 'Remove action…'}
        </Button>
        <ProductionBadge panel={panel} />
      </div>
    </section>
  );
}
