/** What can be done with the recording of the displayed run. */
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
      menu="Recording"
      menuClass="commands"
      button={{ class: 'button quiet recording-button', title: 'Replay, change, and export this run’s recording' }}
      face={
        <>
          Recording <span aria-hidden="true">▾</span>
        </>
      }
    >
      {(close) => <Commands panel={panel} run={run} close={close} />}
    </MenuButton>
  );
}
