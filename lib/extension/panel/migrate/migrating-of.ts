/** Keeps the opened migration while other tabs are shown. */
import type { Action } from '../../../platform-api/action.ts';
import type { Panel } from '../shell/panel.ts';
import { registryKey } from '../shell/registry.ts';
import { Migrating } from './migrating.ts';
import { overviewOf } from './overview/overview-of.ts';
import { proverOf } from './page-prover.ts';

const MIGRATING = registryKey<{ migrating: Migrating | null; dispose: () => void }>('migrating');

/** The migration of this version of the action. Another one is disposed of. */
export function migratingOf(panel: Panel, action: Action): Migrating {
  const opened = panel.registry.get(MIGRATING, () => ({
    migrating: null as Migrating | null,
    dispose() {
      this.migrating?.dispose();
    },
  }));
  if (opened.migrating?.action !== action) {
    opened.migrating?.dispose();
    const environmentId = panel.catalog.environment.peek()?.id ?? '';
    const overview = overviewOf(panel);
    const onProved = (migrating: Migrating): void => void overview.note(migrating);
    const prover = proverOf(panel, { environmentId, appId: action.appId });
    opened.migrating = new Migrating({ panel, action, prover, environmentId, onProved });
    void opened.migrating.start();
  }
  return opened.migrating;
}
