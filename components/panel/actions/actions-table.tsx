/** Owns the table of an app's actions, and the detail of the selected one beside, under or instead of it. */
import type { JSX } from 'preact';
import type { Action } from '../../../lib/platform-api/action.ts';
import { triggersText, type ActionColumn } from '../../../lib/extension/panel/actions/action-rows.ts';
import type { ActionsState } from '../../../lib/extension/panel/actions/actions-state.ts';
import { knownZone, relativeTime, timeInZone } from '../../../lib/extension/panel/actions/times.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { plural } from '../../../lib/shared/format.ts';
import { Alert, Button, EmptyState, Splitter } from '../../ui/index.ts';
import { Grid, type GridColumn } from '../../ui/grid.tsx';
import { useMedia } from '../shared/use-media.ts';
import { ActionDetail } from './action-detail.tsx';
import { PublicationBadge } from './badges.tsx';
import { useNow } from './use-now.ts';
import { usePlatformNow } from './use-platform-now.ts';

export function ActionsTable({ panel, state }: { panel: Panel; state: ActionsState }): JSX.Element {
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
      label="Size of table and action"
      direction={isNarrow ? 'rows' : 'columns'}
      share={isNarrow ? 40 : 60}
    >
      {[table, detail]}
    </Splitter>
  );
}

/** In the order in which they give way when there is no room: the last first. */
function columns(now: number): GridColumn<ActionColumn, Action>[] {
  return [
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
    { id: 'publication', label: 'Live', width: 92, cell: (action) => <PublicationBadge action={action} /> },
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
      cell: (action) => <Moment at={action.nextRunAt} zone={(action.published ?? action).timezone} now={now} whole />,
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
      cell: (action) => <Moment at={action.lastRunAt} zone={null} now={now} past />,
    },
    { id: 'environment', label: 'Runs on', width: 52, cell: ({ environment }) => environment },
    {
      id: 'active',
      label: 'Active',
      width: 46,
      cell: ({ active }) => (active ? 'yes' : <span class="muted">no</span>),
    },
    { id: 'id', label: 'Id', width: 54, align: 'end', cell: ({ id }) => id },
  ];
}

/** When, from now, and with `whole` the time itself, which the tooltip has in any case; `past`: never ahead of a clock that ticks now and then. */
function Moment({
  at,
  zone,
  now,
  whole,
  past,
}: {
  at: string | null;
  zone: string | null;
  now: number;
  whole?: boolean;
  past?: boolean;
}): JSX.Element | null {
  const time = at === null ? NaN : Date.parse(at);
  if (Number.isNaN(time)) return null;
  const known = knownZone(zone);
  const text = timeInZone(time, known, now);
  return (
    <time dateTime={at ?? undefined} title={`${text} in ${known}`}>
      {relativeTime(past ? Math.min(time, now) : time, now)}
      {whole ? <span class="muted"> · {text}</span> : null}
    </time>
  );
}

function Table({ panel, state }: { panel: Panel; state: ActionsState }): JSX.Element {
  const now = useNow();
  const platformNow = usePlatformNow();
  const actions = panel.catalog.actions.value;
  const rows = state.rows.value;
  const count = actions.value?.length ?? 0;
  const create = (): void => void (state.editing.value = 'new');
  return (
    <section class="actions-table" aria-label="Actions of the app">
      <header class="section-head">
        <input
          class="input"
          type="search"
          aria-label="Search actions"
          placeholder="Name, id, trigger or package"
          value={state.query.value}
          onInput={(event) => (state.query.value = event.currentTarget.value)}
        />
        <span class="muted" role="status">
          {actions.value
            ? rows.length === count
              ? plural(count, 'action')
              : `${rows.length.toLocaleString('en')} of ${plural(count, 'action')}`
            : ''}
        </span>
        <span class="grow" />
        <span class="muted">
          {actions.state === 'loading'
            ? 'Reading…'
            : state.loadedAt.value === null
              ? ''
              : `read ${relativeTime(state.loadedAt.value, Math.max(now, state.loadedAt.value))}`}
        </span>
        <Button
          kind="quiet"
          unavailable={actions.state === 'loading' ? 'The list is being read.' : null}
          onClick={() => void state.refresh()}
        >
          Refresh
        </Button>
        <Button onClick={create}>New action</Button>
      </header>
      {state.missingActionError.value ? (
        <div data-gone="">
          <Alert error={state.missingActionError.value} onDismiss={() => (state.selectedId.value = null)} />
        </div>
      ) : null}
      <div class="fill">
        {rows.length > 0 ? (
          <Grid
            label="Actions"
            mark={{ 'data-actions': '' }}
            columns={columns(platformNow)}
            rows={rows}
            keyOf={({ id }) => String(id)}
            attributes={({ id }) => ({ 'data-action': String(id) })}
            selected={state.selectedId.value === null ? null : String(state.selectedId.value)}
            onSelect={({ id }) => (state.selectedId.value = id)}
            onActivate={(action) => (state.editing.value = action)}
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

function NoRows({ panel, state }: { panel: Panel; state: ActionsState }): JSX.Element {
  const actions = panel.catalog.actions.value;
  if (actions.state === 'failed')
    return (
      <EmptyState
        title="The actions could not be read"
        actions={<Button onClick={() => void state.refresh()}>Read them again</Button>}
      >
        <p class="untrusted">{actions.error.message}</p>
      </EmptyState>
    );
  if (!actions.value)
    return (
      <p class="remark" role="status">
        Reading the actions…
      </p>
    );
  if (actions.value.length > 0)
    return (
      <EmptyState
        title={`Nothing matches “${state.query.value}”`}
        actions={<Button onClick={() => (state.query.value = '')}>Show all</Button>}
      >
        <p>
          The search looks through names, ids, triggers and the packages that the steps name; every word must be found.
        </p>
      </EmptyState>
    );
  return (
    <EmptyState
      title="This app has no actions yet"
      actions={
        <Button kind="primary" onClick={() => (state.editing.value = 'new')}>
          New action
        </Button>
      }
    >
      <p>
        An action is a named pipeline of functions. It runs on demand, on a schedule, or when something happens: a log
        record, an analytics event. It runs for live apps once it is published.
      </p>
    </EmptyState>
  );
}
