/** What can be done with the displayed run. */
import type { JSX } from 'preact';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { late } from '../../shared/late.tsx';
import './recordings.css';

const Commands = late(() => import('./recording-commands.tsx').then((module) => module.RecordingCommands));

export interface RecordingMenuProps {
  panel: Panel;
  run: ShownRun;
}

export function RecordingMenu({ panel, run }: RecordingMenuProps): JSX.Element {
  return (
    <MenuButton
      menu="This run"
      menuClass="commands"
      button={{ class: 'button quiet run-menu-button', title: 'Run again, replay, change, or export this run' }}
      face={
        <>
          This run <span aria-hidden="true">▾</span>
        </>
      }
    >
      {(close) => <Commands panel={panel} run={run} close={close} />}
    </MenuButton>
  );
}
