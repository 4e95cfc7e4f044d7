/** Says how the displayed run ended, which shows what would have happened. */
import type { JSX } from 'preact';
import type { ShownRun } from '../../../../lib/extension/panel/run/runs.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { Button, Notice } from '../../../ui/index.ts';

export function WhatIfNotice({ panel, run }: { panel: Panel; run: ShownRun }): JSX.Element | null {
  const { recordings } = panel;
  const { whatIf } = recordings;
  const report = whatIf.report.value;
  if (report?.runId !== run.record.id) return null;
  const { text, note, place, mockable, madeFrom, payload } = report;
  return (
    <Notice
      code={`WHAT_IF_${report.state.replace('-', '_').toUpperCase()}`}
      actions={
        <span class="notice-buttons">
          {mockable !== null && payload !== null ? (
            <Button
              title="Runs the action in its page with this payload. Dry run mocks what sends or changes something"
              unavailable={panel.whyNotInPage(run.record)}
              onClick={() => void panel.dryRun(payload)}
            >
              Dry run with this payload
            </Button>
          ) : null}
          {place && mockable !== null ? (
            <Button onClick={() => whatIf.addMock(place, mockable)}>Mock the step…</Button>
          ) : null}
          {place ? <Button onClick={() => recordings.showPlace(place)}>Show step</Button> : null}
          <Button onClick={() => whatIf.compare(madeFrom)}>Compare with the original</Button>
          <Button onClick={whatIf.reopen}>Change…</Button>
          <Button kind="quiet" label="Dismiss" onClick={whatIf.dismissReport}>
            ✕
          </Button>
        </span>
      }
    >
      <span class="untrusted">{text}</span>
      {note ? <div class="untrusted">{note}</div> : null}
    </Notice>
  );
}
