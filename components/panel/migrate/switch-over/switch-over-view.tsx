/** The way from V2 to V3: the draft, and the plan to switch over. */
import type { JSX } from 'preact';
import type { Migrating } from '../../../../lib/extension/panel/migrate/migrating.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { EmptyState } from '../../../ui/index.ts';

export interface SwitchOverProps {
  panel: Panel;
  migrating: Migrating;
}

export function SwitchOverView({ migrating }: SwitchOverProps): JSX.Element {
  return (
    <div class="fill scroll">
      <EmptyState title="Nothing is switched over yet">
        <p class="untrusted">Save the files of {migrating.action.name}, and create the V3 action from them.</p>
      </EmptyState>
    </div>
  );
}
