/** Owns how a time and what is not told stand in a cell. */
import type { JSX } from 'preact';
import { isAhead, timeOf } from '../../../lib/platform-api/timestamp.ts';
import { relativeTime } from '../../../lib/extension/panel/actions/times.ts';
import { truncate } from '../../../lib/shared/format.ts';

/** From now; the whole time in its tooltip. One in the future is called that and no more: a platform tells only what has been. */
export function Moment({ at, now }: { at: number | null; now: number }): JSX.Element {
  if (at === null) return <Unknown />;
  const date = new Date(at);
  if (isAhead(at, now))
    return (
      <time
        class="ahead"
        dateTime={date.toISOString()}
        title={`${localText(date)}, ${relativeTime(at, now)}: it does not count`}
      >
        in the future
      </time>
    );
  return (
    <time dateTime={date.toISOString()} title={localText(date)}>
      {relativeTime(Math.min(at, now), now)}
    </time>
  );
}

/** `2026-11-21 14:03:27` in the person's zone; `Intl` takes too long for every cell of a table that is scrolled. */
function localText(date: Date): string {
  const [month, day, ...clock] = [
    date.getMonth() + 1,
    date.getDate(),
    date.getHours(),
    date.getMinutes(),
    date.getSeconds(),
  ].map((part) => String(part).padStart(2, '0'));
  return `${date.getFullYear()}-${month}-${day} ${clock.join(':')}`;
}

/** As the platform told it: what is no date, or one in the future, is shown as it came. */
export function PlatformTime({ text, now }: { text: string | null; now: number }): JSX.Element {
  const at = timeOf(text);
  if (at !== null && isAhead(at, now))
    return (
      <span>
        <code class="untrusted">{truncate(text ?? '', 60)}</code> is in the future and does not count
      </span>
    );
  return at === null && text ? (
    <span>
      <code class="untrusted">{truncate(text, 60)}</code> is no date
    </span>
  ) : (
    <Moment at={at} now={now} />
  );
}

export function Unknown(): JSX.Element {
  return (
    <span class="muted" aria-label="not told">
      –
    </span>
  );
}
