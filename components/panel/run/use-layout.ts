/** How the *Run* tab is arranged at the panel’s current size. */
import { useMedia } from '../shared/use-media.ts';

/**
 * - `columns`: pipeline, payload, and past runs on the left, the run on the right.
 * - `rows`: pipeline and payload above, the run below.
 * - `low`: pipeline, payload, and run side by side, such as in DevTools docked at the bottom.
 * - `two-tabs`: pipeline and payload side by side in one tab, the run in the other.
 * - `three-tabs`: one tab each.
 */
export type Layout = 'columns' | 'rows' | 'low' | 'two-tabs' | 'three-tabs';

export function useLayout(): Layout {
  const isLow = useMedia('(max-height: 399px)');
  const isTiny = useIsTiny();
  const isNarrow = useMedia('(max-width: 699px)');
  const hasNoRoomForColumns = useMedia('(max-width: 899px)');
  if (isTiny) return 'three-tabs';
  if (isLow) return hasNoRoomForColumns ? 'two-tabs' : 'low';
  return isNarrow ? 'rows' : 'columns';
}

/** Whether height is so scarce that past runs are a menu, and a run’s details are beside its timeline. */
export const useIsCramped = (): boolean =>
  useMedia('(max-height: 399px), (min-width: 480px) and (max-width: 699px) and (max-height: 619px)');

/** Whether there’s no room beside a run’s timeline. */
export const useIsTiny = (): boolean => useMedia('(max-width: 479px)');
