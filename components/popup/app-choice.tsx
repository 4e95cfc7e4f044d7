/** Owns the choice of environment and app, and how old the list of apps is. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Popup } from '../../lib/extension/popup/popup.ts';
import { ago } from '../../lib/extension/popup/words.ts';
import { Button } from '../ui/button.tsx';
import { Combobox } from '../ui/combobox.tsx';

export function AppChoice({ popup }: { popup: Popup }): JSX.Element {
  const { environment, environments, known, readingApps, appId, app } = popup;
  const now = useMinutes(popup);
  const options = useMemo(
    () =>
      (known.value?.apps ?? []).map(({ id, name, version }) => ({
        value: String(id),
        label: name,
        hint: version === null ? `id ${id}` : `version ${version} · id ${id}`,
      })),
    [known.value],
  );
  const chosen = appId.value;
  // An app that is no longer listed keeps its place until another is chosen.
  const all =
    chosen === null || app.value || options.length === 0
      ? options
      : [{ value: String(chosen), label: `App ${chosen}, not in the list` }, ...options];
  return (
    <header class="choice">
      <div class="environment">
        <select
          class="input"
          aria-label="Environment"
          name="environment"
          value={environment.value?.id ?? ''}
          onChange={(event) => void popup.chooseEnvironment(event.currentTarget.value)}
        >
          {environments.value.map(({ id, name }) => (
            <option key={id} value={id} selected={id === environment.value?.id}>
              {name}
            </option>
          ))}
        </select>
        {environment.value?.production ? <span class="badge danger">Production</span> : null}
      </div>
      <Combobox
        name="app"
        label="App"
        options={all}
        value={chosen === null ? null : String(chosen)}
        placeholder="Search apps"
        empty={readingApps.value ? 'The apps are being read.' : 'The token has access to no app.'}
        onPick={(value) => {
          popup.chooseApp(Number(value));
          // From the search on to the notes, without a hand on the mouse.
          document.querySelector<HTMLElement>('textarea')?.focus();
        }}
      />
      <div class="age">
        <span role="status">
          {readingApps.value
            ? 'Reading the apps…'
            : known.value
              ? `${known.value.apps.length.toLocaleString('en')} apps, read ${ago(known.value.at, now)}`
              : ''}
        </span>
        <Button
          kind="quiet"
          label="Refresh"
          unavailable={readingApps.value ? 'They are being read.' : null}
          onClick={() => void popup.refresh()}
        >
          Refresh
        </Button>
      </div>
    </header>
  );
}

/** Now, again each half minute. */
function useMinutes(popup: Popup): number {
  const [now, setNow] = useState(popup.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(popup.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return Math.max(now, popup.known.value?.at ?? 0);
}
