/** Owns the place *Sessions* of an app's page: filters, the table, the chosen one, and taking them along as a file. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Sessions } from '../../../../lib/extension/panel/apps/types.ts';
import { plural } from '../../../../lib/shared/format.ts';
import { Button, EmptyState, Splitter } from '../../../ui/index.ts';
import { Grid } from '../../../ui/grid.tsx';
import { sessionColumns } from './session-columns.tsx';
import { SessionDetail } from './session-detail.tsx';
import { SessionFilters } from './session-filters.tsx';
import { useSessionsNow } from '../use-sessions-now.ts';

export function SessionsView({ sessions }: { sessions: Sessions }): JSX.Element {
  const now = useSessionsNow(sessions);
  const [selected, setSelected] = useState<number | null>(null);
  const rows = sessions.rows.value;
  const all = sessions.all.value;
  const row = selected === null ? null : (all.find(({ id }) => id === selected) ?? null);
  const nothing = rows.length > 0 ? null : 'There is no session to export.';
  return (
    <section class="sessions" aria-label="Sessions">
      <SessionFilters sessions={sessions} />
      <div class="session-count">
        <span class="muted" role="status" data-session-count={rows.length}>
          {rows.length === all.length
            ? plural(all.length, 'session')
            : `${rows.length.toLocaleString('en')} of ${plural(all.length, 'session')}`}
        </span>
        <span class="grow" />
        <Button
          kind="quiet"
          unavailable={nothing}
          title="Save what is listed, as a table for spreadsheets"
          onClick={() => sessions.exportAs('csv')}
        >
          Export CSV
        </Button>
        <Button
          kind="quiet"
          unavailable={nothing}
          title="Save what is listed, as the platform sent it"
          onClick={() => sessions.exportAs('json')}
        >
          Export JSON
        </Button>
      </div>
      <div class="fill">
        {rows.length === 0 ? (
          <NoSessions sessions={sessions} />
        ) : (
          <Splitter label="Size of sessions and session" direction="rows" share={55}>
            <Grid
              label="Sessions"
              mark={{ 'data-sessions': '' }}
              columns={sessionColumns(now)}
              rows={rows}
              keyOf={({ id }) => String(id)}
              attributes={({ id }) => ({ 'data-session': String(id) })}
              selected={selected === null ? null : String(selected)}
              onSelect={({ id }) => setSelected(id)}
              sort={sessions.sort.value}
              onSort={sessions.sortBy}
            />
            {row && <SessionDetail row={row} now={now} onClose={() => setSelected(null)} />}
          </Splitter>
        )}
      </div>
    </section>
  );
}

function NoSessions({ sessions }: { sessions: Sessions }): JSX.Element {
  if (sessions.all.value.length > 0)
    return (
      <EmptyState title="No session matches the filters">
        <p>
          Each filter that is set has to match; every word of the search has to be found in user, device, system,
          browser or address.
        </p>
      </EmptyState>
    );
  return (
    <EmptyState title="No sessions yet">
      <p>
        A session begins when somebody opens the app on a device. Once there are some, they tell who runs which version,
        on what.
      </p>
    </EmptyState>
  );
}
