/** Owns the trace of a failed run: its lines, the failing step first. */
import type { JSX } from 'preact';

/** What the platform says is not checked in depth: the lines may be anything. */
export function TraceLines({ lines }: { lines: unknown }): JSX.Element | null {
  if (!Array.isArray(lines) || lines.length === 0) return null;
  return (
    <ol class="trace mono" aria-label="Trace">
      {lines.slice(0, 200).map((line, index) => (
        <li key={index} class="untrusted">
          {String(line).slice(0, 1000)}
        </li>
      ))}
    </ol>
  );
}
