/** Resolves a conflict between the draft and the version that was saved since. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Action } from '../../../../lib/platform-api/action.ts';
import { editableFields, withDefaults } from '../../../../lib/extension/panel/actions/edit/draft-action.ts';
import { differences } from '../../../../lib/extension/panel/actions/edit/differences.ts';
import type { ActionEditor } from '../../../../lib/extension/panel/actions/edit/editor.ts';
import { isFields, valueAt } from '../../../../lib/extension/panel/actions/edit/draft-value.ts';
import { truncate } from '../../../../lib/shared/format.ts';
import { Button, DateTime } from '../../../ui/index.ts';

/** Longer lists are truncated. */
const SHOWN = 50;

export function ConflictView({ editor, theirs }: { editor: ActionEditor; theirs: Action }): JSX.Element {
  const draft = editor.draft.value?.value;
  const saved = useMemo(() => editableFields(theirs), [theirs]);
  const changes = useMemo(() => (isFields(draft) ? differences(saved, withDefaults(draft)) : []), [saved, draft]);
  return (
    <section class="alert edit-conflict" role="alert" data-code="CONFLICT" aria-label="Conflict">
      <div class="text">
        <strong class="untrusted">
          The action “{theirs.name}” was changed since you opened it, last{' '}
          <DateTime at={Date.parse(theirs.updatedAt)} />.
        </strong>
        <div>
          {changes.length > 0 ? 'Your draft is unchanged. Differences:' : 'The saved version already has your changes.'}
        </div>
        {changes.length > 0 ? (
          <table>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Saved</th>
                <th scope="col">Yours</th>
              </tr>
            </thead>
            <tbody>
              {changes.slice(0, SHOWN).map((one) => (
                <tr key={`${one.kind} ${one.path}`} data-difference={one.path}>
                  <th scope="row">
                    <code class="untrusted">{one.path}</code>
                  </th>
                  <td class="mono untrusted">{one.kind === 'added' ? <Absent /> : short(one.before)}</td>
                  <td class="mono untrusted">
                    {one.kind === 'removed' ? <Absent /> : short(valueAt(draft, one.path) ?? one.after)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : null}
        {changes.length > SHOWN ? <p>and {changes.length - SHOWN} more</p> : null}
        <div class="code">
          <code>CONFLICT</code> · HTTP 409
        </div>
      </div>
      <div class="edit-choice">
        <Button onClick={editor.acceptTheirs}>Use saved version</Button>
        <Button
          kind="danger"
          unavailable={editor.problems.value.length > 0 ? 'Fix the problems in your draft' : null}
          onClick={() => void editor.overwrite()}
        >
          Overwrite with yours
        </Button>
      </div>
    </section>
  );
}

const Absent = (): JSX.Element => <span class="muted">none</span>;
const short = (value: unknown): string => truncate(JSON.stringify(value) ?? '', 200);
