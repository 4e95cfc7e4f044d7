/** All runs, of every action and environment: a searchable table, and the selected run without its page. */
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import {
  type AllRuns,
  NO_RUN_FILTER,
  originOf,
  outcomeTextOf,
  type RunColumn,
} from '../../../../lib/extension/panel/run/history/all-runs.ts';
import type { RunRecord } from '../../../../lib/extension/panel/run/history/run-store.ts';
import { stateText } from '../../../../lib/extension/panel/run/describe-badges.ts';
import { partText } from '../../../../lib/extension/panel/run/describe-steps.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { formatCount, formatDuration, formatSize, plural } from '../../../../lib/shared/format.ts';
import { Button, EmptyState, Splitter, DateTime } from '../../../ui/index.ts';
import { Grid, type GridColumn } from '../../../ui/grid.tsx';
import { useMedia } from '../../shared/use-media.ts';
import { Loading } from '../../shared/loading.tsx';
import { AllRunsFilters } from './all-runs-filters.tsx';
import { ImportButton, RetentionNotice } from './past-runs.tsx';
import { RunPane } from '../run-pane.tsx';
import { StateIcon } from '../state-icon.tsx';
import './all-runs.css';

export function AllRunsView({ panel }: { panel: Panel }): JSX.Element {
  const { allRuns, runs, selection } = panel;
  const root = useRef<HTMLElement>(null);
  const isLow = useMedia('(max-height: 399px)');
  const hasRoomForBoth = !useMedia('(max-width: 899px) and (max-height: 619px)');
  const isShown = allRuns.selectedId.value !== null && runs.shown.value?.record.id === allRuns.selectedId.value;
  const back = isShown && !hasRoomForBoth ? allRuns.deselect : allRuns.close;
  const run = (
    <div class="right">
      <RunPane panel={panel} />
    </div>
  );
  // Focus the view so that Escape closes it right away.
  useEffect(() => {
    root.current?.focus();
    // The view is gone by then, so focus returns to the button that opened it.
    return () => queueMicrotask(() => document.querySelector<HTMLElement>('[data-open-all-runs] button')?.focus());
  }, []);
  return (
    <section
      ref={root}
      class="all-runs"
      aria-label="All runs"
      data-all-runs=""
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || selection.comparing.peek() !== null) return;
        // Otherwise, DevTools would handle Escape, too, and open its drawer.
        event.stopPropagation();
        const { target } = event;
        // In the search, the browser clears the text.
        if (!(target instanceof HTMLInputElement && target.value !== '')) back();
      }}
    >
      <Header panel={panel} back={back} />
      {isShown && !hasRoomForBoth ? null : <AllRunsFilters panel={panel} />}
      <RetentionNotice panel={panel} />
      <div class="fill">
        {isShown && !hasRoomForBoth ? (
          run
        ) : (
          <Splitter
            key={String(isLow)}
            label="Resize table and run"
            direction={isLow ? 'columns' : 'rows'}
            share={isLow ? 42 : 45}
          >
            <RunTable allRuns={allRuns} />
            {isShown ? run : null}
          </Splitter>
        )}
      </div>
    </section>
  );
}

function Header({ panel, back }: { panel: Panel; back: () => void }): JSX.Element {
  const { allRuns } = panel;
  const rows = allRuns.rows.value;
  return (
    <header class="section-head all-runs-head">
      <Button kind="quiet" label="Back" title="Back (Esc)" onClick={back}>
        ←
      </Button>
      <h2>All runs</h2>
      <span
        class="import-status muted untrusted"
        role="status"
        title={allRuns.importText.value}
        data-run-count={rows.length}
      >
        {countText(allRuns)}
      </span>
      <SelectedRunButtons panel={panel} />
      <Button
        kind="quiet"
        title="Export all listed runs to a file"
        unavailable={rows.length > 0 ? null : 'Change the filters to export runs'}
        onClick={() => void panel.exportRuns(rows)}
      >
        {`Export ${formatCount(rows.length)} listed`}
      </Button>
      <ImportButton panel={panel} />
    </header>
  );
}

function SelectedRunButtons({ panel: { allRuns, runs } }: { panel: Panel }): JSX.Element {
  const selected = allRuns.selected.value;
  const wait = selected?.id === runs.live.value ? 'Wait for the run to end' : null;
  const unavailable = selected ? wait : 'Select a run in the table';
  return (
    <>
      <Button
        kind="quiet"
        pressed={selected?.pinned === true}
        title="Pinned runs are never removed automatically"
        unavailable={unavailable}
        onClick={() => selected && void runs.pin(selected.id, !selected.pinned)}
      >
        Pin
      </Button>
      <Button
        kind="quiet"
        title="Remove the selected run"
        unavailable={unavailable}
        onClick={() => selected && void allRuns.remove(selected.id)}
      >
        Remove
      </Button>
    </>
  );
}

function countText({ all, rows, importText }: AllRuns): string {
  const total = all.value?.length ?? 0;
  const count =
    rows.value.length === total ? plural(total, 'run') : `${formatCount(rows.value.length)} of ${plural(total, 'run')}`;
  const size = rows.value.reduce((sum, run) => sum + run.size + run.payload.length, 0);
  return [count, formatSize(size), importText.value].filter(Boolean).join(' · ');
}

const COLUMNS: readonly GridColumn<RunColumn, RunRecord>[] = [
  {
    id: 'startedAt',
    label: 'Started',
    width: 130,
    cell: ({ startedAt }) => <DateTime at={startedAt} seconds />,
  },
  { id: 'title', label: 'Action', width: 130, grow: 2, cell: (record) => <ActionCell record={record} /> },
  {
    id: 'state',
    label: 'State',
    width: 92,
    cell: (record) => (
      <>
        <StateIcon state={stateText(record)} /> <span aria-hidden="true">{stateText(record)}</span>
      </>
    ),
  },
  {
    id: 'outcome',
    label: 'Result or error',
    width: 120,
    grow: 3,
    cell: (record) => (
      <span class={record.error ? 'untrusted error' : 'untrusted'}>{outcomeTextOf(record).replace(/\s+/g, ' ')}</span>
    ),
  },
  {
    id: 'milliseconds',
    label: 'Duration',
    width: 64,
    align: 'end',
    cell: ({ state, milliseconds }) => (state === 'running' ? null : formatDuration(milliseconds)),
  },
  { id: 'number', label: 'Run', width: 40, align: 'end', cell: ({ number }) => number },
  { id: 'origin', label: 'Base URL', width: 150, cell: (record) => <span class="untrusted">{originOf(record)}</span> },
];

function RunTable({ allRuns }: { allRuns: AllRuns }): JSX.Element {
  const rows = allRuns.rows.value;
  if (allRuns.all.value === null) return <Loading>Loading runs…</Loading>;
  if (rows.length === 0) return <NoRuns allRuns={allRuns} />;
  return (
    <Grid
      label="All runs"
      mark={{ 'data-runs-table': '' }}
      columns={COLUMNS}
      rows={rows}
      keyOf={({ id }) => id}
      attributes={({ id, state }) => ({ 'data-any-run': id, 'data-state': state })}
      selected={allRuns.selectedId.value}
      onSelect={({ id }) => allRuns.select(id)}
      sort={allRuns.sort.value}
      onSort={allRuns.sortBy}
    />
  );
}

function NoRuns({ allRuns }: { allRuns: AllRuns }): JSX.Element {
  if (allRuns.all.value?.length === 0)
    return (
      <EmptyState title="No runs yet">
        <p>Every run of every action appears here. Run an action, or import runs from a file.</p>
      </EmptyState>
    );
  return (
    <EmptyState
      title="No runs match these filters"
      actions={<Button onClick={() => allRuns.setFilter(NO_RUN_FILTER)}>Clear filters</Button>}
    >
      <p>All filters must match. The search covers action, app, base URL, state, payload, and result or error.</p>
    </EmptyState>
  );
}

function ActionCell({ record }: { record: RunRecord }): JSX.Element {
  const part = partText(record);
  return (
    <>
      {record.pinned ? (
        <span class="pin on" role="img" aria-label="pinned">
          ★
        </span>
      ) : null}{' '}
      <span class="untrusted">{record.title}</span>{' '}
      <span class="muted">
        {[record.importedAt !== undefined && 'imported', part]
          .filter(Boolean)
          .map((note) => `· ${note}`)
          .join(' ')}
      </span>
    </>
  );
}
