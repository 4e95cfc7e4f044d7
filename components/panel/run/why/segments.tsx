/** A condition on one line with the values that it saw. What wasn’t evaluated is dimmed. */
import type { JSX } from 'preact';
import type { Segment } from '../../../../lib/extension/panel/run/why/run-why.ts';
import './why.css';

export function Segments({ segments }: { segments: readonly Segment[] }): JSX.Element {
  return (
    <span class="why-segments untrusted">
      {segments.map(({ text, state }, index) => (
        <span key={index} data-segment={state} title={state === 'not-evaluated' ? 'Not evaluated' : undefined}>
          {text}
        </span>
      ))}
    </span>
  );
}
