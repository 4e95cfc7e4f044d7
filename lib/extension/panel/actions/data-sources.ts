/** Example records and `where` filters for an app's data sources, and a check for unknown ones. */
import type { DataSource } from '../../../platform-api/data-source.ts';
import { unreadableOf } from '../../../platform-api/lists/unreadable.ts';
import { type Fields, isFields } from './edit/draft-value.ts';

const NEW_ENTRY = 'dataSource.entry.create';

/** A log record for a new entry in the first data source. If no data sources are known, the record doesn't name one. */
export function newEntryRecord([source]: readonly DataSource[]): Fields {
  return source
    ? { type: NEW_ENTRY, dataSourceId: source.id, dataSourceEntryId: 1, data: { columns: source.columns } }
    : { type: NEW_ENTRY, data: {} };
}

/** A `where` filter that matches new entries in the first data source, or in any if none are known. */
export function newEntryFilter([source]: readonly DataSource[]): Fields {
  return source ? { type: NEW_ENTRY, dataSourceId: source.id } : { type: NEW_ENTRY };
}

/** Names the unknown data source of a record or filter; null if it's known, or if no data sources are loaded. */
export function unknownDataSource(fields: unknown, sources: readonly DataSource[] | null): string | null {
  const id = isFields(fields) ? fields['dataSourceId'] : null;
  if (sources === null || typeof id !== 'number' || sources.some((source) => source.id === id)) return null;
  const mayBeUnreadable = unreadableOf(sources).some((source) => source.id === null || source.id === id);
  return mayBeUnreadable ? null : `This app has no data source ${id}`;
}
