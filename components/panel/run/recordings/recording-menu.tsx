/** What can be done with the recording of the displayed run. */
import type { JSX } from 'preact';
import { noRecording } from '../../../../lib/extension/panel/run/recordings/recording-texts.ts';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { Button } from '../../../ui/index.ts';
import { MenuButton } from '../../../ui/menu-button.tsx';
import './recordings.css';

export interface RecordingMenuProps {
  panel: Panel;
  run: ShownRun;
}

interface Command {
  label: string;
  /** What it does, on one line. */
  text: string;
  unavailable: string | null;
  run: () => void;
}

export function RecordingMenu({ panel, run }: RecordingMenuProps): JSX.Element {
  return (
    <MenuButton
      menu="Recording"
      menuClass="recording-menu"
      button={{ class: 'button quiet recording-button', title: 'Replay, change, and export this run’s recording' }}
      face={
        <>
          Recording <span aria-hidden="true">▾</span>
        </>
      }
    >
      {(close) => (
        <ul>
          {[...commandsOf(panel, run), migrateCommand(panel, run)].map(({ label, text, unavailable, run: start }) => (
            <li key={label}>
              <Button
                kind="quiet"
                title={text}
                unavailable={unavailable}
                onClick={() => {
                  close();
                  start();
                }}
              >
                {label}
              </Button>
              <p class="muted">{unavailable ?? text}</p>
            </li>
          ))}
        </ul>
      )}
    </MenuButton>
  );
}

function commandsOf({ recordings }: Panel, run: ShownRun): Command[] {
  const { whatIf, smallest } = recordings;
  const missing = noRecording(run);
  const busy = missing ?? recordings.busy.value;
  return [
    {
      label: 'Replay',
      text: 'Check offline that the run does the same again',
      unavailable: busy,
      run: () => void recordings.replay(run),
    },
    {
      label: 'What if…',
      text: 'Change conditions, settings, or the payload, and replay',
      unavailable: busy,
      run: () => void whatIf.open(run),
    },
    {
      label: 'Find the smallest failing payload',
      text: 'Remove all data without which the run still fails',
      unavailable: missing ?? cannotFind(run) ?? (smallest.progress.value ? 'Wait for the search to end' : null),
      run: () => void smallest.find(run),
    },
    {
      label: 'Copy as test',
      text: 'Save a Vitest file and the recording that it replays',
      unavailable: missing,
      run: () => void recordings.copyAsTest(run),
    },
    {
      label: 'Export recording',
      text: 'Save the run as a .run.json file',
      unavailable: missing,
      run: () => void recordings.export(run),
    },
  ];
}

function migrateCommand(panel: Panel, { record }: ShownRun): Command {
  const action = panel.catalog.actions.value.value?.find(({ id }) => panel.subjectOfAction(id) === record.subject);
  return {
    label: 'Migrate to V3',
    text: 'Translate the action, and prove it on its recorded runs',
    unavailable: action ? null : 'Select the run’s app in the toolbar',
    run: () =>
      void import('../../../../lib/extension/panel/actions/actions-state.ts').then(({ actionsStateOf }) => {
        actionsStateOf(panel).migrating.value = action ?? null;
        panel.tabs.open('actions');
      }),
  };
}

const cannotFind = ({ trace }: ShownRun): string | null =>
  trace.state === 'failed' ? null : 'Choose a run that failed';
