/** Columns of the table of migrations. */
import type { JSX } from 'preact';
import type { Overview } from '../../../../lib/extension/panel/migrate/overview/overview.ts';
import {
  coverageCell,
  OVERVIEW_TEXTS,
  type OverviewColumn,
  type OverviewRow,
  runsCell,
  strengthCell,
} from '../../../../lib/extension/panel/migrate/overview/overview-rows.ts';
import { formatTime, plural, truncate } from '../../../../lib/shared/format.ts';
import { Button } from '../../../ui/index.ts';
import type { GridColumn } from '../../../ui/grid.tsx';
import { Time } from '../../shared/time.tsx';
import { StatusMark } from '../status-badge.tsx';

/** When space is limited, the last columns are hidden first. */
export function overviewColumns(overview: Overview, now: number): GridColumn<OverviewColumn, OverviewRow>[] {
  return [
    {
      id: 'name',
      label: 'Name',
      width: 110,
      grow: 2,
      cell: ({ action }) => (
        <span class="untrusted" title={action.name}>
          {action.name}
        </span>
      ),
    },
    { id: 'status', label: 'Status', width: 116, cell: (row) => <Status row={row} /> },
    { id: 'coverage', label: 'Coverage', width: 130, grow: 2, cell: (row) => <Coverage row={row} /> },
    { id: 'runs', label: 'Runs', width: 118, cell: (row) => <Runs row={row} /> },
    { id: 'strength', label: 'Mistakes found', width: 92, cell: (row) => <Strength row={row} /> },
    {
      id: 'checkedAt',
      label: 'Last checked',
      width: 150,
      cell: (row) => <LastChecked overview={overview} row={row} now={now} />,
    },
  ];
}

function Status({ row: { status, checked, isChecking } }: { row: OverviewRow }): JSX.Element {
  if (isChecking) return <span class="overview-checking">Checking…</span>;
  const text = OVERVIEW_TEXTS[status];
  const at = checked && ` Checked ${formatTime(checked.at)}. Later runs and packages aren’t considered.`;
  return <StatusMark status={status} text={text} title={`${text.explanation}${at ?? ''}`} />;
}

function Coverage({ row }: { row: OverviewRow }): JSX.Element {
  const { error = null, reason = null, coverage = null } = row.checked ?? {};
  const text = truncate(coverageCell(row), 300);
  const title = error ? `${error.message} (${error.code})` : [reason, coverage?.text].filter(Boolean).join('. ');
  return (
    <span class={coverage && reason === null ? 'untrusted' : 'untrusted muted'} title={truncate(title, 1_000)}>
      {text}
    </span>
  );
}

function Runs({ row }: { row: OverviewRow }): JSX.Element | null {
  const { runs, error } = row.checked ?? {};
  if (!runs || error) return null;
  const aside = runs.aside > 0 ? `, ${plural(runs.aside, 'run')} left out` : '';
  const title = `${plural(runs.recorded, 'recorded run')} and ${plural(runs.generated, 'generated run')} compared${aside}`;
  return <span title={title}>{runsCell(row)}</span>;
}

function Strength({ row }: { row: OverviewRow }): JSX.Element {
  return <span title="How many of the tried mistakes in the code the runs would find">{strengthCell(row)}</span>;
}

interface LastCheckedProps {
  overview: Overview;
  row: OverviewRow;
  now: number;
}

function LastChecked({ overview, row: { action, checked }, now }: LastCheckedProps): JSX.Element {
  return (
    // The table opens a row on Enter and on a click.
    <span
      class="overview-last"
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => event.key !== 'Tab' && event.stopPropagation()}
    >
      {checked ? <Time at={checked.at} now={Math.max(now, checked.at)} /> : <span class="muted">never</span>}
      <Button
        kind="quiet"
        label={`Check ${action.name}`}
        title="Check this action"
        unavailable={overview.cannotCheck.value}
        onClick={() => void overview.check(action)}
      >
        ↻
      </Button>
    </span>
  );
}
