/** Owns the timeline of logins and calls: its filters, and a row per flow with its steps under it. */
import type { JSX } from 'preact';
import { formatDuration, formatSize, formatTime, plural } from '../../../lib/shared/format.ts';
import type { FlowFilter, Row } from '../../../lib/extension/panel/oauth2/rows.ts';
import type { OAuth2Store } from '../../../lib/extension/panel/oauth2/store.ts';
import { lineOf } from '../../../lib/extension/panel/oauth2/words.ts';
import { Badge, Button, EmptyState } from '../../ui/index.ts';
import { Twist, VirtualTree } from '../../ui/virtual-tree.tsx';

const KINDS: { id: FlowFilter['kind']; label: string }[] = [
  { id: 'all', label: 'All kinds' },
  { id: 'login', label: 'Logins, logouts' },
  { id: 'api', label: 'API calls' },
  { id: 'refresh', label: 'Refreshes' },
  { id: 'problems', label: 'Problems' },
];

export function FlowPlace({ store }: { store: OAuth2Store }): JSX.Element {
  const rows = store.rows.value;
  const { selected } = store;
  return (
    <section class="flows" aria-label="Timeline">
      <FlowBar store={store} />
      {rows.length === 0 ? (
        <NoFlows isFiltered={store.flows.value.length > 0} />
      ) : (
        <div
          class="flow-rows"
          data-flows=""
          onKeyDown={(event) => {
            if (event.key === 'Escape') selected.value = null;
          }}
        >
          <VirtualTree
            label="Timeline of logins and calls"
            role="treegrid"
            rows={rows}
            shape={(row) => row}
            attributes={(row) => ({
              'data-flow': row.entry ? undefined : row.flow.type,
              'data-entry': row.entry?.detail.kind,
              'data-tone': row.entry ? lineOf(row.entry).tone : row.flow.tone,
              'data-of': row.flow.service,
              'data-entry-id': row.entry ? String(row.entry.id) : undefined,
            })}
            selected={selected.value}
            onSelect={(row) => (selected.value = row.key)}
            onToggle={(row, expanded) => store.fold(row.flow.id, !expanded)}
            follow
            render={(row) => <RowCells row={row} onToggle={() => store.fold(row.flow.id, row.expanded === true)} />}
          />
        </div>
      )}
    </section>
  );
}

function FlowBar({ store }: { store: OAuth2Store }): JSX.Element {
  const filter = store.filter.value;
  const set = (change: Partial<FlowFilter>) => (store.filter.value = { ...filter, ...change });
  const names = [
    ...new Set([
      ...(store.page.value?.services ?? []).map(({ name }) => name),
      ...(filter.service ? [filter.service] : []),
    ]),
  ];
  const dropped = store.dropped.value;
  return (
    <header class="section-head flow-bar">
      <h2>Timeline</h2>
      <input
        class="input"
        type="search"
        name="flow-search"
        aria-label="Search in the timeline"
        placeholder="Search"
        value={filter.text}
        onInput={(event) => set({ text: event.currentTarget.value })}
      />
      <select
        class="input"
        name="flow-kind"
        aria-label="Kind"
        value={filter.kind}
        onChange={(event) => set({ kind: event.currentTarget.value as FlowFilter['kind'] })}
      >
        {KINDS.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
      {names.length > 1 ? (
        <select
          class="input"
          name="flow-service"
          aria-label="Service"
          value={filter.service}
          onChange={(event) => set({ service: event.currentTarget.value })}
        >
          <option value="">All services</option>
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      ) : null}
      {dropped > 0 ? (
        <span role="status" data-dropped={dropped}>
          <Badge tone="warning">{plural(dropped, 'event')} left out</Badge>
        </span>
      ) : null}
      <span class="grow" />
      <label class="check" title="What was seen stays when the page goes elsewhere">
        <input
          type="checkbox"
          name="keep"
          checked={store.keep.value}
          onChange={(event) => store.setKeep(event.currentTarget.checked)}
        />
        Keep
      </label>
      <Button kind="quiet" onClick={store.clear}>
        Clear
      </Button>
      <Button
        kind="quiet"
        title="As JSON; it holds no token and no secret"
        unavailable={store.flows.value.length === 0 ? 'There is nothing to export.' : null}
        onClick={store.exportEntries}
      >
        Export
      </Button>
    </header>
  );
}

function RowCells({ row, onToggle }: { row: Row; onToggle: () => void }): JSX.Element {
  const { flow, entry } = row;
  const line = entry ? lineOf(entry) : null;
  const time = entry?.at ?? flow.started;
  return (
    <>
      <span role="gridcell" class="at-cell" title={new Date(time).toISOString()}>
        {entry
          ? `+${formatDuration(Math.max(0, entry.at - flow.started))}`
          : formatTime(flow.started, { seconds: true })}
      </span>
      <span role="gridcell" class="what-cell">
        <Twist expanded={row.expanded} onToggle={onToggle} />
        <span class={`mark ${line?.tone ?? flow.tone}`} aria-hidden="true">
          {MARKS[line?.tone ?? flow.tone]}
        </span>
        <span class="what untrusted">{line?.what ?? flow.title}</span>
        <span class="detail untrusted" title={line?.detail ?? flow.detail}>
          {line?.detail ?? flow.detail}
        </span>
      </span>
      <span role="gridcell" class="of-cell untrusted">
        {entry ? '' : flow.service}
      </span>
      <span role="gridcell" class="status-cell">
        {entry || flow.status === null ? '' : flow.status}
      </span>
      <span role="gridcell" class="time-cell">
        {entry ? '' : flow.isOpen ? '…' : flow.milliseconds === null ? '' : formatDuration(flow.milliseconds)}
      </span>
      <span role="gridcell" class="size-cell">
        {entry || flow.bytes === null ? '' : formatSize(flow.bytes)}
      </span>
    </>
  );
}

const MARKS = { plain: '·', success: '✓', danger: '✗', warning: '!' } as const;

function NoFlows({ isFiltered }: { isFiltered: boolean }): JSX.Element {
  if (isFiltered)
    return (
      <EmptyState title="Nothing matches">
        <p>Other words, or another kind or service, may.</p>
      </EmptyState>
    );
  return (
    <EmptyState title="Nothing happened yet">
      <p>
        Log in, on the page or here. Each step shows as it happens: the popup, the redirect, the exchange of the code,
        events, calls of the API with status, time and size, and refreshes.
      </p>
    </EmptyState>
  );
}
