/** Filters for sessions and charts. */
import type { JSX } from 'preact';
import { NO_FILTER } from '../../../../lib/extension/panel/apps/session-filter.ts';
import type { Sessions } from '../../../../lib/extension/panel/apps/sessions.ts';
import type { SessionFilter } from '../../../../lib/extension/panel/apps/types.ts';
import { formatCount, truncate } from '../../../../lib/shared/format.ts';
import { Button, Combobox } from '../../../ui/index.ts';

const BEHIND = [1, 2, 3, 5, 10];
/** A select with more options is slow to open. */
const OPTION_LIMIT = 300;

interface FilterProps {
  sessions: Sessions;
  set: (change: Partial<SessionFilter>) => void;
}

export function SessionFilters({ sessions }: { sessions: Sessions }): JSX.Element {
  const filter = sessions.filter.value;
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
      <VersionFilters sessions={sessions} set={set} />
      <ClientFilters sessions={sessions} set={set} />
      <DateRange sessions={sessions} set={set} />
      {isSet ? (
        <Button kind="quiet" onClick={() => set(NO_FILTER)}>
          Clear filters
        </Button>
      ) : null}
    </div>
  );
}

function VersionFilters({ sessions, set }: FilterProps): JSX.Element {
  const { version, behind } = sessions.filter.value;
  return (
    <>
      <select
        class="input"
        name="session-version"
        aria-label="Version"
        value={version === null ? '' : String(version)}
        onChange={({ currentTarget: { value } }) =>
          set({ version: value === '' ? null : value === 'none' ? 'none' : Number(value) })
        }
      >
        <option value="">Any version</option>
        {sessions.choices.value.versions.slice(0, OPTION_LIMIT).map(({ value, count }) => (
          <option key={value} value={String(value)}>
            {value === 'none' ? 'Unknown version' : `Version ${value}`} ({formatCount(count)})
          </option>
        ))}
      </select>
      <select
        class="input"
        name="session-behind"
        aria-label="Versions behind"
        value={behind ?? ''}
        onChange={({ currentTarget: { value } }) => set({ behind: value === '' ? null : Number(value) })}
      >
        <option value="">Behind: any</option>
        {BEHIND.map((least) => (
          <option key={least} value={least}>
            Behind: {least} or more
          </option>
        ))}
      </select>
    </>
  );
}

function ClientFilters({ sessions, set }: FilterProps): JSX.Element {
  const filter = sessions.filter.value;
  const { devices, systems, browsers } = sessions.choices.value;
  const fields = [
    { name: 'device', label: 'Device', any: 'Any device', shares: devices },
    { name: 'os', label: 'System', any: 'Any system', shares: systems },
    { name: 'browser', label: 'Browser', any: 'Any browser', shares: browsers },
  ] as const;
  return (
    <>
      {fields.map(({ name, label, any, shares }) => (
        <div key={name} class="pick">
          <Combobox
            name={`session-${name}`}
            label={label}
            options={[
              { value: '', label: any },
              ...shares
                .filter((share) => share.label !== '')
                .map((share) => ({
                  value: share.label,
                  label: truncate(share.label, 200),
                  hint: formatCount(share.count),
                })),
            ]}
            value={filter[name] ?? ''}
            onPick={(picked) => set({ [name]: picked === '' ? null : picked })}
          />
        </div>
      ))}
    </>
  );
}

function DateRange({ sessions, set }: FilterProps): JSX.Element {
  const { from, to } = sessions.filter.value;
  return (
    <span class="range">
      <input
        class="input"
        type="date"
        name="session-from"
        aria-label="Last access from"
        value={from}
        max={to || undefined}
        onChange={(event) => set({ from: event.currentTarget.value })}
      />
      <span aria-hidden="true">–</span>
      <input
        class="input"
        type="date"
        name="session-to"
        aria-label="Last access to"
        value={to}
        min={from || undefined}
        onChange={(event) => set({ to: event.currentTarget.value })}
      />
    </span>
  );
}
