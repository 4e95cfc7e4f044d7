/** Owns the one sentence that says what publishing will do. */
import type { JSX } from 'preact';
import type { Popup } from '../../lib/extension/popup/popup.ts';
import { whatWillHappen } from '../../lib/extension/popup/words.ts';

export function WillHappen({ popup }: { popup: Popup }): JSX.Element {
  const { preview, readingPreview, type } = popup;
  const audienceError = preview.value?.audienceError;
  return (
    <p
      class="will-happen"
      role="status"
      data-will-happen={preview.value ? 'read' : readingPreview.value ? 'reading' : ''}
    >
      {preview.value ? (
        <>
          <bdi class="untrusted">{preview.value.name}</bdi>
          {`, ${whatWillHappen(preview.value, type.value)}.`}
        </>
      ) : readingPreview.value ? (
        'Reading the app’s version and users…'
      ) : null}
      {audienceError ? <span class="why"> {audienceError.message}</span> : null}
    </p>
  );
}
