/** Writes the listed migrations as CSV. */
import { csvOf, type FileColumn } from '../../shared/table-file.ts';
import { coverageCell, OVERVIEW_TEXTS, type OverviewRow } from './overview-rows.ts';

const COLUMNS: readonly FileColumn<OverviewRow>[] = [
  ['name', ({ action }) => action.name],
  ['id', ({ action }) => action.id],
  ['status', ({ status }) => OVERVIEW_TEXTS[status].label],
  ['coverage', coverageCell],
  ['recordedRuns', ({ checked }) => checked?.runs.recorded],
  ['generatedRuns', ({ checked }) => checked?.runs.generated],
  ['mistakesFound', ({ checked }) => checked?.strength?.caught],
  ['possibleMistakes', ({ checked }) => checked?.strength?.total],
  ['lastChecked', ({ checked }) => checked && new Date(checked.at).toISOString()],
  ['error', ({ checked }) => checked?.error?.code],
];

export const overviewCsv = (rows: readonly OverviewRow[]): string => csvOf(COLUMNS, rows);
