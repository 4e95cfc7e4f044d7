/** The action form, or a hint when the form can't show the draft. */
import type { JSX } from 'preact';
import type { ActionEditor } from '../../../../lib/extension/panel/actions/edit/editor.ts';
import { addsSchedule, withDefaults } from '../../../../lib/extension/panel/actions/edit/draft-action.ts';
import { isFields, fieldText } from '../../../../lib/extension/panel/actions/edit/draft-value.ts';
import { Button, EmptyState } from '../../../ui/index.ts';
import { Checkbox, Field, Select } from '../../../ui/field.tsx';
import { parseNumber, type PartProps, type TryCondition, withCurrent } from './part.ts';
import { PipelineForm } from './pipeline-form.tsx';
import { FormTarget, problemAt } from './form-target.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { TriggersForm } from './triggers-form.tsx';

export interface FormProps {
  editor: ActionEditor;
  onSave: () => void;
  tryCondition: TryCondition;
}

export function ActionForm({ editor, onSave, tryCondition }: FormProps): JSX.Element {
  const draft = editor.draft.value?.value;
  const error = editor.jsonError.value;
  const problems = editor.problems.value;
  if (error || !isFields(draft))
    return (
      <div data-unreadable="">
        <EmptyState
          title="The form can’t show this draft"
          actions={<Button onClick={() => (editor.view.value = 'json')}>Edit as JSON</Button>}
        >
          <p>{error ? `${error.message} Your draft is unchanged.` : problems[0]?.message}</p>
        </EmptyState>
      </div>
    );
  const value = withDefaults(draft);
  const part: PartProps = { value, problems, set: editor.set, onSave };
  return (
    <form class="edit-form" onSubmit={(event) => event.preventDefault()}>
      <General {...part} />
      <TriggersForm {...part} dataSources={editor.completions.dataSources.value} />
      <ScheduleForm {...part} isAdded={editor.base.value !== null && addsSchedule(editor.base.value, draft)} />
      <PipelineForm {...part} editor={editor} tryCondition={tryCondition} />
    </form>
  );
}

function General({ value, problems, set }: PartProps): JSX.Element {
  return (
    <fieldset class="edit-row">
      <legend class="visually-hidden">Action</legend>
      <FormTarget path="/name" problems={problems} class="edit-name">
        <Field
          name="action-name"
          label="Name"
          required
          value={fieldText(value['name'])}
          problem={problemAt(problems, '/name')}
          onInput={(name) => set('/name', name)}
        />
      </FormTarget>
      <FormTarget path="/environment" problems={problems}>
        <Select
          name="action-environment"
          label="Runs on"
          value={fieldText(value['environment'])}
          options={withCurrent(ENVIRONMENTS, value['environment'])}
          problem={problemAt(problems, '/environment')}
          onChange={(environment) => set('/environment', environment)}
        />
      </FormTarget>
      <FormTarget path="/pageId" problems={problems} class="edit-page">
        <Field
          name="action-page"
          label="Screen"
          placeholder="none"
          value={fieldText(value['pageId'])}
          problem={problemAt(problems, '/pageId')}
          onInput={(text) => set('/pageId', parseNumber(text))}
        />
      </FormTarget>
      <FormTarget path="/active" problems={problems} class="edit-active">
        <Checkbox
          name="action-active"
          label="Active"
          checked={value['active'] === true}
          onChange={(active) => set('/active', active)}
        />
        {problemAt(problems, '/active') ? <span class="problem">{problemAt(problems, '/active')}</span> : null}
      </FormTarget>
    </fieldset>
  );
}

const ENVIRONMENTS = [
  { value: 'any', label: 'any (server or client)' },
  { value: 'server', label: 'server' },
  { value: 'client', label: 'client' },
];
