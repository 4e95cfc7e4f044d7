/** Console lines of a step or run. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { RemoteValue } from '../../../../lib/extension/panel/shared/remote-value.ts';
import type { ConsoleLine } from '../../../../lib/extension/panel/run/trace.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { formatDuration, plural } from '../../../../lib/shared/format.ts';
import { EmptyState } from '../../../ui/index.ts';
import { ValueText, ValueTree } from '../../shared/value-tree.tsx';
import { VirtualTree } from '../../../ui/virtual-tree.tsx';

export interface ConsoleLinesProps {
  panel: Panel;
  lines: ConsoleLine[];
  omitted: number;
  /** Says that the run is recorded in part; null if it isn’t. */
  missing: string | null;
}

export function ConsoleLines({ panel, lines, omitted, missing }: ConsoleLinesProps): JSX.Element {
  const [selected, setSelected] = useState<number | null>(null);
  const rows = useMemo(() => lines.map((line, index) => ({ line, index })), [lines]);
  if (lines.length === 0 && omitted === 0)
    return (
      <EmptyState title="No console output recorded">
        <p>Lines that functions write to the console appear here. {missing}</p>
      </EmptyState>
    );
  const selectedLine = selected === null ? undefined : lines[selected];
  return (
    <div class="lines">
      {omitted > 0 ? (
        <p class="muted" data-left-out={omitted}>
          {plural(omitted, 'more line')} of the run {omitted === 1 ? 'wasn’t' : 'weren’t'} recorded. Open the browser’s
          console to see all lines.
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
          render={({ line }) => <Line line={line} />}
        />
      </div>
      {selectedLine?.args.filter(isLarge).map((value, index) => (
        <div key={`${selected} ${index}`} class="opened">
          <ValueTree
            label={`Logged value ${index + 1}`}
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

const isLarge = (value: RemoteValue): boolean =>
  value.t === 'object' || value.t === 'array' || (value.t === 'string' && value.v.length > 80);

function Line({ line: { at, level, args } }: { line: ConsoleLine }): JSX.Element {
  return (
    <span class={`console-line ${level} mono untrusted`}>
      <span class="muted">{formatDuration(at)}</span> <span class="level">{level}</span>{' '}
      {args.map((value, index) => (
        <span key={index}>
          {value.t === 'string' ? value.v.slice(0, 300) : <ValueText value={value} room={160} />}{' '}
        </span>
      ))}
    </span>
  );
}
