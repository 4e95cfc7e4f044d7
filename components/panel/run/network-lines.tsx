/** Owns the network requests that were made during a step or run. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatDuration, formatSize, plural, truncate } from '../../../lib/shared/format.ts';
import type { RequestLine } from '../../../lib/extension/panel/run/trace.ts';
import { EmptyState } from '../../ui/index.ts';
import { VirtualTree } from '../../ui/virtual-tree.tsx';

export function NetworkLines({ requests, leftOut }: { requests: RequestLine[]; leftOut: number }): JSX.Element {
  const [selected, setSelected] = useState<number | null>(null);
  if (requests.length === 0 && leftOut === 0)
    return (
      <EmptyState title="No requests">
        <p>Requests that functions make with fetch or XMLHttpRequest stand here.</p>
      </EmptyState>
    );
  return (
    <div class="lines">
      {leftOut > 0 ? (
        <p class="muted" data-left-out={leftOut}>
          The run made more requests than are held: its last {plural(leftOut, 'request')} {leftOut === 1 ? 'is' : 'are'}{' '}
          left out. The browser’s Network panel has them.
        </p>
      ) : null}
      <div class="fill">
        <VirtualTree
          label="Network"
          role="treegrid"
          rows={requests}
          shape={(one) => ({ key: String(one.id), level: 0, expanded: null })}
          attributes={(one) => ({
            'data-request': String(one.id),
            'data-status': one.status === null ? undefined : String(one.status),
          })}
          selected={selected === null ? null : String(selected)}
          onSelect={(one) => setSelected(one.id)}
          onToggle={() => {}}
          render={(one) => {
            const isBad = one.error !== undefined || (one.status !== null && one.status >= 400);
            return (
              <span class={isBad ? 'request bad' : 'request'}>
                <span role="gridcell" class="mono">
                  {truncate(one.method, 10)}
                </span>
                <span role="gridcell" class="mono untrusted url" title={one.url}>
                  {truncate(one.url, 300)}
                </span>
                <span role="gridcell">{one.error ? truncate(one.error, 60) : (one.status ?? 'under way')}</span>
                <span role="gridcell">{one.bytes === null ? '' : formatSize(one.bytes)}</span>
                <span role="gridcell">{one.end === null ? '…' : formatDuration(one.end - one.at)}</span>
              </span>
            );
          }}
        />
      </div>
    </div>
  );
}
