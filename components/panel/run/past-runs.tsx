/** Owns the list of an action's past runs. */
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { formatDuration, formatTime, plural } from '../../../lib/shared/format.ts';
import { HISTORY_LIMITS, type RunRecord } from '../../../lib/extension/panel/run/history/run-store.ts';
import { Button, Notice } from '../../ui/index.ts';
import { StateSign } from './step-state.tsx';

export function PastRuns({ panel }: { panel: Panel }): JSX.Element {
  const { runs } = panel;
  const records = runs.records.value;
  const shown = runs.shown.value?.record.id;
  const file = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState('');
  const take = async (chosen: File | undefined): Promise<void> => {
    if (!chosen) return;
    const added = await runs.importRuns(await chosen.text());
    if (added !== null) setSaid(`${plural(added, 'run')} added.`);
  };
  return (
    <section class="section history" aria-label="Past runs" data-history="">
      <header class="section-head">
        <h2>Past runs</h2>
        <span class="muted" role="status">
          {said}
        </span>
        <span class="grow" />
        <Button
          kind="quiet"
          title="Save this action's runs in one file"
          unavailable={records.length > 0 ? null : 'There is no run to export yet.'}
          onClick={() => void panel.exportRuns()}
        >
          Export
        </Button>
        <Button kind="quiet" title="Add runs from such a file" onClick={() => file.current?.click()}>
          Import
        </Button>
        <input
          ref={file}
          type="file"
          accept=".json,application/json"
          hidden
          aria-label="File with runs"
          onChange={(event) => {
            void take(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
      </header>
      {runs.aside.value > 0 ? (
        <Notice code="RUNS_ASIDE">
          {runs.aside.value === 1
            ? 'One stored record of past runs was damaged. It is'
            : `${runs.aside.value} stored records of past runs were damaged. They are`}{' '}
          kept aside and not used; the options page saves what is kept aside as a file.
        </Notice>
      ) : null}
      {records.length === 0 ? (
        <p class="remark">Runs of this action are kept here, also after a reload.</p>
      ) : (
        <ul class="run-list">
          {records.map((record) => (
            <RunRow
              key={record.id}
              panel={panel}
              record={record}
              isShown={record.id === shown}
              isLive={record.id === runs.live.value}
            />
          ))}
        </ul>
      )}
      <p class="remark">
        Of all actions, the newest {HISTORY_LIMITS.runs} runs are kept, up to {HISTORY_LIMITS.size / 1_000_000} MB; the
        oldest go first.
      </p>
    </section>
  );
}

/** The shown run with this one; this one, where it is shown already or none is. */
async function compareRun(panel: Panel, id: string): Promise<void> {
  const shown = panel.runs.shown.peek();
  if (shown && shown.trace.state !== 'running' && shown.record.id !== id) return panel.selection.compare(id);
  await panel.runs.open(id);
  panel.selection.compare('');
}

function RunRow({
  panel,
  record,
  isShown,
  isLive,
}: {
  panel: Panel;
  record: RunRecord;
  isShown: boolean;
  isLive: boolean;
}): JSX.Element {
  const shown = panel.runs.shown.value;
  const hasOther = shown !== null && !isShown && shown.trace.state !== 'running';
  return (
    <li data-run={record.id} data-state={record.state} class={isShown ? 'shown' : ''}>
      <button
        type="button"
        class="open-run"
        aria-current={isShown ? 'true' : undefined}
        title={record.error ?? `Payload ${record.payload.slice(0, 200)}`}
        onClick={() => void panel.runs.open(record.id)}
      >
        <StateSign state={record.state} />
        <span class="number">{record.number}</span>
        <span>
          {record.state === 'running'
            ? 'running'
            : record.state === 'interrupted'
              ? 'interrupted'
              : formatDuration(record.milliseconds)}
        </span>
        <span class="muted untrusted what">{record.error ?? record.payload.replace(/\s+/g, ' ').slice(0, 100)}</span>
        <span class="muted">{formatTime(record.startedAt, { seconds: true })}</span>
      </button>
      <Button
        kind="quiet"
        label={`Compare run ${record.number}`}
        title={hasOther ? 'Compare the shown run with this one' : 'Compare this run with another one'}
        unavailable={isLive ? 'It is going on.' : null}
        onClick={() => void compareRun(panel, record.id)}
      >
        ⇄
      </Button>
      <Button
        kind="quiet"
        label={`Remove run ${record.number}`}
        title="Remove this run"
        unavailable={isLive ? 'It is going on.' : null}
        onClick={() => void panel.runs.remove(record.id)}
      >
        ✕
      </Button>
    </li>
  );
}
