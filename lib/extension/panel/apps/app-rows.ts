/** Owns the rows of the table of apps: which, in which order, and what a field says. */
import type { App } from '../../../platform-api/app.ts';
import { timeOf } from '../../../platform-api/timestamp.ts';
import type { StringStorage } from '../../../shared/stored-value.ts';
import type { AppColumn, AppSort } from './types.ts';

export const APP_COLUMNS: readonly { id: AppColumn; label: string }[] = [
  { id: 'name', label: 'Name' },
  { id: 'version', label: 'Version' },
  { id: 'updatedAt', label: 'Updated' },
  { id: 'productionAppId', label: 'Production app' },
  { id: 'appUser', label: 'Your role' },
  { id: 'id', label: 'Id' },
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
const SHOWN: readonly AppColumn[] = ['name', 'version', 'updatedAt', 'productionAppId', 'appUser', 'id'];

/** Characters of a field that stand in a table. */
const CELL = 300;

/** A field in words, `''` where there is nothing; untrusted text. Times are as the platform wrote them. */
export function appText(app: App, column: AppColumn): string {
  const value = app[column];
  if (value === null || value === undefined) return '';
  if (column === 'appUser') return app.appUser ? `role ${app.appUser.appRoleId}, user ${app.appUser.userId}` : '';
  if (typeof value !== 'object') return String(value);
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value).slice(0, CELL);
}

type Value = string | number | null;

function valueOf(app: App, column: AppColumn): Value {
  const value = app[column];
  if (column === 'createdAt' || column === 'updatedAt' || column === 'deletedAt') return timeOf(app[column]);
  if (column === 'appUser') return app.appUser?.appRoleId ?? null;
  return typeof value === 'number' ? value : appText(app, column).toLowerCase() || null;
}

const texts = new WeakMap<App, string>();

/** What a search looks through; made once for each app. */
function searchText(app: App): string {
  let text = texts.get(app);
  if (text === undefined)
    texts.set(
      app,
      (text = APP_COLUMNS.map(({ id }) => appText(app, id))
        .join('\n')
        .toLowerCase()),
    );
  return text;
}

/** The apps that have all the words, in the order asked for; what has no value comes last, and equals stay as the platform lists them. */
export function appRows(apps: readonly App[], words: string, { by, descending }: AppSort): App[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const direction = descending ? -1 : 1;
  return apps
    .filter((app) => wanted.every((word) => searchText(app).includes(word)))
    .map((app) => ({ app, value: valueOf(app, by) }))
    .sort((a, b) => {
      if (a.value === b.value) return 0;
      if (a.value === null) return 1;
      if (b.value === null) return -1;
      return a.value < b.value ? -direction : direction;
    })
    .map(({ app }) => app);
}

const KEY = 'platform-devtools.apps.columns';

/** The columns that were chosen last, in their order in the table; the usual ones at first, or where what was kept is none. */
export function recallColumns(memory: StringStorage): readonly AppColumn[] {
  try {
    const kept: unknown = JSON.parse(memory.getItem(KEY) ?? 'null');
    return Array.isArray(kept) ? inOrder(kept) : SHOWN;
  } catch {
    return SHOWN;
  }
}

export function rememberColumns(memory: StringStorage, columns: readonly AppColumn[]): readonly AppColumn[] {
  const shown = inOrder(columns);
  try {
    memory.setItem(KEY, JSON.stringify(shown));
  } catch {
    // A browser that stores nothing forgets the choice, no more.
  }
  return shown;
}

const inOrder = (columns: readonly unknown[]): AppColumn[] =>
  APP_COLUMNS.map(({ id }) => id).filter((id) => id === 'name' || columns.includes(id));
