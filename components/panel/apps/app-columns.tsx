/** Columns of the app table, one for each field in the specification. */
import type { JSX } from 'preact';
import type { App } from '../../../lib/platform-api/app.ts';
import { APP_COLUMNS, appText } from '../../../lib/extension/panel/apps/app-rows.ts';
import type { AppColumn } from '../../../lib/extension/panel/apps/types.ts';
import { truncate } from '../../../lib/shared/format.ts';
import type { GridColumn } from '../../ui/grid.tsx';
import { AppIcon } from './app-icon.tsx';
import { Unknown, PlatformTime } from './platform-time.tsx';

/** The columns to show. When space is limited, the last ones are hidden first. */
export function appColumns(
  shown: readonly AppColumn[],
  { baseUrl, now, nameOf }: { baseUrl: string; now: number; nameOf: (id: number) => string | null },
): GridColumn<AppColumn, App>[] {
  const cells: Record<AppColumn, Omit<GridColumn<AppColumn, App>, 'id' | 'label'>> = {
    name: {
      width: 140,
      grow: 3,
      cell: ({ name, icon }) => (
        <>
          <AppIcon name={name} icon={icon} baseUrl={baseUrl} /> <Text text={name} />
        </>
      ),
    },
    id: { width: 62, align: 'end', cell: ({ id }) => id },
    version: { width: 54, align: 'end', cell: ({ version }) => version ?? <Unknown /> },
    updatedAt: { width: 84, cell: ({ updatedAt }) => <PlatformTime text={updatedAt} now={now} /> },
    appUser: { width: 66, align: 'end', cell: (app) => app.appUser?.appRoleId ?? <Unknown /> },
    productionAppId: {
      width: 110,
      grow: 1,
      cell: ({ productionAppId }) =>
        productionAppId === null ? <Unknown /> : <Text text={nameOf(productionAppId) ?? String(productionAppId)} />,
    },
    createdAt: { width: 84, cell: ({ createdAt }) => <PlatformTime text={createdAt} now={now} /> },
    deletedAt: { width: 84, cell: ({ deletedAt }) => <PlatformTime text={deletedAt} now={now} /> },
    organizationId: { width: 78, align: 'end', cell: ({ organizationId }) => organizationId },
    startingPageId: { width: 66, align: 'end', cell: ({ startingPageId }) => startingPageId ?? <Unknown /> },
    slug: { width: 90, grow: 1, cell: (app) => <Text text={appText(app, 'slug')} /> },
    settings: { width: 90, grow: 1, cell: (app) => <Text text={appText(app, 'settings')} /> },
    releases: { width: 90, grow: 1, cell: (app) => <Text text={appText(app, 'releases')} /> },
    dependencies: { width: 90, grow: 1, cell: (app) => <Text text={appText(app, 'dependencies')} /> },
    icon: { width: 120, grow: 2, cell: (app) => <Text text={appText(app, 'icon')} /> },
  };
  return APP_COLUMNS.filter(({ id }) => shown.includes(id)).map((column) => ({ ...column, ...cells[column.id] }));
}

/** Untrusted text, truncated to fit a cell. */
function Text({ text }: { text: string }): JSX.Element {
  if (text.trim() === '') return <Unknown />;
  const shown = truncate(text, 300);
  return (
    <span class="untrusted" title={shown}>
      {shown}
    </span>
  );
}
