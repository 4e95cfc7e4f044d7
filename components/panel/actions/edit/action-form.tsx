/** Owns the form of an action: its properties, and what the form cannot show. */
import type { JSX } from 'preact';
import type { ActionEditor } from '../../../../lib/extension/panel/actions/edit/editor.ts';
import { jsonSentence } from '../../../../lib/extension/panel/actions/edit/draft-text.ts';
import { addsSchedule, withDefaults } from '../../../../lib/extension/panel/actions/edit/draft-action.ts';
import { isFields, writtenText } from '../../../../lib/extension/panel/actions/edit/pointer.ts';
import { Button, EmptyState } from '../../../ui/index.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { numberIn, type PartProps, withOwn } from './part.ts';
import { PipelineForm } from './pipeline-form.tsx';
import { FormTarget, problemAt } from './form-target.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import { TriggersForm } from './triggers-form.tsx';

export interface FormProps {
  editor: ActionEditor;
  onSave: () => void;
}

export function ActionForm({ editor, onSave }: FormProps): JSX.Element {
  const draft = editor.draft.value?.value;
  const error = editor.jsonError.value;
  const problems = editor.problems.value;
  const toJson = (
    <Button
      onClick={() => {
        editor.view.value = 'json';
      }}
    >
      Mend it as JSON
    </Button>
  );
  if (error)
    return (
      <div data-unreadable="">
        <EmptyState title="The form cannot show this draft" actions={toJson}>
          <p>{jsonSentence(error)} The draft is kept as it is.</p>
        </EmptyState>
      </div>
    );
  if (!isFields(draft))
    return (
      <div data-unreadable="">
        <EmptyState title="The form cannot show this draft" actions={toJson}>
          <p>{problems[0]?.message}</p>
        </EmptyState>
      </div>
    );
  const value = withDefaults(draft);
  const part: PartProps = { value, problems, set: editor.set, onSave };
  return (
    <form class="edit-form" onSubmit={(event) => event.preventDefault()}>
      <fieldset class="edit-row">
        <legend class="visually-hidden">Action</legend>
        <FormTarget path="/name" problems={problems} class="edit-name">
          <Field
            name="action-name"
            label="Name"
            required
            value={writtenText(value['name'])}
            problem={problemAt(problems, '/name')}
            onInput={(name) => editor.set('/name', name)}
          />
        </FormTarget>
        <FormTarget path="/environment" problems={problems}>
          <Select
            name="action-environment"
            label="Runs on"
            value={writtenText(value['environment'])}
            options={withOwn(ENVIRONMENTS, value['environment'])}
            problem={problemAt(problems, '/environment')}
            onChange={(environment) => editor.set('/environment', environment)}
          />
        </FormTarget>
        <FormTarget path="/pageId" problems={problems} class="edit-page">
          <Field
            name="action-page"
            label="Screen"
            placeholder="none"
            value={writtenText(value['pageId'])}
            problem={problemAt(problems, '/pageId')}
            onInput={(text) => editor.set('/pageId', numberIn(text))}
          />
        </FormTarget>
        <FormTarget path="/active" problems={problems} class="edit-active">
          <Checkbox
            name="action-active"
            label="Active"
            checked={value['active'] === true}
            onChange={(active) => editor.set('/active', active)}
          />
          {problemAt(problems, '/active') ? <span class="problem">{problemAt(problems, '/active')}</span> : null}
        </FormTarget>
      </fieldset>
      <TriggersForm {...part} dataSources={editor.completions.dataSources.value} />
      <ScheduleForm {...part} isAdded={editor.base.value !== null && addsSchedule(editor.base.value, draft)} />
      <PipelineForm {...part} editor={editor} />
    </form>
  );
}

const ENVIRONMENTS = [
  { value: 'any', label: 'any: server or client' },
  { value: 'server', label: 'server: in the cloud' },
  { value: 'client', label: 'client: on the device' },
];
