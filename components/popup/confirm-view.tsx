/** Asks for confirmation before a forced release, and before any release to production. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { labelOf } from '../../lib/extension/messaging/model/environment.ts';
import type { Popup } from '../../lib/extension/popup/popup.ts';
import { confirmationSummary, nextVersion } from '../../lib/extension/popup/text.ts';
import { Button } from '../ui/button.tsx';

export function ConfirmView({ popup }: { popup: Popup }): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  const { selection, draft, preview, disabledReason } = popup;
  const environment = selection.environment.value;
  const isForced = draft.type.value === 'forced';
  const version = preview.value && nextVersion(preview.value);
  const target = version === null ? 'the next version' : `version ${version}`;
  const summary = preview.value && confirmationSummary(preview.value, draft.type.value);
  // If the button had focus, the key press that opened this view would also confirm it.
  useEffect(() => heading.current?.focus(), []);
  return (
    <section
      class="confirm"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        // By default, Escape closes the popup.
        event.preventDefault();
        popup.cancelConfirmation();
      }}
    >
      <h2 ref={heading} tabIndex={-1}>
        {isForced ? 'Force this update?' : 'Publish to production?'}
      </h2>
      {summary ? (
        <p class="summary" data-summary="ready">
          {summary.release} <bdi class="untrusted">{preview.value?.name}</bdi> {summary.audience}{' '}
          <bdi class="untrusted">{environment && labelOf(environment, selection.environments.value)}</bdi>
        </p>
      ) : null}
      <p>
        {isForced ? 'Users can’t use the app until they update. ' : ''}
        You can’t undo a release. You can only publish a newer one.
      </p>
      <blockquote class="untrusted">{draft.changelog.value.trim()}</blockquote>
      <div class="actions">
        <Button onClick={() => popup.cancelConfirmation()}>Back</Button>
        <Button
          kind="danger"
          unavailable={disabledReason.value}
          onClick={() => popup.publish()}
        >{`${isForced ? 'Force' : 'Publish'} ${target}`}</Button>
      </div>
    </section>
  );
}
