/** A sample of a series' line for legends. */
import type { JSX } from 'preact';
import type { SeriesStyle } from './series-style.ts';

export function Swatch({ style: { color, dash } }: { style: SeriesStyle }): JSX.Element {
  return (
    <svg class="swatch" width="24" height="8" aria-hidden="true">
      <line
        x1="0"
        y1="4"
        x2="24"
        y2="4"
        stroke={`var(${color})`}
        stroke-width="2.5"
        stroke-dasharray={dash.join(' ')}
      />
    </svg>
  );
}
