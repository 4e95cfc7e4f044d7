/** Shows a time relative to now, with the exact time in the tooltip. */
import type { ComponentChildren, JSX } from 'preact';
import { isAhead } from '../../../lib/platform-api/sessions/timestamp.ts';
import { formatExactTime, formatRelativeTime, isoTime } from '../../../lib/shared/format.ts';

export interface TimeProps {
  /** Epoch milliseconds. */
  at: number;
  now: number;
  timeZone?: string;
  children?: ComponentChildren;
}

export function Time({ at, now, timeZone, children }: TimeProps): JSX.Element {
  return (
    <time dateTime={isoTime(at)} title={formatExactTime(at, timeZone)}>
      {formatRelativeTime(at, now)}
      {children}
    </time>
  );
}

/**
 * When something happened to an action. Within the difference of clocks, a time in the future is shown as now. Further
 * ahead, it’s a virtual clock’s.
 */
export function ActionTime({ at, now }: Pick<TimeProps, 'at' | 'now'>): JSX.Element {
  return <Time at={at} now={isAhead(at, now) ? now : Math.max(at, now)} />;
}
