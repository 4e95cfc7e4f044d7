/** Past runs of the action in the page. */
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { type RunRecord } from '../../../../lib/extension/panel/run/history/run-store.ts';
import { engineNote, partText } from '../../../../lib/extension/panel/run/describe-steps.ts';
import { originNote } from '../../../../lib/extension/panel/run/describe-badges.ts';
import { describeRetention } from '../../../../lib/extension/panel/run/history/retention.ts';
import { HISTORY_LIMITS } from '../../../../lib/extension/messaging/model/stored-data.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { formatDuration, plural } from '../../../../lib/shared/format.ts';
import { Button, Notice, DateTime } from '../../../ui/index.ts';
import { StateIcon } from '../state-icon.tsx';

export function PastRuns({ panel }: { panel: Panel }): JSX.Element {
  const { runs } = panel;
  const records = runs.records.value;
  const quarantined = runs.quarantined.value;
  const shown = runs.shown.value?.record.id;
  return (
    <section class="section history" aria-label="Past runs" data-history="">
      <PastRunsHeader panel={panel} hasRuns={records.length > 0} />
      {quarantined > 0 ? (
        <Notice code="RUNS_ASIDE">
          {plural(quarantined, 'damaged record')} of past runs {quarantined === 1 ? 'was' : 'were'} quarantined. You can
          export quarantined records on the options page.
        </Notice>
      ) : null}
      <RetentionNotice panel={panel} />
      {records.length === 0 ? (
        <p class="remark">Runs of this action appear here and persist across reloads.</p>
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
        Stores the newest {HISTORY_LIMITS.runsOfAction} runs of an action, up to{' '}
        {HISTORY_LIMITS.sizeOfAction / 1_000_000} MB
      </p>
    </section>
  );
}

/** Says which runs were thinned or removed to save space. */
export function RetentionNotice({ panel: { runs } }: { panel: Panel }): JSX.Element | null {
  const retained = runs.retained.value;
  if (retained.length === 0) return null;
  return (
    <Notice
      code="RUNS_RETAINED"
      actions={
        <Button kind="quiet" label="Dismiss" onClick={runs.dismissRetained}>
          ✕
        </Button>
      }
    >
      {describeRetention(retained, HISTORY_LIMITS).map((sentence) => (
        <div key={sentence} class="untrusted">
          {sentence}
        </div>
      ))}
      <div>Pin the runs that you want to keep.</div>
    </Notice>
  );
}

function PastRunsHeader({ panel, hasRuns }: { panel: Panel; hasRuns: boolean }): JSX.Element {
  return (
    <header class="section-head">
      <h2>Past runs</h2>
      <span class="import-status muted untrusted" role="status" title={panel.allRuns.importText.value}>
        {panel.allRuns.importText.value}
      </span>
      <span data-open-all-runs="">
        <Button kind="quiet" title="Show the runs of all actions and environments" onClick={panel.allRuns.open}>
          All runs
        </Button>
      </span>
      <Button
        kind="quiet"
        title="Export this action’s runs to a file"
        unavailable={hasRuns ? null : 'Run the action first'}
        onClick={() => void panel.exportRuns()}
      >
        Export
      </Button>
      <ImportButton panel={panel} />
    </header>
  );
}

export function ImportButton({ panel }: { panel: Panel }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const importFile = async (file: File | undefined): Promise<void> => {
    if (file) await panel.importFile(file);
  };
  return (
    <>
      <Button
        kind="quiet"
        title="Import exported runs, or open a recording (.run.json)"
        onClick={() => input.current?.click()}
      >
        Import
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="Runs file or recording to import"
        onChange={(event) => {
          void importFile(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

interface RunRowProps {
  panel: Panel;
  record: RunRecord;
  isShown: boolean;
  isLive: boolean;
}

function RunRow({ panel, record, isShown, isLive }: RunRowProps): JSX.Element {
  const shown = panel.runs.shown.value;
  const canCompareWithShown = shown !== null && !isShown && shown.trace.state !== 'running';
  const unavailable = isLive ? 'Wait for the run to end' : null;
  return (
    <li data-run={record.id} data-state={record.state} class={isShown ? 'shown' : ''}>
      <button
        type="button"
        class="open-run"
        aria-current={isShown ? 'true' : undefined}
        title={record.error ?? `Payload: ${record.payload.slice(0, 200)}`}
        onClick={() => void panel.runs.open(record.id)}
      >
        <StateIcon state={record.state} />
        <span class="number">{record.number}</span>
        <span>{hasDuration(record) ? formatDuration(record.milliseconds) : record.state}</span>
        <span class={record.error ? 'untrusted what error' : 'muted untrusted what'}>{noteOf(record)}</span>
        <DateTime class="muted time" at={record.startedAt} seconds />
      </button>
      <PinButton panel={panel} record={record} />
      <Button
        kind="quiet"
        label={`Compare run ${record.number}`}
        title={canCompareWithShown ? 'Compare the open run with this one' : 'Compare this run with another one'}
        unavailable={unavailable}
        onClick={() => void compareRun(panel, record.id)}
      >
        ⇄
      </Button>
      <Button
        kind="quiet"
        label={`Remove run ${record.number}`}
        title="Remove this run"
        unavailable={unavailable}
        onClick={() => void panel.runs.remove(record.id)}
      >
        ✕
      </Button>
    </li>
  );
}

/** What isn't stored of the run, and its error or payload. */
function noteOf(record: RunRecord): string {
  const what = record.error ?? record.payload.replace(/\s+/g, ' ').slice(0, 100);
  return [engineNote(record), originNote(record), partText(record), what].filter(Boolean).join(' · ');
}

export function PinButton({
  panel,
  record: { id, number, pinned },
}: Pick<RunRowProps, 'panel' | 'record'>): JSX.Element {
  return (
    <Button
      kind="quiet"
      label={`Pin run ${number}`}
      title={pinned ? 'Unpin this run' : 'Pin this run, so that it’s never removed automatically'}
      pressed={pinned === true}
      onClick={() => void panel.runs.pin(id, !pinned)}
    >
      <span class={pinned ? 'pin on' : 'pin'} aria-hidden="true">
        {pinned ? '★' : '☆'}
      </span>
    </Button>
  );
}

const hasDuration = ({ state }: RunRecord): boolean => state !== 'running' && state !== 'interrupted';

/**
 * Compares the displayed run with this one. If that's not possible, opens this run and compares it with the suggested
 * one.
 */
async function compareRun(panel: Panel, id: string): Promise<void> {
  const shown = panel.runs.shown.peek();
  if (shown && shown.trace.state !== 'running' && shown.record.id !== id) return panel.selection.compare(id);
  await panel.runs.open(id);
  panel.selection.compare('');
}
