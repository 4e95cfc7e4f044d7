/** Owns the form of a release: its type, its notes, and what it will do. */
import type { JSX } from 'preact';
import type { Popup } from '../../lib/extension/popup/popup.ts';
import { TYPES } from '../../lib/extension/popup/words.ts';
import { Button } from '../ui/button.tsx';
import { TellMe } from './tell-me.tsx';
import { WillHappen } from './will-happen.tsx';

export function ReleaseForm({ popup }: { popup: Popup }): JSX.Element {
  const { type, changelog, recent, needsConfirming, cannotPublish, starting } = popup;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        popup.publish();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        popup.publish();
      }}
    >
      <div class="notes">
        <label for="changelog">What has changed</label>
        <textarea
          id="changelog"
          class="input"
          name="changelog"
          rows={4}
          value={changelog.value}
          onInput={(event) => popup.setChangelog(event.currentTarget.value)}
          placeholder="For the people who use the app"
        />
        {recent.value.length === 0 ? null : (
          <select
            class="input"
            aria-label="Earlier notes"
            value=""
            onChange={(event) => {
              const text = recent.value[Number(event.currentTarget.value)];
              event.currentTarget.value = '';
              if (text !== undefined) popup.setChangelog(text);
            }}
          >
            <option value="">Earlier notes…</option>
            {recent.value.map((text, index) => (
              <option key={index} value={index}>
                {text.length > 70 ? `${text.slice(0, 70)}…` : text}
              </option>
            ))}
          </select>
        )}
      </div>
      <fieldset>
        <legend>Users</legend>
        {TYPES.map((each) => (
          <label key={each.type} class="type">
            <input
              type="radio"
              name="type"
              value={each.type}
              checked={type.value === each.type}
              onChange={() => popup.setType(each.type)}
            />
            <span>
              <strong>{each.type}</strong> {each.says}
            </span>
          </label>
        ))}
      </fieldset>
      <WillHappen popup={popup} />
      <div class="actions">
        <Button kind="primary" type="submit" unavailable={cannotPublish.value} title="Ctrl+Enter">
          {starting.value ? 'Publishing…' : needsConfirming.value ? 'Publish…' : 'Publish'}
        </Button>
        {cannotPublish.value && changelog.value ? <span class="why">{cannotPublish.value}</span> : null}
      </div>
      <TellMe popup={popup} />
    </form>
  );
}
