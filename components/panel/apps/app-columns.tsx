/** Owns the columns of the table of apps: one for each field of the specification. */
import type { JSX } from 'preact';
import type { App } from '../../../lib/contract/app.ts';
import type { AppColumn } from '../../../lib/panel/apps/types.ts';
import { cut } from '../../../lib/panel/format.ts';
import type { GridColumn } from '../../ui/grid.tsx';
import { AppIcon } from './app-icon.tsx';
import { NotTold, Told } from './moment.tsx';

/** In the order in which they stand, and give way when there is no room: the last first. */
export const APP_COLUMNS: readonly { id: AppColumn; label: string }[] = [
  { id: 'name', label: 'Name' },
  { id: 'id', label: 'Id' },
  { id: 'version', label: 'Version' },
  { id: 'updatedAt', label: 'Updated' },
  { id: 'appUser', label: 'Your role' },
  { id: 'productionAppId', label: 'Production app' },
  { id: 'createdAt', label: 'Created' },
  { id: 'deletedAt', label: 'Deleted' },
  { id: 'organizationId', label: 'Organization' },
  { id: 'startingPageId', label: 'First page' },
  { id: 'slug', label: 'Slug' },
  { id: 'settings', label: 'Settings' },
  { id: 'releases', label: 'Releases' },
  { id: 'dependencies', label: 'Dependencies' },
  { id: 'icon', label: 'Icon' },
];

export function appColumns(shown: readonly AppColumn[], { baseUrl, now, nameOf }: { baseUrl: string; now: number; nameOf: (id: number) => string | null }): GridColumn<AppColumn, App>[] {
  const cells: Record<AppColumn, Omit<GridColumn<AppColumn, App>, 'id' | 'label'>> = {
    name: { width: 140, grow: 3, cell: ({ name, icon }) => <><AppIcon name={name} icon={icon} baseUrl={baseUrl} /> <Text text={name} /></> },
    id: { width: 62, align: 'end', cell: ({ id }) => id },
    version: { width: 54, align: 'end', cell: ({ version }) => version ?? <NotTold /> },
    updatedAt: { width: 84, cell: ({ updatedAt }) => <Told text={updatedAt} now={now} /> },
    appUser: { width: 66, align: 'end', cell: ({ appUser }) => appUser?.appRoleId ?? <NotTold /> },
    productionAppId: { width: 110, grow: 1, cell: ({ productionAppId }) => (productionAppId === null ? <NotTold /> : <Text text={nameOf(productionAppId) ?? String(productionAppId)} />) },
    createdAt: { width: 84, cell: ({ createdAt }) => <Told text={createdAt} now={now} /> },
    deletedAt: { width: 84, cell: ({ deletedAt }) => <Told text={deletedAt} now={now} /> },
    organizationId: { width: 78, align: 'end', cell: ({ organizationId }) => organizationId },
    startingPageId: { width: 66, align: 'end', cell: ({ startingPageId }) => startingPageId ?? <NotTold /> },
    slug: { width: 90, grow: 1, cell: ({ slug }) => <Text text={slug ?? ''} /> },
    settings: { width: 56, align: 'end', cell: ({ settings }) => Object.keys(settings ?? {}).length },
    releases: { width: 58, align: 'end', cell: ({ releases }) => releases?.length ?? 0 },
    dependencies: { width: 84, align: 'end', cell: ({ dependencies }) => dependencies?.length ?? 0 },
    icon: { width: 120, grow: 2, cell: ({ icon }) => <Text text={icon ?? ''} /> },
  };
  return APP_COLUMNS.filter(({ id }) => shown.includes(id)).map((column) => ({ ...column, ...cells[column.id] }));
}

/** As much as a cell can hold. */
function Text({ text }: { text: string }): JSX.Element {
  if (text === '') return <NotTold />;
  const shown = cut(text, 300);
  return <span class="untrusted" title={shown}>{shown}</span>;
}
