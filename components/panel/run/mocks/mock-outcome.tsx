/** *Mock this outcome*: chooses the set for a mock of what the selected step did. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { cannotMock } from '../../../../lib/extension/panel/run/mocks/cannot-mock.ts';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import type { TraceStep } from '../../../../lib/extension/panel/run/trace.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { Button } from '../../../ui/index.ts';
import { MenuButton } from '../../../ui/menu-button.tsx';
import './mocks.css';

export interface MockOutcomeProps {
  panel: Panel;
  run: ShownRun;
  step: TraceStep;
}

export function MockOutcome({ panel, run, step }: MockOutcomeProps): JSX.Element {
  const reason = cannotMockHere(panel, run) ?? cannotMock(step);
  if (reason !== null)
    return (
      <Button kind="quiet" unavailable={reason}>
        Mock…
      </Button>
    );
  return (
    <MenuButton
      menu="Mock this outcome"
      menuClass="mock-outcome-menu"
      button={{
        'aria-label': 'Mock this outcome',
        title: 'Mock this outcome: later runs get it without running the step',
      }}
      face="Mock…"
    >
      {(close) => (
        <Choice
          panel={panel}
          add={(to) => {
            close();
            void panel.mockOutcome(run, step, to);
          }}
        />
      )}
    </MenuButton>
  );
}

/** A run that was opened from a recording can be of another platform’s action. */
function cannotMockHere({ mocks, runs, toOpen }: Panel, { record, local }: ShownRun): string | null {
  if (!mocks.hasAction) return 'Open the debug page of an action';
  if (!local && (toOpen.value || !runs.isOfPage(record))) return 'Open the debug page of this run’s action';
  return mocks.cannotApply.value;
}

function Choice({
  panel: { mocks, toOpen, inTab },
  add,
}: {
  panel: Panel;
  add: (to: { id: string } | { name: string }) => void;
}): JSX.Element {
  const [name, setName] = useState('');
  return (
    <>
      <h2>
        Mock this outcome in <span class="untrusted">{toOpen.value?.name ?? inTab.value?.action ?? 'this action'}</span>
      </h2>
      {mocks.sets.value.map((set) => (
        <Button key={set.id} onClick={() => add({ id: set.id })}>
          <span class="untrusted">{set.name}</span>
        </Button>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          add({ name: name.trim() || 'Mocks' });
        }}
      >
        <input
          class="input"
          name="new-set"
          aria-label="Name of a new set"
          placeholder="New set, such as offline mail"
          maxLength={80}
          autocomplete="off"
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <Button type="submit">Add</Button>
      </form>
    </>
  );
}
