/** Owns two changes of one action at once: what differs between theirs and mine, and which one stays. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Action } from '../../../../lib/platform-api/action.ts';
import { editableOf, withDefaults } from '../../../../lib/extension/panel/actions/edit/draft-action.ts';
import { differences } from '../../../../lib/extension/panel/actions/edit/differences.ts';
import type { ActionEditor } from '../../../../lib/extension/panel/actions/edit/editor.ts';
import { isFields, valueAt } from '../../../../lib/extension/panel/actions/edit/pointer.ts';
import { formatTime, truncate } from '../../../../lib/shared/format.ts';
import { Button } from '../../../ui/index.ts';

/** As many differences as a person reads. */
const SHOWN = 50;

export function ConflictView({ editor, theirs }: { editor: ActionEditor; theirs: Action }): JSX.Element {
  const draft = editor.draft.value?.value;
  const their = useMemo(() => editableOf(theirs), [theirs]);
  const found = useMemo(() => (isFields(draft) ? differences(their, withDefaults(draft)) : []), [their, draft]);
  return (
    <section class="alert edit-conflict" role="alert" data-code="CONFLICT" aria-label="Changed by somebody else">
      <div class="words">
        <strong class="untrusted">
          The action {theirs.name} was changed by somebody else at {formatTime(Date.parse(theirs.updatedAt))}.
        </strong>
        <div>Nothing of yours is lost. {found.length > 0 ? 'This differs:' : 'Both are the same.'}</div>
        {found.length > 0 ? (
          <table>
            <thead>
              <tr>
                <th scope="col">Place</th>
                <th scope="col">Theirs</th>
                <th scope="col">Mine</th>
              </tr>
            </thead>
            <tbody>
              {found.slice(0, SHOWN).map((one) => (
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
        {found.length > SHOWN ? <p>and {found.length - SHOWN} more</p> : null}
        <div class="code">
          <code>CONFLICT</code> · HTTP 409
        </div>
      </div>
      <div class="edit-choice">
        <Button onClick={editor.acceptTheirs}>Take theirs</Button>
        <Button
          kind="danger"
          unavailable={editor.problems.value.length > 0 ? 'Mend the draft first.' : null}
          onClick={() => void editor.overwrite()}
        >
          Save mine over it
        </Button>
      </div>
    </section>
  );
}

const Absent = (): JSX.Element => <span class="muted">absent</span>;
const short = (value: unknown): string => truncate(JSON.stringify(value) ?? '', 200);
