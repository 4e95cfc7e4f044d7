/** Shows a time relative to now, with the exact time in the tooltip. */
import type { ComponentChildren, JSX } from 'preact';
import { formatExactTime, formatRelativeTime } from '../../../lib/shared/format.ts';

export interface TimeProps {
  /** Epoch milliseconds. */
  at: number;
  now: number;
  timeZone?: string;
  children?: ComponentChildren;
}

export function Time({ at, now, timeZone, children }: TimeProps): JSX.Element {
  return (
    <time dateTime={new Date(at).toISOString()} title={formatExactTime(at, timeZone)}>
      {formatRelativeTime(at, now)}
      {children}
    </time>
  );
}

/** The browser's canonical name for a time zone; UTC if `timeZone` is null or unknown to the browser. */
export function knownTimeZone(timeZone: string | null): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timeZone ?? 'UTC' }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}
