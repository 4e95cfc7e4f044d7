/** Says how far the search for the smallest failing payload is, and what it found. */
import type { JSX } from 'preact';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { formatCount, plural } from '../../../../lib/shared/format.ts';
import { Button, Notice } from '../../../ui/index.ts';

export function SmallestNotice({ panel, run }: { panel: Panel; run: ShownRun }): JSX.Element | null {
  const { smallest } = panel.recordings;
  const progress = smallest.progress.value;
  if (progress)
    return (
      <Notice code="SMALLEST_SEARCHING" actions={<Button onClick={smallest.cancel}>Cancel</Button>}>
        Looking for the smallest failing payload: {plural(progress.tried, 'replay')}, {formatCount(progress.best)} of{' '}
        {plural(progress.size, 'character')}…
      </Notice>
    );
  const report = smallest.report.value;
  if (report?.runId !== run.record.id) return null;
  return (
    <Notice
      code="SMALLEST_FOUND"
      actions={
        <span class="notice-buttons">
          <Button title="Puts it into the payload editor" onClick={smallest.usePayload}>
            Use as payload
          </Button>
          <Button kind="quiet" label="Dismiss" onClick={smallest.dismiss}>
            ✕
          </Button>
        </span>
      }
    >
      <span>{report.text}</span>
      <div>
        Payload: <code class="untrusted">{report.payload.replace(/\s+/g, ' ').slice(0, 300)}</code>
      </div>
    </Notice>
  );
}
