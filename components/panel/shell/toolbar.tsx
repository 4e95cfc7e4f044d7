/** Owns the choice of environment, app and action, a pasted address, and *Open*. */
import type { JSX } from 'preact';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { Button, Combobox } from '../../ui/index.ts';

/** @param withAction the choice of an action, the address and *Open*, which belong to tab *Run* */
export function Toolbar({ panel, withAction }: { panel: Panel; withAction: boolean }): JSX.Element | null {
  const { catalog } = panel;
  const environments = catalog.environments.value.value ?? [];
  if (environments.length === 0) return null;
  const apps = catalog.apps.value;
  const environment = catalog.environment.value;
  return (
    <div class={withAction ? 'toolbar' : 'toolbar short'}>
      <div class="pick environment">
        <select
          class="input"
          name="environment"
          aria-label="Environment"
          value={environment?.id ?? ''}
          onChange={(event) => void catalog.chooseEnvironment(event.currentTarget.value)}
        >
          {environments.map((one) => (
            <option key={one.id} value={one.id}>
              {one.production ? `${one.name} (production)` : one.name}
            </option>
          ))}
        </select>
      </div>
      <div class="pick">
        <Combobox
          name="app"
          label="App"
          placeholder={apps.state === 'loading' ? 'Loading apps…' : 'App'}
          empty={
            apps.state === 'loading'
              ? 'Loading apps…'
              : apps.state === 'failed'
                ? 'The apps could not be read.'
                : 'The token sees no apps.'
          }
          options={(apps.value ?? []).map((app) => ({ value: String(app.id), label: app.name, hint: String(app.id) }))}
          value={catalog.appId.value === null ? null : String(catalog.appId.value)}
          onPick={(id) => catalog.chooseApp(Number(id))}
        />
      </div>
      {withAction ? <ActionChoice panel={panel} /> : null}
    </div>
  );
}

function ActionChoice({ panel }: { panel: Panel }): JSX.Element {
  const { catalog } = panel;
  const actions = catalog.actions.value;
  const open = (): void => void panel.open();
  return (
    <>
      <div class="pick">
        <Combobox
          name="action"
          label="Action"
          placeholder={actions.state === 'loading' ? 'Loading actions…' : 'Action'}
          empty={
            catalog.appId.value === null
              ? 'Choose an app first.'
              : actions.state === 'loading'
                ? 'Loading actions…'
                : actions.state === 'failed'
                  ? 'The actions could not be read.'
                  : 'The app has no actions.'
          }
          options={(actions.value ?? []).map((action) => ({
            value: String(action.id),
            label: action.name,
            hint: action.triggers.map((one) => one.trigger).join(', '),
          }))}
          value={catalog.actionId.value === null ? null : String(catalog.actionId.value)}
          onPick={(id) => catalog.chooseAction(Number(id))}
        />
      </div>
      <div class="address">
        <input
          class="input url"
          name="url"
          aria-label="Address of a debug page or of an app’s page"
          placeholder="or paste an address"
          autocomplete="off"
          spellcheck={false}
          value={catalog.url.value}
          onInput={(event) => catalog.setUrl(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) open();
          }}
        />
        {catalog.opening.value ? (
          <Button title="Leave the tab where it is" onClick={catalog.cancelOpening}>
            Cancel
          </Button>
        ) : (
          <Button
            unavailable={catalog.cannotOpen.value}
            title="Take this tab to the action’s debug page, or to the pasted address"
            onClick={open}
          >
            Open
          </Button>
        )}
      </div>
    </>
  );
}
