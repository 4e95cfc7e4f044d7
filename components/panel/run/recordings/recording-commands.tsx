/** The commands of the run’s menu, loaded when it’s first opened. */
import type { JSX } from 'preact';
import { noRecording } from '../../../../lib/extension/panel/run/recordings/recording-texts.ts';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { MASK } from '../../../../lib/shared/secrets/known-secrets.ts';
import { Button } from '../../../ui/index.ts';
import type { RecordingMenuProps } from './recording-menu.tsx';

interface Command {
  label: string;
  /** What it does, on one line. */
  text: string;
  unavailable: string | null;
  run: () => void;
}

export function RecordingCommands({ panel, run, close }: RecordingMenuProps & { close: () => void }): JSX.Element {
  return (
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
  );
}

function commandsOf(panel: Panel, run: ShownRun): Command[] {
  const { recordings } = panel;
  const { whatIf, smallest } = recordings;
  const missing = noRecording(run);
  const busy = missing ?? recordings.busy.value;
  return [
    {
      label: 'Run again',
      text: 'Run the action in the page with this run’s payload',
      unavailable: cannotRunAgain(panel, run),
      run: () => void panel.runAgain(),
    },
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
      text: 'Remove data as long as a replay still fails',
      unavailable: missing ?? cannotFind(run) ?? (smallest.progress.value ? 'Wait for the search to end' : null),
      run: () => void smallest.find(run),
    },
    {
      label: 'Copy as test',
      text: 'Save a Vitest file, and the run that it replays',
      unavailable: missing,
      run: () => void recordings.copyAsTest(run),
    },
    {
      label: 'Export run',
      text: 'Save this run as a .run.json file',
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
    run: () => {
      panel.migrating.value = action ?? null;
      panel.tabs.open('actions');
    },
  };
}

function cannotRunAgain({ runs, page }: Panel, { record }: ShownRun): string | null {
  if (runs.live.value) return 'Wait for the current run to end';
  if (page.hint.value || !page.state.value) return 'Open an action’s debug page';
  if (!runs.isOfPage(record)) return 'Open the debug page of this run’s action';
  // Secrets aren’t stored.
  return record.payload.includes(MASK) ? 'Enter the payload: it has masked secrets' : null;
}

const cannotFind = ({ trace }: ShownRun): string | null =>
  trace.state === 'failed' ? null : 'Choose a run that failed';
