/** Shows the timeline of logins and calls: filters, and one row per flow with its entries below. */
import type { JSX } from 'preact';
import { formatDuration, formatExactTime, formatSize, formatTime, plural } from '../../../lib/shared/format.ts';
import { describeEntry } from '../../../lib/extension/panel/oauth2/entry-text.ts';
import type { FlowFilter, Row } from '../../../lib/extension/panel/oauth2/flow-rows.ts';
import type { OAuth2Store } from '../../../lib/extension/panel/oauth2/store.ts';
import { Badge, Button, EmptyState } from '../../ui/index.ts';
import { Twist, VirtualTree } from '../../ui/virtual-tree.tsx';
import { takeEscape } from '../shared/take-escape.ts';

const KINDS: { id: FlowFilter['kind']; label: string }[] = [
  { id: 'all', label: 'All types' },
  { id: 'login', label: 'Logins and logouts' },
  { id: 'api', label: 'API calls' },
  { id: 'refresh', label: 'Refreshes' },
  { id: 'problems', label: 'Problems' },
];
const MARKS = { plain: '·', success: '✓', danger: '✗', warning: '!' } as const;

export function TimelineView({ store }: { store: OAuth2Store }): JSX.Element {
  const { timeline } = store;
  return (
    <section class="flows" aria-label="Timeline">
      <TimelineToolbar store={store} />
      {timeline.rows.value.length > 0 ? (
        <TimelineRows store={store} />
      ) : (
        <NoRows isFiltered={timeline.flows.value.length > 0} onClear={timeline.clearFilter} />
      )}
    </section>
  );
}

function TimelineRows({ store: { timeline } }: { store: OAuth2Store }): JSX.Element {
  const { selected } = timeline;
  const setExpanded = (row: Row, isExpanded: boolean) => timeline.setExpanded(row.flow.id, isExpanded);
  return (
    <div
      class="flow-rows"
      data-flows=""
      onKeyDown={(event) => {
        if (selected.peek() !== null && takeEscape(event)) selected.value = null;
      }}
    >
      <VirtualTree
        label="Timeline of logins and calls"
        role="treegrid"
        rows={timeline.rows.value}
        shape={(row) => row}
        attributes={({ flow, entry }) => ({
          'data-flow': entry ? undefined : flow.type,
          'data-entry': entry?.detail.kind,
          'data-tone': entry ? describeEntry(entry).tone : flow.tone,
          'data-of': flow.service,
          'data-entry-id': entry ? String(entry.id) : undefined,
        })}
        selected={selected.value}
        onSelect={(row) => (selected.value = row.key)}
        onToggle={setExpanded}
        follow
        render={(row) => <RowCells row={row} onToggle={() => setExpanded(row, row.expanded !== true)} />}
      />
    </div>
  );
}

function TimelineToolbar({ store }: { store: OAuth2Store }): JSX.Element {
  const { timeline } = store;
  const dropped = timeline.dropped.value;
  return (
    <header class="section-head flow-bar">
      <h2>Timeline</h2>
      <Filters store={store} />
      {dropped > 0 ? (
        <span role="status" data-dropped={dropped}>
          <Badge tone="warning">{plural(dropped, 'event')} not shown</Badge>
        </span>
      ) : null}
      <span class="grow" />
      <label class="check" title="Keep entries when the page navigates">
        <input
          type="checkbox"
          name="keep"
          checked={timeline.preserveLog.value}
          onChange={(event) => timeline.setPreserveLog(event.currentTarget.checked)}
        />
        Preserve log
      </label>
      <Button kind="quiet" onClick={timeline.clear}>
        Clear
      </Button>
      <Button
        kind="quiet"
        title="Save as JSON, without tokens or secrets"
        unavailable={timeline.flows.value.length === 0 ? 'Log in or call an API first' : null}
        onClick={store.exportTimeline}
      >
        Export
      </Button>
    </header>
  );
}

function Filters({ store }: { store: OAuth2Store }): JSX.Element {
  const { filter } = store.timeline;
  const { text, kind, service } = filter.value;
  const update = (change: Partial<FlowFilter>) => (filter.value = { ...filter.peek(), ...change });
  const configured = (store.page.value?.services ?? []).map(({ name }) => name);
  const services = [...new Set(service ? [...configured, service] : configured)];
  return (
    <>
      <input
        class="input"
        type="search"
        name="flow-search"
        aria-label="Search timeline"
        placeholder="Search"
        value={text}
        onInput={(event) => update({ text: event.currentTarget.value })}
      />
      <select
        class="input"
        name="flow-kind"
        aria-label="Type"
        value={kind}
        onChange={(event) => update({ kind: event.currentTarget.value as FlowFilter['kind'] })}
      >
        {KINDS.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
      {services.length > 1 ? (
        <select
          class="input"
          name="flow-service"
          aria-label="Service"
          value={service}
          onChange={(event) => update({ service: event.currentTarget.value })}
        >
          <option value="">All services</option>
          {services.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      ) : null}
    </>
  );
}

function RowCells({ row, onToggle }: { row: Row; onToggle: () => void }): JSX.Element {
  const { flow, entry, expanded } = row;
  const { title, detail, tone } = entry ? describeEntry(entry) : flow;
  const offset = entry && `+${formatDuration(Math.max(0, entry.at - flow.started))}`;
  return (
    <>
      <span role="gridcell" class="at-cell" title={formatExactTime(entry?.at ?? flow.started)}>
        {offset ?? formatTime(flow.started, { seconds: true })}
      </span>
      <span role="gridcell" class="what-cell">
        <Twist expanded={expanded} onToggle={onToggle} />
        <span class={`mark ${tone}`} aria-hidden="true">
          {MARKS[tone]}
        </span>
        <span class="what untrusted">{title}</span>
        <span class="detail untrusted" title={detail}>
          {detail}
        </span>
      </span>
      <span role="gridcell" class="of-cell untrusted">
        {entry ? '' : flow.service}
      </span>
      <span role="gridcell" class="status-cell">
        {entry ? '' : flow.status}
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

function NoRows({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }): JSX.Element {
  return isFiltered ? (
    <EmptyState title="No entries match these filters" actions={<Button onClick={onClear}>Clear filters</Button>} />
  ) : (
    <EmptyState title="No entries yet">
      <p>Log in, on the page or here. Logins, token requests, and API calls appear as they happen.</p>
    </EmptyState>
  );
}
