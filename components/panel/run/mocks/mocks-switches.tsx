/** The switches of an action’s mocks: *Dry run*, and one per set. */
import type { JSX } from 'preact';
import type { ListedSet } from '../../../../lib/extension/panel/run/mocks/active-mocks.ts';
import type { Mocks } from '../../../../lib/extension/panel/run/mocks/mocks.ts';
import { leavingPackages } from '../../../../lib/extension/panel/run/mocks/mocked-packages.ts';
import { shortName } from '../../../../lib/extension/panel/shared/short-name.ts';
import { plural } from '../../../../lib/shared/format.ts';
import { Checkbox } from '../../../ui/field.tsx';
import { Button } from '../../../ui/index.ts';
import { MocksProblems } from './mocks-problems.tsx';

export interface MocksSwitchesProps {
  mocks: Mocks;
  onEdit: (() => void) | null;
}

export function MocksSwitches({ mocks, onEdit }: MocksSwitchesProps): JSX.Element {
  const sets = mocks.sets.value;
  const isReadable = mocks.unreadable.value.length === 0;
  return (
    <div class="mocks-switches" data-mocks-switches="">
      <MocksProblems mocks={mocks} />
      {isReadable ? (
        <>
          <DryRun mocks={mocks} />
          <Sets label="Sets of this action" sets={sets.filter(({ scope }) => scope === 'action')} mocks={mocks} />
          <Sets label="Shared in the app" sets={sets.filter(({ scope }) => scope === 'app')} mocks={mocks} />
          {sets.length === 0 ? (
            <p class="muted">No sets yet. Select a step of a run, then “Mock this outcome”.</p>
          ) : null}
        </>
      ) : null}
      <div class="buttons">
        {onEdit ? <Button onClick={onEdit}>Edit mocks…</Button> : null}
        <Button kind="quiet" unavailable={mocks.count.value > 0 ? null : 'No mock is on'} onClick={mocks.allOff}>
          Turn all off
        </Button>
      </div>
    </div>
  );
}

function DryRun({ mocks }: { mocks: Mocks }): JSX.Element {
  return (
    <div>
      <Checkbox
        name="dry-run"
        label={<strong>Dry run</strong>}
        checked={mocks.isDryRun.value}
        onChange={mocks.setDryRun}
      />
      <p class="muted untrusted">
        Mocks what leaves the page: {leavingPackages(mocks.leaving.value).map(shortName).join(', ')}.
      </p>
    </div>
  );
}

function Sets({ label, sets, mocks }: { label: string; sets: ListedSet[]; mocks: Mocks }): JSX.Element | null {
  if (sets.length === 0) return null;
  return (
    <div role="group" aria-label={label}>
      <h2>{label}</h2>
      {sets.map(({ id, name, isOn, mocks: of }) => (
        <Checkbox
          key={id}
          name="mock-set"
          label={
            <>
              <span class="untrusted">{name}</span> <span class="muted">{plural(of.length, 'mock')}</span>
            </>
          }
          checked={isOn}
          onChange={(checked) => mocks.setOn(id, checked)}
        />
      ))}
    </div>
  );
}
