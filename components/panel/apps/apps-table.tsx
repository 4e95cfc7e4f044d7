/** The app table: search, sorting, columns, and deleted apps. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Environment } from '../../../lib/extension/messaging/model/environment.ts';
import type { AppsState } from '../../../lib/extension/panel/apps/apps-state.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { unreadableOf } from '../../../lib/platform-api/lists/unreadable.ts';
import { formatCount, plural } from '../../../lib/shared/format.ts';
import { Badge, Button, EmptyState } from '../../ui/index.ts';
import { Grid } from '../../ui/grid.tsx';
import { useNow } from '../shared/use-now.ts';
import { appColumns } from './app-columns.tsx';
import { ColumnsChoice } from './columns-choice.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { EmptyList } from '../shared/empty-list.tsx';
import { Loading, RefreshTools } from '../shared/loading.tsx';
import { UnreadableNote } from '../shared/unreadable-note.tsx';

export interface AppsTableProps {
  panel: Panel;
  state: AppsState;
  environment: Environment;
}

export function AppsTable({ panel, state, environment }: AppsTableProps): JSX.Element {
  const now = useNow();
  const [showsDeleted, setDeleted] = useState(false);
  const { value: apps } = panel.catalog.apps.value;
  const names = useMemo(() => new Map((apps ?? []).map(({ id, name }) => [id, name])), [apps]);
  const isDeleted = showsDeleted && state.deleted.value.length > 0;
  const rows = isDeleted ? state.deleted.value : state.rows.value;
  const selected = state.selectedId.value;
  return (
    <section class="apps-table" aria-label="Apps">
      <AppsToolbar panel={panel} state={state} shown={rows.length} isDeleted={isDeleted} setDeleted={setDeleted} />
      <UnreadableNote list={unreadableOf(apps)} what="app" />
      <div class="fill">
        {rows.length > 0 ? (
          <Grid
            label={isDeleted ? 'Deleted apps' : 'Apps'}
            mark={{ 'data-apps': '' }}
            columns={appColumns(state.columns.value, {
              baseUrl: environment.baseUrl,
              now: now + state.clockOffset.value,
              nameOf: (id) => names.get(id) ?? null,
            })}
            rows={rows}
            keyOf={({ id }) => String(id)}
            attributes={({ id }) => ({ 'data-app': String(id) })}
            selected={selected === null ? null : String(selected)}
            onSelect={({ id }) => state.select(id)}
            onActivate={({ id }) => state.open(id)}
            sort={state.sort.value}
            onSort={state.sortBy}
          />
        ) : (
          <NoApps panel={panel} state={state} />
        )}
      </div>
    </section>
  );
}

interface AppsToolbarProps {
  panel: Panel;
  state: AppsState;
  shown: number;
  /** Whether the table shows only deleted apps. */
  isDeleted: boolean;
  setDeleted: (isDeleted: boolean) => void;
}

function AppsToolbar({ panel, state, shown, isDeleted, setDeleted }: AppsToolbarProps): JSX.Element {
  const apps = panel.catalog.apps.value;
  const deleted = state.deleted.value;
  const selected = state.selectedId.value;
  const isLoading = apps.state === 'loading';
  return (
    <header class="section-head">
      <input
        class="input"
        type="search"
        aria-label="Search apps"
        placeholder="Search all fields"
        value={state.query.value}
        onInput={(event) => (state.query.value = event.currentTarget.value)}
      />
      <span class="muted" role="status" data-app-count={shown}>
        {apps.value ? countText(shown, apps.value.length, isDeleted) : ''}
      </span>
      {deleted.length > 0 ? (
        <Button kind="quiet" pressed={isDeleted} title="Show deleted apps only" onClick={() => setDeleted(!isDeleted)}>
          Deleted: {formatCount(deleted.length)}
        </Button>
      ) : null}
      <span class="grow" />
      {state.isOnline.value ? null : <Badge tone="warning">browser offline</Badge>}
      <RefreshTools
        what="the apps are"
        at={state.loadedAt.value}
        loading={isLoading}
        onRefresh={() => state.refresh()}
      />
      <ColumnsChoice state={state} />
      {selected === null ? null : (
        <CopyButton what="ID" text={String(selected)} copyText={(text) => panel.copy(text)} />
      )}
      <Button
        unavailable={selected === null ? 'Select an app in the table' : null}
        title="Open the app’s page (Enter)"
        onClick={() => selected !== null && state.open(selected)}
      >
        Open
      </Button>
    </header>
  );
}

function countText(shown: number, all: number, isDeleted: boolean): string {
  if (isDeleted) return plural(shown, 'deleted app');
  return shown === all ? plural(all, 'app') : `${formatCount(shown)} of ${plural(all, 'app')}`;
}

function NoApps({ panel, state }: { panel: Panel; state: AppsState }): JSX.Element {
  const apps = panel.catalog.apps.value;
  const retry = <Button onClick={() => void state.refresh()}>Try again</Button>;
  if (apps.state === 'failed' && !apps.value)
    return (
      <EmptyState title="Couldn’t load the apps" actions={retry}>
        <p class="untrusted">{apps.error.message}</p>
      </EmptyState>
    );
  if (!apps.value) return <Loading>Loading apps…</Loading>;
  if (apps.value.length === 0)
    return (
      <EmptyList title="No apps" unreadable={unreadableOf(apps.value)} what="app" actions={retry}>
        <p>
          The platform lists no apps for this environment’s token. Ask your organization’s administrator for access.
        </p>
      </EmptyList>
    );
  return (
    <EmptyState
      title={
        state.query.value.trim()
          ? `No apps match “${state.query.value}”`
          : `All ${unreadableOf(apps.value).length > 0 ? 'readable ' : ''}apps are deleted`
      }
      actions={state.query.value.trim() ? <Button onClick={() => (state.query.value = '')}>Clear search</Button> : null}
    >
      <p>The search covers all fields. Every word must match.</p>
    </EmptyState>
  );
}
