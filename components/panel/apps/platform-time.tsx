/** Shows times reported by the platform, and a placeholder for those it didn't report. */
import type { JSX } from 'preact';
import { isAhead, timeOf } from '../../../lib/platform-api/sessions/timestamp.ts';
import { formatExactTime, formatRelativeTime, isoTime, truncate } from '../../../lib/shared/format.ts';
import { Time } from '../shared/time.tsx';

/** A past time. A time in the future must be wrong, so it's marked as such. */
export function PastTime({ at, now }: { at: number | null; now: number }): JSX.Element {
  if (at === null) return <Unknown />;
  if (!isAhead(at, now)) return <Time at={at} now={Math.max(at, now)} />;
  return (
    <time
      class="ahead"
      dateTime={isoTime(at)}
      title={`${formatExactTime(at)}, ${formatRelativeTime(at, now)} (ignored)`}
    >
      in the future
    </time>
  );
}

/** A time reported by the platform. Invalid and future times are shown verbatim. */
export function PlatformTime({ text, now }: { text: string | null; now: number }): JSX.Element {
  const at = timeOf(text);
  const isFuture = at !== null && isAhead(at, now);
  if (!text || (at !== null && !isFuture)) return <PastTime at={at} now={now} />;
  return (
    <span>
      <code class="untrusted">{truncate(text, 60)}</code> ({isFuture ? 'in the future, ignored' : 'not a date'})
    </span>
  );
}

export function Unknown(): JSX.Element {
  return (
    <span class="muted" aria-label="unknown">
      –
    </span>
  );
}
