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

/** A time zone that the platform named; UTC when it names none, or one that this browser doesn't know. */
export function knownTimeZone(timeZone: string | null): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: timeZone ?? 'UTC' }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** When data was loaded, or that it is loading. */
export function LoadedAt({ at, now, loading }: { at: number | null; now: number; loading: boolean }): JSX.Element {
  if (loading) return <span class="muted">Loading…</span>;
  if (at === null) return <span class="muted" />;
  return (
    <span class="muted" data-read-at={at}>
      Updated <Time at={at} now={Math.max(now, at)} />
    </span>
  );
}
