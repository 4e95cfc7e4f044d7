/** The payload editor, with the payload's length and problems. */
import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { EDITOR_LIMIT } from '../../../lib/extension/panel/run/payload/payload.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { PAYLOAD_LIMIT } from '../../../lib/platform-api/limits.ts';
import { Meter } from '../../ui/index.ts';
import { PayloadEditor } from '../shared/payload-editor.tsx';
import { PayloadSources } from './payload-sources.tsx';

export function PayloadView({ panel }: { panel: Panel }): JSX.Element {
  const { payloads } = panel;
  const text = payloads.text.value;
  const check = payloads.check.value;
  const { length, problem } = check;
  const saveError = payloads.error.value;
  const id = useId();
  return (
    <section class="section payload" aria-label="Payload">
      <header class="section-head">
        <h2>Payload</h2>
        <PayloadSources panel={panel} />
        <span class="grow" />
        <Meter label="Payload length" value={length ?? text.trim().length} max={PAYLOAD_LIMIT} unit="characters" />
      </header>
      <PayloadEditor
        text={text}
        problem={check}
        onText={payloads.setText}
        onRun={() => void panel.run()}
        describedBy={`${id}-problem`}
      />
      <div class="payload-problem" id={`${id}-problem`} aria-live="polite">
        {problem ? (
          <p data-payload-error={problem.code}>
            <strong>{problem.message}</strong> {problem.hint}
            {text.length > EDITOR_LIMIT ? ' Syntax highlighting is off for text this long.' : ''}
          </p>
        ) : null}
        {saveError ? <p data-payload-error={saveError.code}>{saveError.message}</p> : null}
      </div>
    </section>
  );
}
