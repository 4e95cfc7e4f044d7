/** The runs of the action in the page. */
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { type RunRecord } from '../../../../lib/extension/panel/run/history/run-store.ts';
import { engineNote, partText } from '../../../../lib/extension/panel/run/describe-steps.ts';
import { originNote, stateText } from '../../../../lib/extension/panel/run/describe-badges.ts';
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
    <section class="section history" aria-label="Runs" data-history="">
      <PastRunsHeader panel={panel} hasRuns={records.length > 0} />
      {quarantined > 0 ? (
        <Notice code="RUNS_ASIDE">
          {plural(quarantined, 'damaged record')} of runs {quarantined === 1 ? 'was' : 'were'} quarantined. You can
          export quarantined records on the options page.
        </Notice>
      ) : null}
      <RetentionNotice panel={panel} />
      {records.length === 0 ? (
        <p class="remark">Stored runs of this action appear here, also after a reload.</p>
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
      <h2>Runs</h2>
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
        title="Open a run (.run.json), or import exported runs"
        onClick={() => input.current?.click()}
      >
        Import
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="File of runs to import"
        onChange={(event) => {
          void importFile(event.currentTarget.files?.[0]);
          event.currentTarget.value = '';
        }}
      />
      {panel.importing.value ? (
        <>
          <span class="muted" role="status">
            Loading…
          </span>
          <Button kind="quiet" label="Cancel import" onClick={panel.cancelImport}>
            Cancel
          </Button>
        </>
      ) : null}
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
        <StateIcon state={stateText(record)} />
        <span class="number">{record.number}</span>
        <span>{hasDuration(record) ? formatDuration(record.milliseconds) : stateText(record)}</span>
        <span class={record.error ? 'untrusted what error' : 'muted untrusted what'}>{noteOf(record)}</span>
        <DateTime class="muted time" at={record.startedAt} seconds />
      </button>
      <PinButton panel={panel} record={record} />
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

const NO_DURATION: ReadonlySet<string> = new Set(['running', 'interrupted', 'unknown']);
const hasDuration = (record: RunRecord): boolean => !NO_DURATION.has(stateText(record));
