/** Filters for sessions and charts. */
import type { JSX } from 'preact';
import { NO_FILTER } from '../../../../lib/extension/panel/apps/session-filter.ts';
import type { Sessions } from '../../../../lib/extension/panel/apps/sessions.ts';
import type { SessionFilter, Share } from '../../../../lib/extension/panel/apps/types.ts';
import { formatCount, truncate } from '../../../../lib/shared/format.ts';
import { Button, Combobox } from '../../../ui/index.ts';

const BEHIND = [1, 2, 3, 5, 10];

export function SessionFilters({ sessions }: { sessions: Sessions }): JSX.Element {
  const filter = sessions.filter.value;
  const choices = sessions.choices.value;
  const set = (change: Partial<SessionFilter>): void => {
    sessions.filter.value = { ...filter, ...change };
  };
  const isSet = Object.values(filter).some((value) => value !== null && value !== '');
  return (
    <div class="session-filters" role="group" aria-label="Filters">
      <input
        class="input text"
        type="search"
        name="session-query"
        aria-label="Search sessions"
        placeholder="Email, device, browser, or IP address"
        value={filter.query}
        onInput={(event) => set({ query: event.currentTarget.value })}
      />
      <select
        class="input"
        name="session-version"
        aria-label="Version"
        value={filter.version === null ? '' : String(filter.version)}
        onChange={({ currentTarget: { value } }) =>
          set({ version: value === '' ? null : value === 'none' ? 'none' : Number(value) })
        }
      >
        <option value="">Any version</option>
        {choices.versions.slice(0, OPTION_LIMIT).map(({ value, count }) => (
          <option key={value} value={String(value)}>
            {value === 'none' ? 'Unknown version' : `Version ${value}`} ({formatCount(count)})
          </option>
        ))}
      </select>
      <select
        class="input"
        name="session-behind"
        aria-label="Versions behind"
        value={filter.behind ?? ''}
        onChange={({ currentTarget: { value } }) => set({ behind: value === '' ? null : Number(value) })}
      >
        <option value="">Behind: any</option>
        {BEHIND.map((least) => (
          <option key={least} value={least}>
            Behind: {least} or more
          </option>
        ))}
      </select>
      <Choice
        name="device"
        label="Device"
        any="Any device"
        shares={choices.devices}
        value={filter.device}
        onPick={(device) => set({ device })}
      />
      <Choice
        name="os"
        label="System"
        any="Any system"
        shares={choices.systems}
        value={filter.os}
        onPick={(os) => set({ os })}
      />
      <Choice
        name="browser"
        label="Browser"
        any="Any browser"
        shares={choices.browsers}
        value={filter.browser}
        onPick={(browser) => set({ browser })}
      />
      <span class="range">
        <input
          class="input"
          type="date"
          name="session-from"
          aria-label="Last access from"
          value={filter.from}
          max={filter.to || undefined}
          onChange={(event) => set({ from: event.currentTarget.value })}
        />
        <span aria-hidden="true">–</span>
        <input
          class="input"
          type="date"
          name="session-to"
          aria-label="Last access to"
          value={filter.to}
          min={filter.from || undefined}
          onChange={(event) => set({ to: event.currentTarget.value })}
        />
      </span>
      {isSet ? (
        <Button kind="quiet" onClick={() => set(NO_FILTER)}>
          Clear filters
        </Button>
      ) : null}
    </div>
  );
}

/** A longer select opens slowly. */
const OPTION_LIMIT = 300;

function Choice({
  name,
  label,
  any,
  shares,
  value,
  onPick,
}: {
  name: string;
  label: string;
  any: string;
  shares: readonly Share[];
  value: string | null;
  onPick: (value: string | null) => void;
}): JSX.Element {
  const options = [
    { value: '', label: any },
    ...shares
      .filter((share) => share.label !== '')
      .map((share) => ({
        value: share.label,
        label: truncate(share.label, 200),
        hint: formatCount(share.count),
      })),
  ];
  return (
    <div class="pick">
      <Combobox
        name={`session-${name}`}
        label={label}
        options={options}
        value={value ?? ''}
        onPick={(picked) => onPick(picked === '' ? null : picked)}
      />
    </div>
  );
}
