/** The table of an app's actions, with the selected action's details beside, below, or instead of it. */
import type { JSX } from 'preact';
import type { Action } from '../../../lib/platform-api/action.ts';
import { triggersText, type ActionColumn } from '../../../lib/extension/panel/actions/action-rows.ts';
import type { ActionsState } from '../../../lib/extension/panel/actions/actions-state.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { formatCount, formatTime, plural } from '../../../lib/shared/format.ts';
import { Alert, Button, EmptyState, Splitter } from '../../ui/index.ts';
import { Grid, type GridColumn } from '../../ui/grid.tsx';
import { useMedia } from '../shared/use-media.ts';
import { ActionDetail } from './action-detail.tsx';
import { PublicationBadge } from './badges.tsx';
import { NoPage } from './way.tsx';
import { ActionTime, Time } from '../shared/time.tsx';
import { usePlatformNow } from '../shared/use-now.ts';
import { Loading, RefreshTools } from '../shared/loading.tsx';
import { UnreadableNote } from '../shared/unreadable-note.tsx';
import { EmptyList } from '../shared/empty-list.tsx';

export interface ActionsTableProps {
  panel: Panel;
  state: ActionsState;
}

export function ActionsTable({ panel, state }: ActionsTableProps): JSX.Element {
  const isNarrow = useMedia('(max-width: 899px)');
  const isTiny = useMedia('(max-width: 479px)');
  const selected = state.selected.value;
  const table = <Table panel={panel} state={state} />;
  const detail = selected && (
    <ActionDetail key={selected.id} panel={panel} state={state} action={selected} takesFocus={isTiny} />
  );
  if (isTiny) return detail ?? table;
  return (
    <Splitter
      key={isNarrow ? 'rows' : 'columns'}
      label="Resize table and details"
      direction={isNarrow ? 'rows' : 'columns'}
      share={isNarrow ? 40 : 60}
    >
      {[table, detail]}
    </Splitter>
  );
}

/** When space is limited, the last columns are hidden first. */
function columns(now: number, hasPublications: boolean): GridColumn<ActionColumn, Action>[] {
  const all: GridColumn<ActionColumn, Action>[] = [
    {
      id: 'name',
      label: 'Name',
      width: 120,
      grow: 3,
      cell: ({ name, active }) => (
        <span class={active ? 'untrusted' : 'untrusted muted'} title={name}>
          {name}
        </span>
      ),
    },
    { id: 'publication', label: 'Publication', width: 92, cell: (action) => <PublicationBadge action={action} /> },
    {
      id: 'triggers',
      label: 'Triggers',
      width: 90,
      grow: 1,
      cell: (action) => triggersText(action) || <span class="muted">none</span>,
    },
    {
      id: 'nextRunAt',
      label: 'Next run',
      width: 88,
      grow: 2,
      cell: (action) => <NextRun action={action} now={now} />,
    },
    {
      id: 'frequency',
      label: 'Frequency',
      width: 90,
      grow: 1,
      cell: ({ frequency, timezone }) =>
        frequency ? (
          <span class="untrusted" title={`${frequency}, ${timezone ?? 'UTC'}`}>
            <code>{frequency}</code> <span class="muted">{timezone ?? 'UTC'}</span>
          </span>
        ) : null,
    },
    {
      id: 'lastRunAt',
      label: 'Last run',
      width: 84,
      cell: (action) => <LastRun action={action} now={now} />,
    },
    { id: 'environment', label: 'Runs on', width: 52, cell: ({ environment }) => environment },
    {
      id: 'active',
      label: 'Active',
      width: 46,
      cell: ({ active }) => (active ? 'yes' : <span class="muted">no</span>),
    },
    { id: 'id', label: 'ID', width: 54, align: 'end', cell: ({ id }) => id },
  ];
  return hasPublications ? all : all.filter(({ id }) => id !== 'publication');
}

interface NextRunProps {
  action: Action;
  now: number;
}

function NextRun({ action: { nextRunAt, published, timezone }, now }: NextRunProps): JSX.Element | null {
  const at = nextRunAt === null ? NaN : Date.parse(nextRunAt);
  if (Number.isNaN(at)) return null;
  const timeZone = (published ?? { timezone }).timezone ?? 'UTC';
  return (
    <Time at={at} now={now} timeZone={timeZone}>
      <span class="muted"> · {formatTime(at, { timeZone, now })}</span>
    </Time>
  );
}

function LastRun({ action: { lastRunAt }, now }: { action: Action; now: number }): JSX.Element | null {
  const at = lastRunAt === null ? NaN : Date.parse(lastRunAt);
  return Number.isNaN(at) ? null : <ActionTime at={at} now={now} />;
}

function Table({ panel, state }: ActionsTableProps): JSX.Element {
  const now = usePlatformNow();
  const rows = state.rows.value;
  const selected = state.selectedId.value;
  return (
    <section class="actions-table" aria-label="App actions">
      <ActionsToolbar panel={panel} state={state} />
      <UnreadableNote list={panel.catalog.unreadable.value} what="action" />
      {state.missingActionError.value ? (
        <div data-missing-action="">
          <Alert error={state.missingActionError.value} onDismiss={() => (state.selectedId.value = null)} />
        </div>
      ) : null}
      <div class="fill">
        {rows.length > 0 ? (
          <Grid
            label="Actions"
            mark={{ 'data-actions': '' }}
            columns={columns(now, panel.catalog.backend.value?.cannot.publishedCopies === null)}
            rows={rows}
            keyOf={({ id }) => String(id)}
            attributes={({ id }) => ({ 'data-action': String(id) })}
            selected={selected === null ? null : String(selected)}
            onSelect={({ id }) => (state.selectedId.value = id)}
            onActivate={(action) => (state.editing.value = { action })}
            sort={state.sort.value}
            onSort={state.sortBy}
          />
        ) : (
          <NoRows panel={panel} state={state} />
        )}
      </div>
    </section>
  );
}

function ActionsToolbar({ panel, state }: ActionsTableProps): JSX.Element {
  const actions = panel.catalog.actions.value;
  const isLoading = actions.state === 'loading';
  return (
    <header class="section-head">
      <input
        class="input"
        type="search"
        aria-label="Search actions"
        placeholder="Name, ID, trigger, or package"
        value={state.query.value}
        onInput={(event) => (state.query.value = event.currentTarget.value)}
      />
      <span class="muted" role="status">
        {actions.value ? countText(state.rows.value.length, actions.value.length) : ''}
      </span>
      <span class="grow" />
      <RefreshTools
        what="the actions are"
        at={state.loadedAt.value}
        loading={isLoading}
        onRefresh={() => state.refresh()}
      />
      <Button unavailable={state.cannotReach.value} onClick={() => (state.editing.value = 'new')}>
        New action
      </Button>
    </header>
  );
}

function countText(shown: number, all: number): string {
  return shown === all ? plural(all, 'action') : `${formatCount(shown)} of ${plural(all, 'action')}`;
}

function NoRows({ panel, state }: ActionsTableProps): JSX.Element {
  const actions = panel.catalog.actions.value;
  if (state.cannotReach.value !== null && !actions.value) return <NoPage panel={panel} what="actions" />;
  if (actions.state === 'failed')
    return (
      <EmptyState
        title="Couldn’t load the actions"
        actions={<Button onClick={() => void state.refresh()}>Try again</Button>}
      >
        <p class="untrusted">{actions.error.message}</p>
      </EmptyState>
    );
  if (!actions.value) return <Loading>Loading actions…</Loading>;
  if (actions.value.length > 0)
    return (
      <EmptyState
        title={`No actions match “${state.query.value}”`}
        actions={<Button onClick={() => (state.query.value = '')}>Clear search</Button>}
      >
        <p>The search covers names, IDs, triggers, and function packages. Every word must match.</p>
      </EmptyState>
    );
  return (
    <EmptyList
      unreadable={panel.catalog.unreadable.value}
      what="action"
      title="No actions yet"
      actions={
        <Button kind="primary" onClick={() => (state.editing.value = 'new')}>
          New action
        </Button>
      }
    >
      <p>
        An action is a pipeline of functions. Actions run on demand, on a schedule, or when a log record or an analytics
        event fires them.
      </p>
    </EmptyList>
  );
}
