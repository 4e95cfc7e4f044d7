/** The selected set: its name, where it’s stored, its mocks in the order in which they’re tried, and the selected mock. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { ListedSet } from '../../../../lib/extension/panel/run/mocks/active-mocks.ts';
import type { MockEditor } from '../../../../lib/extension/panel/run/mocks/mock-editor.ts';
import type { NameChecks } from '../../../../lib/extension/panel/run/debug/name-checks.ts';
import { outcomeText, targetOf, targetText } from '../../../../lib/extension/panel/run/mocks/mock-texts.ts';
import { Button, EmptyState } from '../../../ui/index.ts';
import { Select } from '../../../ui/field.tsx';
import { MockForm } from './mock-form.tsx';

export interface SetEditorProps {
  editor: MockEditor;
  names: NameChecks;
  set: ListedSet;
  /** The selected step of the pipeline, which a new mock is for. */
  selectedPath: string | null;
}

export function SetEditor({ editor, names, set, selectedPath }: SetEditorProps): JSX.Element {
  const draft = editor.draft.value;
  return (
    <section aria-label="Set" class="set-editor" data-set-editor={set.id}>
      <SetHeader editor={editor} set={set} />
      <MockTools editor={editor} selectedPath={selectedPath} />
      {set.mocks.length === 0 ? (
        <EmptyState title="No mocks in this set">
          <p>Add a mock for a step or for a function package. The next run gets its outcome instead.</p>
        </EmptyState>
      ) : (
        <MockRows editor={editor} names={names} set={set} />
      )}
      {draft ? <MockForm editor={editor} names={names} draft={draft} /> : null}
    </section>
  );
}

function SetHeader({ editor, set }: Pick<SetEditorProps, 'editor' | 'set'>): JSX.Element {
  const { mocks } = editor;
  const id = useId();
  return (
    <div class="set-head">
      <div class="field">
        <label for={id} class="label">
          Name
        </label>
        <input
          key={set.id}
          id={id}
          class="input"
          name="set-name"
          maxLength={80}
          autocomplete="off"
          value={set.name}
          onChange={(event) => mocks.rename(set.id, event.currentTarget.value)}
        />
      </div>
      <Select
        name="set-scope"
        label="For"
        value={set.scope}
        options={[
          { value: 'action', label: 'This action' },
          { value: 'app', label: 'All actions of the app', disabled: !mocks.hasApp },
        ]}
        onChange={(scope) => void mocks.setScope(set.id, scope as ListedSet['scope'])}
      />
      <span class="buttons">
        <Button kind="quiet" label="Duplicate set" onClick={() => editor.select(mocks.duplicate(set.id))}>
          Duplicate
        </Button>
        <Button kind="quiet" label="Export set" title="Export this set to a file" onClick={() => mocks.export(set.id)}>
          Export
        </Button>
        <Button kind="quiet" label="Remove set" onClick={() => void mocks.remove(set.id)}>
          Remove
        </Button>
      </span>
      {set.scope === 'app' && set.mocks.some(({ target }) => 'path' in target) ? (
        <p class="warning">A path is a place in one pipeline. Name a function package to mock it in all actions.</p>
      ) : null}
    </div>
  );
}

function MockTools({ editor, selectedPath }: Pick<SetEditorProps, 'editor' | 'selectedPath'>): JSX.Element {
  const unavailable = editor.index.value === null ? 'Add a mock first' : null;
  return (
    <div class="mock-tools" role="group" aria-label="Mocks">
      <Button onClick={() => void editor.addFor(selectedPath)}>Add mock</Button>
      <span class="grow" />
      <Button kind="quiet" label="Move mock up" unavailable={unavailable} onClick={() => void editor.move(-1)}>
        ↑
      </Button>
      <Button kind="quiet" label="Move mock down" unavailable={unavailable} onClick={() => void editor.move(1)}>
        ↓
      </Button>
      <Button kind="quiet" label="Duplicate mock" unavailable={unavailable} onClick={() => void editor.duplicate()}>
        Duplicate
      </Button>
      <Button kind="quiet" label="Remove mock" unavailable={unavailable} onClick={() => void editor.remove()}>
        Remove
      </Button>
    </div>
  );
}

function MockRows({ editor, names, set }: Omit<SetEditorProps, 'selectedPath'>): JSX.Element {
  const { mocks } = editor;
  const problems = mocks.problemsOf(set.id);
  const nodes = mocks.nodes.value;
  return (
    <ul class="mock-rows" aria-label="Mocks of the set">
      {set.mocks.map((mock, index) => {
        const problem =
          problems.find((one) => one.index === index)?.message ?? names.ofMock(mock.condition ?? '', targetOf(mock));
        const isSelected = index === editor.index.value;
        const target = targetText(mock, nodes);
        return (
          <li key={index} data-mock={index} class={isSelected ? 'selected' : ''}>
            <input
              type="checkbox"
              name="mock-on"
              aria-label={`Turn on the mock of ${target}`}
              checked={!mock.isOff}
              onChange={(event) => editor.setOff(index, !event.currentTarget.checked)}
            />
            <button
              type="button"
              class="mock-row"
              aria-current={isSelected ? 'true' : undefined}
              onClick={() => editor.select(set.id, index)}
            >
              <span class="untrusted mock-target">{target}</span>
              {mock.condition ? <span class="untrusted mono muted">condition {mock.condition}</span> : null}
              <span class="untrusted muted">{outcomeText(mock)}</span>
              {problem ? <span class="warning untrusted">{problem}</span> : null}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
