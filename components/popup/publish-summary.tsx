/** Summarizes what publishing will do. */
import type { JSX } from 'preact';
import type { Popup } from '../../lib/extension/popup/popup.ts';
import { publishSummary } from '../../lib/extension/popup/text.ts';

export function PublishSummary({ popup: { preview, previewLoading, draft } }: { popup: Popup }): JSX.Element {
  const { value } = preview;
  return (
    <p class="summary" role="status" data-summary={value ? 'ready' : previewLoading.value ? 'loading' : ''}>
      {value ? (
        <>
          <bdi class="untrusted">{value.name}</bdi>
          {`: ${publishSummary(value, draft.type.value)}`}
        </>
      ) : previewLoading.value ? (
        'Loading version and users…'
      ) : null}
      {value?.audienceError ? <span class="why"> {value.audienceError.message}</span> : null}
    </p>
  );
}
