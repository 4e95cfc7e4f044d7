/** The lines of an error's trace. Those with a URL open in the Sources panel, and the engine's own are collapsed. */
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { traceEntries, type TraceLine } from '../../../../lib/extension/panel/run/failure/error-frames.ts';
import type { Panel } from '../../../../lib/extension/panel/shell/panel.ts';
import { plural } from '../../../../lib/shared/format.ts';

export function TraceLines({ panel, lines }: { panel: Panel; lines: readonly string[] }): JSX.Element {
  const functions = panel.page.state.value?.functions;
  const entries = useMemo(
    () => traceEntries(lines, new Set((functions ?? []).flatMap(({ url }) => url ?? []))),
    [lines, functions],
  );
  return (
    <ol class="trace mono" aria-label="Trace">
      {entries.map((entry, index) =>
        entry.kind === 'line' ? (
          <Line key={index} panel={panel} line={entry.line} />
        ) : (
          <EngineLines key={index} panel={panel} lines={entry.lines} />
        ),
      )}
    </ol>
  );
}

function EngineLines({ panel, lines }: { panel: Panel; lines: readonly TraceLine[] }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <li class="engine">
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? '▾' : '▸'} {plural(lines.length, 'engine frame')}
        </button>
      </li>
      {isOpen ? lines.map((line, index) => <Line key={index} panel={panel} line={line} />) : null}
    </>
  );
}

function Line({ panel, line: { text, position } }: { panel: Panel; line: TraceLine }): JSX.Element {
  return (
    <li class="untrusted">
      {position && panel.canSource ? (
        <button
          type="button"
          class="link"
          title="Open this line in the Sources panel"
          onClick={() => void panel.showPosition(position)}
        >
          {text}
        </button>
      ) : (
        text
      )}
    </li>
  );
}
