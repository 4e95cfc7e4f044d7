/** Search and filters of the list of all runs. */
import type { JSX } from 'preact';
import type { RunFilter } from '../../../../lib/extension/panel/run/history/all-runs.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';

const STATES = ['completed', 'failed', 'stopped', 'interrupted', 'unknown', 'running'] as const;

export function AllRunsFilters({ panel }: { panel: Panel }): JSX.Element {
  const { allRuns, catalog } = panel;
  const { query, state, which, origin } = allRuns.filter.value;
  const environments = catalog.environments.value.value ?? [];
  const nameOf = (one: string): string =>
    environments.find(({ baseUrl }) => URL.canParse(baseUrl) && new URL(baseUrl).origin === one)?.name ?? one;
  return (
    <div class="section-head run-filters">
      <input
        class="input"
        type="search"
        aria-label="Search runs"
        placeholder="Search action, app, state, result, or error"
        value={query}
        onInput={(event) => allRuns.setFilter({ query: event.currentTarget.value })}
      />
      <Choice
        label="State"
        value={state}
        options={[[null, 'All states'], ...STATES.map((one) => [one, capitalized(one)] as const)]}
        onPick={(value) => allRuns.setFilter({ state: value as RunFilter['state'] })}
      />
      <Choice
        label="Environment"
        value={origin}
        options={[[null, 'All environments'], ...allRuns.origins.value.map((one) => [one, nameOf(one)] as const)]}
        onPick={(value) => allRuns.setFilter({ origin: value })}
      />
      <Choice
        label="Pinned or imported"
        value={which}
        options={[
          [null, 'All runs'],
          ['pinned', 'Pinned'],
          ['imported', 'Imported'],
        ]}
        onPick={(value) => allRuns.setFilter({ which: value as RunFilter['which'] })}
      />
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string | null;
  options: readonly (readonly [value: string | null, label: string])[];
  onPick: (value: string | null) => void;
}

function Choice({ label, value, options, onPick }: ChoiceProps): JSX.Element {
  return (
    <select
      class="input"
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onPick(event.currentTarget.value || null)}
    >
      {options.map(([one, text]) => (
        <option key={one ?? ''} value={one ?? ''}>
          {text}
        </option>
      ))}
    </select>
  );
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
