/** The app's log: filters, the table, and the selected record's details. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { LogRecord } from '../../../lib/platform-api/log.ts';
import type { ActionsState } from '../../../lib/extension/panel/actions/actions-state.ts';
import { actionIdOf, summaryOf } from '../../../lib/extension/panel/actions/log-records.ts';
import { NO_LOG_FILTERS } from '../../../lib/extension/panel/actions/logs.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { formatCount, formatDuration, plural } from '../../../lib/shared/format.ts';
import { Alert, Button, EmptyState, Splitter, DateTime } from '../../ui/index.ts';
import { Grid, type GridColumn } from '../../ui/grid.tsx';
import { LogBadge } from './badges.tsx';
import { LogDetail } from './log-detail.tsx';
import { NoPage } from './way.tsx';
import { LogQueryBar } from './log-filters.tsx';
import { usePlatformNow } from '../shared/use-now.ts';
import { Loading, RefreshTools } from '../shared/loading.tsx';
import { UnreadableNote } from '../shared/unreadable-note.tsx';
import { EmptyList } from '../shared/empty-list.tsx';

type Logs = ActionsState['logs'];

export interface LogsViewProps {
  panel: Panel;
  state: ActionsState;
}

export function LogsView({ panel, state }: LogsViewProps): JSX.Element {
  const { logs } = state;
  useEffect(() => {
    const update = (): void => logs.setVisible(document.visibilityState === 'visible');
    update();
    document.addEventListener('visibilitychange', update);
    return () => {
      document.removeEventListener('visibilitychange', update);
      logs.setVisible(false);
    };
  }, [logs]);
  const section = useRef<HTMLElement>(null);
  const close = (id: number): void => {
    logs.select(null);
    // The close button is gone, so focus returns to the row.
    section.current?.querySelector<HTMLElement>(`[role=row][data-log="${id}"]`)?.focus();
  };
  const record = logs.records.value.find(({ id }) => id === logs.selectedId.value) ?? null;
  const list = <LogList panel={panel} state={state} />;
  // The tab says how to get a way to the logs.
  const isOutOfReach = state.cannotReach.value !== null;
  return (
    <section ref={section} class="logs" aria-label="Logs" data-logs="">
      <Filters panel={panel} state={state} />
      {logs.error.value && !isOutOfReach ? (
        <Alert error={logs.error.value} actions={<Button onClick={() => void logs.refresh()}>Try again</Button>} />
      ) : null}
      <UnreadableNote list={logs.unreadable.value} what="record" />
      <div class="fill">
        <Splitter label="Resize log and record" direction="rows" share={55}>
          {list}
          {record && (
            <div class="opened-log scroll">
              <LogDetail
                panel={panel}
                record={record}
                actionId={actionIdOf(record)}
                maxHeight={1000}
                onClose={() => close(record.id)}
              />
            </div>
          )}
        </Splitter>
      </div>
    </section>
  );
}

function Filters({ panel, state: { logs } }: LogsViewProps): JSX.Element {
  return (
    <header class="log-filters">
      <LogQueryBar panel={panel} logs={logs} />
      <div class="section-head">
        <input
          class="input"
          type="search"
          aria-label="Search loaded records"
          placeholder="Search loaded records"
          value={logs.filters.value.query}
          onInput={(event) => logs.setFilters({ query: event.currentTarget.value })}
        />
        <LoadedRecords logs={logs} />
      </div>
    </header>
  );
}

/** How many records are loaded, how old they are, and a button to load newer ones. */
function LoadedRecords({ logs }: { logs: Logs }): JSX.Element {
  const isLive = logs.live.value;
  const isLoading = logs.state.value === 'loading';
  return (
    <>
      <span class="muted" role="status" data-log-count={logs.count.value ?? undefined}>
        {countText(logs)}
      </span>
      {logs.endReason.value === null ? null : <span class="muted">{logs.endReason.value}</span>}
      <span class="grow" />
      <RefreshTools what="the log is" at={logs.loadedAt.value} loading={isLoading} onRefresh={() => logs.refresh()} />
      <Button pressed={isLive} title="Check for new records every 2 seconds" onClick={() => logs.setLive(!isLive)}>
        Live
      </Button>
    </>
  );
}

function countText(logs: Logs): string {
  const count = logs.count.value;
  if (count === null) return '';
  const loaded = logs.loadedCount.value;
  const shown = logs.records.value.length;
  const matches = shown < loaded ? `${plural(shown, 'match', 'matches')} in ` : '';
  return loaded < count
    ? `${matches}${formatCount(loaded)} of ${plural(count, 'record')}`
    : `${matches}${plural(count, 'record')}`;
}

type LogColumn = 'createdAt' | 'state' | 'type' | 'action' | 'summary' | 'duration';

function columns(nameOf: (id: number) => string, now: number): GridColumn<LogColumn, LogRecord>[] {
  return [
    {
      id: 'createdAt',
      label: 'Time',
      width: 140,
      cell: ({ createdAt }) => <DateTime at={Date.parse(createdAt)} now={now} seconds />,
    },
    { id: 'state', label: 'Outcome', width: 84, cell: ({ type }) => <LogBadge type={type} /> },
    {
      id: 'action',
      label: 'Action',
      width: 100,
      grow: 1,
      cell: (record) => {
        const id = actionIdOf(record);
        return id === null ? (
          <span class="muted untrusted">{record.type}</span>
        ) : (
          <span class="untrusted">{nameOf(id)}</span>
        );
      },
    },
    {
      id: 'summary',
      label: 'Details',
      width: 120,
      grow: 3,
      cell: (record) => <span class="untrusted">{summaryOf(record)}</span>,
    },
    {
      id: 'duration',
      label: 'Duration',
      width: 60,
      align: 'end',
      cell: ({ data }) => (typeof data.duration === 'number' ? formatDuration(data.duration) : null),
    },
    { id: 'type', label: 'Type', width: 140, cell: ({ type }) => <code class="untrusted">{type}</code> },
  ];
}

function LogList({ panel, state }: LogsViewProps): JSX.Element {
  const { logs } = state;
  const now = usePlatformNow();
  const actions = panel.catalog.actions.value.value;
  const names = useMemo(() => new Map((actions ?? []).map(({ id, name }) => [id, name])), [actions]);
  const rows = logs.records.value;
  const newAfterId = logs.newAfterId.value;
  if (rows.length === 0 && state.cannotReach.value !== null) return <NoPage panel={panel} what="logs" />;
  if (rows.length === 0) return <NoRecords logs={logs} />;
  return (
    <Grid
      label="Log records"
      columns={columns((id) => names.get(id) ?? `action ${id}${actions ? ' (not in the list)' : ''}`, now)}
      rows={rows}
      keyOf={({ id }) => String(id)}
      attributes={({ id, type }) => ({
        'data-log': String(id),
        'data-type': type,
        'data-new': newAfterId !== null && id > newAfterId ? '' : undefined,
      })}
      selected={logs.selectedId.value === null ? null : String(logs.selectedId.value)}
      onSelect={({ id }) => logs.select(id)}
      onEnd={() => void logs.loadOlder()}
    />
  );
}

export function NoRecords({ logs }: { logs: Logs }): JSX.Element {
  if (logs.error.value) return <></>;
  if (logs.count.value === null) return <Loading>Loading log…</Loading>;
  const { query } = logs.filters.value;
  if (query.trim() && logs.loadedCount.value > 0)
    return (
      <EmptyState title={`No loaded records match “${query}”`}>
        <p>The search covers loaded records only. Use the filters above it to search on the platform.</p>
      </EmptyState>
    );
  const isFiltered = logs.isFiltered.value;
  return (
    <EmptyList
      // Not every platform filters itself.
      unreadable={logs.loadedCount.value > 0 ? [] : logs.unreadable.value}
      what="record"
      title={isFiltered ? 'No log records match these filters' : 'No runs in the log'}
      actions={isFiltered ? <Button onClick={() => logs.setFilters(NO_LOG_FILTERS)}>Clear filters</Button> : null}
    >
      <p>
        {isFiltered
          ? 'Choose another action, type, outcome, or time, or change the where filter.'
          : 'On-demand, scheduled, and triggered runs add a record when they end. Runs on the Run tab aren’t logged. ' +
            'Run an action on the platform to see the first one.'}
      </p>
    </EmptyList>
  );
}
