/** A failed run's trace, starting with the failing step. */
import type { JSX } from 'preact';
import { fieldText } from '../../../lib/extension/panel/actions/edit/draft-value.ts';
import { truncate } from '../../../lib/shared/format.ts';

/** Responses aren't deeply validated, so a line can be any value. */
export function TraceLines({ lines }: { lines: unknown }): JSX.Element | null {
  if (!Array.isArray(lines) || lines.length === 0) return null;
  return (
    <ol class="trace mono" aria-label="Trace">
      {lines.slice(0, 200).map((line, index) => (
        <li key={index} class="untrusted">
          {truncate(fieldText(line), 1_000)}
        </li>
      ))}
    </ol>
  );
}
