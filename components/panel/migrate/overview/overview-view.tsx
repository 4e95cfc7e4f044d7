/** The *Migration* view: one row per action of the app, with what is proved of its V3 code. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Overview } from '../../../../lib/extension/panel/migrate/overview/overview.ts';
import { overviewOf } from '../../../../lib/extension/panel/migrate/overview/overview-of.ts';
import {
  NO_FILTER,
  OVERVIEW_STATUSES,
  OVERVIEW_TEXTS,
  type OverviewStatus,
} from '../../../../lib/extension/panel/migrate/overview/overview-rows.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { formatCount, plural } from '../../../../lib/shared/format.ts';
import { Alert, Button, EmptyState, Notice } from '../../../ui/index.ts';
import { Grid } from '../../../ui/grid.tsx';
import { Loading } from '../../shared/loading.tsx';
import { NoPage } from '../../actions/way.tsx';
import { useNow } from '../../shared/use-now.ts';
import { overviewColumns } from './overview-columns.tsx';
import { EmptyList } from '../../shared/empty-list.tsx';
import { NoPageStep, PageStep } from '../page-step.tsx';
import './overview.css';

export function OverviewView({ panel }: { panel: Panel }): JSX.Element {
  const overview = overviewOf(panel);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // The view of an action had the focus, and is gone.
    if (document.activeElement === document.body)
      section.current?.querySelector<HTMLElement>('[role=row][aria-selected=true]')?.focus();
  }, []);
  const actions = panel.catalog.actions.value;
  if (!actions.value || overview.all.value.length === 0) return <NoActions panel={panel} />;
  return (
    <section
      ref={section}
      class="overview-migrations"
      aria-label="Migration"
      data-checking={overview.progress.value ? '' : undefined}
    >
      <Toolbar overview={overview} />
      <Summary overview={overview} />
      {overview.error.value ? (
        <Alert
          error={overview.error.value}
          onDismiss={overview.dismiss}
          actions={<PageStep panel={panel} actionId={shownAction(overview)} code={overview.error.value.code} />}
        />
      ) : null}
      <Missing panel={panel} overview={overview} />
      <div class="fill">
        <Table overview={overview} />
      </div>
    </section>
  );
}

function Toolbar({ overview }: { overview: Overview }): JSX.Element {
  const [shown, all] = [overview.rows.value.length, overview.all.value.length];
  return (
    <header class="section-head">
      <Filters overview={overview} />
      <span class="muted" role="status" data-migration-count={shown}>
        {shown === all ? plural(all, 'action') : `${formatCount(shown)} of ${plural(all, 'action')}`}
      </span>
      <span class="grow" />
      <Button
        kind="quiet"
        unavailable={shown > 0 ? null : 'Change the filters to save actions'}
        title="Save the listed actions for a spreadsheet"
        onClick={overview.saveCsv}
      >
        Save CSV
      </Button>
      {overview.progress.value ? (
        <Button onClick={overview.cancel}>Cancel</Button>
      ) : (
        <Button
          kind="primary"
          unavailable={overview.cannotCheck.value}
          title="Migrate all actions, and compare their code with all recorded runs"
          onClick={() => void overview.checkAll()}
        >
          Check all
        </Button>
      )}
    </header>
  );
}

function Filters({ overview }: { overview: Overview }): JSX.Element {
  const { query, status } = overview.filter.value;
  const counts = overview.counts.value;
  return (
    <>
      <input
        class="input"
        type="search"
        aria-label="Search migrations"
        placeholder="Name"
        value={query}
        onInput={(event) => (overview.filter.value = { query: event.currentTarget.value, status })}
      />
      <select
        class="input"
        name="migration-status"
        aria-label="Status"
        value={status ?? ''}
        onChange={({ currentTarget: { value } }) =>
          (overview.filter.value = { query, status: value === '' ? null : (value as OverviewStatus) })
        }
      >
        <option value="">Any status</option>
        {OVERVIEW_STATUSES.filter((each) => each === status || counts.has(each)).map((each) => (
          <option key={each} value={each}>
            {OVERVIEW_TEXTS[each].label} ({formatCount(counts.get(each) ?? 0)})
          </option>
        ))}
      </select>
      {query !== '' || status !== null ? (
        <Button kind="quiet" onClick={() => (overview.filter.value = NO_FILTER)}>
          Clear filters
        </Button>
      ) : null}
    </>
  );
}

function Summary({ overview }: { overview: Overview }): JSX.Element {
  const progress = overview.progress.value;
  return (
    <p class="remark overview-summary">
      <span role="status" data-migration-summary="">
        {overview.summary.value}
      </span>
      {progress ? (
        <>
          <progress aria-label="Checked actions" max={progress.total} value={progress.done} />
          <span class="overview-checking untrusted" role="status" data-check-progress={progress.done}>
            {progress.done + 1} of {progress.total}: {progress.action.name}
          </span>
        </>
      ) : null}
    </p>
  );
}

/** The action whose debug page is offered. */
const shownAction = ({ selectedId, all }: Overview): number | undefined => selectedId.value ?? all.value[0]?.action.id;

/** What nothing can be proved without. */
function Missing({ panel, overview }: { panel: Panel; overview: Overview }): JSX.Element | null {
  if (overview.noPage.value !== null)
    return (
      <Notice code="NO_PAGE" actions={<NoPageStep panel={panel} actionId={shownAction(overview)} />}>
        <strong>{overview.noPage.value}.</strong> Only pages of the app get its recorded runs. An action’s debug page is
        best.
      </Notice>
    );
  if (overview.progress.value || !overview.hasNoRuns.value) return null;
  return (
    <Notice code="NO_RUNS" actions={<Button onClick={() => panel.tabs.open('run')}>Open Run</Button>}>
      <strong>Record runs first.</strong> The proof compares the code with what recorded runs of V2 did. Run each action
      in the Run tab, or import recordings there. Then check again.
    </Notice>
  );
}

function Table({ overview }: { overview: Overview }): JSX.Element {
  const now = useNow();
  const cannotCheck = overview.cannotCheck.value;
  const columns = useMemo(() => overviewColumns(overview, now), [overview, now, cannotCheck]);
  const rows = overview.rows.value;
  if (!overview.isLoaded.value) return <Loading>Loading checks…</Loading>;
  if (rows.length === 0)
    return (
      <EmptyState
        title="No actions match these filters"
        actions={<Button onClick={() => (overview.filter.value = NO_FILTER)}>Clear filters</Button>}
      >
        <p>Both filters must match. The search covers names.</p>
      </EmptyState>
    );
  return (
    <Grid
      label="Migrations"
      mark={{ 'data-migrations': '' }}
      columns={columns}
      rows={rows}
      keyOf={({ action }) => String(action.id)}
      attributes={({ action, status }) => ({ 'data-action': String(action.id), 'data-row-status': status })}
      selected={overview.selectedId.value === null ? null : String(overview.selectedId.value)}
      onSelect={({ action }) => (overview.selectedId.value = action.id)}
      onActivate={overview.open}
      activatesOnClick
      sort={overview.sort.value}
      onSort={overview.sortBy}
    />
  );
}

function NoActions({ panel }: { panel: Panel }): JSX.Element {
  const actions = panel.catalog.actions.value;
  if (actions.state === 'failed')
    return (
      <EmptyState
        title="Couldn’t load the actions"
        actions={<Button onClick={() => void panel.catalog.refreshActions()}>Try again</Button>}
      >
        <p class="untrusted">{actions.error.message}</p>
      </EmptyState>
    );
  if (panel.catalog.backend.value?.way === 'none') return <NoPage panel={panel} what="actions" />;
  if (!actions.value) return <Loading>Loading actions…</Loading>;
  return (
    <EmptyList title="No actions to migrate" unreadable={panel.catalog.unreadable.value} what="action">
      <p>Create an action under All actions. Here, you see what is proved of the V3 code of each action.</p>
    </EmptyList>
  );
}
