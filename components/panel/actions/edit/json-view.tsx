/** The whole draft as JSON. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { ActionEditor } from '../../../../lib/extension/panel/actions/edit/editor.ts';
import { PayloadEditor } from '../../shared/payload-editor.tsx';
import { FormTarget } from './form-target.tsx';

export function JsonView({ editor, onSave }: { editor: ActionEditor; onSave: () => void }): JSX.Element {
  const id = useId();
  const error = editor.jsonError.value;
  const problems = editor.problems.value;
  const check = {
    offset: error?.offset ?? null,
    problem: error ? { code: 'NOT_JSON', message: error.message } : null,
  };
  return (
    <FormTarget path="" problems={problems} class="edit-json">
      {/* A rejected text is replaced by the draft, through a new key. */}
      <PayloadEditor
        key={editor.rejectedTexts.value}
        name="action-json"
        label="Action (JSON)"
        text={editor.text.value}
        problem={check}
        describedBy={id}
        onText={editor.setText}
        onRun={onSave}
      />
      <p id={id} class="muted">
        {error ? error.message : 'Missing properties use their defaults.'}
      </p>
    </FormTarget>
  );
}
