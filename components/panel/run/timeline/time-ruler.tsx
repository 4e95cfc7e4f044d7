/** A ruler above the timeline's bars. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { rulerTicks } from '../../../../lib/extension/panel/run/timeline/rows.ts';
import { formatDuration } from '../../../../lib/shared/format.ts';

/** In pixels. */
export const RULER_HEIGHT = 16;
/** In pixels. In a narrower timeline, the bars have no room for times above them. */
export const RULER_MIN_WIDTH = 520;

/** After this fraction of the ruler, a mark has no room for its time. */
const ROOM = 0.8;

export function TimeRuler({ total }: { total: number }): JSX.Element {
  const ticks = useMemo(() => rulerTicks(total), [total]);
  // A single late mark has room on its other side.
  const isLate = (at: number): boolean => at > ROOM && ticks.length === 2;
  return (
    <div class="time-ruler" aria-hidden="true">
      <span class="ticks">
        {ticks.map(({ at, milliseconds }) => (
          <span key={milliseconds} class={isLate(at) ? 'tick late' : 'tick'} style={{ left: `${at * 100}%` }}>
            {at > ROOM && !isLate(at) ? '' : formatDuration(milliseconds)}
          </span>
        ))}
      </span>
    </div>
  );
}
