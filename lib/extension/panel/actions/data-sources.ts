/** Owns an app's data sources as log records and triggers name them: of a new entry, and by an id that none has. */
import type { DataSource } from '../../../platform-api/data-source.ts';
import { type Fields, isFields } from './edit/pointer.ts';

const NEW_ENTRY = 'dataSource.entry.create';

/** The record of a new entry in the first of them; of one in none while they are not known, which the platform takes too. */
export function newEntryIn([source]: readonly DataSource[]): Fields {
  return source
    ? { type: NEW_ENTRY, dataSourceId: source.id, dataSourceEntryId: 1, data: { columns: source.columns } }
    : { type: NEW_ENTRY, data: {} };
}

/** What a trigger waits for that fires at a new entry in the first of them; in any while they are not known. */
export function waitForEntryIn([source]: readonly DataSource[]): Fields {
  return source ? { type: NEW_ENTRY, dataSourceId: source.id } : { type: NEW_ENTRY };
}

/** That a record, or what a trigger waits for, names a data source that the app has not; null while they are not known. */
export function unknownSource(fields: unknown, sources: readonly DataSource[] | null): string | null {
  const id = isFields(fields) ? fields['dataSourceId'] : null;
  return sources === null || typeof id !== 'number' || sources.some((source) => source.id === id)
    ? null
    : `This app has no data source ${id}`;
}
