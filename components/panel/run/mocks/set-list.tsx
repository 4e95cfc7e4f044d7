/** The sets of an action and its app, and the packages that *Dry run* mocks. */
import type { JSX } from 'preact';
import { OUTGOING_PACKAGES, STAYING_PACKAGES } from '../../../../lib/extension/panel/run/mocks/mocked-packages.ts';
import type { ListedSet } from '../../../../lib/extension/panel/run/mocks/active-mocks.ts';
import type { MockEditor } from '../../../../lib/extension/panel/run/mocks/mock-editor.ts';
import type { Mocks } from '../../../../lib/extension/panel/run/mocks/mocks.ts';
import { shortName } from '../../../../lib/extension/panel/shared/short-name.ts';
import { plural } from '../../../../lib/shared/format.ts';
import { Checkbox } from '../../../ui/field.tsx';
import { Button } from '../../../ui/index.ts';

export function SetList({ editor }: { editor: MockEditor }): JSX.Element {
  const sets = editor.mocks.sets.value;
  const shared = sets.filter(({ scope }) => scope === 'app');
  return (
    <section aria-label="Sets" class="set-list">
      <h3>Sets of this action</h3>
      <Sets editor={editor} sets={sets.filter(({ scope }) => scope === 'action')} />
      {shared.length > 0 ? (
        <>
          <h3>Shared in the app</h3>
          <Sets editor={editor} sets={shared} />
        </>
      ) : null}
      <Button onClick={() => editor.addSet()}>Add set</Button>
    </section>
  );
}

function Sets({ editor, sets }: { editor: MockEditor; sets: ListedSet[] }): JSX.Element {
  const selected = editor.set.value?.id;
  if (sets.length === 0) return <p class="muted">None</p>;
  return (
    <ul>
      {sets.map(({ id, name, isOn, mocks }) => (
        <li key={id} data-mock-set={id} class={id === selected ? 'selected' : ''}>
          <input
            type="checkbox"
            name="mock-set"
            aria-label={`Turn on ${name}`}
            title={isOn ? 'On: the next run uses this set' : 'Off'}
            checked={isOn}
            onChange={(event) => editor.mocks.setOn(id, event.currentTarget.checked)}
          />
          <button
            type="button"
            class="set-name"
            aria-current={id === selected ? 'true' : undefined}
            onClick={() => editor.select(id)}
          >
            <span class="untrusted">{name}</span> <span class="muted">{plural(mocks.length, 'mock')}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

export interface DryRunPackagesProps {
  mocks: Mocks;
  /** Functions of the page. */
  functions: readonly { name: string }[];
}

/** Those of the platform are always mocked. You can mark others, of the pipeline and of the page. */
export function DryRunPackages({ mocks, functions }: DryRunPackagesProps): JSX.Element {
  const marked = mocks.leaving.value;
  const ofPipeline = mocks.nodes.value.flatMap((node) => node.package ?? []);
  const others = [...new Set([...ofPipeline, ...functions.map(({ name }) => name), ...marked])]
    .filter((name) => !OUTGOING_PACKAGES.includes(name) && (!STAYING_PACKAGES.has(name) || marked.includes(name)))
    .sort();
  return (
    <section aria-label="Dry run" class="dry-run">
      <Checkbox
        name="dry-run"
        label={<strong>Dry run</strong>}
        checked={mocks.isDryRun.value}
        onChange={mocks.setDryRun}
      />
      <p class="muted">
        Mocks {OUTGOING_PACKAGES.map(shortName).join(', ')}, and the packages that you mark here for all actions of the
        app.
      </p>
      <p class="muted">
        Mocked packages return nothing. http-request sets a response with status 200 and an empty body.
      </p>
      {mocks.hasApp ? (
        <ul>
          {others.slice(0, 200).map((name) => (
            <li key={name}>
              <Checkbox
                name="leaving"
                label={
                  <span class="untrusted" title={name}>
                    {shortName(name)}
                  </span>
                }
                checked={marked.includes(name)}
                onChange={(isLeaving) => mocks.setLeaving(name, isLeaving)}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
