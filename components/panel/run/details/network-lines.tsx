/** Network requests of a step or run. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { listedUrl, statusText } from '../../../../lib/extension/panel/run/describe-request.ts';
import type { RequestLine } from '../../../../lib/extension/panel/run/trace.ts';
import { formatDuration, formatSize, plural, truncate } from '../../../../lib/shared/format.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { Checkbox } from '../../../ui/field.tsx';
import { EmptyState } from '../../../ui/index.ts';
import { VirtualTree } from '../../../ui/virtual-tree.tsx';
import { RequestDetails } from './request-details.tsx';

export interface NetworkLinesProps {
  panel: Panel;
  requests: RequestLine[];
  omitted: number;
  /** Says that the run is recorded in part; null if it isn’t. */
  missing: string | null;
  /** How long the run has been running; null if it has ended. */
  elapsed: number | null;
}

export function NetworkLines({ panel, requests, omitted, missing, elapsed }: NetworkLinesProps): JSX.Element {
  const [selected, setSelected] = useState<number | null>(null);
  if (requests.length === 0 && omitted === 0)
    return (
      <EmptyState title="No requests recorded" actions={<RecordBodies panel={panel} />}>
        <p>Requests that functions send with fetch or XMLHttpRequest appear here. {missing}</p>
      </EmptyState>
    );
  const pageUrl = panel.page.state.value?.url ?? null;
  const opened = selected === null ? undefined : requests.find(({ id }) => id === selected);
  return (
    <div class="lines">
      <div class="view-buttons">
        <RecordBodies panel={panel} />
      </div>
      {omitted > 0 ? (
        <p class="muted" data-left-out={omitted}>
          {plural(omitted, 'more request')} of the run {omitted === 1 ? 'wasn’t' : 'weren’t'} recorded. Open the
          browser’s Network panel to see all requests.
        </p>
      ) : null}
      <div class="fill">
        <VirtualTree
          label="Network"
          role="treegrid"
          rows={requests}
          shape={(request) => ({ key: String(request.id), level: 0, expanded: null })}
          attributes={(request) => ({
            'data-request': String(request.id),
            'data-status': request.status === null ? undefined : String(request.status),
          })}
          selected={selected === null ? null : String(selected)}
          onSelect={(request) => setSelected(request.id)}
          onToggle={() => {}}
          render={(request) => <Line request={request} pageUrl={pageUrl} elapsed={elapsed} />}
        />
      </div>
      {opened ? (
        <RequestDetails request={opened} elapsed={elapsed} copy={panel.copy} onClose={() => setSelected(null)} />
      ) : null}
    </div>
  );
}

function RecordBodies({ panel: { recordBodies } }: { panel: Panel }): JSX.Element {
  return (
    <Checkbox
      name="record-bodies"
      label="Record bodies from the next run on"
      checked={recordBodies.isOn.value}
      onChange={recordBodies.set}
    />
  );
}

interface LineProps {
  request: RequestLine;
  pageUrl: string | null;
  elapsed: number | null;
}

function Line({
  request: { method, url, error, status, bytes, at, end: endedAt },
  pageUrl,
  elapsed,
}: LineProps): JSX.Element {
  const end = endedAt ?? elapsed;
  const hasFailed = error !== undefined || (status !== null && status >= 400);
  return (
    <span class={hasFailed ? 'request failed' : 'request'}>
      <span role="gridcell" class="mono">
        {truncate(method, 10)}
      </span>
      <span role="gridcell" class="mono untrusted url" title={url}>
        {listedUrl(url, pageUrl)}
      </span>
      <span role="gridcell">{truncate(statusText({ status, error }, elapsed), 60)}</span>
      <span role="gridcell">{bytes === null ? '' : formatSize(bytes)}</span>
      <span role="gridcell">{end === null ? '…' : formatDuration(end - at)}</span>
    </span>
  );
}
