/** Owns the console lines that were written during a step or run. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { Panel } from '../../../lib/extension/panel/shell/panel.ts';
import { formatDuration, plural } from '../../../lib/shared/format.ts';
import type { ConsoleLine } from '../../../lib/extension/panel/run/trace.ts';
import { EmptyState } from '../../ui/index.ts';
import { ValueText, ValueTree } from '../../ui/value-tree.tsx';
import { VirtualTree } from '../../ui/virtual-tree.tsx';

export function ConsoleLines({
  panel,
  lines,
  leftOut,
}: {
  panel: Panel;
  lines: ConsoleLine[];
  leftOut: number;
}): JSX.Element {
  const [selected, setSelected] = useState<number | null>(null);
  const rows = useMemo(() => lines.map((line, index) => ({ line, index })), [lines]);
  if (lines.length === 0 && leftOut === 0)
    return (
      <EmptyState title="Nothing was logged">
        <p>What functions write with console.log, info, warn, error and debug stands here.</p>
      </EmptyState>
    );
  const chosen = selected === null ? undefined : lines[selected];
  const opened =
    chosen?.args.filter(
      (value) => value.t === 'object' || value.t === 'array' || (value.t === 'string' && value.v.length > 80),
    ) ?? [];
  return (
    <div class="lines">
      {leftOut > 0 ? (
        <p class="muted" data-left-out={leftOut}>
          The run logged more than is held: its last {plural(leftOut, 'line')} {leftOut === 1 ? 'is' : 'are'} left out.
          The browser’s console has them.
        </p>
      ) : null}
      <div class="fill">
        <VirtualTree
          label="Console"
          rows={rows}
          shape={(row) => ({ key: String(row.index), level: 0, expanded: null })}
          attributes={(row) => ({ 'data-line': row.line.level })}
          selected={selected === null ? null : String(selected)}
          onSelect={(row) => setSelected(row.index)}
          onToggle={() => {}}
          rowHeight={18}
          render={({ line }) => (
            <span class={`console-line ${line.level} mono untrusted`}>
              <span class="muted">{formatDuration(line.at)}</span> <span class="level">{line.level}</span>{' '}
              {line.args.map((value, index) => (
                <span key={index}>
                  {value.t === 'string' ? value.v.slice(0, 300) : <ValueText value={value} room={160} />}{' '}
                </span>
              ))}
            </span>
          )}
        />
      </div>
      {opened.map((value, index) => (
        <div key={`${selected} ${index}`} class="opened">
          <ValueTree
            label={`Value ${index + 1} of the line`}
            value={value}
            expand={panel.expand}
            copy={panel.copy}
            maxHeight={120}
          />
        </div>
      ))}
    </div>
  );
}
