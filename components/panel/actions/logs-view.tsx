/** The app's log: filters, the table, and the selected record's details. */
import type { JSX } from 'preact';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import type { LogRecord } from '../../../lib/platform-api/log.ts';
import type { ActionsState } from '../../../lib/extension/panel/actions/actions-state.ts';
import { actionIdOf, summaryOf } from '../../../lib/extension/panel/actions/log-records.ts';
import { NO_LOG_FILTERS } from '../../../lib/extension/panel/actions/logs.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { formatCount, formatDuration, plural } from '../../../lib/shared/format.ts';
import { Alert, Button, Combobox, EmptyState, Splitter, DateTime } from '../../ui/index.ts';
import { Grid, type GridColumn } from '../../ui/grid.tsx';
import { LogBadge } from './badges.tsx';
import { LogDetail } from './log-detail.tsx';
import { NoPage } from './way.tsx';
import { usePlatformNow } from '../shared/use-now.ts';
import { Loading, RefreshTools } from '../shared/loading.tsx';

const TYPES: [value: string, label: string][] = [
  ['', 'Runs'],
  ['app.task.failed', 'Failed runs'],
  ['app.action.completed', 'Completed on-demand runs'],
  ['app.task.completed', 'Completed scheduled or triggered runs'],
  ['dataSource.entry.create', 'New data source entries'],
  ['app.publish', 'Releases'],
  ['*', 'Everything'],
];

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
  const id = useId();
  const filters = logs.filters.value;
  return (
    <header class="section-head log-filters">
      <ActionFilter panel={panel} logs={logs} />
      <select
        class="input"
        name="log-type"
        aria-label="Type"
        value={filters.type}
        onChange={(event) => logs.setFilters({ type: event.currentTarget.value })}
      >
        {TYPES.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <input
        class="input mono where"
        name="log-where"
        aria-label="where filter (JSON)"
        placeholder={'where filter, such as {"data": {"mode": "scheduled"}}'}
        spellcheck={false}
        autocomplete="off"
        defaultValue={filters.where}
        aria-invalid={logs.whereProblem.value ? 'true' : undefined}
        aria-describedby={`${id}-problem`}
        onChange={(event) => logs.setFilters({ where: event.currentTarget.value })}
      />
      <input
        class="input"
        type="search"
        aria-label="Search loaded records"
        placeholder="Search loaded records"
        value={filters.query}
        onInput={(event) => logs.setFilters({ query: event.currentTarget.value })}
      />
      <LoadedRecords logs={logs} />
      <span id={`${id}-problem`} class="where-problem" aria-live="polite">
        {logs.whereProblem.value}
      </span>
    </header>
  );
}

function ActionFilter({ panel, logs }: { panel: Panel; logs: Logs }): JSX.Element {
  const { actionId } = logs.filters.value;
  const actions = panel.catalog.actions.value.value ?? [];
  const options = useMemo(
    () => [
      { value: '', label: 'All actions' },
      ...actions.map((action) => ({ value: String(action.id), label: action.name, hint: String(action.id) })),
    ],
    [actions],
  );
  return (
    <div class="pick">
      <Combobox
        name="log-action"
        label="Action"
        options={options}
        value={actionId === null ? '' : String(actionId)}
        onPick={(value) => logs.setFilters({ actionId: value === '' ? null : Number(value) })}
      />
    </div>
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
      columns={columns((id) => names.get(id) ?? `removed action ${id}`, now)}
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

function NoRecords({ logs }: { logs: Logs }): JSX.Element {
  if (logs.error.value) return <></>;
  if (logs.count.value === null) return <Loading>Loading log…</Loading>;
  const { query, where, type, actionId } = logs.filters.value;
  if (query.trim() && logs.loadedCount.value > 0)
    return (
      <EmptyState title={`No loaded records match “${query}”`}>
        <p>The search covers loaded records only. Use the type and the where filter to search on the platform.</p>
      </EmptyState>
    );
  const isFiltered = where.trim() !== '' || type !== '' || actionId !== null;
  return (
    <EmptyState
      title={isFiltered ? 'No log records match these filters' : 'No runs yet'}
      actions={isFiltered ? <Button onClick={() => logs.setFilters(NO_LOG_FILTERS)}>Clear filters</Button> : null}
    >
      <p>
        {isFiltered
          ? 'Choose another action or type, or change the where filter.'
          : 'On-demand, scheduled, and triggered runs add a record when they end. Runs on the Run tab aren’t logged. ' +
            'Run an action on the platform to see the first one.'}
      </p>
    </EmptyState>
  );
}
