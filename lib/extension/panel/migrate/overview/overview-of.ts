/** Keeps the overview of the selected app while other tabs are shown, so that a check continues. */
import type { Panel } from '../../shell/panel.ts';
import { registryKey } from '../../shell/registry.ts';
import { proverOf } from '../page-prover.ts';
import { Overview } from './overview.ts';

interface OverviewOfApp {
  app: string;
  overview: Overview;
  dispose(): void;
}

const OVERVIEW = registryKey<OverviewOfApp>('migrations');

export function overviewOf(panel: Panel): Overview {
  const environment = panel.catalog.environment.value;
  const environmentId = environment?.id ?? '';
  const appId = panel.catalog.appId.value ?? 0;
  // Under another base URL, the same ID belongs to another app.
  const app = `${environmentId} ${environment?.baseUrl} ${appId}`;
  const create = (): OverviewOfApp => {
    const overview = new Overview({ panel, prover: proverOf(panel, { environmentId, appId }), environmentId, appId });
    return { app, overview, dispose: () => overview.dispose() };
  };
  const current = panel.registry.get(OVERVIEW, create);
  if (current.app === app) return current.overview;
  const next = create();
  panel.registry.set(OVERVIEW, next);
  return next.overview;
}
