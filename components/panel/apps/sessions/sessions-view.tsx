/** The *Sessions* view of an app's page: filters, the table, details, and exports. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Sessions } from '../../../../lib/extension/panel/apps/sessions.ts';
import { formatCount, plural } from '../../../../lib/shared/format.ts';
import { Button, EmptyState, Splitter } from '../../../ui/index.ts';
import { Grid } from '../../../ui/grid.tsx';
import { NO_FILTER } from '../../../../lib/extension/panel/apps/session-filter.ts';
import { sessionColumns } from './session-columns.tsx';
import { SessionDetail } from './session-detail.tsx';
import { SessionFilters } from './session-filters.tsx';
import { EmptyList } from '../../shared/empty-list.tsx';
import { UnreadableNote } from '../../shared/unreadable-note.tsx';
import { useSessionsNow } from '../use-sessions-now.ts';

export function SessionsView({ sessions }: { sessions: Sessions }): JSX.Element {
  const now = useSessionsNow(sessions);
  const [selected, setSelected] = useState<number | null>(null);
  const rows = sessions.rows.value;
  const all = sessions.all.value;
  const row = selected === null ? null : (all.find(({ id }) => id === selected) ?? null);
  const exportReason = rows.length > 0 ? null : 'Change the filters to export sessions';
  return (
    <section class="sessions" aria-label="Sessions">
      <SessionFilters sessions={sessions} />
      <div class="session-count">
        <span class="muted" role="status" data-session-count={rows.length}>
          {rows.length === all.length
            ? plural(all.length, 'session')
            : `${formatCount(rows.length)} of ${plural(all.length, 'session')}`}
        </span>
        <span class="grow" />
        <Button
          kind="quiet"
          unavailable={exportReason}
          title="Save the listed sessions for a spreadsheet"
          onClick={() => sessions.exportAs('csv')}
        >
          Export CSV
        </Button>
        <Button
          kind="quiet"
          unavailable={exportReason}
          title="Save the listed sessions as the platform sent them"
          onClick={() => sessions.exportAs('json')}
        >
          Export JSON
        </Button>
      </div>
      <UnreadableNote list={sessions.unreadable.value} what="session" />
      <div class="fill">
        {rows.length === 0 ? (
          <NoSessions sessions={sessions} />
        ) : (
          <Splitter label="Resize table and details" direction="rows" share={55}>
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
      <EmptyState
        title="No sessions match these filters"
        actions={<Button onClick={() => (sessions.filter.value = NO_FILTER)}>Clear filters</Button>}
      >
        <p>All filters must match. The search covers email, device, system, browser, and IP address.</p>
      </EmptyState>
    );
  return (
    <EmptyList title="No sessions" unreadable={sessions.unreadable.value} what="session">
      <p>A session starts when a user opens the app on a device. Sessions show who uses which version.</p>
    </EmptyList>
  );
}
