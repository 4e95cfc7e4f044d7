/** Filters and sorts the rows of the app table, and remembers its columns. */
import type { App } from '../../../platform-api/app.ts';
import { timeOf } from '../../../platform-api/sessions/timestamp.ts';
import { truncate } from '../../../shared/format.ts';
import { readStored, type StringStorage, writeStored } from '../../../shared/stored-value.ts';
import { sortBy } from '../shared/sort-by.ts';
import type { AppColumn, AppSort } from './types.ts';

export const APP_COLUMNS: readonly { id: AppColumn; label: string }[] = [
  { id: 'name', label: 'Name' },
  { id: 'version', label: 'Version' },
  { id: 'updatedAt', label: 'Updated' },
  { id: 'productionAppId', label: 'Production app' },
  { id: 'appUser', label: 'Your role' },
  { id: 'id', label: 'ID' },
  { id: 'createdAt', label: 'Created' },
  { id: 'organizationId', label: 'Organization' },
  { id: 'startingPageId', label: 'Starting page' },
  { id: 'slug', label: 'Slug' },
  { id: 'icon', label: 'Icon' },
  { id: 'deletedAt', label: 'Deleted' },
  { id: 'settings', label: 'Settings' },
  { id: 'releases', label: 'Releases' },
  { id: 'dependencies', label: 'Dependencies' },
];
const DEFAULT_COLUMNS: readonly AppColumn[] = ['name', 'version', 'updatedAt', 'productionAppId', 'appUser', 'id'];

/** Maximum length of a field in a table cell, in characters. */
const CELL_LENGTH = 300;

/** A field as untrusted text; `''` if it has no value. Times are left as the platform sent them. */
export function appText(app: App, column: AppColumn): string {
  const value = app[column];
  if (value === null || value === undefined) return '';
  if (column === 'appUser') return app.appUser ? `role ${app.appUser.appRoleId}, user ${app.appUser.userId}` : '';
  if (typeof value !== 'object') return String(value);
  return Object.keys(value).length === 0 ? '' : truncate(JSON.stringify(value), CELL_LENGTH);
}

function valueOf(app: App, column: AppColumn): string | number | null {
  const value = app[column];
  if (column === 'createdAt' || column === 'updatedAt' || column === 'deletedAt') return timeOf(app[column]);
  if (column === 'appUser') return app.appUser?.appRoleId ?? null;
  return typeof value === 'number' ? value : appText(app, column).toLowerCase() || null;
}

const texts = new WeakMap<App, string>();

/** The searchable text. Computed once per app. */
function searchText(app: App): string {
  let text = texts.get(app);
  if (text === undefined) {
    text = APP_COLUMNS.map(({ id }) => appText(app, id))
      .join('\n')
      .toLowerCase();
    texts.set(app, text);
  }
  return text;
}

/** Apps that contain every search term, sorted. Missing values come last; ties keep the platform's order. */
export function appRows(apps: readonly App[], query: string, { by, descending }: AppSort): App[] {
  const terms = query.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = apps.filter((app) => terms.every((term) => searchText(app).includes(term)));
  return sortBy(matches, (app) => valueOf(app, by), descending);
}

const KEY = 'platform-devtools.apps.columns';

/** The last selected columns, or the default ones if nothing valid is stored. */
export function recallColumns(storage: StringStorage): readonly AppColumn[] {
  try {
    const stored: unknown = JSON.parse(readStored(storage, KEY) ?? 'null');
    return Array.isArray(stored) ? inTableOrder(stored) : DEFAULT_COLUMNS;
  } catch {
    return DEFAULT_COLUMNS;
  }
}

export function rememberColumns(storage: StringStorage, columns: readonly AppColumn[]): readonly AppColumn[] {
  const shown = inTableOrder(columns);
  writeStored(storage, KEY, JSON.stringify(shown));
  return shown;
}

const inTableOrder = (columns: readonly unknown[]): AppColumn[] =>
  APP_COLUMNS.map(({ id }) => id).filter((id) => id === 'name' || columns.includes(id));
