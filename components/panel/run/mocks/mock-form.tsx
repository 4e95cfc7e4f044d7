/** The form of a mock: what it’s for, when it applies, and what happens instead. */
import type { JSX } from 'preact';
import type {
  ChangeDraft,
  DraftProblems,
  MockDraft,
  OutcomeKind,
} from '../../../../lib/extension/panel/run/mocks/mock-draft.ts';
import type { MockEditor } from '../../../../lib/extension/panel/run/mocks/mock-editor.ts';
import type { NameChecks } from '../../../../lib/extension/panel/run/debug/name-checks.ts';
import { targetOptions } from '../../../../lib/extension/panel/run/mocks/mock-texts.ts';
import { Field, Select } from '../../../ui/field.tsx';
import { Button, Combobox } from '../../../ui/index.ts';
import { JsonText } from './json-text.tsx';

const OUTCOMES: { value: OutcomeKind; label: string }[] = [
  { value: 'value', label: 'Return a value' },
  { value: 'error', label: 'Fail' },
  { value: 'skip', label: 'Skip, with nested steps' },
  { value: 'none', label: 'Run the step' },
];

export interface MockFormProps {
  editor: MockEditor;
  names: NameChecks;
  draft: MockDraft;
}

export function MockForm({ editor, names, draft }: MockFormProps): JSX.Element {
  const problems = editor.problems.value ?? { changes: [] };
  const edit = (change: Partial<MockDraft>): void => editor.edit(change);
  const isInvalid = Object.keys(problems).length > 1 || problems.changes.some(Boolean);
  return (
    <div class="mock-form" role="group" aria-label="Mock" data-mock-form="">
      <Combobox
        name="mock-target"
        label="Instead of"
        labelShown
        free
        placeholder="Step or function package"
        empty="No steps known. Enter a package name."
        options={targetOptions(editor.mocks.nodes.value)}
        value={draft.target}
        problem={problems.target}
        onPick={(target) => edit({ target })}
      />
      <Field
        name="mock-condition"
        label="Condition"
        placeholder="always"
        hint="Over the context, such as currentItem.data.email == null"
        value={draft.condition}
        problem={problems.condition}
        warning={names.ofMock(draft.condition, draft.target)}
        onInput={(condition) => edit({ condition })}
      />
      <Outcome draft={draft} problems={problems} edit={edit} />
      <Changes draft={draft} problems={problems.changes} edit={edit} />
      {isInvalid ? (
        <p class="warning" role="status">
          Not saved. The mock stays as it was until you fix this.
        </p>
      ) : null}
    </div>
  );
}

interface PartProps {
  draft: MockDraft;
  edit: (change: Partial<MockDraft>) => void;
}

function Outcome({ draft, problems, edit }: PartProps & { problems: DraftProblems }): JSX.Element {
  return (
    <div class="mock-outcome">
      <Select
        name="mock-outcome"
        label="Outcome"
        value={draft.outcome}
        options={OUTCOMES}
        onChange={(outcome) => edit({ outcome: outcome as OutcomeKind })}
      />
      <Field
        name="mock-delay"
        label="After a delay of (ms)"
        placeholder="0"
        value={draft.delay}
        problem={problems.delay}
        onInput={(delay) => edit({ delay })}
      />
      {draft.outcome === 'value' ? (
        <JsonText
          name="mock-value"
          label="Value as JSON, or empty for none"
          text={draft.value}
          problem={problems.value}
          onText={(value) => edit({ value })}
        />
      ) : null}
      {draft.outcome === 'error' ? (
        <>
          <Field
            name="mock-error-message"
            label="Error message"
            value={draft.errorMessage}
            problem={problems.errorMessage}
            onInput={(errorMessage) => edit({ errorMessage })}
          />
          <Field
            name="mock-error-name"
            label="Error name"
            placeholder="Error"
            value={draft.errorName}
            onInput={(errorName) => edit({ errorName })}
          />
        </>
      ) : null}
    </div>
  );
}

function Changes({ draft: { changes }, problems, edit }: PartProps & { problems: (string | null)[] }): JSX.Element {
  const set = (index: number, change: Partial<ChangeDraft>): void =>
    edit({ changes: changes.map((each, at) => (at === index ? { ...each, ...change } : each)) });
  return (
    <fieldset class="mock-changes">
      <legend>Context changes</legend>
      {changes.map(({ path, isRemoved, value }, index) => (
        <div key={index} class="mock-change">
          <Field
            name="change-path"
            label="Path"
            placeholder="/records/0/sent"
            value={path}
            problem={problems[index]}
            onInput={(next) => set(index, { path: next })}
          />
          <Select
            name="change-kind"
            label="Change"
            value={isRemoved ? 'remove' : 'set'}
            options={[
              { value: 'set', label: 'Set to' },
              { value: 'remove', label: 'Remove' },
            ]}
            onChange={(kind) => set(index, { isRemoved: kind === 'remove' })}
          />
          {isRemoved ? (
            <span />
          ) : (
            <JsonText
              name="change-value"
              label="Value as JSON"
              text={value}
              onText={(next) => set(index, { value: next })}
            />
          )}
          <Button
            kind="quiet"
            label={`Remove change ${path || index + 1}`}
            onClick={() => edit({ changes: changes.filter((_, at) => at !== index) })}
          >
            ✕
          </Button>
        </div>
      ))}
      <Button onClick={() => edit({ changes: [...changes, { path: '/', isRemoved: false, value: 'true' }] })}>
        Add context change
      </Button>
    </fieldset>
  );
}
