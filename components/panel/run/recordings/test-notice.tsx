/** Says what to do with the test that was saved of the displayed run. */
import type { JSX } from 'preact';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { Button, Notice } from '../../../ui/index.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';

/** What a project needs to run the test. */
const INSTALL = 'npm install --save-dev vitest @platform-devtools/pipeline';

export function TestNotice({ panel, run }: { panel: Panel; run: ShownRun }): JSX.Element | null {
  const { recordings } = panel;
  const saved = recordings.savedTest.value;
  if (saved?.runId !== run.record.id) return null;
  return (
    <Notice
      code="TEST_SAVED"
      actions={
        <Button kind="quiet" label="Dismiss" onClick={recordings.dismissTest}>
          ✕
        </Button>
      }
    >
      Downloading <code class="untrusted">{saved.name}.test.ts</code> and{' '}
      <code class="untrusted">{saved.name}.run.json</code>. The browser may ask whether to allow the second file. Move
      both into one folder of your project, then run <code>npx vitest</code>. If you haven’t yet, first run{' '}
      <code>{INSTALL}</code> <CopyButton what="command" text={INSTALL} copyText={(text) => panel.copy(text)} />
    </Notice>
  );
}
