/** The settings that a step's function accepts, with buttons that add absent ones to the JSON. */
import type { JSX } from 'preact';
import { listedSettings, withSettings } from '../../../../lib/extension/panel/actions/edit/settings-list.ts';
import type { KnownSettings } from '../../../../lib/extension/panel/actions/edit/settings-problems.ts';
import { Button } from '../../../ui/index.ts';

export interface SettingsListProps {
  known: KnownSettings;
  settings: unknown;
  onSettings: (settings: unknown) => void;
}

export function SettingsList({ known, settings, onSettings }: SettingsListProps): JSX.Element {
  const rows = listedSettings(known, settings);
  const add = (names: string[]): void => {
    const next = withSettings(known, settings, names);
    if (next) onSettings(next);
  };
  const missing = rows.filter(({ state }) => state === 'missing').map(({ name }) => name);
  const cannotAdd = withSettings(known, settings, []) === null ? 'Change the settings to an object first' : null;
  if (rows.length === 0) return <p class="remark">This function has no settings.</p>;
  return (
    <div class="edit-settings">
      <ul aria-label="Known settings">
        {rows.map(({ name, form, description, state }) => (
          <li key={name} data-setting={name} data-state={state}>
            <code class="untrusted">{name}</code>
            <span class="edit-setting-text">
              <span class="untrusted">{description}</span> <span class="muted">({form})</span>
            </span>
            {state === 'set' ? (
              <span class="muted">set</span>
            ) : state === 'empty' ? (
              <span class="warning">empty</span>
            ) : (
              <Button kind="quiet" label={`Add ${name}`} unavailable={cannotAdd} onClick={() => add([name])}>
                Add
              </Button>
            )}
          </li>
        ))}
      </ul>
      {missing.length > 1 ? (
        <Button unavailable={cannotAdd} onClick={() => add(missing)}>
          Add required settings
        </Button>
      ) : null}
      {known.isAssumed ? (
        <p class="remark">The platform doesn’t describe this function. Its settings may differ from this list.</p>
      ) : null}
    </div>
  );
}
