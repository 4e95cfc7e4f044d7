/** Owns the table of apps: search, order, choice of columns, deleted ones apart. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Environment } from '../../../lib/extension/messaging/model/environment.ts';
import { relativeTime } from '../../../lib/extension/panel/actions/times.ts';
import type { AppsState } from '../../../lib/extension/panel/apps/types.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { plural } from '../../../lib/shared/format.ts';
import { Badge, Button, EmptyState } from '../../ui/index.ts';
import { Grid } from '../../ui/grid.tsx';
import { useNow } from '../actions/use-now.ts';
import { appColumns } from './app-columns.tsx';
import { ColumnsChoice } from './columns-choice.tsx';
import { CopyButton } from './copy-button.tsx';

export function AppsTable({
  panel,
  state,
  environment,
}: {
  panel: Panel;
  state: AppsState;
  environment: Environment;
}): JSX.Element {
  const now = useNow();
  const [wantsDeleted, setDeleted] = useState(false);
  const apps = panel.catalog.apps.value;
  const names = useMemo(() => new Map((apps.value ?? []).map(({ id, name }) => [id, name])), [apps.value]);
  const deleted = state.deleted.value;
  const isDeleted = wantsDeleted && deleted.length > 0;
  const rows = isDeleted ? deleted : state.rows.value;
  const count = apps.value?.length ?? 0;
  const selected = state.selectedId.value;
  const none = selected === null ? 'Choose an app in the table.' : null;
  const isLoading = apps.state === 'loading';
  return (
    <section class="apps-table" aria-label="Apps">
      <header class="section-head">
        <input
          class="input"
          type="search"
          aria-label="Search apps"
          placeholder="Search in every field"
          value={state.query.value}
          onInput={(event) => (state.query.value = event.currentTarget.value)}
        />
        <span class="muted" role="status" data-app-count={rows.length}>
          {apps.value ? counted(rows.length, count, isDeleted) : ''}
        </span>
        {deleted.length > 0 ? (
          <Button
            kind="quiet"
            pressed={isDeleted}
            title="Show those that were deleted, instead of the others"
            onClick={() => setDeleted(!isDeleted)}
          >
            Deleted: {deleted.length.toLocaleString('en')}
          </Button>
        ) : null}
        <span class="grow" />
        {state.isOnline.value ? null : <Badge tone="warning">offline</Badge>}
        <span class="muted">
          {isLoading
            ? 'Reading…'
            : state.loadedAt.value === null
              ? ''
              : `read ${relativeTime(state.loadedAt.value, Math.max(now, state.loadedAt.value))}`}
        </span>
        <Button
          kind="quiet"
          unavailable={isLoading ? 'The list is being read.' : null}
          onClick={() => void state.refresh()}
        >
          Refresh
        </Button>
        <ColumnsChoice state={state} />
        {selected === null ? null : (
          <CopyButton what="the id" text={String(selected)} copyText={(text) => panel.copy(text)} />
        )}
        <Button
          unavailable={none}
          title="Open the app’s page (Enter)"
          onClick={() => selected !== null && state.open(selected)}
        >
          Open
        </Button>
      </header>
      <div class="fill">
        {rows.length > 0 ? (
          <Grid
            label={isDeleted ? 'Deleted apps' : 'Apps'}
            mark={{ 'data-apps': '' }}
            columns={appColumns(state.columns.value, {
              baseUrl: environment.baseUrl,
              now: now + state.ahead.value,
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

function counted(shown: number, all: number, isDeleted: boolean): string {
  if (isDeleted) return `${plural(shown, 'app')} deleted`;
  return shown === all ? plural(all, 'app') : `${shown.toLocaleString('en')} of ${plural(all, 'app')}`;
}

function NoApps({ panel, state }: { panel: Panel; state: AppsState }): JSX.Element {
  const apps = panel.catalog.apps.value;
  const again = <Button onClick={() => void state.refresh()}>Read them again</Button>;
  if (apps.state === 'failed' && !apps.value)
    return (
      <EmptyState title="The apps could not be read" actions={again}>
        <p class="untrusted">{apps.error.message}</p>
      </EmptyState>
    );
  if (!apps.value)
    return (
      <p class="remark" role="status">
        Reading the apps…
      </p>
    );
  if (apps.value.length === 0)
    return (
      <EmptyState title="The token sees no apps" actions={again}>
        <p>
          Here stand the apps that the token of this environment has access to: their versions, who uses them, and how
          an update reaches them. An administrator of the organization can give access.
        </p>
      </EmptyState>
    );
  return (
    <EmptyState
      title={state.query.value.trim() ? `Nothing matches “${state.query.value}”` : 'Every app is deleted'}
      actions={state.query.value.trim() ? <Button onClick={() => (state.query.value = '')}>Show all</Button> : null}
    >
      <p>The search looks through every field of an app; every word must be found.</p>
    </EmptyState>
  );
}
