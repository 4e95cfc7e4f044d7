/** The release form: the release's type and notes, and what publishing will do. */
import type { JSX } from 'preact';
import type { Popup } from '../../lib/extension/popup/popup.ts';
import { RELEASE_TYPES } from '../../lib/extension/popup/text.ts';
import { truncate } from '../../lib/shared/format.ts';
import { isCommandEnter } from '../../lib/shared/keys.ts';
import { Button } from '../ui/button.tsx';
import { NotifyCheckbox } from './notify-checkbox.tsx';
import { PublishSummary } from './publish-summary.tsx';

export function ReleaseForm({ popup }: { popup: Popup }): JSX.Element {
  const { draft, needsConfirmation, disabledReason, isStarting, previewLoading } = popup;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        popup.publish();
      }}
      onKeyDown={(event) => {
        if (!isCommandEnter(event)) return;
        event.preventDefault();
        popup.publish();
      }}
    >
      <div class="notes">
        <label for="changelog">Release notes</label>
        <textarea
          id="changelog"
          class="input"
          name="changelog"
          rows={4}
          value={draft.changelog.value}
          onInput={(event) => popup.setChangelog(event.currentTarget.value)}
          placeholder="What changed for users of this app"
        />
        <RecentNotes popup={popup} />
      </div>
      <fieldset>
        <legend>Release type</legend>
        {RELEASE_TYPES.map(({ type, description }) => (
          <label key={type} class="type">
            <input
              type="radio"
              name="type"
              value={type}
              checked={draft.type.value === type}
              onChange={() => popup.setType(type)}
            />
            <span>
              <strong>{type}</strong> {description}
            </span>
          </label>
        ))}
      </fieldset>
      <PublishSummary popup={popup} />
      <div class="actions">
        <Button kind="primary" type="submit" unavailable={disabledReason.value} title="Ctrl+Enter">
          {isStarting.value ? 'Publishing…' : needsConfirmation.value ? 'Publish…' : 'Publish'}
        </Button>
        {previewLoading.value ? <Button onClick={() => popup.cancelPreview()}>Cancel</Button> : null}
        {disabledReason.value && draft.changelog.value ? <span class="why">{disabledReason.value}</span> : null}
      </div>
      <NotifyCheckbox setting={popup.notifications} />
    </form>
  );
}

function RecentNotes({ popup }: { popup: Popup }): JSX.Element | null {
  const notes = popup.recentNotes.value;
  if (notes.length === 0) return null;
  return (
    <select
      class="input"
      aria-label="Recent release notes"
      value=""
      onChange={(event) => {
        const text = notes[Number(event.currentTarget.value)];
        event.currentTarget.value = '';
        if (text !== undefined) popup.setChangelog(text);
      }}
    >
      <option value="">Recent release notes…</option>
      {notes.map((text, index) => (
        <option key={index} value={index}>
          {truncate(text, 70)}
        </option>
      ))}
    </select>
  );
}
