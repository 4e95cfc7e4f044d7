/** Lets the user pick the environment and app, and shows how old the app list is. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { labelOf } from '../../lib/extension/messaging/model/environment.ts';
import type { AppSelection } from '../../lib/extension/popup/app-selection.ts';
import type { Popup } from '../../lib/extension/popup/popup.ts';
import { appsAge, noApps } from '../../lib/extension/popup/text.ts';
import { formatExactTime } from '../../lib/shared/format.ts';
import { Button } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';

export function AppPicker({ popup }: { popup: Popup }): JSX.Element {
  const { environment, environments, apps, appsLoading, appId, app } = popup.selection;
  const options = useMemo(
    () =>
      (apps.value?.apps ?? []).map(({ id, name, version }) => ({
        value: String(id),
        label: name,
        hint: version === null ? `id ${id}` : `version ${version} · id ${id}`,
      })),
    [apps.value],
  );
  const selected = appId.value;
  const isMissing = selected !== null && !app.value && options.length > 0;
  return (
    <header class="choice">
      <div class="environment">
        <select
          class="input"
          aria-label="Environment"
          name="environment"
          title={environment.value?.baseUrl}
          value={environment.value?.id ?? ''}
          onChange={(event) => void popup.chooseEnvironment(event.currentTarget.value)}
        >
          {environments.value.map((one) => (
            <option key={one.id} value={one.id} selected={one.id === environment.value?.id}>
              {labelOf(one, environments.value)}
            </option>
          ))}
        </select>
        {environment.value?.production ? <span class="badge danger">Production</span> : null}
      </div>
      <Combobox
        name="app"
        label="App"
        options={isMissing ? [{ value: String(selected), label: `App ${selected} (not found)` }, ...options] : options}
        value={selected === null ? null : String(selected)}
        placeholder="Search apps"
        empty={appsLoading.value ? 'Loading apps…' : noApps(apps.value)}
        listNote={appsLoading.value ? 'Loading apps…' : ''}
        onNoMatch={() => void popup.selection.searchAgain()}
        onPick={(value) => {
          popup.chooseApp(Number(value));
          // Move focus to the release notes, so that the user can continue without the mouse.
          document.querySelector<HTMLElement>('textarea')?.focus();
        }}
      />
      <div class="age">
        <AppsAge selection={popup.selection} />
        <Button
          kind="quiet"
          label="Refresh"
          unavailable={appsLoading.value ? 'Loading apps…' : null}
          onClick={() => void popup.refresh()}
        >
          Refresh
        </Button>
      </div>
    </header>
  );
}

function AppsAge({ selection: { apps, appsLoading, now } }: { selection: AppSelection }): JSX.Element {
  const [current, setCurrent] = useState(now());
  useEffect(() => {
    const timer = setInterval(() => setCurrent(now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  const { value } = apps;
  if (appsLoading.value || !value) return <span role="status">{appsLoading.value ? 'Loading apps…' : ''}</span>;
  return (
    <span role="status" title={formatExactTime(value.at)}>
      {appsAge(value, current)}
    </span>
  );
}
