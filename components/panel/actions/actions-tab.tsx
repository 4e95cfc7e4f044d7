/** Owns tab *Actions*: its places, and creating or changing an action in front of them. */
import type { JSX } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import {
  actionsStateOf,
  type ActionsView,
  type ActionsState,
} from '../../../lib/extension/panel/actions/actions-state.ts';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Alert, EmptyState, Tabs } from '../../ui/index.ts';
import { NOT_LOADED, useLoaded } from '../shared/use-loaded.ts';
import { ActionsTable } from './actions-table.tsx';
import { ClockBar } from './clock-bar.tsx';
import { TriggerLab } from './lab/trigger-lab.tsx';
import { LogsView } from './logs-view.tsx';
import { platformClock } from './use-platform-now.ts';
import '../../ui/parts.css';
import './actions.css';

const PLACES: { id: ActionsView; label: string }[] = [
  { id: 'table', label: 'All actions' },
  { id: 'logs', label: 'Logs' },
  { id: 'lab', label: 'Trigger lab' },
];

export function ActionsTab({ panel }: { panel: Panel }): JSX.Element {
  const { catalog } = panel;
  const state = actionsStateOf(panel);
  useLayoutEffect(() => {
    platformClock.value = state.clock;
  }, [state.clock]);
  if (catalog.environments.value.value?.length === 0) return <></>;
  if (catalog.appId.value === null) return <ChooseApp panel={panel} />;
  return <Places panel={panel} state={state} />;
}

function Places({ panel, state }: { panel: Panel; state: ActionsState }): JSX.Element {
  const { clock } = state;
  if (state.editing.value !== null) return <EditPlace panel={panel} state={state} />;
  return (
    <Tabs
      label="Actions"
      tabs={PLACES}
      selected={state.view.value}
      onSelect={(id) => (state.view.value = id)}
      extra={<ClockBar clock={clock} actions={panel.catalog.actions.value.value ?? []} />}
    >
      <div class="tab-body">
        {clock.error.value ? <Alert error={clock.error.value} onDismiss={clock.dismiss} /> : null}
        <div class="fill scroll">
          {state.view.value === 'table' ? <ActionsTable panel={panel} state={state} /> : null}
          {state.view.value === 'logs' ? <LogsView panel={panel} state={state} /> : null}
          {state.view.value === 'lab' ? <TriggerLab panel={panel} /> : null}
        </div>
      </div>
    </Tabs>
  );
}

/** The editor brings the engine, which checks what one writes: the tab opens sooner without both. */
function EditPlace({
  panel,
  state: { editing, selectedId, refresh },
}: {
  panel: Panel;
  state: ActionsState;
}): JSX.Element {
  const Editor = useLoaded(() => import('./edit/edit-action.tsx').then((module) => module.EditAction));
  const close = (): void => void (editing.value = null);
  if (Editor === 'failed') return <Alert error={NOT_LOADED} onDismiss={close} />;
  if (!Editor)
    return (
      <p class="remark" role="status">
        Loading…
      </p>
    );
  return (
    <Editor
      panel={panel}
      action={editing.value === 'new' ? null : editing.value}
      onClose={close}
      onSaved={(saved) => {
        selectedId.value = saved.id;
        void refresh();
      }}
    />
  );
}

function ChooseApp({ panel }: { panel: Panel }): JSX.Element {
  const apps = panel.catalog.apps.value;
  return (
    <EmptyState title="Choose an app above">
      <p>
        Here stand its actions: where and by what each is run, its schedule with the next times, whether live apps use
        what you see or an older copy, and its log.
      </p>
      {apps.state === 'ready' && apps.value.length === 0 ? (
        <p>The token of this environment sees no apps: an administrator of the organization can give it access.</p>
      ) : null}
    </EmptyState>
  );
}
