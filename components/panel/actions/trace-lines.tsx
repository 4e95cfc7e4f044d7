/** The trace of a failed run, the failing step first. */
import type { JSX } from 'preact';
import { truncate } from '../../../lib/shared/format.ts';

/** Responses aren't validated in depth, so the lines may be anything. */
export function TraceLines({ lines }: { lines: unknown }): JSX.Element | null {
  if (!Array.isArray(lines) || lines.length === 0) return null;
  return (
    <ol class="trace mono" aria-label="Trace">
      {lines.slice(0, 200).map((line, index) => (
        <li key={index} class="untrusted">
          {truncate(String(line), 1_000)}
        </li>
      ))}
    </ol>
  );
}
