/** Says what the last replay of the displayed run showed. */
import type { JSX } from 'preact';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { Button, Notice } from '../../../ui/index.ts';

export function ReplayNotice({ panel, run }: { panel: Panel; run: ShownRun }): JSX.Element | null {
  const { recordings } = panel;
  const busy = recordings.busy.value;
  if (busy !== null) return <Notice code="REPLAYING">{busy}</Notice>;
  const report = recordings.report.value;
  if (report?.runId !== run.record.id) return null;
  const { outcome, text, values, place } = report;
  return (
    <Notice
      code={`REPLAY_${outcome.toUpperCase()}`}
      isSuccess={outcome === 'same'}
      actions={
        <>
          {place ? <Button onClick={() => recordings.showPlace(place)}>Show step</Button> : null}
          <Button kind="quiet" label="Dismiss" onClick={recordings.dismissReport}>
            ✕
          </Button>
        </>
      }
    >
      <span class={`replay-outcome ${outcome}`} aria-hidden="true">
        {outcome === 'same' ? '✓' : '≠'}
      </span>{' '}
      <span class="untrusted">{text}</span>
      {values ? (
        <dl class="replay-values mono">
          <dt>recorded</dt>
          <dd class="untrusted">{values.recorded}</dd>
          <dt>replayed</dt>
          <dd class="untrusted">{values.replayed}</dd>
        </dl>
      ) : null}
    </Notice>
  );
}
