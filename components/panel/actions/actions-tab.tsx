/** The *Actions* tab: table, logs, trigger lab, and migrations, or the action editor. */
import type { JSX } from 'preact';
import {
  actionsStateOf,
  type ActionsState,
  type ActionsView,
} from '../../../lib/extension/panel/actions/actions-state.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Alert, EmptyState, Tabs } from '../../ui/index.ts';
import { PlatformClockContext } from '../shared/use-now.ts';
import { ActionsTable } from './actions-table.tsx';
import { ClockBar } from './clock-bar.tsx';
import { EditAction } from './edit/edit-action.tsx';
import { TriggerLabView } from './lab/trigger-lab.tsx';
import { LogsView } from './logs-view.tsx';
import { late } from '../shared/late.tsx';
import { WayNote } from './way.tsx';
import { unreadableOf } from '../../../lib/platform-api/lists/unreadable.ts';
import { EmptyList } from '../shared/empty-list.tsx';
import '../../ui/parts.css';
import './actions.css';

const MigrateView = late(() => import('../migrate/migrate-view.tsx').then((module) => module.MigrateView));
const OverviewView = late(() => import('../migrate/migrate-view.tsx').then((module) => module.OverviewView));

const VIEWS: { id: ActionsView; label: string }[] = [
  { id: 'table', label: 'All actions' },
  { id: 'logs', label: 'Logs' },
  { id: 'lab', label: 'Trigger lab' },
  { id: 'migration', label: 'Migration' },
];

export function ActionsTab({ panel }: { panel: Panel }): JSX.Element {
  const { catalog } = panel;
  const state = actionsStateOf(panel);
  if (catalog.appId.value === null) return <SelectApp panel={panel} />;
  if (panel.migrating.value)
    return (
      <MigrateView
        panel={panel}
        action={panel.migrating.value}
        onClose={() => (panel.migrating.value = null)}
        onReplace={(action) => (panel.migrating.value = action)}
      />
    );
  return (
    <PlatformClockContext.Provider value={state.clock}>
      {state.editing.value === null ? (
        <Views panel={panel} state={state} />
      ) : (
        <EditAction
          panel={panel}
          editing={state.editing.value}
          onClose={() => (state.editing.value = null)}
          onSaved={(saved) => {
            state.selectedId.value = saved.id;
            panel.version.noteSaved(saved);
            void state.refresh();
          }}
        />
      )}
    </PlatformClockContext.Provider>
  );
}

function Views({ panel, state }: { panel: Panel; state: ActionsState }): JSX.Element {
  const { clock, view } = state;
  return (
    <Tabs
      label="Actions"
      tabs={VIEWS}
      selected={view.value}
      onSelect={(id) => (view.value = id)}
      extra={<ClockBar clock={clock} actions={panel.catalog.actions.value.value ?? []} />}
    >
      <div class="tab-body">
        <WayNote panel={panel} />
        {clock.error.value ? <Alert error={clock.error.value} onDismiss={clock.dismiss} /> : null}
        <div class="fill scroll">
          {view.value === 'table' ? <ActionsTable panel={panel} state={state} /> : null}
          {view.value === 'logs' ? <LogsView panel={panel} state={state} /> : null}
          {view.value === 'lab' ? <TriggerLabView panel={panel} /> : null}
          {view.value === 'migration' ? <OverviewView panel={panel} /> : null}
        </div>
      </div>
    </Tabs>
  );
}

function SelectApp({ panel }: { panel: Panel }): JSX.Element {
  const apps = panel.catalog.apps.value;
  if (apps.state === 'ready' && apps.value.length === 0)
    return (
      <EmptyList title="No apps" unreadable={unreadableOf(apps.value)} what="app">
        <p>
          The platform lists no apps for this environment’s token. Ask your organization’s administrator for access.
        </p>
      </EmptyList>
    );
  return (
    <EmptyState title="No app selected">
      <p>Select an app in the toolbar to see its actions, schedules, and logs.</p>
    </EmptyState>
  );
}
