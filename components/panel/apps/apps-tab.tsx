/** The *Apps* tab: the app table, or one app's page. */
import type { JSX } from 'preact';
import { appsStateOf } from '../../../lib/extension/panel/apps/apps-state.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Button } from '../../ui/index.ts';
import { AppPage } from './app-page.tsx';
import { MissingApp } from './missing-app.tsx';
import { AppsTable } from './apps-table.tsx';
import './apps.css';
import { Loading } from '../shared/loading.tsx';

export function AppsTab({ panel }: { panel: Panel }): JSX.Element {
  const { catalog } = panel;
  const state = appsStateOf(panel);
  const environment = catalog.environment.value;
  if (!environment) return <></>;
  const page = state.page.value;
  if (state.view.value === 'table' || !page) return <AppsTable panel={panel} state={state} environment={environment} />;
  const back = (): void => void (state.view.value = 'table');
  const app = page.app.value;
  if (!app) return <Missing panel={panel} onBack={back} />;
  return (
    <AppPage
      key={`${environment.id} ${app.id}`}
      app={app}
      page={page}
      environment={environment}
      copyText={(text) => panel.copy(text)}
      nameOf={(id) => catalog.apps.value.value?.find((one) => one.id === id)?.name ?? null}
      onOpenApp={state.open}
      onClose={back}
    />
  );
}

/** Shown when the selected app isn't listed, because apps are still loading or it was removed. */
function Missing({ panel, onBack }: { panel: Panel; onBack: () => void }): JSX.Element {
  const apps = panel.catalog.apps.value;
  if (!apps.value && apps.state !== 'failed') return <Loading>Loading apps…</Loading>;
  return <MissingApp list={apps.value} button={<Button onClick={onBack}>All apps</Button>} />;
}
